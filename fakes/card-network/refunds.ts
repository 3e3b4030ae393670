import type { Emit } from './events.ts'
import { numberOf, textOf, type Values } from './http/fields.ts'
import { invalid, missing } from './http/refusals.ts'
import { changedMetadata, findIntent } from './intents.ts'
import { type Charge, type Ledger, newId, type Refund, seconds } from './ledger.ts'

/** Refunds succeed at once, stay pending, fail (the card is gone), or are refused (the charge is disputed). */
export const refundModes = ['normal', 'pending', 'failed', 'refused'] as const
export type RefundMode = (typeof refundModes)[number]

/** Refunds the rest or a part, never more than was paid. */
export function createRefund(ledger: Ledger, params: Values, emit: Emit, mode: RefundMode): Refund {
  const charge = chargeOf(ledger, params)
  if (mode === 'refused') throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = numberOf(params, 'amount') ?? left
  if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, { param: 'amount' })
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(ledger),
    currency: charge.currency,
    metadata: changedMetadata({}, params),
    payment_intent: charge.payment_intent,
    reason: textOf(params, 'reason') ?? null,
    status: 'pending',
  }
  ledger.refunds.set(refund.id, refund)
  addRefunded(charge, amount)
  emit('refund.created', refund)
  emit('charge.refunded', charge)
  return complete(ledger, refund, emit, mode)
}

/** Returns a refund. A pending one completes on being read, so that nothing depends on time. */
export function findRefund(ledger: Ledger, id: string, emit: Emit, mode: RefundMode): Refund {
  const refund = ledger.refunds.get(id)
  if (!refund) throw missing('refund', id, 'id')
  return refund.status === 'pending' ? complete(ledger, refund, emit, mode) : refund
}

function complete(ledger: Ledger, refund: Refund, emit: Emit, mode: RefundMode): Refund {
  if (mode === 'normal') refund.status = 'succeeded'
  if (mode === 'failed') fail(ledger, refund, emit)
  return refund
}

/** Fails all completed refunds, as if their cards no longer existed. */
export function failRefunds(ledger: Ledger, emit: Emit): void {
  for (const refund of ledger.refunds.values()) if (refund.status === 'succeeded') fail(ledger, refund, emit)
}

function fail(ledger: Ledger, refund: Refund, emit: Emit): void {
  Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
  addRefunded(findCharge(ledger, refund.charge), -refund.amount)
  emit('refund.failed', refund)
}

function addRefunded(charge: Charge, amount: number): void {
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
}

export function findCharge(ledger: Ledger, id: string): Charge {
  const charge = ledger.charges.get(id)
  if (!charge) throw missing('charge', id, 'charge')
  return charge
}

function chargeOf(ledger: Ledger, params: Values): Charge {
  const [intentId, chargeId] = [textOf(params, 'payment_intent'), textOf(params, 'charge')]
  if (!intentId && !chargeId) throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  if (intentId && chargeId) throw invalid('You may only specify one of these parameters: payment_intent, charge.')
  const charge = chargeId ? findCharge(ledger, chargeId) : ledger.charges.get(findIntent(ledger, intentId ?? '').latest_charge ?? '')
  if (!charge?.captured) throw invalid('This PaymentIntent does not have a successful charge to refund.', { param: 'payment_intent' })
  return charge
}
