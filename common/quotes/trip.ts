import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import { endDates, outside, type Period, startDates } from '#common/kit/validators/periods.ts'

/** Step 1 of the funnel as a form holds it (spec 3). Dates in either writing; amounts in major units. */
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

/** spec 3: what a new sale begins with. */
export const newTrip: Required<Trip> = {
  startDate: null,
  endDate: null,
  coverageScope: [],
  travelers: 1,
  mainDestination: [],
  priceTravel: 0,
  reservationDate: null,
}

/** Can this trip be quoted? Everything is there (spec 4, step 1), and the dates lie where the product allows (spec 5). Prices and places answer in rating. */
export function tripProblems(trip: Trip, settings: TripSettings, today: string): Problem[] {
  const missing = missingInTrip(trip, settings)
  const told = new Set(missing.map(({ path }) => path))
  return [...missing, ...wrongInTrip(trip, settings, today).filter(({ path }) => !told.has(path))]
}

/** spec 4: step 1 is complete when nothing of this is missing. */
export function missingInTrip(trip: Trip, settings: Pick<TripSettings, 'hasAmountCancellation'>): Problem[] {
  const given = trip ?? {}
  const cancellation = settings.hasAmountCancellation === true
  const answers: [path: keyof Trip, isThere: boolean][] = [
    ['startDate', readDate(given.startDate) !== undefined],
    ['endDate', readDate(given.endDate) !== undefined],
    ['coverageScope', hasCountry(given.coverageScope)],
    ['travelers', Number.isSafeInteger(given.travelers) && Number(given.travelers) >= 1],
    ['mainDestination', hasCountry(given.mainDestination)],
    ['priceTravel', !cancellation || isAbove0(given.priceTravel)],
    ['reservationDate', !cancellation || readDate(given.reservationDate) !== undefined],
  ]
  return answers.filter(([, isThere]) => !isThere).map(([path]) => missing(path, given))
}

/** Countries come bare or as objects with an id. Each entry must name one. */
const hasCountry = (list: unknown): boolean => Array.isArray(list) && list.length > 0 && Array.from(list).every(isCountry)

function isCountry(entry: unknown): boolean {
  const id = typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : entry
  return typeof id === 'string' ? isPresent(id) : typeof id === 'number' && Number.isFinite(id)
}

const isAbove0 = (amount: unknown): boolean => typeof amount === 'number' && Number.isFinite(amount) && amount > 0

/** Says what is wrong with what was entered, not that it is missing. */
function missing(path: keyof Trip, trip: Trip): Problem {
  const isDateField = path === 'startDate' || path === 'endDate' || path === 'reservationDate'
  if (isDateField && isPresent(trip[path])) return { path, rule: 'parseDate', key: 'validation.invalidDate' }
  if (path === 'travelers') return { path, rule: 'required', key: 'validation.travelers' }
  if (path === 'priceTravel') return { path, rule: 'greaterThan', key: 'validation.priceTravel' }
  return { path, rule: 'required', key: 'validation.required' }
}

function wrongInTrip(trip: Trip, settings: TripSettings, today: string): Problem[] {
  const given = trip ?? {}
  const problems = [
    ...outsidePeriod('startDate', 'startDateRange', given.startDate, startDates(today, settings)),
    ...endProblems(given, settings, today),
  ]
  if (settings.hasAmountCancellation !== true) return problems
  if (toCents(given.priceTravel) === undefined) {
    problems.push({ path: 'priceTravel', rule: 'invalidNumber', key: 'validation.invalidAmount' })
  }
  // rating.md, step 5: the trip was reserved today or before.
  return [...problems, ...outsidePeriod('reservationDate', 'reservationDate', given.reservationDate, { to: today })]
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
  const finding = date === undefined ? null : outside(date, period)
  return finding ? [{ path, rule, ...finding }] : []
}

/** The calls' words for the same fields (spec 7), for a refusal that names the field that was sent. */
export const sentAs: Readonly<Record<keyof Trip, string>> = {
  startDate: 'startDate',
  endDate: 'endDate',
  coverageScope: 'countryOriginId',
  travelers: 'paxNumber',
  mainDestination: 'countriesDestinationId',
  priceTravel: 'insurancedAmount',
  reservationDate: 'reservationDate',
}
