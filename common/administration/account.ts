import { aboveOwedProblems } from '#common/accounting/by-hand.ts'
import { earliestPayment } from '#common/accounting/book.ts'
import { addYears, isDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { outside } from '#common/kit/validators/periods.ts'

/** Returns the problem of an amount below a minimum in cents. */
export function amountProblems(path: string, amount: unknown, least = 1): Problem[] {
  const cents = toCents(amount)
  return cents !== undefined && cents >= least ? [] : [{ path, rule: 'money', key: 'administration.fault.amount' }]
}

/** Returns the problem of a payment's day, which may not be in the future, nor decades ago by mistake. */
export function paidOnProblems(on: unknown, today: string): Problem[] {
  if (!isDate(on) || on > today) return [{ path: 'on', rule: 'past', key: 'administration.fault.future_day' }]
  const early = outside(on, { from: earliestPayment })
  return early ? [{ path: 'on', rule: 'dateFrom', ...early }] : []
}

/** Returns the problem of the day until which a limit is lifted, at most a year from today. */
export function liftedProblems(day: string | null | undefined, today: string): Problem[] {
  const path = 'liftedUntil'
  if (day === null || day === undefined) return []
  if (!isDate(day) || day < today) return [{ path, rule: 'future', key: 'administration.fault.past_day' }]
  return day <= addYears(today, 1) ? [] : [{ path, rule: 'near', key: 'administration.fault.far_day' }]
}

/** Returns the problem of a write-off's amount. */
export function writeOffProblems(amount: unknown, owed: number, currency: string): Problem[] {
  const problems = amountProblems('amount', amount)
  return problems.length > 0 ? problems : aboveOwedProblems(toCents(amount) ?? 0, toCents(owed) ?? 0, currency)
}
