import type { ColumnType } from 'kysely'
import type { OpenChangeState } from '#common/changes/state.ts'
import type { Route } from '#common/changes/money.ts'
import type { Instant, InstantOrNull, Json, JsonOrNull, UnitId } from '#server/kit/sql/tables.ts'

export type MovementKind = 'change' | 'undo' | 'cancellation' | 'withdrawal' | 'reinstatement'

export type ChangeTables = {
  policy_deeds: {
    business_unit_id: UnitId
    id: string
    policy_id: string
    kind: MovementKind
    from_version: number
    to_version: number
    at: Instant
    /** Null if the client withdrew, by the statement of `withdrawal_id`. */
    user_id: string | null
    user_name: string
    withdrawal_id: string | null
    request_key: string | null
    basis: string | null
    reason: string | null
    note: string | null
    asked: Json<Record<string, unknown>>
    wait_until: InstantOrNull
    difference_cents: number
    charge_cents: number
    refund_cents: number
    stopped_cents: number
    kept_cents: number
    waived_cents: number
    commission_cents: number
    currency: string
    routes: ColumnType<Route[], string, never>
  }
  open_changes: {
    business_unit_id: UnitId
    /** The changeUuid, and the id of the movement that is made of it. */
    id: string
    policy_id: string
    kind: 'change' | 'undo' | 'reinstatement'
    from_version: number
    state: OpenChangeState
    /** Both are null once it has ended. */
    asked: JsonOrNull<Record<string, unknown>>
    step: JsonOrNull<Record<string, unknown>>
    /** The encrypted document numbers of the people in `step`. */
    sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    sealed_by: ColumnType<string | null, string | null | undefined, string | null>
    at: Instant
    until: Instant
    ended_at: InstantOrNull
    user_id: string
    user_name: string
    request_key: string | null
    /** Null for an offer that the client has not begun to pay. */
    payment_id: string | null
    /** The hash of the address that an offer went to; null for what was never offered. */
    offered_to: ColumnType<Buffer | null, Buffer | null | undefined, never>
    difference_cents: number
  }
  policy_segments: {
    business_unit_id: UnitId
    policy_id: string
    version: number
    position: number
    from_day: string
    to_day: string
    premium_cents: number
    joined: number
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ChangeTables {}
}
