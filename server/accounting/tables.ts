import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Account, BookedWay, MovementKind, Way } from '#common/accounting/book.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/kit/sql/tables.ts'

type BookKind =
  | 'sale'
  | 'change'
  | 'undo'
  | 'cancellation'
  | 'withdrawal'
  | 'reinstatement'
  /** Card payments whose sale or change was not made. */
  | 'unwanted'
  | 'refund_sent'
  | 'refund_failed'
  /** Refunds by bank transfer, after the card network refused them. */
  | 'refund_transferred'
  | 'chargeback'
  /** Commission that is set against the account when a month is closed. */
  | 'netting'
  /** Withheld from the commission of a month when it is closed. */
  | 'stamp_duty'
  /** By an agency, or to it. */
  | 'payment'
  | 'write_off'
  /** Settles an agency's account before its first statement. */
  | 'opening'
  /** Does the same as `opening` where months were already closed. */
  | 'correction'

type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>
type IdOrNull = ColumnType<string | null, string | null | undefined, never>

export type AccountingTables = {
  /** One row is one transaction, with a column for each account. */
  money_book: Record<Account, Generated<number>> & {
    business_unit_id: UnitId
    id: string
    at: Instant
    kind: BookKind
    policy_id: IdOrNull
    /** The policy's version after this booking. */
    policy_version: ColumnType<number | null, number | null | undefined, never>
    deed_id: IdOrNull
    payment_id: IdOrNull
    refund_id: IdOrNull
    /** The id of the client's request, for a booking by hand. */
    request_id: IdOrNull
    /** The product of a movement's policy. Missing if its statement is older than this column. */
    product_id: IdOrNull
    seller_id: IdOrNull
    currency: string
    /** The sum of all taxes. */
    tax: Generated<number>
    taxes: Json<Record<string, number>>
    /** Paid to the account or by card. */
    paid: GeneratedAlways<number>
  }
  /** The facts of bookings by hand or from a bank's file, under the ids of the money book. */
  account_bookings: {
    business_unit_id: UnitId
    id: string
    way: BookedWay
    cents: number
    currency: string
    /** The day of the payment, as the bank has it. */
    paid_on: string
    /** The bank's reference. A write-off has none. */
    reference: string
    reason: TextOrNull
    from_file: boolean
    /** True if the bank reversed an earlier payment. */
    taken_back: boolean
    booked_by: IdOrNull
    /** The booking that this one reverses. */
    reverses: IdOrNull
  }
  /** A unit without a row nets its commission. */
  account_terms: {
    business_unit_id: UnitId
    netted: Generated<boolean>
    currency: TextOrNull
    limit_cents: ColumnType<number | null, number | null | undefined, number | null>
    lifted_until: InstantOrNull
    overdue_since: TextOrNull
    /** True if the bordereau names insured people, not only their pseudonyms. */
    names_in_bordereau: Generated<boolean>
  }
  /** Each seller's share of the commission, from a month on. It is information, and is not paid. */
  commission_shares: {
    business_unit_id: UnitId
    user_id: string
    /** The first day of the month. */
    month: string
    /** In basis points; null ends the share. */
    share_bp: ColumnType<number | null, number | null, number | null>
    set_at: Instant
    set_by: TextOrNull
  }
  /** All slots together hold the limit (zero without one) less the balance of the account. */
  account_headroom: { business_unit_id: UnitId; currency: string; slot: number; cents: number }
  /** The notices that were sent to the agency, so that it gets each once. */
  account_notices: { business_unit_id: UnitId; kind: 'due' | 'overdue' | 'limit'; subject: string; level: number; at: Instant }
  statements: {
    business_unit_id: UnitId
    id: string
    /** The first booking id after this statement. */
    next_id: string
    number: string
    /** The first day of the month. */
    month: string
    currency: string
    starts_at: Instant
    ends_at: Instant
    closed_at: Instant
    due_on: string
    netted: boolean
    deeds: number
    gross_cents: number
    account_cents: number
    earned_cents: number
    /** The duty's rate in basis points, and the amount withheld from the commission. */
    stamp_duty_bp: number
    stamp_duty_cents: number
    account_before_cents: number
    commission_before_cents: number
    account_after_cents: number
    commission_after_cents: number
  }
  statement_sums: {
    business_unit_id: UnitId
    statement_id: string
    /** The first day of the month of the movements. */
    month: string
    product_id: string
    seller_id: string
    way: Way
    kind: MovementKind
    deeds: number
    gross_cents: number
    account_cents: number
    earned_cents: number
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends AccountingTables {}
}
