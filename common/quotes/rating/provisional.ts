import { tellingAges } from './ages.ts'
import type { Basis, Traveller, TripRated } from './basis.ts'
import { premiumOf } from './premium.ts'

/** rating.md, step 4: whether an age that is not known yet could still change the price. */
export function isProvisional(basis: Basis, trip: TripRated): boolean {
  const unknown = trip.travellers.flatMap(({ age }, place) => (age === undefined ? [place] : []))
  if (unknown.length === 0) return false
  const { premium } = premiumOf(basis, trip)
  const changes = (ageAt: (nth: number) => number | undefined) => {
    const travellers = withAges(trip.travellers, unknown, ageAt)
    return premiumOf(basis, { ...trip, travellers }).premium !== premium
  }
  const ages = tellingAges(basis)
  // Each alone and all together: a minimum may hide what one changes, and a group what all do.
  if (ages.some(age => changes(() => age) || changes(nth => (nth === 0 ? age : undefined)))) return true
  return ages.some(adult => changes(nth => (nth < adultsNeeded(basis, unknown.length) ? adult : ages[0])))
}

function withAges(travellers: readonly Traveller[], unknown: number[], ageAt: (nth: number) => number | undefined): Traveller[] {
  const nthAt = new Map(unknown.map((place, nth) => [place, nth]))
  return travellers.map((traveller, place) => {
    const nth = nthAt.get(place)
    return nth === undefined ? traveller : { ...traveller, age: ageAt(nth) }
  })
}

/** So many adults that all the others could be infants who pay nothing. */
const adultsNeeded = ({ tariff: { infantsFree } }: Basis, unknown: number): number =>
  Math.ceil(unknown / (1 + (infantsFree?.perAdult ?? 0)))
