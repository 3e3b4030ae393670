import type { Account } from './account.tsx'

type Facts = Pick<Account, 'account' | 'lastStatement'>

/**
 * Proposes the payment that is still open: of the last statement, after what was paid since, and no more than the agency owes by now. Without netting,
 * an agency that owes nothing is paid its commission.
 */
export function proposedPayment({ account, lastStatement }: Facts): { way: 'received' | 'paid'; amount: number | null } {
  const open = lastStatement?.open ?? { account: 0, commission: 0 }
  const debt = open.account > 0 ? Math.min(open.account, Math.max(0, account)) : open.account
  const due = debt === 0 ? open.commission : debt
  return { way: due < 0 ? 'paid' : 'received', amount: due === 0 ? null : Math.abs(due) }
}
