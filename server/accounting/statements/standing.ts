import { dueOf, type Settled, stateOf, type StatementState } from '#common/accounting/statement.ts'
import { today } from '#common/kit/dates.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { settledSince, type StatementRow, statementsOf } from './queries.ts'

/** A statement, and what has become of it. */
export type Standing = { from: Date; until: Date; number: string; state: StatementState }

/** Returns the statements in a currency and their states, the newest first. */
export async function standingOf(tx: UnitTx, currency: string, now: Date, timeZone: string): Promise<Standing[]> {
  const rows = (await statementsOf(tx)).filter(row => row.currency === currency)
  const settled = await settledSince(tx)
  return rows.map(row => ({
    from: row.starts_at,
    until: row.ends_at,
    number: row.number,
    state: stateOfRow(row, settled, today(now, timeZone)),
  }))
}

export const dueOfRow = ({ account_after_cents, commission_after_cents, netted }: StatementRow) =>
  dueOf({ account: account_after_cents, commission: commission_after_cents }, netted)

export const stateOfRow = (row: StatementRow, settled: ReadonlyMap<string, Settled>, on: string): StatementState =>
  stateOf(dueOfRow(row), settled.get(row.id) ?? { account: 0, commission: 0 }, row.due_on, on)
