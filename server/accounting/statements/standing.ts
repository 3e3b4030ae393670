import { dueOf, type Settled, statesOf, type StatementState } from '#common/accounting/statement.ts'
import { today } from '#common/kit/dates.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { settledSince, type StatementRow, statementsOf } from './queries.ts'

/** A statement and its state. Its lines are those before `ends_at` and `next_id` that no earlier statement has. */
export type Standing = { row: StatementRow; state: StatementState; settled: Settled }

/** Returns the unit's statements and their states, the newest first. */
export async function standingOf(tx: UnitTx, now: Date, timeZone: string): Promise<Standing[]> {
  const rows = await statementsOf(tx)
  const settledOf = await settledSince(tx)
  const standing = rows.map(row => ({ row, settled: settledOf.get(row.id) ?? nothing }))
  const states = statesOf(
    standing.map(({ row, settled }) => ({ due: dueOfRow(row), settled, dueOn: row.due_on, currency: row.currency })),
    today(now, timeZone),
  )
  return standing.map((each, index) => ({ ...each, state: states[index] ?? 'open' }))
}

const nothing: Settled = { received: 0, returned: 0, commission: 0 }

export const dueOfRow = ({ account_after_cents, commission_after_cents, netted }: StatementRow) =>
  dueOf({ account: account_after_cents, commission: commission_after_cents }, netted)

/** Finds the statement that a deed stands on, among the unit's statements, the newest first. */
export const statementOfDeed = (standing: readonly Standing[], deed: { id: string; at: Date; currency: string }): Standing | undefined =>
  standing.findLast(({ row }) => row.currency === deed.currency && deed.at < row.ends_at && deed.id < row.next_id)
