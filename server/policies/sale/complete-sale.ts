import { entriesOfSale } from '#common/accounting/entries.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { policyNumber } from '#common/policies/number.ts'
import { policyCan } from '#common/policies/states.ts'
import { insertBooking } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { changePayment, findPayment, installationOf, type Intent, paymentNotified, type PaymentRow } from '#server/payments/public.ts'
import { audit, noRequest, type Where } from '#server/session/public.ts'
import { settingsWithGateway } from '#server/products/public.ts'
import {
  changePolicy,
  chargedBy,
  findPaymentWithLines,
  findPolicy,
  lockPolicyOfPayment,
  moveCount,
  type PaymentWithLines,
  type PolicyRow,
  recordEvent,
} from '../queries.ts'
import { hasBegun, hasEnded, isOffered } from './pricing.ts'
import { withNumber } from './registration.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import { policyPurchased, type Sales } from './sales.ts'
import { backToBudget, recordUnmatchedPayment } from './unmatched-payment.ts'

/** The reason to complete a sale: a user puts it on the agency's account, or the card network confirms the payment. */
export type Evidence = { by: 'account'; actor: Actor } | { by: 'card'; actor: Actor | undefined; intent: Intent }
export type Actor = { userId: string; name: string; where: Where }

/** Sold, now or before; or the reason why not. */
export type Outcome = { sold: true; policy: PolicyRow; files: DocumentFile[]; justNow: boolean } | { sold: false; code: RefusalCode }

/**
 * Completes a sale: the only way to a purchase, for browser, card network and reconciler. Concurrent calls wait for the policy's lock; one
 * sells, and the others find it sold. Everything happens in one transaction (design 5).
 */
export async function completeSale(sales: Sales, scope: Scope, paymentId: string, evidence: Evidence): Promise<Outcome> {
  const numberIndex = await sales.numbers.take()
  const outcome = await sales.world.database.inScope(scope, tx => complete(sales, tx, { paymentId, evidence, numberIndex }))
  // Only now is it certain that the number is unused.
  if (!outcome.sold || !outcome.justNow) sales.numbers.putBack(numberIndex)
  else sales.world.metrics.sales.inc({ gateway: evidence.by === 'card' ? 'StripeV2' : 'Deferred' })
  return outcome
}

/** Returns why the sale on account would be refused now. Takes no lock: completing checks again. */
export const whyNotCompletable = (sales: Sales, scope: Scope, paymentId: string): Promise<RefusalCode | undefined> =>
  sales.world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    const policy = payment && (await findPolicy(tx, payment.policy_id))
    if (!policy) throw new Refusal('request.not_found')
    return payment.state === 'settled' ? undefined : whyNotOnAccount(sales, tx, policy, payment)
  })

type CompletionRequest = { paymentId: string; evidence: Evidence; numberIndex: number }
/** A locked policy and its payment, ready to be sold. `numberIndex` gives the policy number. */
type Completion<E extends Evidence = Evidence> = { policy: PolicyRow; payment: PaymentWithLines; evidence: E; numberIndex: number }

async function complete(sales: Sales, tx: UnitTx, { paymentId, evidence, numberIndex }: CompletionRequest): Promise<Outcome> {
  const policy = await lockPolicyOfPayment(tx, paymentId)
  // Read under the lock: a concurrent call may have settled it before.
  const payment = policy && (await findPaymentWithLines(tx, paymentId))
  if (!policy || payment?.purpose !== 'sale') throw new Refusal('request.not_found')
  if (payment.state === 'settled') return { sold: true, policy, files: await sales.documents.list(tx, policy), justNow: false }
  if (evidence.by === 'card') return completeByCard(sales, tx, { policy, payment, evidence, numberIndex })
  const code = await whyNotOnAccount(sales, tx, policy, payment)
  if (code) return { sold: false, code }
  return sell(sales, tx, { policy, payment, evidence, numberIndex })
}

async function completeByCard(sales: Sales, tx: UnitTx, completion: Completion<Evidence & { by: 'card' }>): Promise<Outcome> {
  const { policy, payment, evidence } = completion
  const { intent } = evidence
  if (intent.status !== 'succeeded') return { sold: false, code: 'payment.not_paid' }
  if (!(await isPaymentBy(tx, intent, payment)))
    return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'differs') }
  const isCurrent = payment.state === 'open' && policy.status === 'pending' && policy.version === payment.policy_version
  const { timeZone } = await unitSettings(tx)
  const isLate = hasBegun(policy, sales.world.clock.now(), timeZone)
  const isReturned = intent.refundedCents >= intent.receivedCents
  if (isCurrent && (isLate || isReturned)) await backToBudget(sales, tx, policy)
  if (!isCurrent || isLate) return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'late') }
  // The client already has the money back, so nothing is sold, and a person decides.
  if (isReturned) return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'returned') }
  // The unit may have stopped offering it since. The client has paid and must not be left uninsured, so it is sold.
  return sell(sales, tx, completion)
}

/** True if an intent is of this installation, and exactly the payment's. */
export const isPaymentBy = async (tx: UnitTx, intent: Intent, payment: PaymentRow): Promise<boolean> =>
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

async function whyNotOnAccount({ world }: Sales, tx: UnitTx, policy: PolicyRow, payment: PaymentRow): Promise<RefusalCode | undefined> {
  if (payment.gateway !== 'Deferred' || payment.state !== 'open' || payment.policy_version !== policy.version)
    return 'policy.not_purchasable'
  if (!policyCan('purchase', policy)) return 'policy.not_purchasable'
  if (!policy.complete) return 'policy.incomplete'
  const now = world.clock.now()
  // C50: a unit that lost this gateway can no longer purchase by it, even what was registered before.
  const unit = await settingsWithGateway(tx, payment.gateway_id)
  if (!unit) return 'policy.not_purchasable'
  const { timeZone } = unit
  if (hasEnded(policy, now, timeZone)) return 'policy.price_expired'
  return (await isOffered(tx, policy)) ? undefined : 'policy.not_purchasable'
}

async function sell(sales: Sales, tx: UnitTx, { policy: before, payment, evidence, numberIndex }: Completion): Promise<Outcome> {
  const { world } = sales
  const now = world.clock.now()
  const number = policyNumber(numberIndex)
  await settlePayment(sales, tx, payment, evidence, now)
  const policy = await changePolicy(tx, before, {
    status: 'purchased',
    number,
    purchased_at: now,
    sold_version: before.version,
    sold_cents: payment.amount_cents,
    updated_at: now,
    search: withNumber(before.search, number),
  })
  const details = { number, gateway: payment.gateway }
  await recordEvent(world, tx, { policyId: policy.id, at: now, by: evidence.actor, what: 'purchased', details })
  await audit(world, tx, evidence.actor?.where ?? noRequest, {
    action: 'policy.purchased',
    outcome: 'done',
    object: policy.id,
    businessUnitId: tx.businessUnitId,
    details,
  })
  const files = await sales.documents.insertPending(tx, policy)
  await world.outbox.publish(tx, policyPurchased, { policyId: policy.id })
  await moveCount(tx, policy.id, before.status, 'purchased')
  return { sold: true, policy, files, justNow: true }
}

/** Settles a payment on the agency's account, or by the amount received by card, and books the sale. */
async function settlePayment({ world }: Sales, tx: UnitTx, payment: PaymentWithLines, evidence: Evidence, now: Date): Promise<void> {
  const settled = { state: 'settled' as const, settled_at: now, check_at: null }
  const { gateway, amount_cents: amount, currency, policy_id, policy_version } = payment
  const booking = { id: world.ids.next(), at: now, kind: 'sale' as const, policy_id, policy_version, payment_id: payment.id, currency }
  await insertBooking(tx, booking, entriesOfSale({ lines: chargedBy(payment.lines), way: { gateway, amount } }))
  if (evidence.by === 'card') {
    const { intent } = evidence
    await changePayment(tx, payment.id, { ...settled, intent_id: intent.id, received_cents: intent.receivedCents })
    // The network notified of this reversal before the sale, or not at all.
    if (intent.refundedCents > 0 || intent.disputed)
      await world.outbox.publish(tx, paymentNotified, { paymentId: payment.id, kind: 'charge.taken_back' })
    return
  }
  await changePayment(tx, payment.id, settled)
}
