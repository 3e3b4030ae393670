import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'

/** The payment that one by hand equals (`account.booked_before`). */
export type BookedBefore = { on: string; reference: string }

/** The balance that a payment goes beyond (`account.beyond_balance`): the agency's debt on account, or the commission that it is owed. */
export type BeyondBalance = { of: 'account' | 'commission'; before: number; after: number; currency: string }

/** Returns the problem of an amount to be written off, in cents, which is no more than the agency owes in all. */
export function aboveOwedProblems(cents: number, open: number, currency: string): Problem[] {
  const owed = Math.max(0, open)
  if (cents <= owed) return []
  return [{ path: 'amount', rule: 'money', key: 'administration.fault.above_owed', params: { owed: fromCents(owed), currency } }]
}
