import type { Tell } from './events.ts'
import { findIntent } from './intents.ts'
import { type Dispute, type Ledger, newId, type Refund, seconds } from './ledger.ts'
import { createRefund, findCharge } from './refunds.ts'

/** Somebody gives money back at the network's own pages: all that is left, or a part. */
export const refundByHand = (ledger: Ledger, intentId: string, amount: number | undefined, tell: Tell): Refund =>
  createRefund(ledger, { payment_intent: intentId, ...(amount === undefined ? {} : { amount }) }, tell, 'normal')

export type DisputeEnd = 'won' | 'lost'

/** A card's holder says at the bank that the payment was not theirs: told when it begins, when somebody answers it, and when it ends. */
export function dispute(ledger: Ledger, intentId: string, end: DisputeEnd | undefined, tell: Tell): Dispute {
  const charge = findCharge(ledger, findIntent(ledger, intentId).latest_charge ?? '')
  const open = [...ledger.disputes.values()].find(({ payment_intent }) => payment_intent === intentId)
  if (open) {
    open.status = end ?? 'under_review'
    tell(end ? 'charge.dispute.closed' : 'charge.dispute.updated', open)
    return open
  }
  const begun: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: seconds() + 604_800, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intentId,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  charge.disputed = true
  ledger.disputes.set(begun.id, begun)
  tell('charge.dispute.created', begun)
  return begun
}
