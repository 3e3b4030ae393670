import { entriesOfUnwanted } from '#common/accounting/book.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { insertBooking } from '#server/accounting/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  closePayment,
  insertReview,
  installationOf,
  type Intent,
  movePayment,
  oweRefund,
  type PaymentRow,
  topicOf,
} from '#server/payments/public.ts'
import { findPaymentWithLines, lockPolicyOfPayment, type PaymentWithLines, recordEvent } from '../queries.ts'
import {
  type Evidence,
  type Made,
  type Sales,
  type Settled,
  type Unsettled,
  usingNumber,
  type Waiting,
  type Waits,
} from '../sale/sale-context.ts'
import { cancelPayment } from './network.ts'

type Open<M extends Made> = { payment: PaymentWithLines; waiting: Waiting<M> }

/**
 * Settles an open payment: the only way from a payment to a sale or a change, for browser, card network and reconciler. Concurrent calls wait for the
 * policy's lock; one settles, and the others find what it made. Everything happens in one transaction.
 */
export function settle<M extends Made>(
  sales: Sales,
  scope: Scope,
  { id }: Pick<PaymentRow, 'id'>,
  waits: Waits<M>,
  evidence: Evidence,
): Promise<Settled<M>> {
  const work = (numberIndex?: number) =>
    sales.world.database.inScope(scope, async (tx): Promise<Settled<M>> => {
      const open = await lock(sales, tx, id, waits)
      if (!open) throw new Refusal('request.not_found')
      if (open.payment.state === 'settled') return { made: true, justNow: false, ...(await open.waiting.made()) }
      return evidence.by === 'account' ? settleOnAccount(open, evidence, numberIndex) : settleByCard(sales, tx, open, evidence, numberIndex)
    })
  return waits.numbered ? usingNumber(sales, work) : work()
}

/** Reads a payment and what waits for it under the policy's lock: a concurrent call may have settled it before. */
async function lock<M extends Made>(sales: Sales, tx: UnitTx, id: string, waits: Waits<M>): Promise<Open<M> | undefined> {
  const policy = await lockPolicyOfPayment(tx, id)
  const payment = policy && (await findPaymentWithLines(tx, { id }))
  const waiting = payment && (await waits.find(sales, tx, { policy, payment }))
  return waiting && { payment, waiting }
}

async function settleOnAccount<M extends Made>(
  { waiting }: Open<M>,
  evidence: Evidence & { by: 'account' },
  numberIndex: number | undefined,
): Promise<Settled<M>> {
  const code = await waiting.whyNotOnAccount()
  return code ? { made: false, code } : { made: true, justNow: true, ...(await waiting.write(evidence, numberIndex)) }
}

async function settleByCard<M extends Made>(
  sales: Sales,
  tx: UnitTx,
  { payment, waiting }: Open<M>,
  evidence: Evidence & { by: 'card' },
  numberIndex: number | undefined,
): Promise<Settled<M>> {
  const { intent } = evidence
  if (intent.status !== 'succeeded') return { made: false, code: 'payment.not_paid' }
  const why = (await isPaymentBy(tx, intent, payment)) ? ((await waiting.isLate()) ? 'late' : returned(intent)) : 'differs'
  if (why) {
    await waiting.leave(why)
    return { made: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, why) }
  }
  const made = await waiting.write(evidence, numberIndex)
  // The network notified of this reversal before the payment was settled, or not at all.
  if (intent.refundedCents > 0 || intent.disputed)
    await sales.world.outbox.publish(tx, topicOf(payment), { paymentId: payment.id, kind: 'charge.taken_back' })
  return { made: true, justNow: true, ...made }
}

/** The client already has the money back, so nothing is made, and a person decides. */
const returned = (intent: Intent) => (intent.refundedCents >= intent.receivedCents ? 'returned' : undefined)

/** True if an intent is of this installation, and exactly the payment's. */
const isPaymentBy = async (tx: UnitTx, intent: Intent, payment: PaymentRow): Promise<boolean> =>
  isForThis(intent, payment) && (await isOfThisInstallation(tx, intent))

/** True if intent, amount and currency are exactly the payment's. */
const isForThis = (intent: Intent, payment: PaymentRow): boolean =>
  (payment.intent_id === null || payment.intent_id === intent.id) &&
  intent.reference?.paymentId === payment.id &&
  intent.reference.businessUnitId === payment.business_unit_id &&
  intent.amountCents === payment.amount_cents &&
  intent.receivedCents === payment.amount_cents &&
  intent.currency === payment.currency

/** A restored copy knows its original's payments, and must neither sell nor refund them. */
const isOfThisInstallation = async (tx: UnitTx, { reference }: Intent): Promise<boolean> =>
  reference?.installation === undefined || reference.installation === (await installationOf(tx))

/** Cancels a payment at the network. One that was paid meanwhile is settled; undefined if it is cancelled. */
export async function cancelOrSettle<M extends Made>(
  sales: Sales,
  scope: Scope,
  payment: PaymentRow,
  waits: Waits<M>,
  more: Pick<Evidence, 'where'> = {},
): Promise<Settled<M> | undefined> {
  const intent = await cancelPayment(sales, scope, payment)
  if (intent.status === 'succeeded') return settle(sales, scope, payment, waits, { by: 'card', intent, ...more })
  if (intent.status !== 'canceled') throw new Refusal('payment.processing', { retryAfter: 2 })
  return undefined
}

/** True if a payment can no longer be made. */
export const isOver = (sales: Sales, scope: Scope, { id, purpose }: PaymentRow): Promise<boolean> =>
  sales.world.database.inScope(scope, async tx => (await lock(sales, tx, id, sales.waits[purpose]))?.waiting.isOver() ?? false)

/** Closes a payment that was cancelled at the network, and gives up the sale or change that waited for it. */
export const lapse = (sales: Sales, scope: Scope, { id, purpose }: PaymentRow): Promise<void> =>
  sales.world.database.inScope(scope, async tx => {
    const open = await lock(sales, tx, id, sales.waits[purpose])
    if (open?.payment.state !== 'open') return
    await closePayment(tx, id)
    await open.waiting.leave('lapsed')
  })

/**
 * Records a payment that settles neither a sale nor a change. One that came too late is refunded. One that differs from the request, or was
 * refunded elsewhere first, goes to review.
 */
async function recordUnmatchedPayment(
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
