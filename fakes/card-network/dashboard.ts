import type { Emit } from './events.ts'
import { findIntent } from './intents.ts'
import { type Dispute, type Ledger, newId, type Refund, seconds } from './ledger.ts'
import { createRefund, findCharge } from './refunds.ts'

/** Refunds the rest, or a part, as an operator would in Stripe's dashboard. */
export const refundByHand = (ledger: Ledger, intentId: string, amount: number | undefined, emit: Emit): Refund =>
  createRefund(ledger, { payment_intent: intentId, ...(amount === undefined ? {} : { amount }) }, emit, 'normal')

export type DisputeEnd = 'won' | 'lost'

/** Opens a dispute (chargeback) of the payment, or updates or closes the open one. Each step emits an event. */
export function dispute(ledger: Ledger, intentId: string, end: DisputeEnd | undefined, emit: Emit): Dispute {
  const charge = findCharge(ledger, findIntent(ledger, intentId).latest_charge ?? '')
  const open = [...ledger.disputes.values()].find(({ payment_intent }) => payment_intent === intentId)
  if (open) {
    open.status = end ?? 'under_review'
    emit(end ? 'charge.dispute.closed' : 'charge.dispute.updated', open)
    return open
  }
  const begun: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(ledger),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: seconds(ledger) + 604_800, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intentId,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  charge.disputed = true
  ledger.disputes.set(begun.id, begun)
  emit('charge.dispute.created', begun)
  return begun
}
