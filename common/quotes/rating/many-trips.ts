import type { Tariff, Zone, Zones } from '#common/products/tariff.ts'
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
