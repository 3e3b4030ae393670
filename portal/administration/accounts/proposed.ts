import type { Account } from './account.tsx'

type Facts = Pick<Account, 'account' | 'lastStatement' | 'oldestOpen'>

/** `statement`: the number of the statement that the proposed payment is for. */
type Proposed = { way: 'received' | 'paid'; amount: number | null; statement?: string }

/**
 * Proposes the payment that is still open: the rest of the oldest open statement, as money settles the oldest debt first, and no more than the agency
 * owes by now. Without netting, an agency that owes nothing is paid its commission.
 */
export function proposedPayment({ account, lastStatement, oldestOpen }: Facts): Proposed {
  const debt = Math.min(oldestOpen?.open ?? 0, Math.max(0, account))
  if (oldestOpen && debt > 0) return { way: 'received', amount: debt, statement: oldestOpen.number }
  const open = lastStatement?.open ?? { account: 0, commission: 0 }
  const payout = open.account < 0 ? open.account : open.commission
  return lastStatement && payout < 0 ? { way: 'paid', amount: -payout, statement: lastStatement.number } : { way: 'received', amount: null }
}
