import { dueOf, type Settled, stateOf, type StatementState } from '#common/accounting/statement.ts'
import { today } from '#common/kit/dates.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { settledSince, type StatementRow, statementsOf } from './queries.ts'

/** A statement, and what has become of it. Its lines are those before both bounds that no earlier statement has. */
export type Standing = { until: Date; next: string; number: string; state: StatementState }

/** Returns the statements in a currency and their states, the oldest first. */
export async function standingOf(tx: UnitTx, currency: string, now: Date, timeZone: string): Promise<Standing[]> {
  const rows = (await statementsOf(tx)).filter(row => row.currency === currency)
  const settled = await settledSince(tx)
  const on = today(now, timeZone)
  return rows.toReversed().map(row => ({ until: row.ends_at, next: row.next_id, number: row.number, state: stateOfRow(row, settled, on) }))
}

export const dueOfRow = ({ account_after_cents, commission_after_cents, netted }: StatementRow) =>
  dueOf({ account: account_after_cents, commission: commission_after_cents }, netted)

export const stateOfRow = (row: StatementRow, settled: ReadonlyMap<string, Settled>, on: string): StatementState =>
  stateOf(dueOfRow(row), settled.get(row.id) ?? { account: 0, commission: 0 }, row.due_on, on)
