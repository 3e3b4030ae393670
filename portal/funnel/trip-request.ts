import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import type { Choice } from '#common/quotes/same-trip.ts'
import { tripForm, type TripDraft, tripProblems, tripSent, type TripSettings, type Travellers } from '#common/quotes/trip.ts'
import { sentOf, tripInForm } from '#common/quotes/trip-codecs.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from './store.ts'

/** Returns the form in the format of the rules. */
export const tripOf = (form: TripForm): TripDraft => ({ ...tripInForm(form), ...knownTravellers(form) })

/** Returns one birth date and one age for each traveller, null if unknown. A list of unknown values only is left out. */
function knownTravellers({ birthDates, travelers, ages = '' }: TripForm): Pick<Travellers, 'birthDates' | 'ages'> {
  const typed = readAges(ages) ?? []
  const each = <Fact>(factOf: (index: number) => Fact) =>
    Array.from({ length: Math.min(Number(travelers), 1000) }, (_, index) => factOf(index))
  if (typeof travelers !== 'number') return {}
  return {
    ...(birthDates.some(row => row.date) ? { birthDates: each(index => isoOrText(birthDates[index]?.date)) } : {}),
    ...(typed.some(age => age !== null) ? { ages: each(index => typed[index] ?? null) } : {}),
  }
}

/** A text that is not a date is kept, so that the rules refuse it. */
const isoOrText = (typed: string | undefined): string | null => readDate(typed) ?? (typed || null)

/** Returns the request for a quote (spec 7). */
export function quoteRequest(product: Product, form: TripForm) {
  return { productUUID: product.uuid, insuranceType: product.id, ...tripRequest(form, product.settings.hasAmountCancellation) }
}

/** Returns the trip under the field names of calls. */
export function tripRequest(form: TripForm, withCancellation: boolean) {
  const trip = tripOf(form)
  const { startDate = '', endDate = '', origin = 0, destinations = [], travellers = 0, birthDates, ages } = trip
  const { insurancedAmount, reservationDate, ...sent } = sentOf({ ...trip, startDate, endDate, origin, destinations })
  return {
    ...sent,
    paxNumber: travellers,
    ...(withCancellation && insurancedAmount ? { insurancedAmount } : {}),
    ...(withCancellation && reservationDate ? { reservationDate } : {}),
    ...(birthDates ? { birthDates: birthDates.map(date => readDate(date) ?? null) } : {}),
    ...(ages ? { ages: [...ages] } : {}),
  }
}

/** Returns the product and the trip in the form, to compare with a saved quote. */
export const choiceOf = ({ uuid }: Product, form: TripForm): Choice => ({ productUuid: uuid, trip: tripOf(form) })

/** Returns the problems of step 1 by the form's field names. */
export const stepProblems = (form: TripForm, settings: TripSettings): Problem[] =>
  tripProblems(tripOf(form), settings, todayInUnit()).map(toFormField)

export const toFormField = (problem: Problem): Problem => ({ ...problem, path: tripField(problem.path) })

/** Safe: the names of the record are those of the fields. */
const fields = Object.keys(tripSent) as (keyof typeof tripSent)[]
const formNames: Readonly<Record<string, string>> = Object.fromEntries(fields.map(field => [tripSent[field], tripForm[field]]))

/** Returns the form's name for a field of a call: `coverageScope` for `countryOriginId`. One field has all ages, including those by birth date. */
export const tripField = (path: string): string => formNames[path] ?? path.replace(/^(?:birthDates|ages)(?:\[\d+\])?$/, 'ages')
