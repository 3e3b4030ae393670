import type { Tell } from './events.ts'
import { numberOf, textOf, type Values } from './http/fields.ts'
import { invalid, missing } from './http/refusals.ts'
import { changedMetadata, findIntent } from './intents.ts'
import { type Charge, type Ledger, newId, type Refund, seconds } from './ledger.ts'

/** How refunds end: at once, not yet, never (the card is gone), or not even begun, because the charge is disputed. */
export const refundManners = ['normal', 'pending', 'failed', 'refused'] as const
export type RefundManner = (typeof refundManners)[number]

/** Gives back all that is left, or a part of it; never more than was paid. */
export function createRefund(ledger: Ledger, given: Values, tell: Tell, manner: RefundManner): Refund {
  const charge = chargeOf(ledger, given)
  if (manner === 'refused') throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = numberOf(given, 'amount') ?? left
  if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, { param: 'amount' })
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    metadata: changedMetadata({}, given),
    payment_intent: charge.payment_intent,
    reason: textOf(given, 'reason') ?? null,
    status: 'pending',
  }
  ledger.refunds.set(refund.id, refund)
  giveBack(charge, amount)
  tell('refund.created', refund)
  tell('charge.refunded', charge)
  return settled(ledger, refund, tell, manner)
}

/** What was pending ends when somebody looks at it, so that nothing here depends on time. */
export function findRefund(ledger: Ledger, id: string, tell: Tell, manner: RefundManner): Refund {
  const refund = ledger.refunds.get(id)
  if (!refund) throw missing('refund', id, 'id')
  return refund.status === 'pending' ? settled(ledger, refund, tell, manner) : refund
}

function settled(ledger: Ledger, refund: Refund, tell: Tell, manner: RefundManner): Refund {
  if (manner === 'normal') refund.status = 'succeeded'
  if (manner === 'failed') fail(ledger, refund, tell)
  return refund
}

/** The cards are gone: whatever was given back to them comes back. */
export function failRefunds(ledger: Ledger, tell: Tell): void {
  for (const refund of ledger.refunds.values()) if (refund.status === 'succeeded') fail(ledger, refund, tell)
}

function fail(ledger: Ledger, refund: Refund, tell: Tell): void {
  Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
  giveBack(findCharge(ledger, refund.charge), -refund.amount)
  tell('refund.failed', refund)
}

function giveBack(charge: Charge, amount: number): void {
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
}

export function findCharge(ledger: Ledger, id: string): Charge {
  const charge = ledger.charges.get(id)
  if (!charge) throw missing('charge', id, 'charge')
  return charge
}

function chargeOf(ledger: Ledger, given: Values): Charge {
  const [intentId, chargeId] = [textOf(given, 'payment_intent'), textOf(given, 'charge')]
  if (!intentId && !chargeId) throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  if (intentId && chargeId) throw invalid('You may only specify one of these parameters: payment_intent, charge.')
  const charge = chargeId ? findCharge(ledger, chargeId) : ledger.charges.get(findIntent(ledger, intentId ?? '').latest_charge ?? '')
  if (!charge?.captured) throw invalid('This PaymentIntent does not have a successful charge to refund.', { param: 'payment_intent' })
  return charge
}
