import { createHash } from 'node:crypto'
import type { ReplySent } from '#common/kit/call.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Asked, Handler } from '#server/kit/serve.ts'
import { audit, type Where } from '#server/session/public.ts'
import { isThere } from '../visibility.ts'
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
  countMove,
  findPolicy,
  insertPeople,
  insertPolicy,
  insertPriceLines,
  insertVersion,
  lockPolicy,
  type PolicyRow,
  recordEvent,
} from '../queries.ts'
import { type GatewayChoice, gatewayOf, judge, judgeComplete, judgeShown, tripOf } from './check-request.ts'
import { clientSecretOf, releasePayment } from './card-payment.ts'
import { hasEnded, priceAgain } from './pricing.ts'
import { type RegisterRequest, type Registration, rowsOf } from './registration.ts'
import type { Sales } from './sales.ts'

type Reply = ReplySent<typeof calls.registerPolicy>
type Registered = { policy: PolicyRow; payment: PaymentRow }

/**
 * Prices again, judges, and writes all of it in one transaction; a card payment is then announced to the card network, by the key that was
 * written with it. Whoever comes back with the same Idempotency-Key after that broke off finds what was written, and goes on from there.
 */
export const register =
  (sales: Sales): Handler<typeof calls.registerPolicy> =>
  async asked => {
    const { ask, caller, idempotencyKey } = asked
    const requestKey = idempotencyKey === undefined ? null : requestKeyOf(caller, idempotencyKey, ask)
    await countSale(sales, caller, requestKey)
    return replyOf(sales, caller, await registerNow(sales, asked, requestKey))
  }

/** Before anything is written. A repeat goes through, however much was asked for meanwhile. */
async function countSale({ world }: Sales, caller: CallerInUnit, requestKey: string | null): Promise<void> {
  const { scope } = caller.unit
  try {
    await world.spend(caller, 'sales')
  } catch (error) {
    const before = requestKey && (await world.database.inScope(scope, tx => registeredBefore(tx, requestKey)))
    if (!before) throw error
  }
}

/** A key says one thing only together with who says it and what he asks for. */
const requestKeyOf = ({ userId }: CallerInUnit, key: string, ask: RegisterRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, key, ask]))
    .digest('hex')

async function registeredBefore(tx: UnitTx, requestKey: string): Promise<Registered | undefined> {
  const payment = await findPaymentOfRequest(tx, requestKey)
  const policy = payment && (await findPolicy(tx, payment.policy_id))
  return payment && policy && { payment, policy }
}

/** Sold, or still to be bought. What was deleted, replaced or given up, or has ended, is no answer any more: whoever asks again means a new one. */
const stands = ({ policy, payment }: Registered, now: Date, { timeZone }: UnitSettings): boolean =>
  payment.state === 'settled' ||
  (payment.state === 'open' && payment.policy_version === policy.version && policy.status !== 'deleted' && !hasEnded(policy, now, timeZone))

async function registerNow(sales: Sales, asked: Asked<typeof calls.registerPolicy>, requestKey: string | null): Promise<Registered> {
  const { scope } = asked.caller.unit
  for (let counted = false; ; ) {
    const outcome = await sales.world.database.inScope(scope, tx => tryToRegister(sales, tx, asked, { requestKey, counted }))
    if ('policy' in outcome) return outcome
    if ('mails' in outcome) {
      await sales.world.spend(asked.caller, 'mails', outcome.mails)
      counted = true
      continue
    }
    // Somebody may be paying for what is to be replaced: the card network is asked to let go of it, with no transaction open.
    await releasePayment(sales, scope, outcome.inTheWay, 'policy.not_replaceable')
  }
}

async function tryToRegister(
  sales: Sales,
  tx: UnitTx,
  asked: Asked<typeof calls.registerPolicy>,
  { requestKey, counted }: { requestKey: string | null; counted: boolean },
): Promise<Registered | { inTheWay: PaymentRow } | { mails: number }> {
  const { world } = sales
  const { ask, caller } = asked
  const before = requestKey ? await registeredBefore(tx, requestKey) : undefined
  const now = world.clock.now()
  const unit = await unitSettings(tx)
  if (before && stands(before, now, unit)) return before
  const holderType = judge(ask, unit, now)
  await judgeShown(tx, ask, unit)
  const gateway = await gatewayOf(sales, tx, caller, ask)
  const locale = ask.locale ?? unit.locale
  const priced = await priceAgain(world, tx, tripOf(ask, holderType), { userId: caller.userId, locale, now, unit })
  if (typeof ask.expectedTotal === 'number' && toCents(ask.expectedTotal) !== priced.price.total)
    throw new Refusal('quote.price_changed', { data: priced.quote })

  const replaced = ask.policyUuid ? await replaceable(tx, caller, ask.policyUuid) : undefined
  // What is paid by card is sold as soon as the payment arrives, so the mail of that sale counts now, when nothing refuses it any more and
  // nothing is written yet; on account it counts with the purchase.
  if (gateway.name === 'StripeV2' && ask.saveBudget !== true && !counted) return { mails: 1 }
  const open = replaced ? await openPaymentsOf(tx, replaced.id) : []
  const inTheWay = open.find(({ check_at }) => check_at !== null)
  if (inTheWay) return { inTheWay }
  for (const payment of open) await closePayment(tx, payment.id)

  const policyId = replaced?.id ?? world.ids.next()
  const registration: Registration = {
    policyId,
    version: (replaced?.version ?? 0) + 1,
    ask,
    holderType,
    priced,
    locale,
    complete: ask.saveBudget !== true || judgeComplete(ask, unit, now),
    seller: replaced ? { id: replaced.seller_id, name: replaced.seller_name } : { id: caller.userId, name: caller.name },
    userId: caller.userId,
    now,
  }
  const policy = await write(sales, tx, asked, registration, replaced)
  // What had its key before stands no longer.
  if (before) await changePayment(tx, before.payment.id, { request_key: null })
  const payment = await insertPayment(tx, paymentOf(sales, registration, gateway, requestKey))
  return { policy, payment }
}

/** What the caller may not know of is told from none at all by nothing. */
async function replaceable(tx: UnitTx, caller: CallerInUnit, policyUuid: string): Promise<PolicyRow> {
  const policy = await lockPolicy(tx, policyUuid)
  if (!isThere(caller, policy)) throw new Refusal('request.not_found')
  if (!policyCan('replace', policy)) throw new Refusal('policy.not_replaceable')
  return policy
}

async function write(
  { world }: Sales,
  tx: UnitTx,
  asked: Where & { caller: CallerInUnit },
  registration: Registration,
  replaced: PolicyRow | undefined,
): Promise<PolicyRow> {
  const { userId, name } = asked.caller
  const { policy, version, people, lines } = rowsOf(registration)
  const { id, created_at: _, ...changes } = policy
  const stored = replaced ? await changePolicy(tx, replaced, changes) : await insertPolicy(tx, policy)
  await insertVersion(tx, version)
  await insertPeople(tx, people)
  await insertPriceLines(tx, lines)
  const what = policy.status === 'budgeted' ? 'saved' : 'registered'
  const details = { version: registration.version }
  await recordEvent(tx, {
    policy_id: id,
    id: world.ids.next(),
    at: registration.now,
    user_id: userId,
    user_name: name,
    what,
    details,
  })
  await audit(world, tx, asked, { action: `policy.${what}`, outcome: 'done', object: id, details })
  await countMove(tx, id, replaced?.status, policy.status)
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
    // design 5: purchase and attempt. Each registration is an attempt of its own, so its id says both.
    idempotency_key: `purchase-${id}`,
    request_key: requestKey,
    created_at: now,
    check_at: gateway.name === 'StripeV2' && ask.saveBudget !== true ? sooner(now) : null,
  }
}

/** Should everything end here, the reconciler looks after it. */
const sooner = (now: Date): Date => new Date(now.getTime() + 120_000)

async function replyOf(sales: Sales, caller: CallerInUnit, { policy, payment }: Registered): Promise<Reply> {
  const byCard = payment.gateway === 'StripeV2' && policy.status === 'pending' && sales.cards
  return {
    purchaseUUID: payment.id,
    policyUuid: policy.id,
    clientSecret: byCard ? await clientSecretOf(sales, caller.unit.scope, payment) : null,
    publishableKey: byCard ? byCard.publishableKey : null,
    status: policy.status as PolicyStatus,
    total: fromCents(payment.amount_cents),
    currency: payment.currency,
  }
}
