import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRandom } from '#common/kit/random.ts'
import { openMailServer } from '#testing/mailbox.ts'
import type { Postgres } from '#testing/postgres.ts'
import { type Figure, figureOf } from '../compare.ts'
import { seed } from '../filled.ts'
import { type Connection, openConnection } from '../load.ts'
import { openSetup, type Setup } from '../setup.ts'
import { seller, sustained } from './seller.ts'

type Effort = { rounds: number; seconds: number }
type Variant = Setup & { connect(): Promise<Connection>; sell(connection: Connection): Promise<void> }

const callers = 8
/** For tables that it has never seen with rows, PostgreSQL would plan full scans. */
const before = { policies: 20_000, others: 0 }
const root = join(import.meta.dirname, '../..')

/**
 * Compares the sale of this checkout with that of another. Without documents, a random draw decides which of the two services makes each sale, so
 * that all load of the machine is shared. With documents and emails the two sell in turn, until all are made. Without another checkout its own copy is
 * measured, which shows how far the figures can be trusted.
 */
export async function benchVariants(postgres: Postgres, other = root, { rounds, seconds }: Effort): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-variants-'))
  await postgres.query('create database variant_other', 'postgres')
  seed(before, { DATABASE_URL: postgres.url('variant_other'), DATA_DIR: folder }, { code: other })
  await postgres.query('vacuum analyze', 'variant_other')
  await postgres.query('create database variant_ours template variant_other', 'postgres')
  const open = async (name: string, code: string, changes: Record<string, string>): Promise<Variant> => {
    const locations = { DATA_DIR: join(folder, name), DATABASE_URL: postgres.url(name), FILE_STORE: `file:${join(folder, name, 'files')}` }
    const setup = await openSetup(postgres, { ...locations, ...changes }, [], code)
    return { ...setup, connect: () => openConnection(setup.service.origin), sell: seller(setup.agent) }
  }
  const openBoth = async (changes: Record<string, string>): Promise<Both> => ({
    ours: await open('variant_ours', root, changes),
    baseline: await open('variant_other', other, changes),
  })
  const both = await openBoth({ JOBS: 'off', DOCUMENTS_WAIT_MS: '0' })
  const draw = openRandom(1)
  await sellBy(both, draw, seconds)
  const pairs: Rates[] = []
  for (let round = 0; round < rounds; round++) pairs.push(await sellBy(both, draw, seconds))
  for (const variant of Object.values(both)) await variant.stop()
  for (const database of ['variant_ours', 'variant_other']) await postgres.query('delete from jobs', database)
  const mailServer = await openMailServer()
  const full = await openBoth({ JOBS: 'beside', SMTP_URL: mailServer.url })
  const wholePairs: Rates[] = []
  for (let round = 0; round <= rounds; round++) wholePairs.push(await sellInTurn(full, draw, seconds))
  for (const variant of Object.values(full)) await variant.stop()
  await mailServer.stop()
  rmSync(folder, { recursive: true, force: true })
  const against = other === root ? 'its twin' : other
  const named = { work: `sales/s of one caller among ${callers}, PostgreSQL`, against, unit: '/s', target: '≥ 0.95' }
  const whole = { ...named, work: `sales/s of ${callers} callers with documents and mail, until all are made` }
  return [
    figureOf(named, pairs, ratio => ratio >= 0.95),
    // The first round is a warm-up.
    figureOf(whole, wholePairs.slice(1), ratio => ratio >= 0.95),
  ]
}

type Rates = Record<'ours' | 'baseline', number>
type Both = Record<keyof Rates, Variant>

/** Returns the sales per second of all callers, by variant, including all their documents and emails. */
async function sellInTurn(both: Both, draw: ReturnType<typeof openRandom>, seconds: number): Promise<Rates> {
  const rates = { ours: 0, baseline: 0 }
  const first = draw.oneOf<keyof Rates>(['ours', 'baseline'])
  for (const name of [first, first === 'ours' ? 'baseline' : 'ours'] as const)
    rates[name] = await sustained({ ...both[name], jobs: true }, callers, seconds)
  return rates
}

/** Returns the sales per second of a caller who waits for each, by variant. */
async function sellBy(both: Both, draw: ReturnType<typeof openRandom>, seconds: number): Promise<Rates> {
  const times: Record<keyof Rates, number[]> = { ours: [], baseline: [] }
  const until = performance.now() + seconds * 1000
  const sellAs = async () => {
    const connections = { ours: await both.ours.connect(), baseline: await both.baseline.connect() }
    while (performance.now() < until) {
      const name = draw.oneOf<keyof Rates>(['ours', 'baseline'])
      const began = performance.now()
      await both[name].sell(connections[name])
      times[name].push(performance.now() - began)
    }
    for (const connection of Object.values(connections)) connection.close()
  }
  await Promise.all(Array.from({ length: callers }, sellAs))
  return { ours: 1000 / trimmedMean(times.ours), baseline: 1000 / trimmedMean(times.baseline) }
}

/** Returns the mean without the smallest and the largest tenth. */
export function trimmedMean(values: number[]): number {
  const cut = Math.floor(values.length / 10)
  const kept = values.toSorted((a, b) => a - b).slice(cut, values.length - cut)
  return kept.reduce((sum, each) => sum + each, 0) / kept.length
}
