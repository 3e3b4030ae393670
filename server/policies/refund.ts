import type { Scope } from '#server/kit/scope.ts'
import {
  changePayment,
  changeRefund,
  findPayment,
  type RefundResult,
  insertReview,
  OutcomeUnknown,
  type PaymentRow,
  type RefundRow,
  refundsOf,
  type ReviewReason,
  withdrawReview,
} from '#server/payments/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { lockPolicy, recordEvent } from './queries.ts'
import { ask } from './sale/card-payment.ts'
import type { Sales } from './sale/sales.ts'

/** design 5, I5 wants an end within ten minutes. The third try comes after eight: when that gives nothing back either, somebody is told. */
const longMs = 7 * 60_000

/** Gives back what is due, by the key that was written when it became so. What is pending, or of which nobody has heard, is asked about again. */
export const startRefund = (sales: Sales, scope: Scope, paymentId: string) => bringToAnEnd(sales, scope, paymentId, ['due'])

/** What was given back may come to nothing after all, when the card is gone: where the network has news, that is asked about, too. */
export const checkRefunds = (sales: Sales, scope: Scope, paymentId: string) => bringToAnEnd(sales, scope, paymentId, ['due', 'done'])

async function bringToAnEnd(sales: Sales, scope: Scope, paymentId: string, states: RefundRow['state'][]): Promise<void> {
  const { database } = sales.world
  const payment = await database.inScope(scope, tx => findPayment(tx, paymentId))
  if (!payment?.intent_id) return
  for (const refund of await database.inScope(scope, tx => refundsOf(tx, paymentId, states))) {
    try {
      const given = await askFor(sales, scope, payment, refund)
      await database.inScope(scope, tx => note(sales, tx, payment, refund, given))
    } finally {
      await database.inScope(scope, tx => tellWhenLong(sales, tx, payment))
    }
  }
  await database.inScope(scope, async tx => {
    await lockPolicy(tx, payment.policy_id)
    if ((await refundsOf(tx, paymentId, ['due'])).length === 0) await changePayment(tx, paymentId, { check_at: null })
  })
}

function askFor(sales: Sales, scope: Scope, { intent_id }: PaymentRow, refund: RefundRow): Promise<RefundResult> {
  const { idempotency_key: key, provider_refund_id: known, amount_cents: amountCents } = refund
  if (known) return ask(sales, cards => cards.retrieveRefund(known))
  return ask(sales, cards => cards.refund({ intentId: intent_id ?? '', amountCents, key })).catch(async (error: unknown) => {
    // A second one can give nothing back that the first has: the network gives no more than it took.
    if (error instanceof Error && error.cause instanceof OutcomeUnknown && error.cause.replayed)
      await sales.world.database.inScope(scope, tx => changeRefund(tx, refund, { idempotency_key: `${key}+` }))
    throw error
  })
}

async function note({ world }: Sales, tx: UnitTx, payment: PaymentRow, refund: RefundRow, given: RefundResult): Promise<void> {
  const now = world.clock.now()
  await lockPolicy(tx, payment.policy_id)
  if (given.state !== 'refused' && refund.state === 'done') return
  if (given.state === 'pending') {
    await changeRefund(tx, refund, { provider_refund_id: given.id })
    return
  }
  if (given.state === 'done') {
    if (!(await changeRefund(tx, refund, { state: 'done', provider_refund_id: given.id, done_at: now }))) return
    await withdrawReview(tx, payment.id, 'refund_delayed', now)
    tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'done' }))
    return
  }
  if (!(await changeRefund(tx, refund, { state: 'refused', done_at: null }))) return
  await withdrawReview(tx, payment.id, 'refund_delayed', now)
  // Asked again it would be refused again: from here on it is a person's.
  await changePayment(tx, payment.id, { refunded_cents: payment.refunded_cents - refund.amount_cents })
  await putBefore(tx, payment, 'refund_refused', { id: world.ids.next(), at: now, why: given.why })
  const deed = { policy_id: payment.policy_id, id: world.ids.next(), at: now, user_id: null, user_name: null }
  await recordEvent(tx, { ...deed, what: 'payment_in_review' })
  tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'refused' }))
  world.log.error({ payment: payment.id, why: given.why }, 'the card network refuses a refund: it is on the review list')
}

async function tellWhenLong({ world }: Sales, tx: UnitTx, payment: PaymentRow): Promise<void> {
  const now = world.clock.now()
  await lockPolicy(tx, payment.policy_id)
  const due = await refundsOf(tx, payment.id, ['due'])
  if (due.some(({ created_at }) => now.getTime() - created_at.getTime() > longMs))
    await putBefore(tx, payment, 'refund_delayed', { id: world.ids.next(), at: now })
}

const putBefore = (
  tx: UnitTx,
  { id: payment_id, intent_id: intent, received_cents: cents, currency }: PaymentRow,
  reason: ReviewReason,
  { id, at, why }: { id: string; at: Date; why?: string },
) => insertReview(tx, { id, at, payment_id, reason, details: JSON.stringify({ intent, received: { cents, currency }, why }) })
