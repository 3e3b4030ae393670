import { timingSafeEqual } from 'node:crypto'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { heldSince } from '#server/kit/work/hold.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  type CardNetwork,
  changePayment,
  closePayment,
  declined,
  findPayment,
  installationOf,
  type Intent,
  OutcomeUnknown,
  type PaymentRow,
} from '#server/payments/public.ts'
import { lockPolicy } from '../queries.ts'
import type { Sales } from './sales.ts'
import { completeSale } from './complete-sale.ts'

/** Announces the payment to the card network, or finds what was announced: the same key gives the same intent. */
export async function clientSecretOf(sales: Sales, scope: Scope, payment: PaymentRow): Promise<string> {
  return (await intentOf(sales, scope, payment)).clientSecret
}

/** The intent of a payment, at the network. Between its making and the note of its id a process may have died: the key finds it again. */
export async function intentOf(sales: Sales, scope: Scope, payment: PaymentRow): Promise<Intent> {
  if (payment.intent_id) return ask(sales, cards => cards.retrieveIntent(payment.intent_id as string))
  const { idempotency_key: key, amount_cents: amountCents, currency, id: paymentId } = payment
  const installation = await sales.world.database.inScope(scope, installationOf)
  const reference = { businessUnitId: scope.businessUnitId, paymentId, installation }
  const intent = await ask(sales, cards => cards.createIntent({ key, amountCents, currency, reference })).catch(async (error: unknown) => {
    // Nobody was given that intent's secret, if there is one: it can never be paid, and the next try may make another.
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

/** The network's own word on the payment. What is not paid is refused with its reason. */
export async function paidIntent(sales: Sales, payment: PaymentRow, secret: string | undefined): Promise<Intent> {
  const { intent_id: intentId } = payment
  // A budget was never announced: nobody can have paid for it.
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
 * Takes the payment away from whoever may be paying just now. Paid already, it is a sale, and what was to be done is refused. While a restored
 * copy's jobs are held, a payment that came with the copy belongs to the installation that it was copied from, and stays as it is.
 */
export async function releasePayment(sales: Sales, scope: Scope, payment: PaymentRow, code: RefusalCode): Promise<void> {
  const held = await heldSince(sales.world.database.kysely)
  if (held && payment.created_at <= held) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const { id } = await intentOf(sales, scope, payment)
  const intent = await ask(sales, cards => cards.cancelIntent(id))
  if (intent.status === 'succeeded') {
    await completeSale(sales, scope, payment.id, { by: 'card', who: undefined, intent })
    throw new Refusal(code)
  }
  if (intent.status !== 'canceled') throw new Refusal('payment.processing', { retryAfter: 2 })
  await sales.world.database.inScope(scope, async tx => {
    await lockPolicy(tx, payment.policy_id)
    const now = await findPayment(tx, payment.id)
    if (now?.state === 'open') await closePayment(tx, payment.id)
  })
}

/** Asks the card network. Whatever becomes of the question, nothing is lost: it is asked again with the same key. */
export async function ask<T>({ cards, world }: Sales, question: (cards: CardNetwork) => Promise<T>): Promise<T> {
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  try {
    return await question(cards)
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
