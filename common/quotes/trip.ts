import type { Problem } from '#common/kit/problems.ts'
import { endDates, outside, type Period, startDates } from '#common/kit/validators/periods.ts'
import type { TripSent } from './schemas.ts'

/**
 * The days and countries of a trip. Days are YYYY-MM-DD, countries ids. The cost of the whole trip, in cents, is insured by cancellation cover alone.
 */
export type Trip = {
  startDate: string
  endDate: string
  origin: number
  destinations: readonly number[]
  amountCents?: number | undefined
  /** The day on which the trip was reserved. */
  reservationDate?: string | undefined
}

/** The number of travellers, and the birth date or age of each, null if unknown. A birth date overrides an age, which is that on the first day. */
export type Travellers = {
  travellers: number
  birthDates?: readonly (string | null)[] | undefined
  ages?: readonly (number | null)[] | undefined
}

type Field = keyof Trip | 'travellers'

/** A trip and its travellers as far as known. An unreadable value differs from a missing one. */
export type TripDraft = { readonly [F in keyof (Trip & Travellers)]?: (Trip & Travellers)[F] | undefined } & {
  readonly unreadable?: readonly Field[]
}

/** The field names of calls (spec 7), by which rules name the fields. */
export const tripSent = {
  startDate: 'startDate',
  endDate: 'endDate',
  origin: 'countryOriginId',
  travellers: 'paxNumber',
  destinations: 'countriesDestinationId',
  amountCents: 'insurancedAmount',
  reservationDate: 'reservationDate',
} as const satisfies Record<Field, keyof TripSent>

/** The field names of the form of step 1 (spec 3). */
export const tripForm = {
  startDate: 'startDate',
  endDate: 'endDate',
  origin: 'coverageScope',
  travellers: 'travelers',
  destinations: 'mainDestination',
  amountCents: 'priceTravel',
  reservationDate: 'reservationDate',
} as const satisfies Record<Field, string>

export type TripSettings = {
  hasAmountCancellation?: boolean
  startDayOffset?: number
  maxStartDate?: number
  maxEndDate?: number
}

/** Returns the date limits that at least one product allows. The others refuse the trip by themselves. */
export const loosest = (all: readonly Required<TripSettings>[]): Required<TripSettings> => ({
  hasAmountCancellation: false,
  startDayOffset: Math.min(...all.map(({ startDayOffset }) => startDayOffset)),
  maxStartDate: Math.max(...all.map(({ maxStartDate }) => maxStartDate)),
  maxEndDate: Math.max(...all.map(({ maxEndDate }) => maxEndDate)),
})

/**
 * Returns missing fields (spec 4, step 1) and dates out of range (spec 5). `priceTrip` adds the product's limits: places, length, season, ages and
 * cost.
 */
export function tripProblems(trip: TripDraft, settings: TripSettings, today: string): Problem[] {
  return [...missingInTrip(trip, settings), ...wrongInTrip(trip, settings, today)]
}

/** Returns the missing fields of step 1, which is complete if there are none (spec 4). */
export function missingInTrip(trip: TripDraft, settings: Pick<TripSettings, 'hasAmountCancellation'>): Problem[] {
  const cancellation = settings.hasAmountCancellation === true
  const answers: [field: Field, isThere: boolean][] = [
    ['startDate', trip.startDate !== undefined],
    ['endDate', trip.endDate !== undefined],
    ['origin', trip.origin !== undefined],
    ['travellers', (trip.travellers ?? 0) >= 1],
    ['destinations', (trip.destinations ?? []).length > 0],
    ['amountCents', !cancellation || (trip.amountCents ?? 0) > 0 || isUnreadable(trip, 'amountCents')],
    ['reservationDate', !cancellation || trip.reservationDate !== undefined],
  ]
  return answers.filter(([, isThere]) => !isThere).map(([field]) => missing(trip, field))
}

const isUnreadable = ({ unreadable = [] }: TripDraft, field: Field): boolean => unreadable.includes(field)

function missing(trip: TripDraft, field: Field): Problem {
  const path = tripSent[field]
  if (isUnreadable(trip, field)) return { path, rule: 'parseDate', key: 'validation.invalidDate' }
  if (field === 'travellers') return { path, rule: 'required', key: 'validation.travelers' }
  if (field === 'amountCents') return { path, rule: 'greaterThan', key: 'validation.priceTravel' }
  return { path, rule: 'required', key: 'validation.required' }
}

function wrongInTrip(trip: TripDraft, settings: TripSettings, today: string): Problem[] {
  const problems = [
    ...outsidePeriod('startDate', 'startDateRange', trip.startDate, startDates(today, settings)),
    ...endProblems(trip, settings, today),
  ]
  if (settings.hasAmountCancellation !== true) return problems
  if (isUnreadable(trip, 'amountCents'))
    problems.push({ path: tripSent.amountCents, rule: 'invalidNumber', key: 'validation.invalidAmount' })
  // docs/rating.md, step 5: the trip was reserved today or earlier.
  return [...problems, ...outsidePeriod('reservationDate', 'reservationDate', trip.reservationDate, { to: today })]
}

function endProblems({ startDate, endDate }: TripDraft, settings: TripSettings, today: string): Problem[] {
  // No end is proposed, as the start itself may be out of range.
  if (startDate && endDate && endDate < startDate) return [{ path: 'endDate', rule: 'endDateMin', key: 'validation.endDateMin' }]
  return outsidePeriod('endDate', 'endDateMax', endDate, endDates(today, settings))
}

function outsidePeriod(
  path: 'startDate' | 'endDate' | 'reservationDate',
  rule: string,
  date: string | undefined,
  period: Period,
): Problem[] {
  const problem = date === undefined ? null : outside(date, period)
  return problem ? [{ path, rule, ...problem }] : []
}
