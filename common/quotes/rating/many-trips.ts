import type { Problem } from '#common/kit/problems.ts'
import { startDates } from '#common/kit/validators/periods.ts'
import type { Tariff, Zone, Zones } from '#common/products/tariff.ts'
import type { TripDraft } from '../trip.ts'
import type { Basis } from './basis.ts'
import { lastOfTerm, tooLongAnywhere, travelDays } from './stay.ts'
import { tripZone } from './zone.ts'

type Product = { tariff: Tariff; zones: Zones; settings: { maxTripDays?: number | undefined } }

/** `months` is the term, `days` the longest single trip, if the product limits it. */
export type ManyTrips = { zone: Zone['name']; months: number; days: number | undefined }

type Places = { destinations: readonly number[]; origin: number }

/** Returns the zone of a policy that is priced by its term, and so covers many trips. Undefined for a single trip. */
export function manyTrips({ tariff, zones, settings }: Product, { destinations, origin }: Places): ManyTrips | undefined {
  if (tariff.base.kind !== 'term') return undefined
  const reached = tripZone(destinations, origin, zones)
  const zone = zones.zones.find(({ id }) => id === reached)
  return zone && { zone: zone.name, months: tariff.base.months, days: settings.maxTripDays }
}

type Sold = Pick<Product, 'tariff' | 'zones'> & { product: Pick<Product, 'settings'> }

/** Returns the same for a product as it was sold. */
export const manyTripsIn = ({ product: { settings }, tariff, zones }: Sold, places: Places): ManyTrips | undefined =>
  manyTrips({ tariff, zones, settings }, places)

/** A trip with the dates of its policy, and the refusal of one that is longer than the product allows for each trip. */
type PolicyTrip = { trip: TripDraft; tooLong?: Problem }

/**
 * Returns the trip with the dates of the policy that covers it. A product with a term begins on the trip's first day, or if that is too far ahead on
 * the last day on which it can begin. A trip that does not lie in that term keeps its dates, as do a whole term and the trip of any other product.
 */
export function policyTrip({ tariff: { base }, settings }: Pick<Basis, 'tariff' | 'settings'>, trip: TripDraft, today: string): PolicyTrip {
  const { startDate, endDate } = trip
  if (base.kind !== 'term' || !startDate || !endDate || endDate < startDate) return { trip }
  const termFrom = (begin: string) => ({ startDate: begin, endDate: lastOfTerm(begin, base.months) })
  const term = termFrom(startDate)
  if (endDate === term.endDate) return { trip }
  const { to: latest = startDate } = startDates(today, settings)
  const own = startDate > latest ? termFrom(latest) : term
  const { maxTripDays = Number.POSITIVE_INFINITY } = settings
  const stay = { startDate, endDate }
  if (travelDays(stay) > maxTripDays) return { trip: { ...trip, ...own }, tooLong: tooLongAnywhere(maxTripDays, stay) }
  if (endDate <= own.endDate) return { trip: { ...trip, ...own } }
  // The reason of the refusal is the day on which the term would begin, or else the day on which the trip ends.
  return { trip: own === term ? trip : { ...trip, ...term } }
}
