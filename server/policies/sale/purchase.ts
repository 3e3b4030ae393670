import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, type RefusalCode, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan } from '#common/policies/states.ts'
import { expose, randomSlot } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { KeptReply } from '#server/kit/http/idempotency.ts'
import type { Handler, HandlerInput, Keep } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { closePayment, findPayment, type PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { saleReply } from '../reply.ts'
import { isVisible, seesCommission } from '../visibility.ts'
import {
  findPaymentWithLines,
  findPolicy,
  findRevision,
  lockPolicy,
  movePolicy,
  type PaymentWithLines,
  type PolicyRow,
  recordEvent,
  type RevisedPolicy,
} from '../queries.ts'
import { isByClient } from '../links/queries.ts'
import { giveNotice } from '../notices/queries.ts'
import { paidIntent } from '../payment/network.ts'
import { cancelOrSettle, settle } from '../payment/settle.ts'
import { isRefused, slotIsFull, writeAlone, writeJudged } from '../writing/queries.ts'
import { settlementOf } from '../writing/sale.ts'
import { insuresTravellers, isFirstDayOver, isOffered, isPriceOver } from './pricing.ts'
import {
  chargeOnce,
  type Evidence,
  type Made,
  makeInTime,
  type RegisteredSale,
  type Sales,
  type Settled,
  usingNumber,
  type Waits,
} from './sale-context.ts'

type Ask = RequestOf<typeof calls.purchasePolicy>

/** Purchases a registered policy. Repeated calls, also concurrent ones, get the same reply. */
export const purchase =
  (sales: Sales): Handler<typeof calls.purchasePolicy> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    const found = await sales.world.database.inScope(scope, tx => findSale(sales, caller, tx, ask))
    if (!found) throw new Refusal('request.not_found')
    checkGateway(found.payment, ask)
    const outcome = found.outcome ?? (await buy(sales, input, found.payment))
    if (!outcome.made) throw new Refusal(outcome.code)
    await waitForDocuments(sales, scope, outcome)
    return saleReply(outcome, seesCommission(caller))
  }

type Input = HandlerInput<typeof calls.purchasePolicy>

/**
 * Purchases a sale on account in one statement. It is judged by what this node remembers, whose revisions the statement compares. Refusals and earlier
 * sales are left to `purchase`, which decides by the present data.
 */
export async function purchaseAtOnce(sales: Sales, input: Input, keep: Keep<typeof calls.purchasePolicy>): Promise<string | undefined> {
  const { ask, caller } = input
  const { scope } = caller.unit
  const found = registeredHere(sales, caller, ask) ?? (await sales.world.database.inScope(scope, tx => findSale(sales, caller, tx, ask)))
  // A saved quote is left out: its revision does not tell if its product has meanwhile stated whom it insures.
  if (!found || found.outcome || found.payment.gateway !== 'Deferred' || found.policy.status === 'budgeted') return undefined
  checkGateway(found.payment, ask)
  const catalogue = await sales.catalogues.known(scope)
  if (whyNotOnAccount(found.policy, found.payment, catalogue, sales.world.clock.now())) return undefined
  for (const quota of ['sales', 'mails'] as const) await chargeOnce(sales, input, quota)
  const reply = (sold: Made) => keep(saleReply(sold, seesCommission(caller)))
  const sold = await completeAtOnce(sales, scope, { ...found, catalogue, evidence: { by: 'account', ...askedBy(input) } }, reply)
  if (!sold) return undefined
  await waitForDocuments(sales, scope, sold)
  return sold.text
}

function checkGateway({ gateway_id }: PaymentRow, { paymentGatewayUUID }: Ask): void {
  if (gateway_id !== paymentGatewayUUID.toLowerCase()) throw refuseFields([wrong('paymentGatewayUUID', 'policies.gateway')])
}

const askedBy = (input: Input) => ({ actor: { userId: input.caller.userId, name: input.caller.name }, where: input })

/** A payment with its policy, or with its outcome if it was sold before. */
type Sale = { payment: PaymentWithLines; policy: RevisedPolicy; outcome: Settled | undefined }

/** Returns a sale that this node has registered itself, and that no other request has changed since: the purchase compares its revision. */
function registeredHere(
  { registered }: Sales,
  caller: CallerInUnit,
  { purchaseUUID, paymentToken, paymentIntentClientSecret }: Ask,
): Sale | undefined {
  if (!purchaseUUID || paymentToken || paymentIntentClientSecret) return undefined
  const sale = registered.take(caller.unit.scope, purchaseUUID.toLowerCase())
  return sale && isVisible(caller, sale.policy) ? { ...sale, outcome: undefined } : undefined
}

async function findSale({ documents }: Sales, caller: CallerInUnit, tx: UnitTx, ask: Ask): Promise<Sale | undefined> {
  const payment = await findRequestedPayment(tx, ask)
  if (payment?.purpose !== 'sale') return undefined
  const policy = await findRevision(tx, payment.policy_id)
  const isSold = payment.state === 'settled'
  // A quote that was deleted is refused by the sale, which knows what became of its payment.
  if (!policy || ((isSold || ownOnly(caller)) && !isVisible(caller, policy))) return undefined
  const outcome: Settled | undefined = isSold ? { made: true, policy, files: await documents.list(tx, policy), justNow: false } : undefined
  return { payment, policy, outcome }
}

/** Finds the payment by the purchase's id or the card network's secret. If both are sent, they must match. */
async function findRequestedPayment(tx: UnitTx, ask: Ask): Promise<PaymentWithLines | undefined> {
  const { purchaseUUID, paymentToken, paymentIntentClientSecret: secret } = ask
  if (!purchaseUUID && !secret) throw refuseFields([{ path: 'purchaseUUID', rule: 'required', key: 'validation.required' }])
  const intentId = secret ? /^(pi_\w+?)_secret_\w+$/.exec(secret)?.[1] : undefined
  if (secret && !intentId) throw refuseFields([wrong('paymentIntentClientSecret', 'shape.format')])
  const by = intentId ? { intent_id: intentId } : purchaseUUID ? { id: purchaseUUID } : undefined
  const payment = by && (await findPaymentWithLines(tx, by))
  if (payment && purchaseUUID && payment.id !== purchaseUUID.toLowerCase())
    throw refuseFields([wrong('purchaseUUID', 'policies.other_payment')])
  const tokenId = paymentIdIn(paymentToken)
  if (payment && tokenId && ![payment.id, payment.intent_id].includes(tokenId))
    throw refuseFields([wrong('paymentToken', 'policies.other_payment')])
  return payment
}

const wrong = (path: string, key: string) => ({ path, rule: 'payment', key })

/** Returns the payment id in a token. Tokens of another kind are ignored, as the secret identifies the payment. */
const paymentIdIn = (token: string | null | undefined): string | undefined =>
  token && /^(?:pi_\w+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(token) ? token : undefined

async function buy(sales: Sales, input: Input, payment: PaymentRow): Promise<Settled> {
  const { ask, caller } = input
  const { scope } = caller.unit
  // A card payment was counted at its registration.
  if (payment.gateway !== 'Deferred') {
    const intent = await paidIntent(sales, payment, ask.paymentIntentClientSecret ?? undefined)
    return settle(sales, scope, payment, saleWaits, { by: 'card', intent, ...askedBy(input) })
  }
  await chargeOnce(sales, input, 'sales')
  // Checked before the email is counted, and again when sold: a refused sale sends none.
  const code = await whyNotCompletable(sales, scope, payment.id)
  if (code) return { made: false, code }
  await chargeOnce(sales, input, 'mails')
  return settle(sales, scope, payment, saleWaits, { by: 'account', ...askedBy(input) })
}

/** Waits a moment for the documents. The job after the sale makes the rest, and the detail shows when they are ready. */
async function waitForDocuments(sales: Sales, scope: Scope, { files, policy }: Made): Promise<void> {
  if (files.some(({ state }) => state === 'pending')) await makeInTime(sales, scope, policy.id, policy.version)
}

type Sold = Settled & { made: true }
type JudgedSale = RegisteredSale & { catalogue: UnitCatalogue; evidence: Evidence & { by: 'account' } }
type Reply = { text: string; kept: KeptReply | null }

/**
 * Completes a sale on account in one statement, which compares the revisions that the sale was judged by, and stores the reply. Returns undefined if they
 * have changed, or if the credit limit needs a closer check. Then the longer way decides.
 */
const completeAtOnce = (
  sales: Sales,
  scope: Scope,
  { catalogue, evidence, ...registered }: JudgedSale,
  replyOf: (sold: Sold) => Reply,
): Promise<(Sold & { text: string }) | undefined> =>
  usingNumber(sales, async numberIndex => {
    const { movement, policy, files, published } = settlementOf(sales, registered, { evidence, numberIndex })
    const { agency_account: cents, at, currency } = movement.booking
    const terms = { unit: catalogue.unitVersion, product: policy.product_id, gateway: registered.payment.gateway_id }
    const sold: Sold = { made: true, policy, files, justNow: true }
    const { text, kept } = replyOf(sold)
    const outcome = await writeAlone(sales.world.database, scope, {
      ...movement,
      ...(kept ? { kept } : {}),
      ...(cents === 0 ? {} : { account: { cents, currency, at, slot: randomSlot() } }),
      expects: { ...movement.expects, terms },
    }).catch(unlessFull)
    if (outcome === undefined || isRefused(outcome)) return undefined
    published()
    return { ...sold, text }
  })

function unlessFull(error: unknown): undefined {
  // Safe: only PostgreSQL's errors have the field.
  if ((error as { code?: unknown }).code !== slotIsFull) throw error
}

/** Returns why the sale on account would be refused now. Takes no lock: completing checks again. */
const whyNotCompletable = (sales: Sales, scope: Scope, paymentId: string): Promise<RefusalCode | undefined> =>
  sales.world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    const policy = payment && (await findPolicy(tx, payment.policy_id))
    if (!policy) throw new Refusal('request.not_found')
    if (payment.state === 'settled') return undefined
    return whyNotNow(sales, tx, policy, payment)
  })

const hour = 3_600_000
const payableHours = 24
/** A client who began to pay within the price's time may finish. */
const graceMs = 10 * 60_000

/** How a sale waits for its payment. One that differs leaves the sale pending, as a person decides; any other end makes it a saved quote. */
export const saleWaits: Waits = {
  numbered: true,
  async find(sales, tx, { policy, payment }) {
    if (payment.purpose !== 'sale') return undefined
    const now = sales.world.clock.now()
    const isCurrent = payment.state === 'open' && policy.status === 'pending' && policy.version === payment.policy_version
    return {
      made: async () => ({ policy, files: await sales.documents.list(tx, policy) }),
      async isOver() {
        if (now.getTime() - payment.created_at.getTime() > payableHours * hour) return true
        const { timeZone } = await unitSettings(tx)
        return isFirstDayOver(policy, now, timeZone) || isPriceOver(policy, new Date(now.getTime() - graceMs), timeZone)
      },
      whyNotOnAccount: () => whyNotNow(sales, tx, policy, payment),
      // The unit may have stopped offering it since. The client has paid and must not be left uninsured, so it is sold.
      isLate: async () => !isCurrent || isFirstDayOver(policy, now, (await unitSettings(tx)).timeZone),
      async leave(why) {
        if (isCurrent && why !== 'differs') await backToBudget(sales, tx, policy)
      },
      async write(evidence, numberIndex) {
        if (numberIndex === undefined) throw new Error('a sale has a policy number')
        const made = await sell(sales, tx, { policy, payment, evidence, numberIndex })
        if (evidence.by === 'card') await tellOfClient(sales, tx, { policy, payment })
        return made
      },
    }
  },
}

/** Tells the seller that a client has paid their own quote. */
async function tellOfClient({ world }: Sales, tx: UnitTx, { policy, payment }: RegisteredSale): Promise<void> {
  const { id, taker } = policy
  if (!(await isByClient(tx, { id, version: payment.policy_version }))) return
  const at = world.clock.now()
  await recordEvent(world, tx, { policyId: id, at, by: { userId: null, name: taker }, what: 'quote_paid' })
  await giveNotice(tx, { user_id: payment.user_id, policy_id: id, kind: 'quote_paid', at })
}

/** Cancels an open payment of a sale, so that it can be replaced or deleted. If it is paid already, completes the sale and refuses with `code`. */
export async function releasePayment(sales: Sales, scope: Scope, payment: PaymentRow, code: RefusalCode): Promise<void> {
  if (await cancelOrSettle(sales, scope, payment, saleWaits)) throw new Refusal(code)
  await sales.world.database.inScope(scope, async tx => {
    await lockPolicy(tx, payment.policy_id)
    const now = await findPayment(tx, payment.id)
    if (now?.state === 'open') await closePayment(tx, payment.id)
  })
}

/** Turns a registration that can no longer be paid into a saved quote, with all its data. */
async function backToBudget({ world }: Sales, tx: UnitTx, policy: PolicyRow): Promise<void> {
  await movePolicy(world, tx, policy, 'budgeted', { at: world.clock.now(), what: 'payment_lapsed' })
}

/** Returns why a sale on account is refused now. A saved quote may be older than its product's rule of whom it insures. */
async function whyNotNow(sales: Sales, tx: UnitTx, policy: PolicyRow, payment: PaymentRow): Promise<RefusalCode | undefined> {
  const code = whyNotOnAccount(policy, payment, await sales.catalogues.readIn(tx), sales.world.clock.now())
  if (code || policy.status !== 'budgeted') return code
  return (await insuresTravellers(sales.world.secrets, tx, policy)) ? undefined : 'policy.incomplete'
}

/** Returns why a sale on account is refused, if it is. */
function whyNotOnAccount(policy: PolicyRow, payment: PaymentRow, catalogue: UnitCatalogue, now: Date): RefusalCode | undefined {
  if (payment.gateway !== 'Deferred' || payment.state !== 'open' || payment.policy_version !== policy.version)
    return 'policy.not_purchasable'
  if (!policyCan('purchase', policy)) return 'policy.not_purchasable'
  if (!policy.complete) return 'policy.incomplete'
  // A unit that lost this gateway can no longer purchase by it, even what was registered before.
  if (catalogue.gateways.every(({ id }) => id !== payment.gateway_id)) return 'policy.not_purchasable'
  if (isPriceOver(policy, now, catalogue.unit.timeZone)) return 'policy.price_expired'
  return isOffered(catalogue, policy) ? undefined : 'policy.not_purchasable'
}

type Completion = RegisteredSale & { evidence: Evidence; numberIndex: number }

/** Sells a policy that is locked. */
async function sell(sales: Sales, tx: UnitTx, { policy: before, payment, evidence, numberIndex }: Completion): Promise<Made> {
  const { movement, policy, files, published } = settlementOf(sales, { policy: before, payment }, { evidence, numberIndex })
  await expose(tx, movement.booking)
  await writeJudged(tx, movement)
  tx.afterCommit(published)
  return { policy, files }
}
