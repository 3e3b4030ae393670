import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '#testing/agent.ts'
import type { Postgres } from '#testing/postgres.ts'
import type { Service } from '#testing/service.ts'
import { withoutBaseline, compare, type Figure } from './compare.ts'
import { filledDatabase, seed } from './filled.ts'
import { measureFirstPages } from './first-pages.ts'
import { openSetup } from './setup.ts'
import { headOf, load, p95Of } from './load.ts'
import { pgbenchScript, runPgbench } from './pgbench.ts'
import { seller } from './sale/seller.ts'

type Size = { policies: number; postgres: Postgres | undefined; service: Service; agent: Agent; stop(): Promise<void> }
type Effort = { rounds: number; seconds: number }

const page = { page: 1, perPage: 10, export: false, searchData: '', sortCriteria: [] }
const listed = { path: '/api/policy/list' }
const sorted = (key: string) => ({ ...page, sortCriteria: [{ key, order: 'asc' }] })
const queries: Record<string, object> = {
  'first page': page,
  'page 900': { ...page, page: 900 },
  'search by name': { ...page, searchData: 'garcia' },
  'search without a result': { ...page, searchData: 'zzqqxx' },
  'search by document': { ...page, searchData: '12345678Z' },
  'search by the beginning of a phone': { ...page, searchData: '+34 612345' },
  'search by the beginning of an email': { ...page, searchData: 'lucia.0' },
  'search of past departures': { ...page, dateFrom: '2025-01-01', dateTo: '2025-01-31' },
  'sorted by total': sorted('total'),
  'sorted by number': sorted('policyNumber'),
  'sorted by product': sorted('productName'),
  'sorted by policyholder': sorted('policyTaker'),
  'sorted by seller': sorted('username'),
  'sorted by reference': sorted('buReference'),
  'sorted by start': sorted('startDate'),
}

/** Options of the largest size: the policies of other units, and a folder to reuse its database. */
type Largest = { others: number; kept?: string | undefined }

/** Measures lists, searches and exports of one unit, and how they grow with its policies. */
export async function benchLists(sizes: number[], largest: Largest, effort: Effort): Promise<Figure[]> {
  const setups: Size[] = []
  for (const policies of sizes) setups.push(await openSize(policies, policies === sizes.at(-1) ? largest : { others: 0 }))
  return figuresOf(setups, effort)
}

/** Measures the same on the embedded database. */
export async function benchEmbeddedLists(sizes: number[], effort: Effort): Promise<Figure[]> {
  const setups: Size[] = []
  for (const policies of sizes) setups.push(await openEmbeddedSize(policies))
  const figures = await figuresOf(setups, effort)
  return figures.map(figure => ({ ...figure, work: `embedded: ${figure.work}` }))
}

async function figuresOf(setups: Size[], effort: Effort): Promise<Figure[]> {
  const [small, ...larger] = setups
  if (!small) return []
  const figures: Figure[] = []
  for (const { postgres, ...size } of setups) if (postgres) figures.push(await compareWithPgbench(size, postgres, effort))
  for (const size of larger) for (const what of Object.keys(queries)) figures.push(await compareGrowth(what, size, small, effort))
  for (const { agent, policies } of setups) figures.push(...(await measureFirstPages(agent, policies)))
  for (const size of setups) figures.push(...(await measureExport(size)))
  for (const size of larger) figures.push(await compareSales(size, small, effort))
  if (small.postgres) for (const size of larger) figures.push(await compareStart(size, small, effort.rounds))
  for (const size of setups) await size.stop()
  return figures
}

async function openSize(policies: number, { others, kept }: Largest): Promise<Size> {
  const { postgres, leave } = await filledDatabase({ policies, others }, kept)
  const setup = await openSetup(postgres, { JOBS: 'off' })
  return { ...setup, policies, postgres, stop: () => setup.stop().then(leave) }
}

async function openEmbeddedSize(policies: number): Promise<Size> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  seed({ policies, others: 0 }, { DATA_DIR: folder })
  const setup = await openSetup(undefined, { JOBS: 'off', DATA_DIR: folder })
  return { ...setup, policies, stop: () => setup.stop().then(() => rmSync(folder, { recursive: true })) }
}

const compareGrowth = (what: string, size: Size, small: Size, { rounds, seconds }: Effort): Promise<Figure> => {
  const body = queries[what] ?? page
  const isSearch = what.startsWith('search')
  return compare(
    {
      work: `${what}, ${size.policies} policies, p95`,
      against: `the same with ${small.policies}`,
      unit: ' ms',
      target: isSearch ? '≤ 40 ms' : '≤ 2',
      met: (ratio, ours) => (isSearch ? ours <= 40 : ratio <= 2),
      ours: () => p95Of(size.service.origin, { ...listed, headers: size.agent.headers, body }, seconds),
      baseline: () => p95Of(small.service.origin, { ...listed, headers: small.agent.headers, body }, seconds),
    },
    rounds,
  )
}

const compareSales = (size: Size, small: Size, { rounds, seconds }: Effort): Promise<Figure> => {
  const selling = (at: Size) => async () => (await load(at.service.origin, 8, seconds, seller(at.agent))).perSecond
  return compare(
    {
      work: `sales, 8 callers, next to ${size.policies} policies`,
      against: `next to ${small.policies}`,
      unit: '/s',
      target: '≥ 0.8',
      met: ratio => ratio >= 0.8,
      ours: selling(size),
      baseline: selling(small),
    },
    rounds,
  )
}

const compareStart = (size: Size, small: Size, rounds: number): Promise<Figure> => {
  const starting = (at: Size) => async () => {
    const setup = await openSetup(at.postgres, { JOBS: 'off' })
    await setup.stop()
    return setup.service.readyMs
  }
  return compare(
    {
      work: `ready with ${size.policies} policies`,
      against: `with ${small.policies}`,
      unit: ' ms',
      target: '≤ 1.2',
      met: ratio => ratio <= 1.2,
      ours: starting(size),
      baseline: starting(small),
    },
    rounds,
  )
}

/** Compares one page over HTTP with its statements in pgbench. */
async function compareWithPgbench(
  { agent, service, policies }: Omit<Size, 'postgres'>,
  postgres: Postgres,
  { rounds, seconds }: Effort,
): Promise<Figure> {
  await service.ask('record')
  await service.ask('recorded')
  await agent.ask('/api/policy/list', { body: page })
  const statements = await service.ask('recorded')
  // Each view adds an audit row with a new id.
  const written = statements.filter(({ text }) => text.startsWith('insert')).flatMap(({ values }) => values[0] ?? [])
  const script = pgbenchScript(statements, written)
  const head = headOf('POST', '/api/policy/list', agent.headers)
  const average = async () =>
    1000 / (await load(service.origin, 1, seconds, connection => connection.ask(head, JSON.stringify(page)).then(() => {}))).perSecond
  return compare(
    {
      work: `first page, ${policies} policies, mean`,
      against: 'pgbench, the same SQL',
      unit: ' ms',
      target: '≤ 3',
      met: ratio => ratio <= 3,
      ours: average,
      baseline: () => Promise.resolve(1000 / runPgbench(postgres, { database: 'portolan', script }, 1, seconds)),
    },
    rounds,
  )
}

/** Measures a streamed export. */
async function measureExport({ agent, service, policies }: Size): Promise<Figure[]> {
  const { body } = await agent.ask('/api/policy/list', { body: page })
  const rows: number = body.data.total
  await service.ask('watchMemory')
  await service.ask('watchLoop')
  const began = performance.now()
  const reply = await fetch(new URL('/api/policy/list', service.origin), {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...page, export: true }),
  })
  if (reply.status !== 200 || !reply.body) throw new Error(`the export answered ${reply.status}`)
  let bytes = 0
  for await (const chunk of reply.body) bytes += chunk.length
  const seconds = (performance.now() - began) / 1000
  const growth = await service.ask('peakMemoryGrowth')
  const held = await service.ask('loopDelayMs')
  const name = `export of ${rows} of ${policies} policies (${(bytes / 1e6).toFixed(1)} MB)`
  return [
    withoutBaseline({ work: `${name}, rows/s`, unit: '/s', target: '≥ 100 000' }, rows / seconds, rate => rate >= 100_000),
    withoutBaseline({ work: `${name}, memory growth`, unit: ' MB', target: '< 150' }, growth / 1e6, more => more < 150),
    withoutBaseline({ work: `${name}, longest loop delay`, unit: ' ms', target: '≤ 50' }, held, ms => ms <= 50),
  ]
}
