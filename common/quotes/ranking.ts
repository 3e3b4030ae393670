import { type CoverGroup, coverGroupOf } from '#common/products/cover.ts'
import { byPrice, type Standing, type Standings } from './comparison.ts'

export const ranks = ['fit', 'price', 'commission'] as const
export type Rank = (typeof ranks)[number]

type Ranked = { uuid: string; coverages: readonly Cover[]; settings: { minPax: number } }

/**
 * Sorts the products that suit a trip, without refused ones. A product made for such a party is the most suitable; else the one with most of the
 * covers that clients ask for. Those for more than this trip come last. The catalogue's order decides between equals, so that a price does not move a
 * row.
 */
export function ranked(products: readonly Ranked[], standings: Standings, by: Rank, groups: readonly CoverGroup[]): string[] {
  const suiting = products.filter(({ uuid }) => suits(standings.get(uuid)))
  const uuids = suiting.map(({ uuid }) => uuid)
  if (by === 'price') return byPrice(uuids, standings)
  if (by === 'commission') return uuids.toSorted((a, b) => commissionIn(standings.get(b)) - commissionIn(standings.get(a)))
  const covered = ({ coverages }: Ranked): number => groups.filter(group => keyCover(group, coverages, undefined)).length
  // A product for groups requires a minimum number of people, so a trip that it accepts is a group's.
  const isForGroup = ({ settings }: Ranked): number => Number(settings.minPax > 1)
  const isForMore = ({ uuid }: Ranked): number => Number(hasTerm(standings.get(uuid)))
  return suiting
    .toSorted((a, b) => isForGroup(b) - isForGroup(a) || isForMore(a) - isForMore(b) || covered(b) - covered(a))
    .map(({ uuid }) => uuid)
}

const hasTerm = (standing: Standing | undefined): boolean => standing?.state === 'priced' && standing.term !== undefined

const suits = (standing: Standing | undefined): boolean => standing?.state === 'priced' || standing?.state === 'asks'

const commissionIn = (standing: Standing | undefined): number => (standing?.state === 'priced' ? standing.quote.commission.amount : -1)

type Cover = { code?: string | null | undefined }

/** The groups of covers that clients ask for, most important first. */
const askedFor: readonly CoverGroup[] = ['medical', 'cancellation', 'luggage', 'repatriation', 'liability', 'interruption']
const shownCovers = 3

/** Returns the groups to show for products, three by default. A group that none of them covers is replaced by the next. */
export function keyGroups(products: readonly { coverages: readonly Cover[] }[], most = shownCovers): CoverGroup[] {
  const covered = askedFor.filter(group => products.some(({ coverages }) => keyCover(group, coverages, undefined)))
  return [...covered, ...askedFor.filter(group => !covered.includes(group))].slice(0, most).toSorted(byImportance)
}

const byImportance = (a: CoverGroup, b: CoverGroup): number => askedFor.indexOf(a) - askedFor.indexOf(b)

/** The covers that represent a group, best first. Medical expenses depend on the trip's zone. */
const standFor: Partial<Record<CoverGroup, readonly string[]>> = {
  cancellation: ['cancellation.trip'],
  luggage: ['luggage.loss'],
  repatriation: ['repatriation.medical'],
  liability: ['liability.private'],
  interruption: ['interruption.trip'],
}
/** By the catalogue's zones: the home country, Europe and the Mediterranean, the world, countries of high cost. */
const medicalIn: Record<string, readonly string[]> = {
  Z1: ['medical.home', 'medical.spain-andorra', 'medical.europe'],
  Z2: ['medical.europe'],
  Z3: ['medical.world'],
  Z4: ['medical.high-cost', 'medical.world'],
}

/** Returns a product's cover in a group: null if it has none, undefined if its covers have no codes. */
export function keyCover<C extends Cover>(group: CoverGroup, coverages: readonly C[], zone: string | undefined): C | null | undefined {
  const codes = group === 'medical' ? (medicalIn[zone ?? ''] ?? ['medical.world', 'medical.europe', 'medical.home']) : standFor[group]
  const cover = (codes ?? []).flatMap(code => coverages.find(each => each.code === code) ?? [])[0]
  if (cover) return cover
  return coverages.some(({ code }) => coverGroupOf(code) === undefined) ? undefined : null
}
