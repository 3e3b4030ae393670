import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '#server/kit/database.ts'
import { readZip, unzip } from '#server/kit/upload/zip.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { ana, asker, signIn } from '#testing/agent.ts'
import { type Citus, citusCheckout, command, installCitus, startCitus } from './harness/citus.ts'
import { type Deployment, openDeployment } from './harness/deployment.ts'
import { startPostgres } from '#testing/postgres.ts'
import { countsOf, countSold, keepSelling, sellUntil, type Sold } from './harness/sellers.ts'

/** Distributes a demo over two machines, sells while these are killed in turn, and checks a backup. */
async function onCitus(kills: number, quietMs: number): Promise<Result> {
  installCitus(citusCheckout() ?? '')
  const citus = await startCitus(2)
  const deployment = await openDeployment({ postgres: citus.first })
  try {
    const spread = await distributeTwice(deployment, citus)
    const before = await countSold(deployment)
    const quiet = await sellFor(deployment, quietMs)
    const sold = await sellWhileKilled(deployment, citus, kills)
    sold.sales.push(...quiet.sales)
    sold.problems.push(...quiet.problems, ...spread.problems)
    await deployment.node().ask('drain')
    const lists = await readAll(deployment, before + sold.sales.length)
    const pages = await openPages(deployment)
    const restored = await restoreAndCompare(deployment, sold, before)
    return {
      counts: {
        ...spread.counts,
        kills,
        ...countsOf(sold),
        'sales/s without a kill': (quiet.sales.length / (quietMs / 1000)).toFixed(1),
        ...lists.counts,
        ...pages.counts,
        ...restored.counts,
      },
      problems: [...sold.problems, ...lists.problems, ...pages.problems, ...restored.problems],
    }
  } finally {
    await deployment.stop()
    await citus.remove()
  }
}

/** Distributes twice; the second time must change nothing. */
async function distributeTwice(deployment: Deployment, { first }: Citus): Promise<Result> {
  await deployment.node().stop()
  const distribute = () => command('server/database/distribute-command.ts', ['--shards', '16'], first.url(), deployment.folder)
  const began = performance.now()
  const [once, again] = [distribute(), distribute()]
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  await deployment.start()
  const [tables = '0'] = once.split(' ')
  const refused = [
    ...(Number(tables) > 40 ? [] : [`distributed: ${once}`]),
    ...(again.startsWith('0 tables') ? [] : [`distributed again: ${again}`]),
  ]
  return { counts: { tables, 'distributed twice in s': seconds }, problems: refused }
}

function sellFor(deployment: Deployment, ms: number): Promise<Sold> {
  const end = performance.now() + ms
  return sellUntil(deployment, 8, () => performance.now() > end)
}

/** Runs eight sellers. Each machine is killed in turn, and started again after two seconds. */
async function sellWhileKilled(deployment: Deployment, { workers }: Citus, kills: number): Promise<Sold> {
  const selling = keepSelling(deployment, 8)
  for (let round = 0; round < kills; round++) {
    await selling.more(20)
    const worker = workers[round % workers.length]
    await worker?.kill()
    await delay(2_000)
    await worker?.start()
  }
  await selling.more(20)
  return selling.stop()
}

/** Reads the agency's list, finds all of it by a name and by a document number, and exports it. */
async function readAll({ agent, origin }: Deployment, sold: number): Promise<Result> {
  const list = { page: 1, perPage: 100, searchData: '', sortCriteria: [] }
  const problems: string[] = []
  for (const searchData of ['', 'lópez', ana.docNumber]) {
    const { status, body } = await agent.ask('/api/policy/list', { body: { ...list, searchData } })
    if (status !== 200 || body.data.total !== sold)
      problems.push(`the list by '${searchData}' has ${body?.data?.total} of ${sold}: ${status}`)
  }
  const exported = await fetch(new URL('/api/policy/list', origin), {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...list, export: true }),
  })
  const bytes = Buffer.from(await exported.arrayBuffer())
  const sheet = readZip(bytes)?.find(({ name }) => name.endsWith('sheet1.xml'))
  // Without the rows of column names and sums.
  const rows = ((sheet && (await unzip(bytes, sheet))?.toString().match(/<row /g)) ?? []).length - 2
  if (rows !== sold) problems.push(`the export has ${rows} of ${sold}: ${exported.status}`)
  return { counts: { exported: rows }, problems }
}

/** Matches the calls that read and need no id: all with GET, and those with POST that list. */
const reads = /list|earnings|entries|rates|statements$|accounting$|bordereaux$|day|tasks|figures/

/** Opens the pages of a manager and an administrator, which must not fail. A refusal for missing input is allowed. */
async function openPages({ origin }: Deployment): Promise<Result> {
  const ask = asker(() => origin)
  const { paths } = (await ask('/api/openapi.json')).body
  const calls = Object.entries<Record<string, unknown>>(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map(method => ({ path, method })))
    .filter(({ path, method }) => !path.includes('{') && (method === 'get' || (method === 'post' && reads.test(path))))
  const problems: string[] = []
  const counts = { opened: 0, 'not with so little': 0 }
  for (const user of [await signIn(ask, 'manager@azahar.example'), await signIn(ask, 'admin@portolan.example')])
    for (const { path, method } of calls)
      for (const body of method === 'get' ? [undefined] : [{}, { page: 1, perPage: 10 }]) {
        const { status, text } = await ask(path, { method: method.toUpperCase(), body, headers: user.headers })
        counts[status < 300 ? 'opened' : 'not with so little'] += 1
        if (status >= 500) problems.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
      }
  return { counts, problems }
}

/** The sums of money and the numbers of rows, which a copy must have, too. */
const sums = `select (select count(*) from policies where status = 'purchased')::int as sold,
  (select coalesce(sum(total_cents), 0) from policies where status = 'purchased')::int as cents,
  (select count(*) from money_book)::int as bookings, (select coalesce(sum(agency_account), 0) from money_book)::int as account,
  (select count(*) from payments where state = 'settled')::int as payments, (select count(*) from policy_people)::int as people,
  (select count(*) from jobs where subscriber = 'policies.purchased')::int as jobs`

/** Restores a backup of the cluster on one server. Checks every invariant there, and compares the sums of both. */
async function restoreAndCompare(deployment: Deployment, sold: Sold, before: number): Promise<Result> {
  const one = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'portolan-restored-'))
  try {
    const file = join(folder, 'copy')
    writeFileSync(join(folder, 'suppressed.jsonl'), '', { mode: 0o600 })
    const cluster = deployment.postgres?.url() ?? ''
    command('server/database/backup-command.ts', ['backup', file], cluster, deployment.folder)
    command('server/database/backup-command.ts', ['restore', file], one.url(), folder)
    const [there] = (await deployment.postgres?.query(sums)) ?? []
    const [here] = await one.query(sums)
    const numbers = await one.query(`select id, number from policies where status = 'purchased'`)
    const known = new Map(numbers.map(({ id, number }) => [String(id), String(number)]))
    const lost = sold.sales.filter(({ policyUuid, number }) => known.get(policyUuid) !== number)
    const surplus = known.size - before - sold.sales.length
    const database = await openDatabase({ DATABASE_URL: one.url(), DATABASE_POOL: 2, DATA_DIR: folder })
    const broken = await brokenInvariants(database)
    await database.close()
    return {
      counts: { restored: known.size, lost: lost.length, surplus },
      problems: [
        ...(lost.length > 0 ? [`${lost.length} acknowledged sales are missing: ${lost[0]?.policyUuid}`] : []),
        ...(surplus === 0 ? [] : [`${surplus} more policies than were sold`]),
        ...(JSON.stringify(there) === JSON.stringify(here)
          ? []
          : [`the sums differ: ${JSON.stringify(there)}, restored ${JSON.stringify(here)}`]),
        ...broken,
      ],
    }
  } finally {
    await one.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

export const citus: FaultTest[] = [
  {
    id: 'citus',
    title: 'a Citus cluster of three machines, whose two workers are killed in turn while eight sell',
    invariant: 'every acknowledged sale is in the list, the export and a restored backup once, with the same sums; no invariant is broken',
    needs: 'Citus',
    run: rounds => onCitus(rounds(4), 5_000),
  },
]
