import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type RequestKeys, requestKeys } from '#server/kit/http/request-keys.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { audit, type Where } from '#server/session/public.ts'
import { isVisible } from '../visibility.ts'
import {
  changePayment,
  closePayment,
  findPaymentOfRequest,
  insertPayment,
  type NewPayment,
  openPaymentsOf,
  type PaymentRow,
} from '#server/payments/public.ts'
import {
  changePolicy,
  moveCount,
  findPolicy,
  insertPeople,
  insertPolicy,
  insertPriceLines,
  insertVersion,
  lockPolicy,
  type PolicyRow,
  recordEvent,
} from '../queries.ts'
import { type GatewayChoice, gatewayOf, checkRequest, isComplete, checkShownDocuments, tripOf } from './check-request.ts'
import { clientSecretOf, releasePayment } from './card-payment.ts'
import { hasEnded, keptPrice, priceAgain } from './pricing.ts'
import { type Registration, rowsOf } from './registration.ts'
import type { Sales } from './sales.ts'

type Reply = ResponseSentOf<typeof calls.registerPolicy>
type Registered = { policy: PolicyRow; payment: PaymentRow }

/**
 * Registers a sale: checks and prices it, and writes everything in one transaction. A card payment is then created at the network, by the
 * key stored with it. A repeated request with the same Idempotency-Key finds the stored sale and continues from there.
 */
export const register =
  (sales: Sales): Handler<typeof calls.registerPolicy> =>
  async input => {
    const { ask, caller, idempotencyKey } = input
    const keys = idempotencyKey === undefined ? null : requestKeys(sales.world.secrets, caller, idempotencyKey, ask)
    await countSale(sales, caller, keys)
    return replyOf(sales, caller, await registerNow(sales, input, keys))
  }

/** Counts the sale before anything is written. A repeated request passes even beyond the quota. */
async function countSale({ world }: Sales, caller: CallerInUnit, keys: RequestKeys | null): Promise<void> {
  const { scope } = caller.unit
  try {
    await world.spend(caller, 'sales')
  } catch (error) {
    const before = keys && (await world.database.inScope(scope, tx => registeredBefore(tx, keys)))
    if (!before) throw error
  }
}

async function registeredBefore(tx: UnitTx, keys: RequestKeys): Promise<Registered | undefined> {
  const payment = await findPaymentOfRequest(tx, keys)
  const policy = payment && (await findPolicy(tx, payment.policy_id))
  return payment && policy && { payment, policy }
}

/** True if a registration is sold or can still be bought. After a deletion, replacement or expiry a repeated request registers anew. */
const isCurrent = ({ policy, payment }: Registered, now: Date, { timeZone }: UnitSettings): boolean =>
  payment.state === 'settled' ||
  (payment.state === 'open' && payment.policy_version === policy.version && policy.status !== 'deleted' && !hasEnded(policy, now, timeZone))

async function registerNow(sales: Sales, input: HandlerInput<typeof calls.registerPolicy>, keys: RequestKeys | null): Promise<Registered> {
  const { scope } = input.caller.unit
  for (let counted = false; ; ) {
    const outcome = await sales.world.database.inScope(scope, tx => tryToRegister(sales, tx, input, { keys, counted }))
    if ('policy' in outcome) return outcome
    if ('mails' in outcome) {
      await sales.world.spend(input.caller, 'mails', outcome.mails)
      counted = true
      continue
    }
    // The payment to replace may be in progress, so it is cancelled at the card network first, with no transaction open.
    await releasePayment(sales, scope, outcome.blocking, 'policy.not_replaceable')
  }
}

async function tryToRegister(
  sales: Sales,
  tx: UnitTx,
  input: HandlerInput<typeof calls.registerPolicy>,
  { keys, counted }: { keys: RequestKeys | null; counted: boolean },
): Promise<Registered | { blocking: PaymentRow } | { mails: number }> {
  const { world } = sales
  const { ask, caller } = input
  const before = keys ? await registeredBefore(tx, keys) : undefined
  const now = world.clock.now()
  const unit = await unitSettings(tx)
  if (before && isCurrent(before, now, unit)) return before
  const holderType = checkRequest(ask, unit, now)
  const gateway = await gatewayOf(sales, tx, caller, ask)
  const locale = ask.locale ?? unit.locale
  const asked = { ...tripOf(ask, holderType), insuranceType: ask.insuranceType }
  const replaced = ask.policyUuid ? await replaceable(tx, caller, ask.policyUuid) : undefined
  const kept = replaced && (await keptPrice(tx, replaced, asked, now))
  const priced = await priceAgain(world, tx, asked, { userId: caller.userId, locale, now, unit, kept })
  checkShownDocuments(tx.scope, ask, unit, priced.terms)
  if (typeof ask.expectedTotal === 'number' && toCents(ask.expectedTotal) !== priced.price.total)
    throw new Refusal('quote.price_changed', { data: priced.quote })

  // A card sale completes as soon as the payment arrives, so its email is counted now, when no refusal can follow and nothing is written.
  // On account it is counted with the purchase.
  if (gateway.name === 'StripeV2' && ask.saveBudget !== true && !counted) return { mails: 1 }
  const open = replaced ? await openPaymentsOf(tx, replaced.id) : []
  const blocking = open.find(({ check_at }) => check_at !== null)
  if (blocking) return { blocking }
  for (const payment of open) await closePayment(tx, payment.id)

  const policyId = replaced?.id ?? world.ids.next()
  const registration: Registration = {
    policyId,
    version: (replaced?.version ?? 0) + 1,
    ask,
    holderType,
    priced,
    locale,
    timeZone: unit.timeZone,
    complete: ask.saveBudget !== true || isComplete(ask, unit, now),
    seller: replaced ? { id: replaced.seller_id, name: replaced.seller_name } : { id: caller.userId, name: caller.name },
    userId: caller.userId,
    now,
  }
  const policy = await write(sales, tx, input, registration, replaced)
  // The outdated registration gives up its key.
  if (before) await changePayment(tx, before.payment.id, { request_key: null })
  const payment = await insertPayment(tx, paymentOf(sales, registration, gateway, keys?.[0] ?? null))
  return { policy, payment }
}

/** Locks the policy to replace. One that the caller may not know of is refused like an unknown one. */
async function replaceable(tx: UnitTx, caller: CallerInUnit, policyUuid: string): Promise<PolicyRow> {
  const policy = await lockPolicy(tx, policyUuid)
  if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
  if (!policyCan('replace', policy)) throw new Refusal('policy.not_replaceable')
  return policy
}

async function write(
  { world }: Sales,
  tx: UnitTx,
  input: Where & { caller: CallerInUnit },
  registration: Registration,
  replaced: PolicyRow | undefined,
): Promise<PolicyRow> {
  const { policy, version, people, lines } = rowsOf(registration)
  const { id, created_at: _, ...changes } = policy
  const stored = replaced ? await changePolicy(tx, replaced, changes) : await insertPolicy(tx, policy)
  await insertVersion(tx, version)
  await insertPeople(world.secrets, tx, people)
  await insertPriceLines(tx, lines)
  const what = policy.status === 'budgeted' ? 'saved' : 'registered'
  const details = { version: registration.version }
  await recordEvent(world, tx, { policyId: id, at: registration.now, by: input.caller, what, details })
  await audit(world, tx, input, { action: `policy.${what}`, outcome: 'done', object: id, details })
  await moveCount(tx, id, replaced?.status, policy.status)
  return stored
}

function paymentOf(
  { world }: Sales,
  { policyId, version, priced, now, ask, userId }: Registration,
  gateway: GatewayChoice,
  requestKey: string | null,
): NewPayment {
  const id = world.ids.next()
  return {
    id,
    policy_id: policyId,
    policy_version: version,
    gateway: gateway.name,
    gateway_id: gateway.id,
    user_id: userId,
    amount_cents: priced.price.total,
    currency: priced.currency,
    state: 'open' as const,
    // design 5: purchase and attempt. Each registration is one attempt, so its id covers both.
    idempotency_key: `purchase-${id}`,
    request_key: requestKey,
    created_at: now,
    check_at: gateway.name === 'StripeV2' && ask.saveBudget !== true ? firstCheck(now) : null,
  }
}

/** The reconciler's first check, in case everything stops here. */
const firstCheck = (now: Date): Date => new Date(now.getTime() + 120_000)

async function replyOf(sales: Sales, caller: CallerInUnit, { policy, payment }: Registered): Promise<Reply> {
  const byCard = payment.gateway === 'StripeV2' && policy.status === 'pending' && sales.cards
  return {
    purchaseUUID: payment.id,
    policyUuid: policy.id,
    clientSecret: byCard ? await clientSecretOf(sales, caller.unit.scope, payment) : null,
    publishableKey: byCard ? byCard.publishableKey : null,
    // Safe: a deleted policy never gets here.
    status: policy.status as PolicyStatus,
    total: fromCents(payment.amount_cents),
    currency: payment.currency,
  }
}
