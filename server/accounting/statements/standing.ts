import type { Month } from '#common/accounting/calculation.ts'
import { dueOf, openPartsOf, type Settled, statesOf, type StatementState } from '#common/accounting/statement.ts'
import { today } from '#common/kit/dates.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { owedByCurrency } from '../limit/queries.ts'
import { firstStatements, settledSince, type StatementRow, statementsOf } from './queries.ts'

/**
 * A statement and its state. Its lines are those before `ends_at` and `next_id` that no earlier statement has. `carriedTo`: the number of the next one,
 * to which unpaid amounts are carried over. `owed`: what the agency owes on account now, in this currency. `first`: the bounds of the first statement
 * in this currency, before which an opening settled all.
 */
export type Standing = {
  row: StatementRow
  state: StatementState
  settled: Settled
  owed: number
  carriedTo: string | null
  first: Pick<StatementRow, 'starts_at' | 'next_id'>
}

/** Returns the unit's statements and their states, the newest first. */
export async function standingOf(tx: UnitTx, now: Date, timeZone: string): Promise<Standing[]> {
  const rows = await statementsOf(tx)
  const [settledOf, owedIn, firsts] = [await settledSince(tx), await owedByCurrency(tx), await firstStatements(tx)]
  const standing = rows.map(row => ({ row, settled: settledOf.get(row.id) ?? nothing, owed: owedIn.get(row.currency) ?? 0 }))
  const states = statesOf(
    standing.map(({ row, settled, owed }) => ({ due: dueOfRow(row), settled, dueOn: row.due_on, currency: row.currency, owed })),
    today(now, timeZone),
  )
  const newer = new Map<string, string>()
  return standing.map((each, index) => {
    const state = states[index] ?? 'open'
    const { number, currency } = each.row
    const carriedTo = state === 'paid' ? null : (newer.get(currency) ?? null)
    newer.set(currency, number)
    return { ...each, state, carriedTo, first: firsts.get(currency) ?? each.row }
  })
}

/** The overdue amount in a currency, in cents, with the earliest due day and the numbers of its statements. */
type Overdue = { open: number; since: string; numbers: string[] }

/** Returns an agency's overdue debt. `standing` is newest first; each statement carries over older ones, so no debt counts twice. */
export function overdueOf(standing: readonly Standing[], currency: string): Overdue | undefined {
  const statements = standing.filter(({ row }) => row.currency === currency)
  const parts = openPartsOf(
    statements.map(each => ({ ...each, due: dueOfRow(each.row) })),
    statements[0]?.owed ?? 0,
  )
  const overdue = parts.filter(({ statement }) => statement.state === 'overdue')
  const [oldest] = overdue
  if (!oldest) return undefined
  const numbers = statements.filter(({ state }) => state === 'overdue').map(({ row }) => row.number)
  return { open: overdue.reduce((sum, { open }) => sum + open, 0), since: oldest.statement.row.due_on, numbers }
}

const nothing: Settled = { received: 0, returned: 0, commission: 0 }

export const dueOfRow = ({ account_after_cents, commission_after_cents, netted }: StatementRow) =>
  dueOf({ account: account_after_cents, commission: commission_after_cents }, netted)

/** Returns a closed month as its calculation takes it. `netting` as of `nettingIn`. */
export const monthOfRow = (row: StatementRow, netting: number): Month => ({
  before: { account: row.account_before_cents, commission: row.commission_before_cents },
  moved: { account: row.account_cents, commission: row.earned_cents },
  duty: row.stamp_duty_cents,
  netting,
  after: { account: row.account_after_cents, commission: row.commission_after_cents },
  netted: row.netted,
})

/** Finds the statement of a movement among the unit's, newest first. A movement from before the first one has none. */
export const statementOfMovement = (
  standing: readonly Standing[],
  movement: { id: string; at: Date; currency: string },
): Standing | undefined =>
  standing.findLast(
    ({ row, first }) =>
      row.currency === movement.currency &&
      movement.at < row.ends_at &&
      movement.id < row.next_id &&
      (movement.at >= first.starts_at || movement.id >= first.next_id),
  )
