import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { policyCan } from '#common/policies/states.ts'
import { moveExposure, randomSlot } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { KeptReply } from '#server/kit/http/idempotency.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findPayment, installationOf, type Intent, type PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { findPaymentWithLines, findPolicy, lockPolicyOfPayment, type PolicyRow } from '../queries.ts'
import { hasBegun, hasEnded, insuresTravellers, isOffered } from './pricing.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import type { Sales } from './sales.ts'
import { backToBudget, recordUnmatchedPayment } from './unmatched-payment.ts'
import type { RegisteredSale } from '../writing/remembered.ts'
import { type Actor, type Evidence, settlementOf } from '../writing/settled.ts'
import { settleSale, slotIsFull, write, writeAlone } from '../writing/queries.ts'

/** Sold, now or before; or the reason why not. */
export type Outcome = { sold: true; policy: PolicyRow; files: DocumentFile[]; justNow: boolean } | { sold: false; code: RefusalCode }

/**
 * Completes a sale: the only way to a purchase, for browser, card network and reconciler. Concurrent calls wait for the policy's lock; one
 * sells, and the others find it sold. Everything happens in one transaction (design 5).
 */
export const completeSale = (sales: Sales, scope: Scope, paymentId: string, evidence: Evidence): Promise<Outcome> =>
  usingNumber(sales, evidence, numberIndex =>
    sales.world.database.inScope(scope, tx => complete(sales, tx, { paymentId, evidence, numberIndex })),
  )

type Sold = Outcome & { sold: true }
type JudgedSale = RegisteredSale & { catalogue: UnitCatalogue; actor: Actor }
type Reply = { text: string; kept: KeptReply | null }

/**
 * Completes a sale on account by one statement, which compares what the sale was judged by and keeps the reply. Returns nothing if that has changed,
 * or if the credit limit needs a closer look. Then the longer way decides.
 */
export const completeAtOnce = (
  sales: Sales,
  scope: Scope,
  { catalogue, actor, ...registered }: JudgedSale,
  replyOf: (sold: Sold) => Reply,
): Promise<(Sold & { text: string }) | undefined> => {
  const evidence = { by: 'account' as const, actor }
  return usingNumber(sales, evidence, async numberIndex => {
    const { sale, policy, files, published } = settlementOf(sales, registered, { evidence, numberIndex })
    const { agency_account: cents = 0, at, currency } = sale.booking
    const terms = { unit: catalogue.unitVersion, gateway: registered.payment.gateway_id }
    const account = cents === 0 ? null : { cents, currency, at, slot: randomSlot() }
    const sold: Sold = { sold: true, policy, files, justNow: true }
    const { text, kept } = replyOf(sold)
    const statement = settleSale(scope.businessUnitId, { ...sale, kept, terms, account })
    const outcome = await writeAlone(sales.world.database, scope, statement).catch(unlessFull)
    if (outcome !== 'sold') return undefined
    published()
    return { ...sold, text }
  })
}

function unlessFull(error: unknown): undefined {
  // Safe: only PostgreSQL's errors have the field.
  if ((error as { code?: unknown }).code !== slotIsFull) throw error
}

/** Takes a number for a sale, and puts it back unless the sale was made just now. Only then is it certain that the number is used. */
async function usingNumber<T extends Outcome | undefined>(
  { numbers, world }: Sales,
  { by }: Evidence,
  work: (numberIndex: number) => Promise<T>,
): Promise<T> {
  const numberIndex = await numbers.take()
  const outcome = await work(numberIndex)
  if (!outcome?.sold || !outcome.justNow) numbers.putBack(numberIndex)
  else world.metrics.sales.inc({ gateway: by === 'card' ? 'StripeV2' : 'Deferred' })
  return outcome
}

/** Returns why the sale on account would be refused now. Takes no lock: completing checks again. */
export const whyNotCompletable = (sales: Sales, scope: Scope, paymentId: string): Promise<RefusalCode | undefined> =>
  sales.world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    const policy = payment && (await findPolicy(tx, payment.policy_id))
    if (!policy) throw new Refusal('request.not_found')
    if (payment.state === 'settled') return undefined
    return whyNotNow(sales, tx, policy, payment)
  })

type CompletionRequest = { paymentId: string; evidence: Evidence; numberIndex: number }
/** A locked policy and its payment, ready to be sold. `numberIndex` gives the policy number. */
type Completion<E extends Evidence = Evidence> = RegisteredSale & { evidence: E; numberIndex: number }

async function complete(sales: Sales, tx: UnitTx, { paymentId, evidence, numberIndex }: CompletionRequest): Promise<Outcome> {
  const policy = await lockPolicyOfPayment(tx, paymentId)
  // Read under the lock: a concurrent call may have settled it before.
  const payment = policy && (await findPaymentWithLines(tx, { id: paymentId }))
  if (!policy || payment?.purpose !== 'sale') throw new Refusal('request.not_found')
  if (payment.state === 'settled') return { sold: true, policy, files: await sales.documents.list(tx, policy), justNow: false }
  if (evidence.by === 'card') return completeByCard(sales, tx, { policy, payment, evidence, numberIndex })
  const code = await whyNotNow(sales, tx, policy, payment)
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

/** Returns why a sale on account is refused now. A saved quote may be from before its product said whom it insures. */
async function whyNotNow(sales: Sales, tx: UnitTx, policy: PolicyRow, payment: PaymentRow): Promise<RefusalCode | undefined> {
  const code = whyNotOnAccount(policy, payment, await sales.catalogues.readIn(tx), sales.world.clock.now())
  if (code || policy.status !== 'budgeted') return code
  return (await insuresTravellers(sales.world.secrets, tx, policy)) ? undefined : 'policy.incomplete'
}

/** Returns why a sale on account is refused, if it is. */
export function whyNotOnAccount(policy: PolicyRow, payment: PaymentRow, catalogue: UnitCatalogue, now: Date): RefusalCode | undefined {
  if (payment.gateway !== 'Deferred' || payment.state !== 'open' || payment.policy_version !== policy.version)
    return 'policy.not_purchasable'
  if (!policyCan('purchase', policy)) return 'policy.not_purchasable'
  if (!policy.complete) return 'policy.incomplete'
  // C50: a unit that lost this gateway can no longer purchase by it, even what was registered before.
  if (catalogue.gateways.every(({ id }) => id !== payment.gateway_id)) return 'policy.not_purchasable'
  if (hasEnded(policy, now, catalogue.unit.timeZone)) return 'policy.price_expired'
  return isOffered(catalogue, policy) ? undefined : 'policy.not_purchasable'
}

/** Sells a policy that is locked. */
async function sell(sales: Sales, tx: UnitTx, { policy: before, payment, evidence, numberIndex }: Completion): Promise<Outcome> {
  const { sale, policy, files, published } = settlementOf(sales, { policy: before, payment }, { evidence, numberIndex })
  const { agency_account: cents = 0, at, currency } = sale.booking
  if (cents !== 0) await moveExposure(tx, { cents, currency, at }, true)
  const outcome = await write(tx, settleSale(tx.businessUnitId, sale))
  if (outcome !== 'sold') throw new Error(`a locked sale is ${outcome}`)
  tx.afterCommit(published)
  return { sold: true, policy, files, justNow: true }
}
