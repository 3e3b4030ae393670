import { addDays, isAfter } from '#common/kit/dates.ts'

/** The files of a statement. */
export const statementFormats = ['pdf', 'xlsx', 'csv'] as const

/** The balances of an agency at the end of a month, in cents: what it owes on account, and the commission that it is owed. */
export type Balances = { account: number; commission: number }

/** The amounts to be paid for a statement. Positive: the agency pays the insurer. */
export type Due = { account: number; commission: number }

/** With netting one amount is due, else two: the account by the agency, the commission by the insurer. */
export const dueOf = ({ account, commission }: Balances, netted: boolean): Due =>
  netted ? { account: account - commission, commission: 0 } : { account, commission: -commission }

/** Returns what payments moved in a month, in cents: what its balances and bookings leave. */
export const paidIn = ({ before, moved, netting, after }: { before: number; moved: number; netting: number; after: number }): number =>
  after - before - moved + netting

/** The amounts paid since a statement: by the agency, and to it, from its account or as commission. */
export type Settled = { received: number; returned: number; commission: number }

/** Returns what is still to be paid after what was. What came back, as when a bank takes a payment back, is to be paid again. */
export const openOf = (due: Due, { received, returned, commission }: Settled): Due => ({
  account:
    due.account > 0
      ? Math.max(0, due.account - Math.max(0, received - returned))
      : Math.min(0, due.account + Math.max(0, returned - received)),
  commission: Math.min(0, due.commission + commission),
})

function isPaid(due: Due, settled: Settled): boolean {
  const { account, commission } = openOf(due, settled)
  return account === 0 && commission === 0
}

/** `carried`: what it left open is due by the next statement, which carries it over. */
export type StatementState = 'open' | 'overdue' | 'paid' | 'carried'

/** The days after the due day on which an unpaid statement is not yet overdue. */
const graceDays = 5

/** `settled`: all that was paid since the statement, for it or a later one. `owed`: what the agency owes on account now, in its currency. */
type Standing = { due: Due; settled: Settled; dueOn: string; currency: string; owed: number }

/**
 * Returns the states of an agency's statements, the newest first; each currency is for itself. Money settles the oldest debt first, and the balance that a
 * later statement carries over stays overdue: the later due day is for what is new. Of a statement no more is open than of a later one, and of the last
 * no more than is owed now, because a refund lowers what is owed as a payment does.
 */
export function statesOf(statements: readonly Standing[], today: string): StatementState[] {
  const leastOpen = new Map<string, number>()
  return statements.map(({ due, settled, dueOn, currency, owed }) => {
    const ofLater = leastOpen.get(currency)
    const open = openNow(due, settled, ofLater ?? owed).account
    leastOpen.set(currency, open)
    if (isPaid(due, settled)) return 'paid'
    if (open > 0 && isAfter(today, addDays(dueOn, graceDays))) return 'overdue'
    return ofLater === undefined ? 'open' : 'carried'
  })
}

/** Returns what is still to be paid, but no more than the agency owes on account by now: a refund lowers that as a payment does. */
export function openNow(due: Due, settled: Settled, owed: number): Due {
  const { account, commission } = openOf(due, settled)
  return { account: Math.min(account, Math.max(0, owed)), commission }
}

/**
 * Returns the statements for which the agency still owes something, the oldest first, and what of the debt each added, in cents: together all that is
 * open, in the order in which a payment settles it, and no more than is `owed` now. The newest comes first; all in one currency.
 */
export function openPartsOf<S extends { due: Due; settled: Settled }>(
  statements: readonly S[],
  owed: number,
): { statement: S; open: number }[] {
  const upTo: { statement: S; open: number }[] = []
  for (const statement of statements) {
    const open = openNow(statement.due, statement.settled, upTo[0]?.open ?? owed).account
    if (open <= 0) break
    upTo.unshift({ statement, open })
  }
  return upTo.map(({ statement, open }, index) => ({ statement, open: open - (upTo[index - 1]?.open ?? 0) })).filter(({ open }) => open > 0)
}

/** The days to pay for a month that is closed after its due day, as when a service was down. */
const lateDays = 14

/** Returns the day by which a statement is to be paid: the fifteenth after the month (YYYY-MM-DD), unless it is closed later. */
export function dueDay(nextMonth: string, closedOn: string): string {
  const fifteenth = `${nextMonth.slice(0, 8)}15`
  return closedOn < fifteenth ? fifteenth : addDays(closedOn, lateDays)
}
