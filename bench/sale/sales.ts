import type { Postgres } from '#testing/postgres.ts'
import { atLeast, type Comparison, type Figure, figureOf, median, withoutBaseline } from '../compare.ts'
import { benchCosts } from './costs.ts'
import { type LeastSale, openLeastSale } from './least.ts'
import { openPeer, type Peer } from './peer.ts'
import { sellFor, sustained } from './seller.ts'
import { openSides, type Sides } from './sides.ts'

type Effort = { rounds: number; seconds: number; callers: number[] }
type Baselines = { least: LeastSale | undefined; peer: Peer | undefined }

/** issue 24: how many times as fast as a Vendure on the same machine, by the number of callers. */
const targets: { bare: Record<number, number>; full: Record<number, number> } = { bare: { 1: 20, 8: 25 }, full: { 8: 6 } }

/** issue 24: the maximum costs of a sale. Its response comes after two commits. */
const allowed = { bare: { statements: 12, commits: 2, syncs: 3 }, full: { statements: 45 } }

/**
 * Measures sales over HTTP (register and purchase on account), without documents and with them. The baseline is pgbench with the minimal SQL of a
 * sale, and another shop if one is named. Also measures the costs of a sale.
 */
export async function benchSales(postgres: Postgres | undefined, peerUrl: string | undefined, effort: Effort): Promise<Figure[]> {
  const sides = await openSides(postgres)
  const least = postgres && (await openLeastSale(postgres, sides.bare))
  const peer = postgres && peerUrl ? await openPeer(peerUrl) : undefined
  const figures = [
    ...(await benchRates(sides, { least, peer }, effort)),
    ...(await benchCosts(sides.bare, `sale without documents, ${nameOf(postgres)}`, allowed.bare)),
    ...(await benchCosts(sides.full, `sale with its documents and mail, ${nameOf(postgres)}`, allowed.full)),
  ]
  await sides.stop()
  return figures
}

const nameOf = (postgres: Postgres | undefined): string => (postgres ? 'PostgreSQL' : 'embedded')

async function benchRates({ bare, full }: Sides, { least, peer }: Baselines, { rounds, seconds, callers }: Effort): Promise<Figure[]> {
  await sellFor(bare, 8, seconds)
  await sustained(full, 8, seconds)
  await peer?.perSecond(8, seconds)
  const figures: Figure[] = []
  for (const many of callers) {
    const measured: Measured[] = []
    for (let round = 0; round < rounds; round++)
      measured.push({
        least: least?.perSecond(many, seconds) ?? Number.NaN,
        bare: (await sellFor(bare, many, seconds)).perSecond,
        peer: (many <= 8 && (await peer?.perSecond(many, seconds))) || Number.NaN,
        full: await sustained(full, many, seconds),
      })
    figures.push(...figuresOf(measured, many, nameOf(bare.postgres)))
  }
  return figures
}

/** Sales per second in one round. */
type Measured = Record<'bare' | 'full' | 'least' | 'peer', number>

function figuresOf(measured: Measured[], callers: number, database: string): Figure[] {
  const against = (work: string, ours: 'bare' | 'full', baseline: 'least' | 'peer', target: Pick<Comparison, 'target' | 'met'>) => {
    const pairs = measured.map(each => ({ ours: each[ours], baseline: each[baseline] }))
    if (pairs.some(pair => Number.isNaN(pair.baseline))) return []
    const named = { work, against: names[baseline], unit: '/s', target: target.target }
    return [figureOf(named, pairs, target.met)]
  }
  const [bare, full] = [`sales/s, ${callers} callers, ${database}`, `the same with documents and mail, until all are made`]
  const compared = [
    ...against(bare, 'bare', 'least', atLeast(undefined)),
    ...against(bare, 'bare', 'peer', atLeast(targets.bare[callers])),
    ...against(full, 'full', 'least', atLeast(undefined)),
    ...against(full, 'full', 'peer', atLeast(targets.full[callers])),
  ]
  if (compared.length > 0) return compared
  const alone = (work: string, ours: 'bare' | 'full') =>
    withoutBaseline({ work, unit: '/s', target: '–' }, median(measured.map(each => each[ours])), () => true)
  return [alone(bare, 'bare'), alone(full, 'full')]
}

const names = { least: 'pgbench, the least SQL of a sale', peer: 'Vendure' }
