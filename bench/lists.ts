import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '#fault-tests/harness/agent.ts'
import type { Postgres } from '#fault-tests/harness/postgres.ts'
import type { Service } from '#fault-tests/harness/service.ts'
import { alone, compare, type Figure } from './compare.ts'
import { openGround, startDatabase } from './setup.ts'
import { headOf, load } from './load.ts'
import { pgbenchScript, runPgbench } from './pgbench.ts'
import { seller } from './sales.ts'

type Size = { policies: number; postgres: Postgres | undefined; service: Service; agent: Agent; stop(): Promise<void> }
type Effort = { rounds: number; seconds: number }

const page = { page: 1, perPage: 10, export: false, searchData: '', sortCriteria: [] }
const sorted = (key: string) => ({ ...page, sortCriteria: [{ key, order: 'asc' }] })
const asked: Record<string, object> = {
  'first page': page,
  'page 900': { ...page, page: 900 },
  'search by name': { ...page, searchData: 'garcia' },
  'search of nothing': { ...page, searchData: 'zzqqxx' },
  'sorted by number': sorted('policyNumber'),
  'sorted by product': sorted('productName'),
  'sorted by taker': sorted('policyTaker'),
  'sorted by seller': sorted('username'),
  'sorted by reference': sorted('buReference'),
  'sorted by start': sorted('startDate'),
}

/** The largest size: beside how many policies of other units, and in which folder it is kept, and found again. */
type Wish = { others: number; kept?: string | undefined }

/** design 8: lists, searches and exports of one unit, and how they grow with its policies. */
export async function benchLists(sizes: number[], wish: Wish, effort: Effort): Promise<Figure[]> {
  const grounds: Size[] = []
  for (const policies of sizes) grounds.push(await openSize(policies, policies === sizes.at(-1) ? wish : { others: 0 }))
  return figuresOf(grounds, effort)
}

/** The same on the embedded database. */
export async function benchEmbeddedLists(sizes: number[], effort: Effort): Promise<Figure[]> {
  const grounds: Size[] = []
  for (const policies of sizes) grounds.push(await openEmbeddedSize(policies))
  const figures = await figuresOf(grounds, effort)
  return figures.map(figure => ({ ...figure, work: `embedded: ${figure.work}` }))
}

async function figuresOf(grounds: Size[], effort: Effort): Promise<Figure[]> {
  const [small, ...larger] = grounds
  if (!small) return []
  const figures: Figure[] = []
  for (const { postgres, ...size } of grounds) if (postgres) figures.push(await againstBare(size, postgres, effort))
  for (const size of larger) for (const what of Object.keys(asked)) figures.push(await grown(what, size, small, effort))
  for (const size of grounds) figures.push(...(await exported(size)))
  for (const size of larger) figures.push(await sold(size, small, effort))
  if (small.postgres) for (const size of larger) figures.push(await started(size, small, effort.rounds))
  for (const size of grounds) await size.stop()
  return figures
}

async function openSize(policies: number, { others, kept }: Wish): Promise<Size> {
  const many = { policies, others }
  const isThere = kept !== undefined && isKept(kept, many)
  const postgres = await startDatabase(kept)
  if (!isThere) seed(many, { DATABASE_URL: postgres.url() })
  if (kept && !isThere) writeFileSync(join(kept, label), JSON.stringify(many))
  const ground = await openGround(postgres, { JOBS: 'off' })
  return { ...ground, policies, postgres, stop: () => ground.stop().then(() => (kept ? postgres.stop() : postgres.remove())) }
}

/** Says with how many it was filled to its end. */
const label = 'filled.json'

function isKept(folder: string, many: { policies: number; others: number }): boolean {
  if (!existsSync(folder)) return false
  const file = join(folder, label)
  if (existsSync(file) && readFileSync(file, 'utf8') === JSON.stringify(many)) return true
  throw new Error(`${folder} holds something else`)
}

async function openEmbeddedSize(policies: number): Promise<Size> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  seed({ policies, others: 0 }, { DATA_DIR: folder })
  const ground = await openGround(undefined, { JOBS: 'off', DATA_DIR: folder })
  return { ...ground, policies, stop: () => ground.stop().then(() => rmSync(folder, { recursive: true })) }
}

function seed(many: Record<'policies' | 'others', number>, environment: Record<string, string>): void {
  const command = join(import.meta.dirname, '../server/policies/seed-command.ts')
  const given = Object.entries(many).flatMap(([name, value]) => [`--${name}`, String(value)])
  const { DATABASE_URL: _, ...here } = process.env
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...given], {
    env: { ...here, ...environment },
    stdio: 'inherit',
  })
}

async function p95Of({ service, agent }: Size, body: object, seconds: number): Promise<number> {
  const [head, text] = [headOf('POST', '/api/policy/list', agent.headers), JSON.stringify(body)]
  const { p95 } = await load(service.origin, 1, seconds, async line => {
    const { status } = await line.ask(head, text)
    if (status !== 200) throw new Error(`the list answered ${status}`)
  })
  return p95
}

const grown = (what: string, size: Size, small: Size, { rounds, seconds }: Effort): Promise<Figure> => {
  const body = asked[what] ?? page
  const isSearch = what.startsWith('search')
  return compare(
    {
      work: `${what}, ${size.policies} policies, p95`,
      against: `the same with ${small.policies}`,
      unit: ' ms',
      reach: isSearch ? '≤ 40 ms' : '≤ 2',
      reached: (ratio, ours) => (isSearch ? ours <= 40 : ratio <= 2),
      ours: () => p95Of(size, body, seconds),
      theirs: () => p95Of(small, body, seconds),
    },
    rounds,
  )
}

const sold = (size: Size, small: Size, { rounds, seconds }: Effort): Promise<Figure> => {
  const selling = (at: Size) => async () => (await load(at.service.origin, 8, seconds, seller(at.agent))).perSecond
  return compare(
    {
      work: `sales, 8 callers, beside ${size.policies} policies`,
      against: `beside ${small.policies}`,
      unit: '/s',
      reach: '≥ 0.8',
      reached: ratio => ratio >= 0.8,
      ours: selling(size),
      theirs: selling(small),
    },
    rounds,
  )
}

const started = (size: Size, small: Size, rounds: number): Promise<Figure> => {
  const starting = (at: Size) => async () => {
    const ground = await openGround(at.postgres, { JOBS: 'off' })
    await ground.stop()
    return ground.service.readyMs
  }
  return compare(
    {
      work: `ready with ${size.policies} policies`,
      against: `with ${small.policies}`,
      unit: ' ms',
      reach: '≤ 1.2',
      reached: ratio => ratio <= 1.2,
      ours: starting(size),
      theirs: starting(small),
    },
    rounds,
  )
}

/** One page by HTTP against its own statements by pgbench. */
async function againstBare(
  { agent, service, policies }: Omit<Size, 'postgres'>,
  postgres: Postgres,
  { rounds, seconds }: Effort,
): Promise<Figure> {
  await service.ask('record')
  await service.ask('recorded')
  await agent.ask('/api/policy/list', { body: page })
  const statements = await service.ask('recorded')
  // Who looks at people's data is written down, each time as a new row.
  const written = statements.filter(({ text }) => text.startsWith('insert')).flatMap(({ values }) => values[0] ?? [])
  const script = pgbenchScript(statements, written)
  const head = headOf('POST', '/api/policy/list', agent.headers)
  const average = async () =>
    1000 / (await load(service.origin, 1, seconds, line => line.ask(head, JSON.stringify(page)).then(() => {}))).perSecond
  return compare(
    {
      work: `first page, ${policies} policies, mean`,
      against: 'pgbench, the same SQL',
      unit: ' ms',
      reach: '≤ 3',
      reached: ratio => ratio <= 3,
      ours: average,
      theirs: () => Promise.resolve(1000 / runPgbench(postgres, 'portolan', script, 1, seconds)),
    },
    rounds,
  )
}

/** A whole workbook, read as it comes. */
async function exported({ agent, service, policies }: Size): Promise<Figure[]> {
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
  const memoryMore = await service.ask('mostMemoryMore')
  const held = await service.ask('loopHeldMs')
  const name = `export of ${rows} of ${policies} policies (${(bytes / 1e6).toFixed(1)} MB)`
  return [
    alone({ work: `${name}, rows/s`, unit: '/s', reach: '≥ 40 000' }, rows / seconds, rate => rate >= 40_000),
    alone({ work: `${name}, memory more`, unit: ' MB', reach: '< 150' }, memoryMore / 1e6, more => more < 150),
    alone({ work: `${name}, loop held at most`, unit: ' ms', reach: '≤ 50' }, held, ms => ms <= 50),
  ]
}
