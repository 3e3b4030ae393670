import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type PaymentRow, renewReview, withdrawReview } from '#server/payments/rows.ts'
import type { ReviewReason } from '#server/payments/tables.ts'
import { lockPolicy, recordDeed } from './rows.ts'
import { ask } from './sale/card-payment.ts'
import type { Sales } from './sale/sales.ts'

/**
 * Money of a payment was given back at the network's own pages, or its holder disputes it. The policy stays as it is: what becomes of it, a
 * person says. Our own refunds are of payments that sold nothing, so all that is given back of a settled one was done elsewhere.
 */
export async function lookAtTakenBack(sales: Sales, scope: Scope, payment: PaymentRow): Promise<void> {
  const { intent_id: intent, currency } = payment
  if (!intent) return
  const { refundedCents, disputes } = await ask(sales, cards => cards.takenBack(intent))
  await sales.world.database.inScope(scope, async tx => {
    await lockPolicy(scope, tx, payment.policy_id)
    if (payment.state === 'settled' && refundedCents > 0)
      await putBefore(sales, scope, tx, payment, 'refunded_elsewhere', { taken: { cents: refundedCents, currency } })
    // Given back to a card that is gone, it has come back.
    if (refundedCents === 0) await withdrawReview(scope, tx, payment.id, 'refunded_elsewhere', sales.world.clock.now())
    if (disputes.length > 0) {
      const cents = disputes.reduce((sum, each) => sum + each.cents, 0)
      await putBefore(sales, scope, tx, payment, 'disputed', { taken: { cents, currency }, disputes })
    }
  })
}

async function putBefore(
  { world }: Sales,
  scope: Scope,
  tx: Tx,
  { id: payment_id, policy_id, intent_id: intent, received_cents: cents, currency }: PaymentRow,
  reason: ReviewReason,
  more: object,
): Promise<void> {
  const at = world.clock.now()
  const details = JSON.stringify({ intent, received: { cents, currency }, ...more })
  if (!(await renewReview(scope, tx, { id: world.ids.next(), at, payment_id, reason, details }))) return
  await recordDeed(scope, tx, { policy_id, id: world.ids.next(), at, user_id: null, user_name: null, what: 'payment_in_review' })
  world.log.error({ payment: payment_id, intent, reason }, 'money of a card payment was taken back: it is on the review list')
}
