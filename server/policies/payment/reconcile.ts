import { within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findPayment, type PaymentRow, takePaymentsToCheck } from '#server/payments/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { checkRefunds, startRefund } from '../refunds/refund.ts'
import { checkReversals } from '../refunds/reversed-payment.ts'
import type { Sales } from '../sale/sale-context.ts'
import { ask, intentOf } from './network.ts'
import { isOver, lapse, settle } from './settle.ts'

/** The next check of a payment, even if the checking node dies: a payment has an end within ten minutes. */
const recheckMs = 4 * 60_000
const batchSize = 10

/**
 * Checks, every minute, the payments without news, and completes what browser and network left undone. Does nothing while jobs are held: a
 * restored copy must not cancel or refund another installation's payments.
 */
export async function reconcile(sales: Sales): Promise<number> {
  const { world } = sales
  if (await heldSince(world.database.shared)) return 0
  const now = world.clock.now()
  const batch = { now, until: new Date(now.getTime() + recheckMs), limit: batchSize }
  const take = () => world.database.asService(tx => takePaymentsToCheck(tx, batch))
  let done = 0
  for (let due = await take(); due.length > 0; due = await take()) {
    await Promise.all(due.map(payment => tryToReconcile(sales, payment)))
    done += due.length
  }
  return done
}

async function tryToReconcile(sales: Sales, payment: PaymentRow): Promise<void> {
  await reconcilePayment(sales, scopeOf(payment.business_unit_id), payment).catch((err: unknown) =>
    sales.world.log.warn({ payment: payment.id, err }, 'a payment could not be reconciled; it is retried'),
  )
}

/** Reads a payment's state at the network, and acts on it. A payment that can no longer be made is cancelled there first. */
async function reconcilePayment(sales: Sales, scope: Scope, payment: PaymentRow): Promise<void> {
  if (payment.gateway !== 'StripeV2') return
  // A settled payment is checked for the refunds of changes and endings alone.
  if (payment.state === 'unwanted' || payment.state === 'settled') return startRefund(sales, scope, payment.id)
  const found = await intentOf(sales, scope, payment)
  const isPayable = found.status.startsWith('requires_')
  const intent = isPayable && (await isOver(sales, scope, payment)) ? await ask(sales, cards => cards.cancelIntent(found.id)) : found
  if (intent.status === 'succeeded') {
    const settled = await settle(sales, scope, payment, sales.waits[payment.purpose], { by: 'card', intent })
    if (!settled.made && settled.code === 'payment.refunded') await startRefund(sales, scope, payment.id)
  }
  if (intent.status === 'canceled') await lapse(sales, scope, payment)
}

/** Handles an event of the card network's webhook: reads the payment's current state there, and acts on it. */
export const onPaymentNotified =
  (sales: Sales): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const payment = await sales.world.database.asService(tx => findPayment(within(tx, scope), String(job.payload['paymentId'])))
    if (!payment) return
    if (payment.state === 'unwanted' || payment.state === 'settled') await checkRefunds(sales, scope, payment.id)
    else await reconcilePayment(sales, scope, payment)
    // Checked last, as the payment may only now have been settled. A settled payment stays settled.
    if (!String(job.payload['kind']).startsWith('payment_intent.')) await checkReversals(sales, scope, payment.id)
  }
