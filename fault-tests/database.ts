import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { FaultTest, Result } from './fault-test.ts'
import { register } from '#testing/agent.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { countsOf, findProblems, keepSelling, nothingSold, sellOne, sellUntil, type Sold, countSold } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'
import { type CutPoint, openProxy } from './harness/proxy.ts'
import { until } from '#tools/until.ts'

const invariant = 'no response is a 500; each sale exists exactly once, however often its seller retried'

/** Cuts the database connection at one commit of each sale, each commit in turn. */
async function cutAtCommit(moment: CutPoint, many: number): Promise<Result> {
  const postgres = await startPostgres()
  const proxy = await openProxy(postgres.port)
  const deployment = await openDeployment({ postgres, databaseUrl: postgres.url().replace(`:${postgres.port}`, `:${proxy.port}`) })
  const before = await countSold(deployment)
  const sold = nothingSold()
  for (let round = 0; round < many; round++) {
    proxy.cutAt(moment, round % 8)
    await sellOne(deployment, sold).catch((error: unknown) => sold.problems.push(String(error)))
    proxy.cutAt(undefined)
  }
  const problems = await findProblems(deployment, sold, before)
  const { cuts } = proxy
  await deployment.stop()
  proxy.stop()
  await postgres.remove()
  return { counts: { cuts, ...countsOf(sold) }, problems: cuts < many / 2 ? [...problems, `only ${cuts} cuts`] : problems }
}

/** The PostgreSQL errors that are raised at random. */
const errors = {
  '40P01': 'deadlock',
  '40001': 'serialisation failure',
  '55P03': 'lock time-out',
  '53100': 'disk full',
  '57014': 'statement time-out',
  '53200': 'out of memory',
}

async function raiseErrors(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  const counts: Record<string, number> = {}
  const sold = nothingSold()
  for (const [code, name] of Object.entries(errors)) {
    await failingWith(deployment, code)
    const deferred = sold.deferred
    const some = await sellUntil(deployment, 4, ({ sales }) => sales.length >= many)
    await deployment.sql('drop trigger on_purpose on policy_history')
    sold.sales.push(...some.sales)
    sold.problems.push(...some.problems.map(problem => `${name}: ${problem}`))
    sold.deferred += some.deferred
    counts[`deferred by ${name}`] = sold.deferred - deferred
  }
  const problems = await findProblems(deployment, sold, before)
  await deployment.stop()
  return { counts: { sales: sold.sales.length, ...counts }, problems }
}

async function failingWith(deployment: Deployment, code: string): Promise<void> {
  await deployment.sql(`create or replace function on_purpose() returns trigger language plpgsql as
    $$ begin if random() < 0.3 then raise exception 'on purpose' using errcode = '${code}'; end if; return new; end $$`)
  await deployment.sql('create trigger on_purpose before insert on policy_history for each row execute function on_purpose()')
}

/** Sells with two connections and 64 sellers. */
async function poolExhausted(many: number): Promise<Result> {
  const deployment = await openDeployment({ environment: { DATABASE_POOL: '2' } })
  const before = await countSold(deployment)
  const sold = await sellUntil(deployment, 64, ({ sales }) => sales.length >= many)
  const problems = await findProblems(deployment, sold, before)
  await deployment.stop()
  return { counts: { sellers: 64, connections: 2, ...countsOf(sold) }, problems }
}

/** Locks a policy's row: the buyer must get 503 with a Retry-After header, and succeed once the lock is released. */
async function lockHeld(): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  const { body } = await register(deployment.agent)
  const { purchaseUUID, policyUuid } = body.data
  const holder = new pg.Client({ connectionString: deployment.postgres?.url() ?? '' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select * from policies where id = $1 for update', [policyUuid])
  const buy = () =>
    deployment.agent.ask('/api/policy/purchase', { body: { purchaseUUID, paymentGatewayUUID: deployment.agent.gateway('Deferred') } })
  const refused = await buy()
  await holder.query('rollback')
  await holder.end()
  const bought = await buy()
  const number = bought.body?.data?.policyData?.policyNumber
  const sold: Sold = { sales: [{ policyUuid, number }], cut: 0, deferred: 1, slowestMs: refused.ms, problems: [] }
  const problems = await findProblems(deployment, sold, before)
  await deployment.stop()
  const wrongStatus = refused.status === 503 && refused.headers.has('retry-after') ? [] : [`the buyer got ${refused.status}`]
  return {
    counts: { 'deferred after ms': Math.round(refused.ms), 'status of the retry': bought.status },
    problems: [...wrongStatus, ...problems],
  }
}

/** Fills the database's disk during sales, then frees it. */
async function diskFull(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=150m,mode=777', 'tmpfs', folder])
  let postgres: Postgres | undefined
  try {
    postgres = await startPostgres({ folder: folder, settings: { max_wal_size: '32MB', min_wal_size: '32MB' } })
    return await fillUp(postgres, folder)
  } finally {
    await postgres?.remove().catch(() => {})
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  }
}

async function fillUp(postgres: Postgres, folder: string): Promise<Result> {
  const deployment = await openDeployment({ postgres })
  const before = await countSold(deployment)
  const selling = keepSelling(deployment, 4, { timeoutMs: 300_000 })
  await selling.more(10)
  const filler = join(folder, 'ballast')
  execFileSync('sh', ['-c', `dd if=/dev/zero of=${filler} bs=1M 2>/dev/null || true`])
  // With four sellers, each of them has failed about five times.
  await until('sales that fail', () => selling.sold.deferred + selling.sold.cut > 20 || selling.sold.problems.length > 0)
  const ready = await deployment.ask('/health/ready').catch(() => undefined)
  execFileSync('rm', [filler])
  await restartIfStopped(postgres)
  await selling.more(10)
  const sold = await selling.stop()
  const problems = await findProblems(deployment, sold, before)
  await deployment.stop()
  return { counts: { ...countsOf(sold), 'ready while full': ready?.status ?? 'no answer' }, problems }
}

/** Fills the disk of the embedded database. It still reads but rejects writes, which /health/ready must report until the disk is freed. */
async function embeddedDiskFull(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=700', 'tmpfs', folder])
  try {
    const deployment = await openDeployment({ database: 'embedded', environment: { DATA_DIR: folder } })
    const ready = () => deployment.ask('/health/ready').then(({ status }) => status)
    const before = [await countSold(deployment), await ready()] as const
    const filler = join(folder, 'ballast')
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${filler} bs=1M 2>/dev/null || true`])
    const full = await ready()
    execFileSync('rm', [filler])
    const after = await ready()
    const sold = await sellUntil(deployment, 1, ({ sales }) => sales.length >= 3)
    const problems = await findProblems(deployment, sold, before[0])
    await deployment.stop()
    const statuses = [before[1], full, after].join()
    return { counts: { ready: statuses }, problems: statuses === '200,503,200' ? problems : [`ready answered ${statuses}`, ...problems] }
  } finally {
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  }
}

/** Restarts PostgreSQL if it has stopped, as it does when its log has no space. */
async function restartIfStopped(postgres: Postgres): Promise<void> {
  const answers = await postgres.query('select 1').catch(() => undefined)
  if (answers) return
  await postgres.stop().catch(() => {})
  await postgres.start()
}

export const database: FaultTest[] = [
  ...(['before', 'during', 'after'] as const).map(
    (moment): FaultTest => ({
      id: `cut-${moment}-commit`,
      title: `the connection to PostgreSQL is lost ${moment} a COMMIT`,
      invariant,
      needs: 'PostgreSQL',
      run: rounds => cutAtCommit(moment, rounds(40)),
    }),
  ),
  {
    id: 'database-errors',
    title: `PostgreSQL raises: ${Object.values(errors).join(', ')}`,
    invariant,
    needs: 'PostgreSQL',
    run: rounds => raiseErrors(rounds(30)),
  },
  {
    id: 'pool-exhausted',
    title: '64 sellers and two connections',
    invariant,
    needs: 'PostgreSQL',
    run: rounds => poolExhausted(rounds(500)),
  },
  { id: 'lock-held', title: 'a row is locked past the timeout', invariant, needs: 'PostgreSQL', run: lockHeld },
  {
    id: 'disk-full',
    title: 'the disk of PostgreSQL fills up during sales and is freed again',
    invariant,
    needs: 'root',
    run: diskFull,
  },
  {
    id: 'embedded-disk-full',
    title: 'the disk of the embedded database fills up and is freed again',
    invariant: '/health/ready answers 503 while the disk is full, and 200 before and after; sales are complete',
    needs: 'root',
    run: embeddedDiskFull,
  },
]
