import { today } from '#common/kit/dates.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { policyNumber } from '#common/policies/number.ts'
import { policyCan } from '#common/policies/states.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  changePayment,
  findPayment,
  insertLedgerEntry,
  installationOf,
  type Intent,
  paymentNotified,
  type PaymentRow,
} from '#server/payments/public.ts'
import { audit, nobodysBrowser, type Where } from '#server/session/public.ts'
import { settingsWithGateway } from '#server/products/public.ts'
import { changePolicy, countMove, findPolicy, lockPolicyOfPayment, type PolicyRow, recordEvent } from '../queries.ts'
import { hasBegun, hasEnded, whyNotOffered } from './pricing.ts'
import { withNumber } from './registration.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import { policyPurchased, type Sales } from './sales.ts'
import { backToBudget, recordUnmatchedPayment } from './unmatched-payment.ts'

/** Why it may be sold: somebody puts it on the agency's account, or the card network says that it was paid. */
export type Evidence = { by: 'account'; who: Who } | { by: 'card'; who: Who | undefined; intent: Intent }
export type Who = { userId: string; name: string; where: Where }

/** Sold, now or before; or why not. */
export type Outcome = { sold: true; policy: PolicyRow; files: DocumentFile[]; justNow: boolean } | { sold: false; code: RefusalCode }

/**
 * The one way to a purchase: the browser's return, the card network's word and the reconciler all end here. Of many at once one sells, for the
 * policy's row is held; all others find it sold. Everything that makes the sale is one transaction (design 5).
 */
export async function completeSale(sales: Sales, scope: Scope, paymentId: string, evidence: Evidence): Promise<Outcome> {
  const place = await sales.numbers.take(scope)
  const outcome = await sales.world.database.inScope(scope, tx => settleIn(sales, tx, { paymentId, evidence, place }))
  // Only now is it certain that the number was not used.
  if (!outcome.sold || !outcome.justNow) sales.numbers.startRefund(scope, place)
  else sales.world.metrics.sales.inc({ gateway: evidence.by === 'card' ? 'StripeV2' : 'Deferred' })
  return outcome
}

/** Why it would be refused just now to settle this on account. Nothing is held: whoever settles it asks again. */
export const whyNotSettled = (sales: Sales, scope: Scope, paymentId: string): Promise<RefusalCode | undefined> =>
  sales.world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    const policy = payment && (await findPolicy(tx, payment.policy_id))
    if (!policy) throw new Refusal('request.not_found')
    return payment.state === 'settled' ? undefined : whyNotOnAccount(sales, tx, policy, payment)
  })

type Wanted = { paymentId: string; evidence: Evidence; place: number }
/** A sale at its end: the policy is locked, and `place` is the number that it would get. */
type Completion<E extends Evidence = Evidence> = { policy: PolicyRow; payment: PaymentRow; evidence: E; place: number }

async function settleIn(sales: Sales, tx: UnitTx, { paymentId, evidence, place }: Wanted): Promise<Outcome> {
  const policy = await lockPolicyOfPayment(tx, paymentId)
  // Read only now: before the policy was held, somebody else may have settled it.
  const payment = policy && (await findPayment(tx, paymentId))
  if (!policy || !payment) throw new Refusal('request.not_found')
  if (payment.state === 'settled') return { sold: true, policy, files: await sales.documents.list(tx, policy), justNow: false }
  if (evidence.by === 'card') return settleCard(sales, tx, { policy, payment, evidence, place })
  const code = await whyNotOnAccount(sales, tx, policy, payment)
  if (code) return { sold: false, code }
  return sell(sales, tx, { policy, payment, evidence, place })
}

async function settleCard(sales: Sales, tx: UnitTx, completion: Completion<Evidence & { by: 'card' }>): Promise<Outcome> {
  const { policy, payment, evidence } = completion
  const { intent } = evidence
  if (intent.status !== 'succeeded') return { sold: false, code: 'payment.not_paid' }
  if (!isForThis(intent, payment) || !(await isOfThisInstallation(tx, intent)))
    return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'differs') }
  const isMeant = payment.state === 'open' && policy.status === 'pending' && policy.version === payment.policy_version
  const { timeZone } = await unitSettings(tx)
  const isLate = hasBegun(policy, sales.world.clock.now(), timeZone)
  const isReturned = intent.refundedCents >= intent.receivedCents
  if (isMeant && (isLate || isReturned)) await backToBudget(sales, tx, policy)
  if (!isMeant || isLate) return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'late') }
  // Given back before it was sold: the client holds the money, so nothing is sold, and a person says what becomes of it.
  if (isReturned) return { sold: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, 'returned') }
  // Whether the unit still offers it is not asked: the client was asked to pay while it did, and to take that back would leave him uninsured.
  return sell(sales, tx, completion)
}

/** That intent, that amount, that currency: nothing else is believed. */
const isForThis = (intent: Intent, payment: PaymentRow): boolean =>
  (payment.intent_id === null || payment.intent_id === intent.id) &&
  intent.reference?.paymentId === payment.id &&
  intent.reference.businessUnitId === payment.business_unit_id &&
  intent.amountCents === payment.amount_cents &&
  intent.receivedCents === payment.amount_cents &&
  intent.currency === payment.currency

/** A copy beside its original knows the payments of both: neither sells nor gives back the other's. */
const isOfThisInstallation = async (tx: UnitTx, { reference }: Intent): Promise<boolean> =>
  reference?.installation === undefined || reference.installation === (await installationOf(tx))

async function whyNotOnAccount({ world }: Sales, tx: UnitTx, policy: PolicyRow, payment: PaymentRow): Promise<RefusalCode | undefined> {
  if (payment.gateway !== 'Deferred' || payment.state !== 'open' || payment.policy_version !== policy.version)
    return 'policy.not_purchasable'
  if (!policyCan('purchase', policy)) return 'policy.not_purchasable'
  if (!policy.complete) return 'policy.incomplete'
  const now = world.clock.now()
  // C50: whoever may no longer sell on account sells nothing more on account, also of what was registered before.
  const unit = await settingsWithGateway(tx, payment.gateway_id)
  if (!unit) return 'policy.not_purchasable'
  const { timeZone } = unit
  return hasEnded(policy, now, timeZone) ? 'policy.price_expired' : whyNotOffered(tx, policy, today(now, timeZone))
}

async function sell(sales: Sales, tx: UnitTx, { policy: before, payment, evidence, place }: Completion): Promise<Outcome> {
  const { world } = sales
  const now = world.clock.now()
  const number = policyNumber(place)
  await keepPayment(sales, tx, payment, evidence, now)
  const policy = await changePolicy(tx, before, {
    status: 'purchased',
    number,
    purchased_at: now,
    updated_at: now,
    search: withNumber(before.search, number),
  })
  const details = { number, gateway: payment.gateway }
  await recordEvent(tx, {
    policy_id: policy.id,
    id: world.ids.next(),
    at: now,
    user_id: evidence.who?.userId ?? null,
    user_name: evidence.who?.name ?? null,
    what: 'purchased',
    details,
  })
  await audit(world, tx, evidence.who?.where ?? nobodysBrowser, {
    action: 'policy.purchased',
    outcome: 'done',
    object: policy.id,
    businessUnitId: tx.businessUnitId,
    details,
  })
  const files = await sales.documents.insertPending(tx, policy)
  await world.outbox.publish(tx, policyPurchased, { policyId: policy.id })
  await countMove(tx, policy.id, before.status, 'purchased')
  return { sold: true, policy, files, justNow: true }
}

/** Settled by exactly one entry in the agency's ledger, or by what the card network has received. */
async function keepPayment({ world }: Sales, tx: UnitTx, payment: PaymentRow, evidence: Evidence, now: Date): Promise<void> {
  const settled = { state: 'settled' as const, settled_at: now, check_at: null }
  if (evidence.by === 'card') {
    const { intent } = evidence
    await changePayment(tx, payment.id, { ...settled, intent_id: intent.id, received_cents: intent.receivedCents })
    // Part of it was taken back before it was sold. The network told of that when there was no sale yet, or not at all.
    if (intent.refundedCents > 0 || intent.disputed)
      await world.outbox.publish(tx, paymentNotified, { paymentId: payment.id, kind: 'charge.taken_back' })
    return
  }
  const entry = { id: world.ids.next(), at: now, payment_id: payment.id, policy_id: payment.policy_id, kind: 'sale' as const }
  await insertLedgerEntry(tx, { ...entry, amount_cents: payment.amount_cents, currency: payment.currency })
  await changePayment(tx, payment.id, { ...settled, ledger_entry_id: entry.id })
}
