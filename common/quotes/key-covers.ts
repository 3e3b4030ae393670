import { type CoverGroup, coverGroupOf } from '#common/products/cover-codes.ts'

type Cover = { code?: string | null; value: string }

/** The groups of covers that clients ask for, most important first. */
const askedFor: readonly CoverGroup[] = ['medical', 'cancellation', 'luggage', 'repatriation', 'liability', 'interruption']
const shownCovers = 3

/** Returns the three groups to show for products. A group that none of them covers is replaced by the next. */
export function keyGroups(products: readonly { coverages: readonly Cover[] }[]): CoverGroup[] {
  const covered = askedFor.filter(group => products.some(({ coverages }) => coverages.some(({ code }) => coverGroupOf(code) === group)))
  return [...covered, ...askedFor.filter(group => !covered.includes(group))].slice(0, shownCovers).toSorted(byImportance)
}

const byImportance = (a: CoverGroup, b: CoverGroup): number => askedFor.indexOf(a) - askedFor.indexOf(b)

/** The covers that represent a group, best first. Medical expenses depend on the trip's zone. */
const standFor: Partial<Record<CoverGroup, readonly string[]>> = {
  cancellation: ['cancellation.trip'],
  luggage: ['luggage.loss', 'luggage.equipment'],
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

/** Returns the value of a product's cover in a group: null if it has none, undefined if its covers have no codes. */
export function keyCover(group: CoverGroup, coverages: readonly Cover[], zone: string | undefined): string | null | undefined {
  const codes = group === 'medical' ? (medicalIn[zone ?? ''] ?? ['medical.world', 'medical.europe', 'medical.home']) : standFor[group]
  const value = (codes ?? []).flatMap(code => coverages.find(cover => cover.code === code)?.value ?? [])[0]
  if (value !== undefined) return value
  return coverages.some(({ code }) => coverGroupOf(code) === undefined) ? undefined : null
}
