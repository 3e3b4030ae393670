import { readDate } from '#common/kit/dates.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import type { registerPolicy } from '#common/policies/calls.ts'
import { peopleOf } from '#common/policies/step2.ts'
import type { TripRequest } from '#common/quotes/rating/basis.ts'
import { sentAs } from '#common/quotes/trip.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { localeNow } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleSoFar } from './people-form.ts'
import { type TripForm, useFunnel } from './store.ts'

/** Returns the request that registers the sale (spec 7): the trip, the people and the agreed price. */
export function registerRequest(
  product: Product,
  more: Partial<RequestSentOf<typeof registerPolicy>>,
): RequestSentOf<typeof registerPolicy> {
  const { trip, people: storedPeople, policyUuid } = useFunnel.getState()
  if (!trip) throw new Error('no trip to register')
  const people = peopleSoFar(storedPeople, trip)
  const { birthDates: _, ...sent } = tripRequest(ratedTrip(trip, product.settings.hasAmountCancellation))
  const { roleFirstUser, users } = peopleOf(people, Number(trip.travelers))
  return {
    productUUID: product.uuid,
    ...sent,
    roleFirstUser,
    users: users.map(({ documentKind, ...user }) => ({ ...user, ...(documentKind === 'passport' ? { documentKind } : {}) })),
    buReference: people.insuranceData?.trim() || null,
    insuranceType: product.id,
    locale: localeNow(),
    ...(policyUuid ? { policyUuid } : {}),
    ...more,
  }
}

/** Makes the sale independent if the saved quote that it resumes was deleted. Returns true if it was. */
export function leaveLostBudget(error: unknown): boolean {
  const isLost = isRefusedAs(error, 'request.not_found') && useFunnel.getState().policyUuid !== undefined
  if (isLost) useFunnel.setState({ policyUuid: undefined, takenUp: undefined })
  return isLost
}

/** Returns the trip under the names of the calls. The rules refuse values that cannot be read. */
export function ratedTrip(form: TripForm, withCancellation: boolean): TripRequest {
  const { coverageScope, mainDestination, travelers, priceTravel, birthDates } = form
  return {
    startDate: form.startDate,
    endDate: form.endDate,
    countryOriginId: coverageScope,
    countriesDestinationId: mainDestination,
    // Safe: the rules check at runtime that these are numbers.
    paxNumber: travelers as number | null,
    // Safe: as above.
    ...(withCancellation ? { insurancedAmount: priceTravel as number | null, reservationDate: form.reservationDate } : {}),
    ...knownBirthDates(birthDates, travelers),
  }
}

/** Returns one date for each traveller, null if it is unknown. Returns nothing if no date is known. */
function knownBirthDates(rows: TripForm['birthDates'], travelers: TripForm['travelers']): Pick<TripRequest, 'birthDates'> | undefined {
  if (typeof travelers !== 'number' || !rows.some(row => row.date)) return undefined
  return { birthDates: Array.from({ length: Math.min(travelers, 1000) }, (_, index) => rows[index]?.date || null) }
}

/** Returns the request for a quote (spec 7). */
export function quoteRequest(product: Product, form: TripForm) {
  return { productUUID: product.uuid, ...tripRequest(ratedTrip(form, product.settings.hasAmountCancellation)) }
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
})

const formNames = Object.fromEntries(Object.entries(sentAs).map(([form, sent]) => [sent, form]))

/** Returns the form's name for a field of a call: `coverageScope` for `countryOriginId`. */
export const tripField = (path: string): string => formNames[path] ?? path.replace(/^birthDates\[(\d+)\]$/, 'birthDates[$1].date')
