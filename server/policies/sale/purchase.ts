import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput, Keep } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import { saleReply } from '../reply.ts'
import { isVisible, ownOnly, seesCommission } from '../visibility.ts'
import { findPaymentWithLines, findRevision, type PaymentWithLines, type RevisedPolicy } from '../queries.ts'
import { paidIntent } from '../payment/network.ts'
import { settle } from '../payment/settle.ts'
import { chargeOnce, makeInTime, type Made, type Sales, type Settled } from './sales.ts'
import { completeAtOnce, saleWaits, whyNotCompletable, whyNotOnAccount } from './complete-sale.ts'

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
