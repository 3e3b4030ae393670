import type { Tell } from './events.ts'
import { numberOf, textOf, type Values } from './http/fields.ts'
import { invalid, missing } from './http/refusals.ts'
import { changedMetadata, findIntent } from './intents.ts'
import { type Charge, type Ledger, newId, type Refund, seconds } from './ledger.ts'

/** Gives back all that is left, or a part of it; never more than was paid. */
export function createRefund(ledger: Ledger, given: Values, tell: Tell): Refund {
  const charge = chargeOf(ledger, given)
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
    status: 'succeeded',
  }
  ledger.refunds.set(refund.id, refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
  tell('refund.created', refund)
  tell('charge.refunded', charge)
  return refund
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
