import { readDate } from '#common/kit/dates.ts'
import { readAges } from '#common/kit/typed/ages.ts'
import type { TripRequest } from '#common/quotes/rating/basis.ts'
import type { ProductTrip } from '#common/quotes/same-trip.ts'
import { sentAs } from '#common/quotes/trip.ts'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from './store.ts'

/** Returns the trip under the names of the calls. The rules refuse values that cannot be read. */
export function ratedTrip(form: TripForm, withCancellation: boolean): TripRequest {
  const { coverageScope, mainDestination, travelers, priceTravel } = form
  return {
    startDate: form.startDate,
    endDate: form.endDate,
    countryOriginId: coverageScope,
    countriesDestinationId: mainDestination,
    // Safe: the rules check at runtime that these are numbers.
    paxNumber: travelers as number | null,
    // Safe: as above.
    ...(withCancellation ? { insurancedAmount: priceTravel as number | null, reservationDate: form.reservationDate } : {}),
    ...knownTravellers(form),
  }
}

/** Returns one birth date and one age for each traveller, null if it is unknown; a list of which nothing is known is left out. */
function knownTravellers({ birthDates, travelers, ages = '' }: TripForm): Pick<TripRequest, 'birthDates' | 'ages'> {
  const typed = readAges(ages) ?? []
  const each = <Fact>(factOf: (index: number) => Fact) =>
    Array.from({ length: Math.min(Number(travelers), 1000) }, (_, index) => factOf(index))
  if (typeof travelers !== 'number') return {}
  return {
    ...(birthDates.some(row => row.date) ? { birthDates: each(index => birthDates[index]?.date || null) } : {}),
    ...(typed.some(age => age !== null) ? { ages: each(index => typed[index] ?? null) } : {}),
  }
}

/** Returns the request for a quote (spec 7). */
export function quoteRequest(product: Product, form: TripForm) {
  return { productUUID: product.uuid, insuranceType: product.id, ...tripRequest(ratedTrip(form, product.settings.hasAmountCancellation)) }
}

export const tripRequest = (trip: TripRequest) => ({
  startDate: readDate(trip.startDate) ?? '',
  endDate: readDate(trip.endDate) ?? '',
  countryOriginId: trip.countryOriginId ?? 0,
  countriesDestinationId: (trip.countriesDestinationId ?? []).join(','),
  paxNumber: trip.paxNumber ?? 0,
  ...(trip.insurancedAmount ? { insurancedAmount: trip.insurancedAmount } : {}),
  ...(readDate(trip.reservationDate) ? { reservationDate: readDate(trip.reservationDate) ?? '' } : {}),
  ...(trip.birthDates ? { birthDates: trip.birthDates.map(date => readDate(date) ?? null) } : {}),
  ...(trip.ages ? { ages: [...trip.ages] } : {}),
})

/** Returns the trip as the register call sends it, with a birth date or null for each traveller. */
export function productTrip(product: Product, request: TripRequest): ProductTrip {
  const { birthDates = [], ...trip } = tripRequest(request)
  return {
    productUUID: product.uuid,
    ...trip,
    birthDates: Array.from({ length: Math.min(trip.paxNumber, 1000) }, (_, index) => birthDates[index] ?? null),
  }
}

const formNames = Object.fromEntries(Object.entries(sentAs).map(([form, sent]) => [sent, form]))

/** Returns the form's name for a field of a call: `coverageScope` for `countryOriginId`. One field has all ages, also those by birth date. */
export const tripField = (path: string): string => formNames[path] ?? path.replace(/^(?:birthDates|ages)(?:\[\d+\])?$/, 'ages')
