import type { ColumnType } from 'kysely'
import type { Instant, UnitId } from '#server/kit/sql/tables.ts'

/** The way back of a client's money: to the card, or through the agency that the client paid. */
export type Way = 'card' | 'agency' | 'both' | 'none'

/** A link opens the policy; that of an offer's mail does so for the policyholder alone. One of quotes opens them, and then the one that was bought. */
export type Purpose = 'policy' | 'offer' | 'quote'

export type ClientTables = {
  client_tokens: {
    business_unit_id: UnitId
    token_hash: Buffer
    purpose: Purpose
    policy_id: string | null
    /** The address that the link was mailed to; null for a messenger. */
    recipient_hash: Buffer | null
    link_id: ColumnType<string | null, string | null | undefined, never>
    created_at: Instant
    expires_at: Instant
  }
  withdrawals: {
    business_unit_id: UnitId
    id: string
    policy_id: string
    /** The version that the client withdrew from. The policy ends even if it has a later one. */
    policy_version: number
    at: Instant
    name: string
    confirm_to: string
    basis: string
    claimed: boolean
    refund_cents: number
    currency: string
    way: Way
    refund_by: string
    request_key: string | null
    request_hash: string
  }
  client_finds: { id: string; number_hash: Buffer; network: string; at: ColumnType<Date, Date, never> }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ClientTables {}
}
