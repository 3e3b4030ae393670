import { decisiveAges } from './ages.ts'
import type { Basis, Traveller, RatedTrip } from './basis.ts'
import { premiumOf } from './premium.ts'

/** True if an unknown age could still change the price (docs/rating.md, step 4). */
export function isProvisional(basis: Basis, trip: RatedTrip): boolean {
  const unknown = trip.travellers.flatMap(({ age }, index) => (age === undefined ? [index] : []))
  if (unknown.length === 0) return false
  const { premium } = premiumOf(basis, trip)
  const changes = (ageAt: (nth: number) => number | undefined) => {
    const travellers = withAges(trip.travellers, unknown, ageAt)
    return premiumOf(basis, { ...trip, travellers }).premium !== premium
  }
  const ages = decisiveAges(basis)
  // Tries each age alone and all together: a minimum can hide the effect of one, a group discount that of all.
  if (ages.some(age => changes(() => age) || changes(nth => (nth === 0 ? age : undefined)))) return true
  return ages.some(adult => changes(nth => (nth < adultsNeeded(basis, unknown.length) ? adult : ages[0])))
}

function withAges(travellers: readonly Traveller[], unknown: number[], ageAt: (nth: number) => number | undefined): Traveller[] {
  const nthAt = new Map(unknown.map((index, nth) => [index, nth]))
  return travellers.map((traveller, index) => {
    const nth = nthAt.get(index)
    return nth === undefined ? traveller : { ...traveller, age: ageAt(nth) }
  })
}

/** Returns the number of adults needed for all others to travel free as infants. */
const adultsNeeded = ({ tariff: { infantsFree } }: Basis, unknown: number): number =>
  Math.ceil(unknown / (1 + (infantsFree?.perAdult ?? 0)))
