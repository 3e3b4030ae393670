import { unitSettings } from '#server/business-unit/public.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { heldSince } from '#server/kit/work/hold.ts'
import type { Scope } from '#server/kit/scope.ts'
import { closePayment, findPayment, type PaymentRow, type Purpose, takePaymentsToCheck } from '#server/payments/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { startRefund, checkRefunds } from './refunds/refund.ts'
import { checkReversals } from './refunds/reversed-payment.ts'
import { findPolicy, lockPolicy } from './queries.ts'
import { ask, intentOf } from './sale/card-payment.ts'
import { hasBegun, hasEnded } from './sale/pricing.ts'
import type { Sales } from './sale/sales.ts'
import { completeSale } from './sale/complete-sale.ts'
import { backToBudget } from './sale/unmatched-payment.ts'

const hour = 3_600_000
/** The next check of a payment, even if the checking node dies: design 5, I5 demands an end within ten minutes. */
const recheckMs = 4 * 60_000
const payableHours = 24
/** A client who began to pay within the price's time may finish. */
const graceMs = 10 * 60_000
const batchSize = 10

type Check = (sales: Sales, scope: Scope, payment: PaymentRow) => Promise<void>

/** Handles a notification of the card network: reads the payment's current state there, and acts on it. */
export const onPaymentNotified =
  (sales: Sales, check: Check = reconcilePayment): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const payment = await sales.world.database.asService(tx => findPayment(within(tx, scope), String(job.payload['paymentId'])))
    if (!payment) return
    if (payment.state === 'unwanted' || payment.state === 'settled') await checkRefunds(sales, scope, payment.id)
    else await check(sales, scope, payment)
    // Checked last, as the payment may only now have been sold. A settled payment stays settled.
    if (!String(job.payload['kind']).startsWith('payment_intent.')) await checkReversals(sales, scope, payment.id)
  }

/**
 * Checks, every minute, the payments without news, and completes what browser and network left undone. Does nothing while jobs are held: a
 * restored copy must not cancel or refund another installation's payments.
 */
export const reconcile = (sales: Sales): Promise<number> => checkPayments(sales, 'sales', reconcilePayment)

export async function checkPayments(sales: Sales, of: Purpose, check: Check): Promise<number> {
  const { world } = sales
  if (await heldSince(world.database.shared)) return 0
  const now = world.clock.now()
  const batch = { of, now, until: new Date(now.getTime() + recheckMs), limit: batchSize }
  const take = () => world.database.asService(tx => takePaymentsToCheck(tx, batch))
  let done = 0
  for (let due = await take(); due.length > 0; due = await take()) {
    await Promise.all(due.map(payment => tryTo(check, sales, payment)))
    done += due.length
  }
  return done
}

async function tryTo(check: Check, sales: Sales, payment: PaymentRow): Promise<void> {
  await check(sales, scopeOf(payment.business_unit_id), payment).catch((err: unknown) =>
    sales.world.log.warn({ payment: payment.id, err }, 'a payment could not be reconciled; it is retried'),
  )
}

async function reconcilePayment(sales: Sales, scope: Scope, payment: PaymentRow): Promise<void> {
  if (payment.gateway !== 'StripeV2') return
  // A settled payment is checked for the refunds of changes and endings alone.
  if (payment.state === 'unwanted' || payment.state === 'settled') return startRefund(sales, scope, payment.id)
  const found = await intentOf(sales, scope, payment)
  // A payment that is a day old, whose price has ended or whose trip has begun, can no longer be made.
  const intent =
    isPayable(found.status) && (await isExpired(sales.world, scope, payment))
      ? await ask(sales, cards => cards.cancelIntent(found.id))
      : found
  if (intent.status === 'succeeded') {
    const outcome = await completeSale(sales, scope, payment.id, { by: 'card', actor: undefined, intent })
    if (!outcome.sold && outcome.code === 'payment.refunded') await startRefund(sales, scope, payment.id)
  }
  if (intent.status === 'canceled') await lapse(sales, scope, payment)
}

export const isPayable = (status: string): boolean => status.startsWith('requires_')

async function isExpired({ clock, database }: World, scope: Scope, payment: PaymentRow): Promise<boolean> {
  const now = clock.now()
  if (now.getTime() - payment.created_at.getTime() > payableHours * hour) return true
  return database.inScope(scope, async tx => {
    const policy = await findPolicy(tx, payment.policy_id)
    if (!policy) return false
    const { timeZone } = await unitSettings(tx)
    return hasBegun(policy, now, timeZone) || hasEnded(policy, new Date(now.getTime() - graceMs), timeZone)
  })
}

async function lapse(sales: Sales, scope: Scope, { id, policy_id }: PaymentRow): Promise<void> {
  await sales.world.database.inScope(scope, async tx => {
    const policy = await lockPolicy(tx, policy_id)
    const payment = await findPayment(tx, id)
    if (!policy || payment?.state !== 'open') return
    await closePayment(tx, id)
    if (policy.status !== 'pending' || policy.version !== payment.policy_version) return
    await backToBudget(sales, tx, policy)
  })
}
