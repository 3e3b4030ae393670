import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { FaultTest, Result } from './fault-test.ts'
import { register } from './harness/agent.ts'
import { type Postgres, startPostgres } from './harness/postgres.ts'
import { countsOf, faultsOf, sellOne, sellUntil, type Sold, soldSoFar } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'
import { type Moment, openWire } from './harness/wire.ts'

const invariant = 'no answer is a defect; each sale is there exactly once, however often its seller had to ask'

/** Of each sale one commit, chosen in turn, is where the line to the database is lost. */
async function cutAtCommit(moment: Moment, many: number): Promise<Result> {
  const postgres = await startPostgres()
  const wire = await openWire(postgres.port)
  const deployment = await openDeployment({ postgres, databaseUrl: postgres.url().replace(`:${postgres.port}`, `:${wire.port}`) })
  const before = await soldSoFar(deployment)
  const sold: Sold = { sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] }
  for (let round = 0; round < many; round++) {
    wire.cutAt(moment, round % 8)
    await sellOne(deployment, sold).catch((error: unknown) => sold.faults.push(String(error)))
    wire.cutAt(undefined)
  }
  const faults = await faultsOf(deployment, sold, before)
  const { cuts } = wire
  await deployment.stop()
  wire.stop()
  await postgres.remove()
  return { counts: { cuts, ...countsOf(sold) }, faults: cuts < many / 2 ? [...faults, `only ${cuts} cuts`] : faults }
}

/** What PostgreSQL says when it cannot, one statement in so many. */
const errors = {
  '40P01': 'deadlock',
  '40001': 'serialisation failure',
  '55P03': 'lock time-out',
  '53100': 'disk full',
  '57014': 'statement time-out',
  '53200': 'out of memory',
}

async function sayingSo(many: number): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const counts: Record<string, number> = {}
  const sold: Sold = { sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] }
  for (const [code, name] of Object.entries(errors)) {
    await failingWith(deployment, code)
    const putOff = sold.putOff
    const some = await sellUntil(deployment, 4, ({ sales }) => sales.length >= many)
    await deployment.sql('drop trigger on_purpose on policy_history')
    sold.sales.push(...some.sales)
    sold.faults.push(...some.faults.map(fault => `${name}: ${fault}`))
    sold.putOff += some.putOff
    counts[`put off by ${name}`] = sold.putOff - putOff
  }
  const faults = await faultsOf(deployment, sold, before)
  await deployment.stop()
  return { counts: { sales: sold.sales.length, ...counts }, faults }
}

async function failingWith(deployment: Deployment, code: string): Promise<void> {
  await deployment.sql(`create or replace function on_purpose() returns trigger language plpgsql as
    $$ begin if random() < 0.3 then raise exception 'on purpose' using errcode = '${code}'; end if; return new; end $$`)
  await deployment.sql('create trigger on_purpose before insert on policy_history for each row execute function on_purpose()')
}

/** Two connections, and many more who want one. */
async function poolExhausted(many: number): Promise<Result> {
  const deployment = await openDeployment({ environment: { DATABASE_POOL: '2' } })
  const before = await soldSoFar(deployment)
  const sold = await sellUntil(deployment, 64, ({ sales }) => sales.length >= many)
  const faults = await faultsOf(deployment, sold, before)
  await deployment.stop()
  return { counts: { sellers: 64, connections: 2, ...countsOf(sold) }, faults }
}

/** Somebody holds a policy's row and does not let go: the buyer is put off, and buys when he may. */
async function lockHeld(): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
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
  const sold: Sold = { sales: [{ policyUuid, number }], cut: 0, putOff: 1, slowestMs: refused.ms, faults: [] }
  const faults = await faultsOf(deployment, sold, before)
  await deployment.stop()
  const asked = refused.status === 503 && refused.headers.has('retry-after') ? [] : [`the buyer was told ${refused.status}`]
  return { counts: { 'put off after ms': Math.round(refused.ms), 'asked again': bought.status }, faults: [...asked, ...faults] }
}

/** The disk of the database fills up under sales, and is given room again. */
async function diskFull(): Promise<Result> {
  const place = mkdtempSync(join(tmpdir(), 'portolan-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=150m,mode=777', 'tmpfs', place])
  let postgres: Postgres | undefined
  try {
    postgres = await startPostgres({ folder: place, settings: { max_wal_size: '32MB', min_wal_size: '32MB' } })
    return await fillingUp(postgres, place)
  } finally {
    await postgres?.remove().catch(() => {})
    execFileSync('umount', ['-l', place])
    rmdirSync(place)
  }
}

async function fillingUp(postgres: Postgres, place: string): Promise<Result> {
  const deployment = await openDeployment({ postgres })
  const before = await soldSoFar(deployment)
  let over = false
  const selling = sellUntil(deployment, 4, () => over, { patienceMs: 300_000 })
  await delay(2_000)
  const ballast = join(place, 'ballast')
  execFileSync('sh', ['-c', `dd if=/dev/zero of=${ballast} bs=1M 2>/dev/null || true`])
  await delay(10_000)
  const ready = await deployment.ask('/health/ready').catch(() => undefined)
  execFileSync('rm', [ballast])
  await comingBack(postgres)
  await delay(3_000)
  over = true
  const sold = await selling
  const faults = await faultsOf(deployment, sold, before)
  await deployment.stop()
  return { counts: { ...countsOf(sold), 'ready while full': ready?.status ?? 'no answer' }, faults }
}

/** The embedded database reads on when its disk is full, and refuses what is written: it says so, until there is room. */
async function embeddedDiskFull(): Promise<Result> {
  const place = mkdtempSync(join(tmpdir(), 'portolan-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=700', 'tmpfs', place])
  try {
    const deployment = await openDeployment({ database: 'embedded', environment: { DATA_DIR: place } })
    const ready = () => deployment.ask('/health/ready').then(({ status }) => status)
    const before = [await soldSoFar(deployment), await ready()] as const
    const ballast = join(place, 'ballast')
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${ballast} bs=1M 2>/dev/null || true`])
    const full = await ready()
    execFileSync('rm', [ballast])
    const after = await ready()
    const sold = await sellUntil(deployment, 1, ({ sales }) => sales.length >= 3)
    const faults = await faultsOf(deployment, sold, before[0])
    await deployment.stop()
    const said = [before[1], full, after].join()
    return { counts: { ready: said }, faults: said === '200,503,200' ? faults : [`ready said ${said}`, ...faults] }
  } finally {
    execFileSync('umount', ['-l', place])
    rmdirSync(place)
  }
}

/** PostgreSQL ends itself when its own log has no room: whoever watches over it starts it again. */
async function comingBack(postgres: Postgres): Promise<void> {
  const answers = await postgres.query('select 1').catch(() => undefined)
  if (answers) return
  await postgres.stop().catch(() => {})
  await postgres.start()
}

export const database: FaultTest[] = [
  ...(['before', 'during', 'after'] as const).map(
    (moment): FaultTest => ({
      id: `cut-${moment}-commit`,
      title: `the line to PostgreSQL is lost ${moment} a COMMIT`,
      invariant,
      needs: 'PostgreSQL',
      run: rounds => cutAtCommit(moment, rounds(40)),
    }),
  ),
  {
    id: 'database-errors',
    title: `PostgreSQL says: ${Object.values(errors).join(', ')}`,
    invariant,
    needs: 'PostgreSQL',
    run: rounds => sayingSo(rounds(30)),
  },
  {
    id: 'pool-exhausted',
    title: '64 sellers and two connections',
    invariant,
    needs: 'PostgreSQL',
    run: rounds => poolExhausted(rounds(500)),
  },
  { id: 'lock-held', title: 'a row is locked for longer than anybody waits', invariant, needs: 'PostgreSQL', run: lockHeld },
  {
    id: 'disk-full',
    title: 'the disk of PostgreSQL fills up while four sell, and has room again',
    invariant,
    needs: 'root',
    run: diskFull,
  },
  {
    id: 'embedded-disk-full',
    title: 'the disk of the embedded database is full, and has room again',
    invariant: '/health/ready says 503 as long as there is no room, and 200 before and after; sales are whole.',
    needs: 'root',
    run: embeddedDiskFull,
  },
]
