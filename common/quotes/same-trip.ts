import type { TripDraft } from './trip.ts'

/** A trip with its product. */
export type Choice = { productUuid: string; trip: TripDraft }

/** True if a saved quote is bought as it was priced. Only missing birth dates may have been added. */
export function isSameTrip(saved: Choice, asked: Choice): boolean {
  const [was, is] = [saved.trip, asked.trip]
  const born = Array.from({ length: is.travellers ?? 0 }, (_, index) => [was.birthDates?.[index] ?? null, is.birthDates?.[index] ?? null])
  return (
    saved.productUuid.toLowerCase() === asked.productUuid.toLowerCase() &&
    (['startDate', 'endDate', 'origin', 'travellers'] as const).every(field => was[field] === is[field]) &&
    placesIn(was) === placesIn(is) &&
    // A product without cancellation cover was saved without these fields, whatever the request has.
    (['amountCents', 'reservationDate'] as const).every(field => was[field] === undefined || was[field] === is[field]) &&
    born.every(([before, now]) => before === null || before === now)
  )
}

const placesIn = ({ destinations = [] }: TripDraft): string => destinations.toSorted((one, other) => one - other).join()
