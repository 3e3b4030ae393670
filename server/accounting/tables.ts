import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Account } from '#common/accounting/entries.ts'
import type { Instant, Json, UnitId } from '#server/database/columns.ts'

type BookKind =
  | 'sale'
  | 'change'
  | 'undo'
  | 'cancellation'
  | 'withdrawal'
  | 'reinstatement'
  /** Received by card for what was not sold. */
  | 'unwanted'
  | 'refund_sent'
  | 'refund_failed'
  | 'chargeback'

type IdOrNull = ColumnType<string | null, string | null | undefined, never>

export type AccountingTables = {
  /** One row is one transaction, with a column for each account. */
  money_book: Record<Account, Generated<number>> & {
    business_unit_id: UnitId
    id: string
    at: Instant
    kind: BookKind
    policy_id: IdOrNull
    /** The version that holds after it. */
    policy_version: ColumnType<number | null, number | null | undefined, never>
    deed_id: IdOrNull
    payment_id: IdOrNull
    refund_id: IdOrNull
    currency: string
    /** The sum of all taxes. */
    tax: Generated<number>
    taxes: Json<Record<string, number>>
    /** Paid to the account or by card. */
    paid: GeneratedAlways<number>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends AccountingTables {}
}
