import { entriesOfUnwanted } from '#common/accounting/entries.ts'
import type { RefusalCode } from '#common/kit/refusals.ts'
import { insertBooking } from '#server/accounting/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { insertReview, type Intent, movePayment, oweRefund, type PaymentRow } from '#server/payments/public.ts'
import { recordEvent } from '../queries.ts'
import type { Sales, Unsettled } from '../sale/sales.ts'

/**
 * Records a payment that settles neither a sale nor a change. One that came too late is refunded. One that differs from the request, or was
 * refunded elsewhere first, goes to review.
 */
export async function recordUnmatchedPayment(
  { world }: Sales,
  tx: UnitTx,
  payment: PaymentRow,
  intent: Intent,
  why: Unsettled,
): Promise<RefusalCode> {
  const now = world.clock.now()
  if (payment.state === 'unwanted')
    return why === 'late' && payment.refunded_cents === payment.received_cents ? 'payment.refunded' : 'payment.in_review'
  const { id: intentId, currency } = intent
  const received = { cents: intent.receivedCents, currency }
  if (why !== 'late') {
    const isOurs = why === 'returned' ? { intent_id: intentId, received_cents: received.cents } : {}
    await movePayment(tx, payment.id, 'unwanted', { check_at: null, ...isOurs })
    await insertReview(tx, {
      id: world.ids.next(),
      at: now,
      payment_id: payment.id,
      reason: why === 'differs' ? why : 'refunded_elsewhere',
      details: JSON.stringify({
        intent: intentId,
        received,
        ...(why === 'differs'
          ? { asked: { cents: payment.amount_cents, currency: payment.currency, intent: payment.intent_id } }
          : { taken: { cents: intent.refundedCents, currency } }),
      }),
    })
    await recordEvent(world, tx, { policyId: payment.policy_id, at: now, what: 'payment_in_review' })
    world.log.error({ payment: payment.id, intent: intentId, why }, 'a card payment was not sold for: it is on the review list')
    return 'payment.in_review'
  }
  await movePayment(tx, payment.id, 'unwanted', { intent_id: intentId, received_cents: received.cents })
  await oweRefund(world, tx, payment, { cents: received.cents, reason: why, at: now })
  const { policy_id, policy_version } = payment
  const booking = { id: world.ids.next(), at: now, kind: 'unwanted' as const, policy_id, policy_version, payment_id: payment.id, currency }
  await insertBooking(tx, booking, entriesOfUnwanted(received.cents))
  await recordEvent(world, tx, { policyId: payment.policy_id, at: now, what: 'payment_refunded' })
  tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'due' }))
  return 'payment.refunded'
}
