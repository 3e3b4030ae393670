import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import { endDates, outside, type Period, startDates } from '#common/kit/validators/periods.ts'

/** Step 1 of the funnel as a form holds it (spec 3). Dates in either format, amounts in major units. */
export type Trip = {
  startDate?: string | null
  endDate?: string | null
  /** Countries of origin; the first is used. */
  coverageScope?: readonly (string | number | { id?: string | number | null } | null)[] | null
  travelers?: number | null
  mainDestination?: readonly (string | number | { id?: string | number | null } | null)[] | null
  priceTravel?: number | null
  reservationDate?: string | null
}

export type TripSettings = {
  hasAmountCancellation?: boolean
  startDayOffset?: number
  maxStartDate?: number
  maxEndDate?: number
}

/** The initial values of a new sale (spec 3). */
export const newTrip: Required<Trip> = {
  startDate: null,
  endDate: null,
  coverageScope: [],
  travelers: 1,
  mainDestination: [],
  priceTravel: 0,
  reservationDate: null,
}

/** Returns the problems of a trip: missing fields (spec 4, step 1) and dates out of range (spec 5). Rating checks prices and countries. */
export function tripProblems(trip: Trip, settings: TripSettings, today: string): Problem[] {
  const missing = missingInTrip(trip, settings)
  const reported = new Set(missing.map(({ path }) => path))
  return [...missing, ...wrongInTrip(trip, settings, today).filter(({ path }) => !reported.has(path))]
}

/** Returns the missing fields of step 1, which is complete without any (spec 4). */
export function missingInTrip(trip: Trip, settings: Pick<TripSettings, 'hasAmountCancellation'>): Problem[] {
  const values = trip ?? {}
  const cancellation = settings.hasAmountCancellation === true
  const answers: [path: keyof Trip, isThere: boolean][] = [
    ['startDate', readDate(values.startDate) !== undefined],
    ['endDate', readDate(values.endDate) !== undefined],
    ['coverageScope', hasCountry(values.coverageScope)],
    ['travelers', Number.isSafeInteger(values.travelers) && Number(values.travelers) >= 1],
    ['mainDestination', hasCountry(values.mainDestination)],
    ['priceTravel', !cancellation || isAbove0(values.priceTravel)],
    ['reservationDate', !cancellation || readDate(values.reservationDate) !== undefined],
  ]
  return answers.filter(([, isThere]) => !isThere).map(([path]) => missing(path, values))
}

/** True for a list of countries, each an id or an object with an id. */
const hasCountry = (list: unknown): boolean => Array.isArray(list) && list.length > 0 && Array.from(list).every(isCountry)

function isCountry(entry: unknown): boolean {
  const id = typeof entry === 'object' && entry !== null ? 'id' in entry && entry.id : entry
  return typeof id === 'string' ? isPresent(id) : typeof id === 'number' && Number.isFinite(id)
}

const isAbove0 = (amount: unknown): boolean => typeof amount === 'number' && Number.isFinite(amount) && amount > 0

/** Returns the problem of a missing or invalid field. An invalid entry is not reported as missing. */
function missing(path: keyof Trip, trip: Trip): Problem {
  const isDateField = path === 'startDate' || path === 'endDate' || path === 'reservationDate'
  if (isDateField && isPresent(trip[path])) return { path, rule: 'parseDate', key: 'validation.invalidDate' }
  if (path === 'travelers') return { path, rule: 'required', key: 'validation.travelers' }
  if (path === 'priceTravel') return { path, rule: 'greaterThan', key: 'validation.priceTravel' }
  return { path, rule: 'required', key: 'validation.required' }
}

function wrongInTrip(trip: Trip, settings: TripSettings, today: string): Problem[] {
  const values = trip ?? {}
  const problems = [
    ...outsidePeriod('startDate', 'startDateRange', values.startDate, startDates(today, settings)),
    ...endProblems(values, settings, today),
  ]
  if (settings.hasAmountCancellation !== true) return problems
  if (toCents(values.priceTravel) === undefined) {
    problems.push({ path: 'priceTravel', rule: 'invalidNumber', key: 'validation.invalidAmount' })
  }
  // docs/rating.md, step 5: the trip was reserved today or before.
  return [...problems, ...outsidePeriod('reservationDate', 'reservationDate', values.reservationDate, { to: today })]
}

function endProblems({ startDate, endDate }: Trip, settings: TripSettings, today: string): Problem[] {
  const [start, end] = [readDate(startDate), readDate(endDate)]
  if (start && end && end < start) {
    return [{ path: 'endDate', rule: 'endDateMin', key: 'validation.endDateMin', params: { from: displayDate(start) ?? '' } }]
  }
  return outsidePeriod('endDate', 'endDateMax', endDate, endDates(today, settings))
}

function outsidePeriod(path: keyof Trip, rule: string, value: unknown, period: Period): Problem[] {
  const date = readDate(value)
  const problem = date === undefined ? null : outside(date, period)
  return problem ? [{ path, rule, ...problem }] : []
}

/** The calls' names of the same fields (spec 7), for refusals. */
export const sentAs: Readonly<Record<keyof Trip, string>> = {
  startDate: 'startDate',
  endDate: 'endDate',
  coverageScope: 'countryOriginId',
  travelers: 'paxNumber',
  mainDestination: 'countriesDestinationId',
  priceTravel: 'insurancedAmount',
  reservationDate: 'reservationDate',
}
