import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inLetters } from '#common/policies/testing.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { ana, asker, leo, productOf, register, sell, signIn } from '#testing/agent.ts'
import type { Memory } from '#testing/node.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { countsOf, findProblems, sellUntil, countSold } from './harness/sellers.ts'
import { startService } from '#testing/service.ts'
import { adoptStore } from './harness/store.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'

const command = join(import.meta.dirname, '../server/database/backup-command.ts')

/** Takes a backup during sales, restores it on an empty machine, and sells there. */
async function restoreElsewhere(toPostgres: boolean, many: number): Promise<Result> {
  const deployment = await openDeployment()
  await sellUntil(deployment, 4, ({ sales }) => sales.length >= many)
  const folder = mkdtempSync(join(tmpdir(), 'portolan-restored-'))
  const file = join(folder, 'copy')
  let over = false
  const meanwhile = sellUntil(deployment, 2, () => over)
  run('backup', file, deployment.postgres?.url(), folder)
  over = true
  await meanwhile
  const taken = await countSold(deployment)
  const empty = toPostgres ? await startPostgres() : undefined
  // No backup contains the key.
  copyFileSync(join(deployment.folder, 'secrets.key'), join(folder, 'secrets.key'))
  // The list of erased data is empty.
  writeFileSync(join(folder, 'suppressed.jsonl'), '', { mode: 0o600 })
  run('restore', file, empty?.url(), folder)
  // The backup contains no files, so that the file store is new.
  adoptStore({ DATA_DIR: folder, ...(empty ? { DATABASE_URL: empty.url() } : {}) })
  const result = await sellOnRestored(deployment, folder, empty, [many, taken])
  await deployment.stop()
  await empty?.remove()
  rmSync(folder, { recursive: true, force: true })
  return { counts: { 'sold before': taken, ...result.counts }, problems: result.problems }
}

function run(verb: 'backup' | 'restore', file: string, url: string | undefined, folder: string): void {
  const environment = { ...process.env, DATA_DIR: folder, ...(url ? { DATABASE_URL: url } : {}) }
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, verb, file], { env: environment, stdio: 'pipe' })
}

async function sellOnRestored(
  deployment: Deployment,
  folder: string,
  empty: Postgres | undefined,
  [least, most]: [number, number],
): Promise<Result> {
  const environment = { ...settingsFor(deployment.network), DATA_DIR: folder, ...(empty ? { DATABASE_URL: empty.url() } : {}) }
  const node = await startService({ program: 'testing/node.ts', environment })
  const agent = await signIn(
    asker(() => node.origin),
    'agent@azahar.example',
  )
  const client = {
    agent,
    node: () => node,
    sql: (text: string, values: unknown[] = []): ReturnType<Deployment['sql']> => node.ask('sql', text, values),
  }
  const read = await countSold(client)
  const next = await sell(agent)
  // The month divided by the backup is closed with the existing data.
  await node.ask('clock', 40 * 86_400_000)
  await node.ask('close')
  const statements = Number((await client.sql('select count(*)::int as many from statements'))[0]?.['many'])
  const problems = await findProblems(
    client,
    { sales: [{ policyUuid: next.policyUuid, number: next.policyData.policyNumber }], cut: 0, deferred: 0, slowestMs: 0, problems: [] },
    read,
  )
  await node.stop()
  if (read < least || read > most) problems.push(`${read} sales were restored`)
  if (statements === 0) problems.push('no month was closed')
  return { counts: { restored: read, statements }, problems }
}

/** Makes many sales and lists with little memory. The process must neither grow nor end. */
async function limitMemory(many: number): Promise<Result> {
  const deployment = await openDeployment({ node: ['--max-old-space-size=192', '--expose-gc'] })
  const before = await countSold(deployment)
  await sellUntil(deployment, 4, ({ sales }) => sales.length >= 50)
  const warm = await deployment.node().ask('memory')
  const lists = async (enough: () => boolean) => {
    while (!enough())
      await deployment.agent.ask('/api/policy/list', { body: { page: 1, perPage: 100, export: true, searchData: '', sortCriteria: [] } })
  }
  let over = false
  const listing = lists(() => over)
  const sold = await sellUntil(deployment, 8, ({ sales }) => sales.length >= many)
  over = true
  await listing
  // Documents of groups are the longest.
  for (let group = 0; group < groups; group++) sold.sales.push(await sellGroup(deployment, group))
  const problems = await findProblems(deployment, sold, before + 50)
  const after = await deployment.node().ask('memory')
  await deployment.stop()
  const more = (of: keyof Memory) => Math.round((after[of] - warm[of]) / 1e6)
  const surplus =
    more('used') > 40 || more('process') > 150 ? [`the heap grew by ${more('used')} MB, the process by ${more('process')} MB`] : []
  return {
    counts: { ...countsOf(sold), 'heap limit MB': 192, 'heap growth MB': more('used'), 'process growth MB': more('process') },
    problems: [...problems.filter(problem => !/more policies than were sold/.test(problem)), ...surplus],
  }
}

const groups = 60

async function sellGroup({ agent }: Deployment, group: number): Promise<{ policyUuid: string; number: string }> {
  const paxNumber = 200
  const productUUID = productOf(agent, 'GRP').uuid
  const users = [
    ana,
    ...Array.from({ length: paxNumber - 1 }, (_, index) => ({
      ...leo,
      name: `Leo ${inLetters(group)} ${inLetters(index)}`,
      documentKind: 'passport',
      docNumber: `P${10_000 + index}`,
    })),
  ]
  const { policyUuid, policyData } = await sell(agent, { productUUID, paxNumber, users, insuranceType: productOf(agent, 'GRP').id })
  return { policyUuid, number: policyData.policyNumber }
}

/** Sells a day later, at both clock changes and on 29 February, by the date in the agency's time zone. */
async function moveClock(): Promise<Result> {
  const deployment = await openDeployment()
  const before = await countSold(deployment)
  const problems: string[] = []
  const moments = [
    '+1 day',
    '2027-03-28T00:59:59Z',
    '2027-03-28T01:00:01Z',
    '2027-10-31T00:59:59Z',
    '2027-10-31T01:00:01Z',
    '2028-02-29T22:50:00Z',
    '2028-02-29T23:00:01Z',
  ]
  const sales = []
  for (const moment of moments) {
    const ms = moment.startsWith('+') ? 86_400_000 : Date.parse(moment) - Date.now()
    await deployment.node().ask('clock', ms)
    const agent = await signIn(deployment.ask, 'agent@azahar.example')
    const now = new Date(Date.now() + ms)
    const start = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(now)
    const today = await register(agent, { startDate: start, endDate: start })
    if (today.status !== 200) problems.push(`${moment}: ${start} was rejected: ${today.text.slice(0, 150)}`)
    const yesterday = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date(now.getTime() - 86_400_000))
    if ((await register(agent, { startDate: yesterday, endDate: start })).status !== 422)
      problems.push(`${moment}: ${yesterday} was accepted`)
    const sold = await sell(agent, { startDate: start, endDate: start })
    sales.push({ policyUuid: sold.policyUuid, number: sold.policyData.policyNumber })
  }
  problems.push(...(await findProblems(deployment, { sales, cut: 0, deferred: 0, slowestMs: 0, problems: [] }, before)))
  await deployment.stop()
  return { counts: { moments: moments.length, sold: sales.length }, problems }
}

const restored =
  'the restored data is complete and consistent, the next sale gets a new number, and the month is closed with every movement'

export const operations: FaultTest[] = [
  {
    id: 'restore-postgres',
    title: 'a backup taken during sales, restored to an empty PostgreSQL',
    invariant: restored,
    needs: 'PostgreSQL',
    run: rounds => restoreElsewhere(true, rounds(200)),
  },
  {
    id: 'restore-embedded',
    title: 'the same, restored to an embedded database',
    invariant: restored,
    needs: 'PostgreSQL',
    run: rounds => restoreElsewhere(false, rounds(200)),
  },
  {
    id: 'memory-limit',
    title: 'sales and exports with a heap of 192 MB',
    invariant: 'no request fails, the process survives, and its memory does not grow',
    run: rounds => limitMemory(rounds(3000)),
  },
  {
    id: 'clock',
    title: 'the clock moves by a day, over both clock changes and over 29 February',
    invariant: 'today is the date in the agency’s time zone, and sales succeed',
    run: moveClock,
  },
]
