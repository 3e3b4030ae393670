import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultTest, Result } from './fault-test.ts'
import { ana, asker, leo, productOf, register, sell, signIn } from './harness/agent.ts'
import type { Memory } from './harness/node.ts'
import { type Postgres, startPostgres } from './harness/postgres.ts'
import { countsOf, faultsOf, sellUntil, soldSoFar } from './harness/sellers.ts'
import { startService } from './harness/service.ts'
import { takeStore } from './harness/store.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'

const command = join(import.meta.dirname, '../server/database/backup-command.ts')

/** A copy is taken while others sell; on a machine with nothing on it, it is read again, and one goes on selling. */
async function restoredElsewhere(toPostgres: boolean, many: number): Promise<Result> {
  const deployment = await openDeployment()
  await sellUntil(deployment, 4, ({ sales }) => sales.length >= many)
  const folder = mkdtempSync(join(tmpdir(), 'portolan-restored-'))
  const file = join(folder, 'copy')
  let over = false
  const meanwhile = sellUntil(deployment, 2, () => over)
  run('backup', file, deployment.postgres?.url(), folder)
  over = true
  await meanwhile
  const taken = await soldSoFar(deployment)
  const empty = toPostgres ? await startPostgres() : undefined
  run('restore', file, empty?.url(), folder)
  // The files stayed behind: this store is a new one.
  takeStore({ DATA_DIR: folder, ...(empty ? { DATABASE_URL: empty.url() } : {}) })
  const result = await goOnSelling(deployment, folder, empty, [many, taken])
  await deployment.stop()
  await empty?.remove()
  rmSync(folder, { recursive: true, force: true })
  return { counts: { 'sold before': taken, ...result.counts }, faults: result.faults }
}

function run(verb: 'backup' | 'restore', file: string, url: string | undefined, folder: string): void {
  const environment = { ...process.env, DATA_DIR: folder, ...(url ? { DATABASE_URL: url } : {}) }
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, verb, file], { env: environment, stdio: 'pipe' })
}

async function goOnSelling(
  deployment: Deployment,
  folder: string,
  empty: Postgres | undefined,
  [least, most]: [number, number],
): Promise<Result> {
  const environment = { ...settingsFor(deployment.network), DATA_DIR: folder, ...(empty ? { DATABASE_URL: empty.url() } : {}) }
  const node = await startService({ program: 'fault-tests/harness/node.ts', environment })
  const agent = await signIn(
    asker(() => node.origin),
    'agent@azahar.example',
  )
  const there = {
    agent,
    node: () => node,
    sql: (text: string, values: unknown[] = []): ReturnType<Deployment['sql']> => node.ask('sql', text, values),
  }
  const read = await soldSoFar(there)
  const next = await sell(agent)
  const faults = await faultsOf(
    there,
    { sales: [{ policyUuid: next.policyUuid, number: next.policyData.policyNumber }], cut: 0, putOff: 0, slowestMs: 0, faults: [] },
    read,
  )
  await node.stop()
  return { counts: { restored: read }, faults: read < least || read > most ? [...faults, `${read} sales were restored`] : faults }
}

/** Little memory, many sales and many lists: it neither grows nor ends. */
async function littleMemory(many: number): Promise<Result> {
  const deployment = await openDeployment({ node: ['--max-old-space-size=192', '--expose-gc'] })
  const before = await soldSoFar(deployment)
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
  // Their papers are the longest that there are.
  for (let group = 0; group < groups; group++) sold.sales.push(await sellGroup(deployment, group))
  const faults = await faultsOf(deployment, sold, before + 50)
  const after = await deployment.node().ask('memory')
  await deployment.stop()
  const more = (of: keyof Memory) => Math.round((after[of] - warm[of]) / 1e6)
  const surplus = more('held') > 40 || more('process') > 150 ? [`${more('held')} MB more are held, ${more('process')} by the process`] : []
  return {
    counts: { ...countsOf(sold), 'heap limit MB': 192, 'held MB more': more('held'), 'the process MB more': more('process') },
    faults: [...faults.filter(fault => !/more policies than were sold/.test(fault)), ...surplus],
  }
}

const groups = 60

async function sellGroup({ agent }: Deployment, group: number): Promise<{ policyUuid: string; number: string }> {
  const paxNumber = 200
  const productUUID = productOf(agent, 'GRP').uuid
  const users = [ana, ...Array.from({ length: paxNumber - 1 }, (_, place) => ({ ...leo, name: `Leo ${group} ${place}` }))]
  const { policyUuid, policyData } = await sell(agent, { productUUID, paxNumber, users, insuranceType: productOf(agent, 'GRP').id })
  return { policyUuid, number: policyData.policyNumber }
}

/** A day later, and on both nights on which the clocks change: quotes and sales go on, by the day of the agency's own place. */
async function clockMoved(): Promise<Result> {
  const deployment = await openDeployment()
  const before = await soldSoFar(deployment)
  const faults: string[] = []
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
    if (today.status !== 200) faults.push(`${moment}: ${start} was not taken: ${today.text.slice(0, 150)}`)
    const yesterday = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date(now.getTime() - 86_400_000))
    if ((await register(agent, { startDate: yesterday, endDate: start })).status !== 422) faults.push(`${moment}: ${yesterday} was taken`)
    const sold = await sell(agent, { startDate: start, endDate: start })
    sales.push({ policyUuid: sold.policyUuid, number: sold.policyData.policyNumber })
  }
  faults.push(...(await faultsOf(deployment, { sales, cut: 0, putOff: 0, slowestMs: 0, faults: [] }, before)))
  await deployment.stop()
  return { counts: { moments: moments.length, sold: sales.length }, faults }
}

const restored = 'what was restored is whole and true, and the next sale gets a number of its own'

export const keeping: FaultTest[] = [
  {
    id: 'restore-postgres',
    title: 'a copy taken under load, read on an empty PostgreSQL',
    invariant: restored,
    needs: 'PostgreSQL',
    run: rounds => restoredElsewhere(true, rounds(200)),
  },
  {
    id: 'restore-embedded',
    title: 'the same, read into an embedded database',
    invariant: restored,
    needs: 'PostgreSQL',
    run: rounds => restoredElsewhere(false, rounds(200)),
  },
  {
    id: 'memory-limit',
    title: 'sales and exports with a heap of 192 MB',
    invariant: 'no answer fails, the process lives, and holds no more at the end than at the start',
    run: rounds => littleMemory(rounds(3000)),
  },
  {
    id: 'clock',
    title: 'the clock moves a day, over both nights of the year, over 29 February',
    invariant: 'today is the day of the agency’s place; nothing breaks',
    run: clockMoved,
  },
]
