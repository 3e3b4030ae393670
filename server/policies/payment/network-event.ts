import { within } from '#server/kit/database.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findPayment } from '#server/payments/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { checkRefunds } from '../refunds/refund.ts'
import { checkReversals } from '../refunds/reversed-payment.ts'
import type { Sales } from '../sale/sale-context.ts'
import { reconcilePayment } from './reconcile.ts'

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
