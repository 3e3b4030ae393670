import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { closePayment, installationOf, type Intent, type PaymentRow, topicOf } from '#server/payments/public.ts'
import { findPaymentWithLines, lockPolicyOfPayment, type PaymentWithLines } from '../queries.ts'
import { type Evidence, type Made, type Sales, type Settled, usingNumber, type Waiting, type Waits } from '../sale/sales.ts'
import { cancelPayment } from './network.ts'
import { recordUnmatchedPayment } from './unmatched.ts'

type Open<M extends Made> = { payment: PaymentWithLines; waiting: Waiting<M> }

/**
 * Settles an open payment: the only way from a payment to a sale or a change, for browser, card network and reconciler. Concurrent calls wait for the
 * policy's lock; one settles, and the others find what it made. Everything happens in one transaction.
 */
export function settle<M extends Made>(
  sales: Sales,
  scope: Scope,
  { id }: Pick<PaymentRow, 'id'>,
  waits: Waits<M>,
  evidence: Evidence,
): Promise<Settled<M>> {
  const work = (numberIndex?: number) =>
    sales.world.database.inScope(scope, async (tx): Promise<Settled<M>> => {
      const open = await lock(sales, tx, id, waits)
      if (!open) throw new Refusal('request.not_found')
      if (open.payment.state === 'settled') return { made: true, justNow: false, ...(await open.waiting.made()) }
      return evidence.by === 'account' ? settleOnAccount(open, evidence, numberIndex) : settleByCard(sales, tx, open, evidence, numberIndex)
    })
  return waits.numbered ? usingNumber(sales, work) : work()
}

/** Reads a payment and what waits for it under the policy's lock: a concurrent call may have settled it before. */
async function lock<M extends Made>(sales: Sales, tx: UnitTx, id: string, waits: Waits<M>): Promise<Open<M> | undefined> {
  const policy = await lockPolicyOfPayment(tx, id)
  const payment = policy && (await findPaymentWithLines(tx, { id }))
  const waiting = payment && (await waits.find(sales, tx, { policy, payment }))
  return waiting && { payment, waiting }
}

async function settleOnAccount<M extends Made>(
  { waiting }: Open<M>,
  evidence: Evidence & { by: 'account' },
  numberIndex: number | undefined,
): Promise<Settled<M>> {
  const code = await waiting.whyNotOnAccount()
  return code ? { made: false, code } : { made: true, justNow: true, ...(await waiting.write(evidence, numberIndex)) }
}

async function settleByCard<M extends Made>(
  sales: Sales,
  tx: UnitTx,
  { payment, waiting }: Open<M>,
  evidence: Evidence & { by: 'card' },
  numberIndex: number | undefined,
): Promise<Settled<M>> {
  const { intent } = evidence
  if (intent.status !== 'succeeded') return { made: false, code: 'payment.not_paid' }
  const why = (await isPaymentBy(tx, intent, payment)) ? ((await waiting.isLate()) ? 'late' : returned(intent)) : 'differs'
  if (why) {
    await waiting.leave(why)
    return { made: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, why) }
  }
  const made = await waiting.write(evidence, numberIndex)
  // The network notified of this reversal before the payment was settled, or not at all.
  if (intent.refundedCents > 0 || intent.disputed)
    await sales.world.outbox.publish(tx, topicOf(payment), { paymentId: payment.id, kind: 'charge.taken_back' })
  return { made: true, justNow: true, ...made }
}

/** The client already has the money back, so nothing is made, and a person decides. */
const returned = (intent: Intent) => (intent.refundedCents >= intent.receivedCents ? 'returned' : undefined)

/** True if an intent is of this installation, and exactly the payment's. */
const isPaymentBy = async (tx: UnitTx, intent: Intent, payment: PaymentRow): Promise<boolean> =>
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

/** Cancels a payment at the network. One that was paid meanwhile is settled; undefined if it is cancelled. */
export async function cancelOrSettle<M extends Made>(
  sales: Sales,
  scope: Scope,
  payment: PaymentRow,
  waits: Waits<M>,
  more: Pick<Evidence, 'where'> = {},
): Promise<Settled<M> | undefined> {
  const intent = await cancelPayment(sales, scope, payment)
  if (intent.status === 'succeeded') return settle(sales, scope, payment, waits, { by: 'card', intent, ...more })
  if (intent.status !== 'canceled') throw new Refusal('payment.processing', { retryAfter: 2 })
  return undefined
}

/** True if a payment can no longer be made. */
export const isOver = (sales: Sales, scope: Scope, { id, purpose }: PaymentRow): Promise<boolean> =>
  sales.world.database.inScope(scope, async tx => (await lock(sales, tx, id, sales.waits[purpose]))?.waiting.isOver() ?? false)

/** Closes a payment that was cancelled at the network, and gives up the sale or change that waited for it. */
export const lapse = (sales: Sales, scope: Scope, { id, purpose }: PaymentRow): Promise<void> =>
  sales.world.database.inScope(scope, async tx => {
    const open = await lock(sales, tx, id, sales.waits[purpose])
    if (open?.payment.state !== 'open') return
    await closePayment(tx, id)
    await open.waiting.leave('lapsed')
  })
