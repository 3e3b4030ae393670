import { timingSafeEqual } from 'node:crypto'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  type CardNetwork,
  changePayment,
  declined,
  installationOf,
  type Intent,
  OutcomeUnknown,
  type PaymentRow,
} from '#server/payments/public.ts'
import type { Sales } from '../sale/sale-context.ts'

/** Creates the payment's intent at the card network, or finds it: the same key returns the same intent. */
export async function clientSecretOf(sales: Sales, scope: Scope, payment: PaymentRow): Promise<string> {
  return (await intentOf(sales, scope, payment)).clientSecret
}

/** Returns the payment's intent. If a process died before it stored the intent's id, the key finds the intent again. */
export async function intentOf(sales: Sales, scope: Scope, payment: PaymentRow): Promise<Intent> {
  const { intent_id: intentId, idempotency_key: key, amount_cents: amountCents, currency, id: paymentId } = payment
  if (intentId) return ask(sales, cards => cards.retrieveIntent(intentId))
  const installation = await sales.world.database.inScope(scope, installationOf)
  const reference = { businessUnitId: scope.businessUnitId, paymentId, installation }
  const intent = await ask(sales, cards => cards.createIntent({ key, amountCents, currency, reference })).catch(async (error: unknown) => {
    // The secret of such an intent was never sent, so it cannot be paid. The next try may create another.
    if (error instanceof Refusal && error.cause instanceof OutcomeUnknown && error.cause.replayed)
      await sales.world.database.inScope(scope, tx => changePayment(tx, payment.id, { idempotency_key: nextAttempt(key) }))
    throw error
  })
  await sales.world.database.inScope(scope, tx => changePayment(tx, payment.id, { intent_id: intent.id }))
  return intent
}

/** `purchase-…` → `purchase-….2` → `purchase-….3` */
const nextAttempt = (key: string): string => {
  const [purchase, attempt = '1'] = key.split('.')
  return `${purchase}.${Number(attempt) + 1}`
}

/** Returns the intent if the network says it is paid, else refuses with the reason. */
export async function paidIntent(sales: Sales, payment: PaymentRow, secret: string | undefined): Promise<Intent> {
  const { intent_id: intentId } = payment
  // A saved quote has no intent, so it cannot have been paid by card.
  if (!intentId) throw new Refusal(payment.state === 'open' ? 'payment.not_paid' : 'policy.not_purchasable')
  const intent = await ask(sales, cards => cards.retrieveIntent(intentId))
  if (secret !== undefined && !isSame(secret, intent.clientSecret)) throw new Refusal('request.not_found')
  if (intent.status === 'succeeded') return intent
  throw new Refusal(whyNotPaid(intent), intent.status === 'processing' ? { retryAfter: 2 } : {})
}

function whyNotPaid({ status, failure }: Intent): RefusalCode {
  if (status === 'processing') return 'payment.processing'
  if (status === 'canceled') return 'payment.cancelled'
  if (status === 'requires_action') return 'payment.authentication_required'
  return failure ? declined(failure) : 'payment.not_paid'
}

/**
 * Cancels the payment at the network, and returns what it has become. While a restored copy's jobs are held, payments of the original installation
 * stay unchanged.
 */
export async function cancelPayment(sales: Sales, scope: Scope, payment: PaymentRow): Promise<Intent> {
  const heldFrom = await heldSince(sales.world.database.shared)
  if (heldFrom && payment.created_at <= heldFrom) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const { id } = await intentOf(sales, scope, payment)
  return ask(sales, cards => cards.cancelIntent(id))
}

/** Calls the card network. If the response is unknown, nothing is lost: a retry uses the same key. */
export async function ask<T>({ cards, world }: Sales, request: (cards: CardNetwork) => Promise<T>): Promise<T> {
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  try {
    return await request(cards)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    world.log.warn({ err: error }, 'the card network gave no answer')
    throw Object.assign(new Refusal('payment.unavailable', { retryAfter: 5 }), { cause: error })
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
