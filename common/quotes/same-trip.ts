import { toCents } from '#common/kit/money.ts'
import { destinationsIn } from './destinations.ts'

/** A product and a trip as the register call names them, with what is known of the ages. */
export type ProductTrip = {
  productUUID: string
  startDate: string
  endDate: string
  countryOriginId: number
  countriesDestinationId: string
  paxNumber: number
  insurancedAmount?: number | null | undefined
  reservationDate?: string | null | undefined
  /** One per traveller; null if unknown. */
  birthDates: readonly (string | null)[]
}

/** True if a saved quote is bought as it was priced. Only birth dates that were unknown may have been added. */
export function isSameTrip(saved: ProductTrip, asked: ProductTrip): boolean {
  const facts = ['startDate', 'endDate', 'countryOriginId', 'paxNumber'] as const
  return (
    saved.productUUID.toLowerCase() === asked.productUUID.toLowerCase() &&
    facts.every(name => saved[name] === asked[name]) &&
    placesIn(saved) === placesIn(asked) &&
    // A product without cancellation cover was saved without them, whatever is sent.
    ((saved.insurancedAmount ?? null) === null || toCents(saved.insurancedAmount) === toCents(asked.insurancedAmount)) &&
    ((saved.reservationDate ?? null) === null || saved.reservationDate === asked.reservationDate) &&
    asked.birthDates.every((born, index) => (saved.birthDates[index] ?? null) === null || saved.birthDates[index] === born)
  )
}

const placesIn = ({ countriesDestinationId }: ProductTrip): string =>
  [...new Set(destinationsIn(countriesDestinationId))].toSorted((one, other) => one - other).join()
