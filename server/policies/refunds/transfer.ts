import { entriesOfTransfer } from '#common/accounting/book.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { insertBooking } from '#server/accounting/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findPayment, moveRefund, type PaymentRow, type RefundRow, refundsOf, withdrawReview } from '#server/payments/public.ts'
import { lockPolicy, recordEvent } from '../queries.ts'
import { mailRefund } from './refund.ts'
import { ask } from '../payment/network.ts'
import type { Sales } from '../sale/sale-context.ts'

type Transfer = {
  paymentId: string
  refundId: string
  by: { userId: string; name: string }
  /** The reference of the bank transfer. */
  reference: string
  /** Writes the audit in the same transaction. */
  audited: (tx: UnitTx, refund: RefundRow) => Promise<unknown>
}

/**
 * Notes that a refund which the card network refused went back by bank transfer, once. The network is asked first: money that was refunded there
 * meanwhile, as on its own pages, is not sent twice.
 */
export async function transferRefund(sales: Sales, scope: Scope, { paymentId, refundId, by, reference, audited }: Transfer): Promise<void> {
  const { world } = sales
  const found = await world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    if (!payment) throw new Refusal('request.not_found')
    await refusedRefund(tx, payment, refundId)
    return payment
  })
  await demandNotRefunded(sales, scope, found)
  await world.database.inScope(scope, async tx => {
    await lockPolicy(tx, found.policy_id)
    const refund = await refusedRefund(tx, found, refundId)
    const at = world.clock.now()
    const noted = { transferred_at: at, transferred_by: by.userId, transfer_reference: reference }
    if (!(await moveRefund(tx, refund, 'transferred', noted))) throw new Refusal('administration.refund_not_owed')
    const { id: payment_id, policy_id, policy_version, currency } = found
    const booking = { id: world.ids.next(), at, kind: 'refund_transferred' as const, policy_id, policy_version, payment_id, currency }
    await insertBooking(tx, { ...booking, refund_id: refund.id }, entriesOfTransfer(refund.amount_cents))
    await recordEvent(world, tx, { policyId: policy_id, at, by, what: 'refund_transferred' })
    await mailRefund(world, tx, found, refund, { template: 'refund_transferred', reference })
    const isOwing = (await refundsOf(tx, payment_id, ['refused'])).length > 0
    if (!isOwing) await withdrawReview(tx, payment_id, 'refund_refused', at, { resolved_by: by.userId, resolution: reference })
    await audited(tx, refund)
    tx.afterCommit(() => world.metrics.refunds.inc({ outcome: 'transferred' }))
  })
}

/** Finds a refund of the payment, which must still be refused. */
async function refusedRefund(tx: UnitTx, { id }: PaymentRow, refundId: string): Promise<RefundRow> {
  const refunds = await refundsOf(tx, id, ['due', 'done', 'refused', 'stopped', 'transferred'])
  const refund = refunds.find(each => each.id === refundId)
  if (!refund) throw new Refusal('request.not_found')
  if (refund.state !== 'refused') throw new Refusal('administration.refund_not_owed')
  return refund
}

/** Refuses if the network has refunded more of the payment than the refunds that may have left. */
async function demandNotRefunded(sales: Sales, scope: Scope, { id, intent_id: intent }: PaymentRow): Promise<void> {
  if (!intent) return
  const { refundedCents } = await ask(sales, cards => cards.reversedAmounts(intent))
  const now = sales.world.clock.now()
  const sent = (await sales.world.database.inScope(scope, tx => refundsOf(tx, id, ['due', 'done']))).filter(
    ({ state, leave_at: leaveAt }) => state === 'done' || leaveAt === null || leaveAt <= now,
  )
  if (refundedCents > sent.reduce((sum, { amount_cents: cents }) => sum + cents, 0)) throw new Refusal('administration.refunded_at_network')
}
