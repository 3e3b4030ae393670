import { addYears, daysBetween, isDate } from '#common/kit/dates.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import { searchable } from '#common/kit/text.ts'
import { outside } from '#common/kit/validators/periods.ts'
import type { BankEntry } from './bank/entry.ts'
import { earliestPayment } from './book.ts'

/** The earlier payment that equals one booked by hand (`account.booked_before`). */
export type BookedBefore = { on: string; reference: string }

/** The balance that a payment exceeds (`account.beyond_balance`): the agency's debt on account, or its unpaid commission. */
export type BeyondBalance = { of: 'account' | 'commission'; before: number; after: number; currency: string }

/** Returns the problem of a write-off in cents, which may not exceed what the agency owes. */
export function aboveOwedProblems(cents: number, open: number, currency: string): Problem[] {
  const owed = Math.max(0, open)
  if (cents <= owed) return []
  return [{ path: 'amount', rule: 'money', key: 'administration.fault.above_owed', params: { owed: fromCents(owed), currency } }]
}

/** A payment that was booked by hand. */
export type HandPayment = { way: string; cents: number; currency: string; on: string; reference: string }

/** Two equal payments within this many days may be the same. */
export const nearDays = 10

/** The minimum number of letters and digits of a reference that identifies a payment. */
const leastLetters = 5

/** Finds the payment booked by hand that an entry may be: the same amount, and a near day or the same reference. */
export function likeOne<Payment extends HandPayment>(entry: BankEntry, booked: readonly Payment[]): Payment | undefined {
  const equal = booked.filter(({ way, cents, currency }) => way === entry.way && cents === entry.cents && currency === entry.currency)
  return equal.find(({ reference }) => isSameReference(entry, reference)) ?? equal.find(({ on }) => isNear(entry.bookedOn, on))
}

const isNear = (one: string, other: string): boolean => Math.abs(daysBetween(one, other)) <= nearDays

/** True if the entry's texts contain the reference. Banks add words around it and drop its separators. */
function isSameReference({ reference, name }: BankEntry, other: string): boolean {
  const sought = bare(other)
  return sought.length >= leastLetters && bare(`${reference} ${name}`).includes(sought)
}

const bare = (text: string): string => searchable(text).replaceAll(/[^a-z\d]/g, '')

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
