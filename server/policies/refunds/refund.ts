import { formatMoney } from '#common/kit/money.ts'
import { entriesOfRefund } from '#common/accounting/book.ts'
import { insertBooking } from '#server/accounting/public.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  changePayment,
  findPayment,
  moveRefund,
  noteOnRefund,
  type RefundResult,
  OutcomeUnknown,
  type PaymentRow,
  type RefundRow,
  refundsOf,
  renewReview,
  type ReviewReason,
  withdrawReview,
} from '#server/payments/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { queueMail } from '#server/mail/public.ts'
import { findHolder, findPolicy, lockPolicy, recordEvent } from '../queries.ts'
import { ask } from '../payment/network.ts'
import { addressOf } from '../document-facts.ts'
import type { Sales } from '../sale/sale-context.ts'

/** A refund must end within ten minutes (invariant I5). The third try comes after eight; if it fails too, the refund goes to review. */
const delayedMs = 7 * 60_000

/** Requests the refunds that are due, each with the key stored with it. Pending and unanswered requests are repeated. */
export const startRefund = (sales: Sales, scope: Scope, paymentId: string) => processRefunds(sales, scope, paymentId, ['due'])

/** Also checks refunds that are done: one can fail later, when the card no longer exists. */
export const checkRefunds = (sales: Sales, scope: Scope, paymentId: string) => processRefunds(sales, scope, paymentId, ['due', 'done'])

async function processRefunds(sales: Sales, scope: Scope, paymentId: string, states: RefundRow['state'][]): Promise<void> {
  const { database } = sales.world
  const payment = await database.inScope(scope, tx => findPayment(tx, paymentId))
  if (!payment?.intent_id) return
  const hasLeft = ({ leave_at }: RefundRow): boolean => leave_at === null || leave_at <= sales.world.clock.now()
  const refunds = await database.inScope(scope, tx => refundsOf(tx, paymentId, states))
  try {
    for (const refund of refunds.filter(hasLeft)) {
      const result = await requestRefund(sales, scope, payment, refund)
      await database.inScope(scope, tx => recordResult(sales, tx, payment, refund, result))
    }
  } finally {
    await database.inScope(scope, tx => reviewIfDelayed(sales, tx, payment))
  }
  await database.inScope(scope, async tx => {
    await lockPolicy(tx, payment.policy_id)
    const due = await refundsOf(tx, paymentId, ['due'])
    // A refund without an end is retried at its planned check. The others leave later.
    if (!due.some(hasLeft)) await changePayment(tx, paymentId, { check_at: firstOf(due) })
  })
}

/** Returns when the first of these refunds leaves; null if there is none. */
const firstOf = (due: RefundRow[]): Date | null =>
  due.flatMap(({ leave_at }) => leave_at ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null

function requestRefund(sales: Sales, scope: Scope, { intent_id }: PaymentRow, refund: RefundRow): Promise<RefundResult> {
  const { idempotency_key: key, provider_refund_id: refundId, amount_cents: amountCents } = refund
  if (refundId) return ask(sales, cards => cards.retrieveRefund(refundId))
  return ask(sales, cards => cards.refund({ intentId: intent_id ?? '', amountCents, key })).catch(async (error: unknown) => {
    // A second request cannot refund twice: the network refunds no more than it received.
    if (error instanceof Error && error.cause instanceof OutcomeUnknown && error.cause.replayed)
      await sales.world.database.inScope(scope, tx => noteOnRefund(tx, refund, { idempotency_key: `${key}+` }))
    throw error
  })
}

async function recordResult({ world }: Sales, tx: UnitTx, payment: PaymentRow, refund: RefundRow, result: RefundResult): Promise<void> {
  const now = world.clock.now()
  await lockPolicy(tx, payment.policy_id)
  if (result.state !== 'refused' && refund.state === 'done') return
  if (result.state === 'pending') {
    await noteOnRefund(tx, refund, { provider_refund_id: result.id })
    return
  }
  if (result.state === 'done') {
    if (!(await moveRefund(tx, refund, 'done', { provider_refund_id: result.id, done_at: now }))) return
    await bookRefund(world, tx, payment, { refund, kind: 'refund_sent', at: now })
    await mailRefund(world, tx, payment, refund, { template: 'refund_sent' })
    tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'done' }))
    return
  }
  if (!(await moveRefund(tx, refund, 'refused', { done_at: null }))) return
  // It had left, and came back: it is owed again.
  if (refund.state === 'done') await bookRefund(world, tx, payment, { refund, kind: 'refund_failed', at: now })
  // A retry would be refused again; from here a person decides.
  await openReview(tx, payment, 'refund_refused', { id: world.ids.next(), at: now, refund: refund.id, why: result.why })
  await recordEvent(world, tx, { policyId: payment.policy_id, at: now, what: 'payment_in_review' })
  await mailRefund(world, tx, payment, refund, { template: 'refund_failed' })
  tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'refused' }))
  world.log.error({ payment: payment.id, why: result.why }, 'the card network refuses a refund: it is on the review list')
}

type Step = { refund: RefundRow; kind: 'refund_sent' | 'refund_failed'; at: Date }

/** Books that a refund has left, or failed after it had. */
const bookRefund = ({ ids }: Sales['world'], tx: UnitTx, payment: PaymentRow, { refund, kind, at }: Step) => {
  const { id: payment_id, policy_id, policy_version, currency } = payment
  const booking = { id: ids.next(), at, kind, policy_id, policy_version, payment_id, refund_id: refund.id, currency }
  return insertBooking(tx, booking, entriesOfRefund(kind === 'refund_sent' ? refund.amount_cents : -refund.amount_cents))
}

/** Emails the policyholder the outcome of a step's refund, once: its state changes once in this transaction. */
export async function mailRefund(
  world: World,
  tx: UnitTx,
  { policy_id: policyId }: PaymentRow,
  { deed_id: movementId, amount_cents: cents, currency }: RefundRow,
  { template, ...more }: { template: 'refund_sent' | 'refund_failed' } | { template: 'refund_transferred'; reference: string },
): Promise<void> {
  const policy = movementId === null ? undefined : await findPolicy(tx, policyId)
  const address = policy && addressOf(await findHolder(tx, policy))
  if (!policy || !address) return
  const params = { name: policy.taker, number: policy.number ?? '', amount: formatMoney(cents, policy.locale, currency), ...more }
  await queueMail(world, tx, { to: { name: policy.taker, address }, template, locale: policy.locale, params, about: policy.id })
}

/** Opens the review of a refund that takes long, or ends it once none does. */
async function reviewIfDelayed({ world }: Sales, tx: UnitTx, payment: PaymentRow): Promise<void> {
  const now = world.clock.now()
  await lockPolicy(tx, payment.policy_id)
  const due = await refundsOf(tx, payment.id, ['due'])
  const late = due.find(({ created_at, leave_at }) => now.getTime() - (leave_at ?? created_at).getTime() > delayedMs)
  if (late) await openReview(tx, payment, 'refund_delayed', { id: world.ids.next(), at: now, refund: late.id })
  else await withdrawReview(tx, payment.id, 'refund_delayed', now)
}

/** A review names its refund: one that was resolved opens again for another refund of the payment. */
const openReview = (
  tx: UnitTx,
  { id: payment_id, intent_id: intent, received_cents: cents, currency }: PaymentRow,
  reason: ReviewReason,
  { id, at, refund, why }: { id: string; at: Date; refund: string; why?: string },
) => renewReview(tx, { id, at, payment_id, reason, details: JSON.stringify({ intent, received: { cents, currency }, refund, why }) })
