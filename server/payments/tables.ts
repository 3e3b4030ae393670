import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { PaymentState, RefundState } from '#common/payments/states.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/kit/sql/tables.ts'

type GatewayName = 'Deferred' | 'StripeV2'
/**
 * Why a payment is reviewed. It differs from the request; its refund was refused or takes long, or no payment can take
 * it back; it was refunded elsewhere or is disputed.
 */
export type ReviewReason = 'differs' | 'refund_refused' | 'refund_delayed' | 'refund_without_way' | 'refunded_elsewhere' | 'disputed'

type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>

export type PaymentTables = {
  payments: {
    business_unit_id: UnitId
    /** The purchaseUUID. */
    id: string
    policy_id: string
    policy_version: number
    gateway: GatewayName
    gateway_id: string
    user_id: string
    amount_cents: number
    currency: string
    state: PaymentState
    idempotency_key: string
    request_key: TextOrNull
    intent_id: TextOrNull
    received_cents: Generated<number>
    refunded_cents: Generated<number>
    created_at: Instant
    check_at: InstantOrNull
    settled_at: InstantOrNull
    purpose: Generated<'sale' | 'change' | 'reinstatement'>
    settled: GeneratedAlways<boolean | null>
    /** The payment's id once it is settled. The money book refers to it. */
    settled_id: GeneratedAlways<string | null>
  }
  payment_events: { business_unit_id: UnitId; event_id: string; kind: string; intent_id: string; at: Instant }
  refunds: {
    business_unit_id: UnitId
    id: string
    payment_id: string
    amount_cents: number
    currency: string
    reason: string
    state: RefundState
    idempotency_key: string
    provider_refund_id: TextOrNull
    created_at: Instant
    done_at: InstantOrNull
    deed_id: TextOrNull
    /** When the refund of a movement leaves. Until then the next movement can stop it. */
    leave_at: InstantOrNull
    /** When it went by bank transfer, as a person noted with its reference. */
    transferred_at: InstantOrNull
    transferred_by: TextOrNull
    transfer_reference: TextOrNull
  }
  installation: { only_one: ColumnType<boolean, never, never>; id: string }
  payment_reviews: {
    business_unit_id: UnitId
    id: string
    at: Instant
    payment_id: string
    reason: string
    details: Json<Record<string, unknown>>
    resolved_at: InstantOrNull
    resolved_by: TextOrNull
    resolution: TextOrNull
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends PaymentTables {}
}
