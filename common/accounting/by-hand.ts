import { fromCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'

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
