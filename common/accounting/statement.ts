import { addDays, isAfter } from '#common/kit/dates.ts'

/** The balances of an agency at the end of a month, in cents: what it owes on account, and the commission that it is owed. */
export type Balances = { account: number; commission: number }

/** The amounts to be paid for a statement. Positive: the agency pays the insurer. */
export type Due = { account: number; commission: number }

/** With netting one amount is due, else two: the account by the agency, the commission by the insurer. */
export const dueOf = ({ account, commission }: Balances, netted: boolean): Due =>
  netted ? { account: account - commission, commission: 0 } : { account, commission: -commission }

/** The amounts paid, written off or paid out after a statement. Positive: by the agency. */
export type Settled = { account: number; commission: number }

/** True once a statement's due amounts are settled. Each statement carries over what the one before left open. */
const isPaid = (due: Due, settled: Settled): boolean =>
  isSettled(due.account, settled.account) && isSettled(due.commission, settled.commission)

const isSettled = (due: number, settled: number): boolean => (due > 0 ? settled >= due : settled <= due)

export type StatementState = 'open' | 'overdue' | 'paid'

/** The days after the due day on which an unpaid statement is not yet overdue. */
const graceDays = 5

export function stateOf(due: Due, settled: Settled, dueOn: string, today: string): StatementState {
  if (isPaid(due, settled)) return 'paid'
  return due.account > 0 && isAfter(today, addDays(dueOn, graceDays)) ? 'overdue' : 'open'
}
