import { type CoverGroup, coverGroupOf } from '#common/products/cover-codes.ts'
import { byPrice, type Standing, type Standings } from './comparison.ts'

export const ranks = ['fit', 'price', 'commission'] as const
export type Rank = (typeof ranks)[number]

type Ranked = { uuid: string; coverages: readonly { code?: string | null }[]; settings: { minPax: number } }

/**
 * Sorts the products that suit a trip, without refused ones. A product made for such a party is the most suitable; else the one with most of the
 * covers that clients ask for. The catalogue's order decides between equals, so that a price does not move a row.
 */
export function ranked(products: readonly Ranked[], standings: Standings, by: Rank, groups: readonly CoverGroup[]): string[] {
  const suiting = products.filter(({ uuid }) => suits(standings.get(uuid)))
  const uuids = suiting.map(({ uuid }) => uuid)
  if (by === 'price') return byPrice(uuids, standings)
  if (by === 'commission') return uuids.toSorted((a, b) => commissionIn(standings.get(b)) - commissionIn(standings.get(a)))
  const covered = ({ coverages }: Ranked): number =>
    groups.filter(group => coverages.some(({ code }) => coverGroupOf(code) === group)).length
  // A product for groups requires a minimum number of people, so a trip that it accepts is a group's.
  const isForGroup = ({ settings }: Ranked): number => Number(settings.minPax > 1)
  return suiting.toSorted((a, b) => isForGroup(b) - isForGroup(a) || covered(b) - covered(a)).map(({ uuid }) => uuid)
}

const suits = (standing: Standing | undefined): boolean => standing?.state === 'priced' || standing?.state === 'asks'

const commissionIn = (standing: Standing | undefined): number => (standing?.state === 'priced' ? standing.quote.commission.amount : -1)
