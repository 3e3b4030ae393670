import { addDays, isAfter } from '#common/kit/dates.ts'

/** The files of a statement. */
export const statementFormats = ['pdf', 'xlsx', 'csv'] as const

/** The balances of an agency at the end of a month, in cents: its debt on account, and its unpaid commission. */
export type Balances = { account: number; commission: number }

/** The amounts due for a statement. Positive: the agency pays the insurer. */
export type Due = { account: number; commission: number }

/** With netting there is one amount due, else two: the account by the agency, the commission by the insurer. */
export const dueOf = ({ account, commission }: Balances, netted: boolean): Due =>
  netted ? { account: account - commission, commission: 0 } : { account, commission: -commission }

/** Returns what payments moved in a month, in cents: the change in balance that bookings do not explain. */
export const paidIn = ({ before, moved, netting, after }: { before: number; moved: number; netting: number; after: number }): number =>
  after - before - moved + netting

/** The amounts paid since a statement: by the agency, to it from its account, and to it as commission. */
export type Settled = { received: number; returned: number; commission: number }

/** Returns the amounts still to be paid. A payment that came back, such as one that a bank reversed, is to be paid again. */
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

/** `carried`: the open rest is due with the next statement, which carries it over. */
export type StatementState = 'open' | 'overdue' | 'paid' | 'carried'

/** The days after the due day on which an unpaid statement is not yet overdue. */
const graceDays = 5

/** `settled`: all payments since the statement, for it or a later one. `owed`: the agency's present debt on account, in the statement's currency. */
type Standing = { due: Due; settled: Settled; dueOn: string; currency: string; owed: number }

/**
 * Returns the states of an agency's statements, newest first, each currency by itself. Money settles the oldest debt first. A balance that a later
 * statement carries over stays overdue: the later due day is for its new movements. A statement never has more open than a later one. The last never has
 * more open than is owed now, because a refund lowers the debt as a payment does.
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

/** Returns the amounts still to be paid, but never more than the agency owes now: a refund lowers its debt as a payment does. */
export function openNow(due: Due, settled: Settled, owed: number): Due {
  const { account, commission } = openOf(due, settled)
  return { account: Math.min(account, Math.max(0, owed)), commission }
}

/**
 * Returns the statements with an open part, oldest first, each with the debt that it added, in cents. The parts add up to the open amount, at most
 * `owed`, in the order in which a payment settles them. Expects the newest first, all in one currency.
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

/** The days to pay for a month that is closed after its due day, for example after an outage. */
const lateDays = 14

/** Returns the day by which a statement is to be paid: the fifteenth after the month (YYYY-MM-DD), unless it is closed later. */
export function dueDay(nextMonth: string, closedOn: string): string {
  const fifteenth = `${nextMonth.slice(0, 8)}15`
  return closedOn < fifteenth ? fifteenth : addDays(closedOn, lateDays)
}
