import { addDays, addYears, displayDate, readDate } from '#common/kit/dates.ts'
import { type RuleProblem, isNothing, numberParam, type RuleContext, type RuleParams, type Validator } from './rule.ts'

/** A first and a last day, both included. `undefined` means no bound. */
export type Period = { from?: string; to?: string }

/** spec 5 and 9: earliest 1 Jan 1945, latest today. */
export const earliestBirthDate = '1945-01-01'
/** The hours for which a saved quote keeps its price: a day, which a unit may raise to thirty days. */
export const quoteHours = { least: 24, most: 720 } as const

/** `earliest` is the unit's own limit. */
export const birthDates = (today: string, earliest: string = earliestBirthDate): Period => ({ from: earliest, to: today })

/** spec 5 and 9: from today plus startDayOffset (default 0) to today plus maxStartDate (default 365) days. */
export const startDates = (today: string, settings: { startDayOffset?: number; maxStartDate?: number } = {}): Period => ({
  from: addDays(today, settings.startDayOffset ?? 0),
  to: addDays(today, settings.maxStartDate ?? 365),
})

/** spec 5: at most one year from today, unless the product sets the days (docs/rating.md, Dates). */
export const endDates = (today: string, settings: { maxEndDate?: number } = {}): Period => ({
  to: settings.maxEndDate === undefined ? addYears(today, 1) : addDays(today, settings.maxEndDate),
})

/**
 * The earliest time at which the client of a sale can have received its terms. A trip begins within a year of its sale, and its terms are no older.
 */
export const earliestTerms = (registeredAt: number): number => registeredAt - 366 * 86_400_000

/** spec 5: policy list, lower bound today, upper bound one year ahead. */
export const policyListDates = (today: string) => ({ from: today, to: addYears(today, 1) })

/** spec 5: the date must be at least N years before today. */
export const olderThan: Validator = (value, { today, params }) => {
  if (isNothing(value)) return null
  const date = readDate(value)
  if (date === undefined) return { key: 'validation.invalidDate' }
  const minAge = numberParam(params, 'minAge')
  if (minAge === undefined || date <= addYears(today, -minAge)) return null
  return { key: 'validation.policyHolder', params: { minAge } }
}

export const birthDateRange = within(({ today, params }) => birthDates(today, readDate(params?.['earliest'])))
export const startDateRange = within(({ today, params }) => startDates(today, numbersOf(params, ['startDayOffset', 'maxStartDate'])))
export const endDateMax = within(({ today, params }) => endDates(today, numbersOf(params, ['maxEndDate'])))
export const policyListDateRange = within(({ today }) => policyListDates(today))

function within(periodOf: (context: RuleContext) => Period): Validator {
  return (value, context) => {
    if (isNothing(value)) return null
    const date = readDate(value)
    return date === undefined ? { key: 'validation.invalidDate' } : outside(date, periodOf(context))
  }
}

/** Returns a problem that names both bounds, if there are two. */
export function outside(date: string, { from, to }: Period): RuleProblem | null {
  if ((!from || date >= from) && (!to || date <= to)) return null
  if (from && to) return { key: 'validation.dateBetween', params: { from: displayDate(from) ?? from, to: displayDate(to) ?? to } }
  return to
    ? { key: 'validation.dateUntil', params: { to: displayDate(to) ?? to } }
    : { key: 'validation.dateFrom', params: { from: displayDate(from) ?? '' } }
}

function numbersOf<Name extends string>(params: RuleParams | undefined, names: readonly Name[]): { [name in Name]?: number } {
  const numbers: { [name in Name]?: number } = {}
  for (const name of names) {
    const number = numberParam(params, name)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}
