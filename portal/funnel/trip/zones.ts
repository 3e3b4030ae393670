import type { Basis } from '#common/quotes/rating/basis.ts'
import { type ManyTrips, manyTrips } from '#common/quotes/rating/many-trips.ts'
import type { TripForm } from '../store.ts'

/** Returns the zone of a form's trips, if its product covers many of them. */
export const zoneOf = (
  basis: Basis | undefined,
  { coverageScope: origin, mainDestination: destinations }: Pick<TripForm, 'coverageScope' | 'mainDestination'>,
): ManyTrips | undefined => (basis && origin !== null ? manyTrips(basis, { origin, destinations }) : undefined)
