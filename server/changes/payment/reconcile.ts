import type { Scope } from '#server/kit/scope.ts'
import { closePayment, findPayment, type PaymentRow } from '#server/payments/public.ts'
import { ask, checkPayments, intentOf, isPayable, lockPolicyOfPayment, type Sales, startRefund } from '#server/policies/public.ts'
import { expireOffers } from '../offer/expire.ts'
import { openChangeOfPayment } from '../queries.ts'
import { endUnmade } from './end.ts'
import { finishChange } from './finish.ts'

/** Checks, every minute, offers and the payments that changes wait for, and completes what browser and network left undone. */
export const reconcileChanges = async (sales: Sales): Promise<number> =>
  (await expireOffers(sales)) + (await checkPayments(sales, 'changes', reconcileChange))

/** Reads a payment's state at the network, and acts on it. What can no longer be paid is cancelled there first. */
export async function reconcileChange(sales: Sales, scope: Scope, payment: PaymentRow): Promise<void> {
  if (payment.gateway !== 'StripeV2') return
  const found = await intentOf(sales, scope, payment)
  const intent =
    isPayable(found.status) && (await isOver(sales, scope, payment)) ? await ask(sales, cards => cards.cancelIntent(found.id)) : found
  if (intent.status === 'succeeded') {
    const finished = await finishChange(sales, scope, payment.id, { intent })
    if (!finished.made && finished.code === 'payment.refunded') await startRefund(sales, scope, payment.id)
  }
  if (intent.status === 'canceled') await lapse(sales, scope, payment.id)
}

const isOver = ({ world }: Sales, scope: Scope, { id }: PaymentRow): Promise<boolean> =>
  world.database.inScope(scope, async tx => {
    const open = await openChangeOfPayment(tx, id)
    return open?.state !== 'awaiting_payment' || world.clock.now() >= open.until
  })

/** Closes a payment that was cancelled at the network. The change that waited for it has expired. */
const lapse = ({ world }: Sales, scope: Scope, paymentId: string): Promise<void> =>
  world.database.inScope(scope, async tx => {
    await lockPolicyOfPayment(tx, paymentId)
    if ((await findPayment(tx, paymentId))?.state !== 'open') return
    await closePayment(tx, paymentId)
    const open = await openChangeOfPayment(tx, paymentId)
    if (open?.state === 'awaiting_payment') await endUnmade(world, tx, open, { state: 'expired', now: world.clock.now() })
  })
