import { entriesOfChargeback } from '#common/accounting/book.ts'
import { chargedBack, insertBooking } from '#server/accounting/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  findPaymentVersion,
  type PaymentRow,
  refundsOf,
  renewReview,
  type ReviewReason,
  type ReversedAmounts,
  touchIfUnchanged,
  withdrawReview,
} from '#server/payments/public.ts'
import { lockPolicy, recordEvent } from '../queries.ts'
import { ask } from '../payment/network.ts'
import type { Sales } from '../sale/sale-context.ts'

/**
 * Reviews money of a payment that was refunded at the network's own pages or is disputed. The policy stays unchanged; a person decides. If
 * a concurrent check may have newer amounts, they are read again, so that no older response overwrites a newer one.
 */
export async function checkReversals(sales: Sales, scope: Scope, paymentId: string): Promise<void> {
  const { database } = sales.world
  for (;;) {
    const found = await database.inScope(scope, tx => findPaymentVersion(tx, paymentId))
    const intent = found?.intent_id
    if (!intent) return
    const reversed = await ask(sales, cards => cards.reversedAmounts(intent))
    const isNewest = await database.inScope(scope, async tx => {
      await lockPolicy(tx, found.policy_id)
      const payment = await touchIfUnchanged(tx, paymentId, found.version)
      if (payment) await review(sales, tx, payment, reversed)
      return payment !== undefined
    })
    if (isNewest) return
  }
}

async function review(sales: Sales, tx: UnitTx, payment: PaymentRow, { refundedCents, disputes }: ReversedAmounts): Promise<void> {
  const { currency } = payment
  const reversed = { cents: refundedCents, currency }
  const isUnsold = payment.state === 'unwanted' && payment.received_cents > 0 && !(await isRefundedByUs(tx, payment))
  // After a failed refund the sale is paid again. Money without a sale stays in review.
  if (isUnsold || (payment.state === 'settled' && refundedCents > payment.refunded_cents))
    await openReview(sales, tx, payment, 'refunded_elsewhere', { taken: reversed })
  else if (refundedCents === 0 || payment.state === 'settled')
    await withdrawReview(tx, payment.id, 'refunded_elsewhere', sales.world.clock.now())
  if (disputes.length > 0) {
    const cents = disputes.reduce((sum, each) => sum + each.cents, 0)
    if (await openReview(sales, tx, payment, 'disputed', { taken: { cents, currency }, disputes }))
      await bookChargeback(sales, tx, payment, disputes)
  }
}

/** The service refunds payments that came too late, and what changes and endings give back, if need be by bank transfer. All other refunds were made elsewhere. */
const isRefundedByUs = async (tx: UnitTx, { id }: PaymentRow): Promise<boolean> =>
  (await refundsOf(tx, id, ['due', 'done', 'refused', 'transferred'])).length > 0

async function openReview(
  { world }: Sales,
  tx: UnitTx,
  { id: payment_id, policy_id: policyId, intent_id: intent, received_cents: cents, currency }: PaymentRow,
  reason: ReviewReason,
  more: object,
): Promise<boolean> {
  const at = world.clock.now()
  const details = JSON.stringify({ intent, received: { cents, currency }, ...more })
  if (!(await renewReview(tx, { id: world.ids.next(), at, payment_id, reason, details }))) return false
  await recordEvent(world, tx, { policyId, at, what: 'payment_in_review' })
  world.log.error({ payment: payment_id, intent, reason }, 'money of a card payment was reversed: it is on the review list')
  return true
}

/** The network takes the money when a dispute begins, and returns it if the dispute is won. An early warning takes none. */
const takesMoney = (status: string): boolean => status !== 'won' && !status.startsWith('warning')

async function bookChargeback({ world }: Sales, tx: UnitTx, payment: PaymentRow, disputes: ReversedAmounts['disputes']): Promise<void> {
  const taken = disputes.reduce((sum, { cents, status }) => (takesMoney(status) ? sum + cents : sum), 0)
  const cents = taken - (await chargedBack(tx, payment.id))
  if (cents === 0) return
  const { id: payment_id, policy_id, policy_version, currency } = payment
  const booking = {
    id: world.ids.next(),
    at: world.clock.now(),
    kind: 'chargeback' as const,
    policy_id,
    policy_version,
    payment_id,
    currency,
  }
  await insertBooking(tx, booking, entriesOfChargeback(cents))
}
