import { declines, methodById, methodFromCard, type Outcome, outcomeOf } from './cards.ts'
import type { Emit } from './events.ts'
import { flagOf, groupIn, numberOf, textOf, type Values } from './http/fields.ts'
import { invalid, missing, Refusal, type StripeError } from './http/refusals.ts'
import { type Charge, type Intent, type Ledger, type Metadata, newId, seconds } from './ledger.ts'

export function createIntent(ledger: Ledger, params: Values, emit: Emit): Intent {
  const id = newId('pi')
  const automatic = groupIn(params, 'automatic_payment_methods')
  // Safe: `readFields` reads it as a list.
  const types = params['allowed_payment_method_types'] as string[] | undefined
  if (automatic && types)
    throw invalid('You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.')
  const redirects = automatic && textOf(automatic, 'allow_redirects') === 'never' ? 'never' : 'always'
  const intent: Intent = {
    id,
    object: 'payment_intent',
    amount: numberOf(params, 'amount') ?? 0,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    automatic_payment_methods: types ? null : { enabled: automatic?.['enabled'] !== false, allow_redirects: redirects },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: textOf(params, 'capture_method') ?? 'automatic_async',
    client_secret: `${id}_${newId('secret', 25)}`,
    confirmation_method: 'automatic',
    created: seconds(ledger),
    currency: textOf(params, 'currency') ?? '',
    customer: textOf(params, 'customer') ?? null,
    description: textOf(params, 'description') ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: changedMetadata({}, params),
    next_action: null,
    payment_method: null,
    payment_method_types: types ?? ['card'],
    receipt_email: textOf(params, 'receipt_email') ?? null,
    statement_descriptor_suffix: textOf(params, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
  }
  const method = textOf(params, 'payment_method')
  if (method) choose(intent, methodById(ledger, method).id)
  ledger.intents.set(id, intent)
  emit('payment_intent.created', intent)
  return flagOf(params, 'confirm') ? confirmIntent(ledger, intent, params, emit) : intent
}

export function findIntent(ledger: Ledger, id: string): Intent {
  const intent = ledger.intents.get(id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
}

export function updateIntent(intent: Intent, params: Values, ledger: Ledger): Intent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const plain = Object.keys(params).every(name => ['metadata', 'description', 'receipt_email', 'expand'].includes(name))
    if (!plain) throw unexpected(intent, 'update')
  }
  intent.amount = numberOf(params, 'amount') ?? intent.amount
  intent.currency = textOf(params, 'currency') ?? intent.currency
  intent.description = textOf(params, 'description') ?? intent.description
  intent.receipt_email = textOf(params, 'receipt_email') ?? intent.receipt_email
  intent.metadata = changedMetadata(intent.metadata, params)
  const method = textOf(params, 'payment_method')
  if (method) choose(intent, methodById(ledger, method).id)
  return intent
}

/** Charges or declines the card, or requires 3-D Secure. The server names a card by id; the browser sends the card data. */
export function confirmIntent(ledger: Ledger, intent: Intent, params: Values, emit: Emit): Intent {
  // A page left during 3-D Secure starts over: Stripe, too, confirms an intent that requires an action.
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) throw unexpected(intent, 'confirm')
  const typed = groupIn(params, 'payment_method_data')
  const named = textOf(params, 'payment_method')
  if (typed) choose(intent, methodFromCard(ledger, typed).id)
  else if (named) choose(intent, methodById(ledger, named).id)
  const method = intent.payment_method
  if (!method) throw unexpected(intent, 'confirm')
  intent.capture_method = textOf(params, 'capture_method') ?? intent.capture_method
  intent.next_action = null
  const outcome = outcomeOf(ledger, method)
  if (outcome !== 'asks') return charge(ledger, intent, outcome, emit)
  if (isOffSession(params)) return charge(ledger, intent, 'authenticationRequired', emit)
  intent.status = 'requires_action'
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_challenge' } }
  emit('payment_intent.requires_action', intent)
  return intent
}

/** Applies the cardholder's response to 3-D Secure. */
export function authenticateIntent(ledger: Ledger, intent: Intent, params: Values, emit: Emit): Intent {
  if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate')
  intent.next_action = null
  if (textOf(params, 'outcome') === 'approve') return charge(ledger, intent, 'pays', emit)
  const message = 'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
  fail(ledger, intent, { type: 'invalid_request_error', code: 'payment_intent_authentication_failure', message })
  emit('payment_intent.payment_failed', intent)
  return intent
}

export function cancelIntent(ledger: Ledger, intent: Intent, params: Values, emit: Emit): Intent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent, 'cancel')
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: seconds(ledger),
    cancellation_reason: textOf(params, 'cancellation_reason') ?? null,
    amount_capturable: 0,
    next_action: null,
  })
  emit('payment_intent.canceled', intent)
  return intent
}

export function captureIntent(ledger: Ledger, intent: Intent, params: Values, emit: Emit): Intent {
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'capture')
  const amount = numberOf(params, 'amount_to_capture') ?? intent.amount_capturable
  if (amount > intent.amount_capturable)
    throw invalid('The amount to capture is greater than the amount that can be captured.', { param: 'amount_to_capture' })
  const held = ledger.charges.get(intent.latest_charge ?? '')
  if (held) Object.assign(held, { captured: true, amount_captured: amount })
  intent.metadata = changedMetadata(intent.metadata, params)
  Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 })
  emit('payment_intent.succeeded', intent)
  return intent
}

/** Merges metadata as Stripe does: an empty value removes an entry, an empty text removes all. */
export function changedMetadata(before: Metadata, params: Values): Metadata {
  const change = params['metadata']
  if (change === undefined) return before
  if (change === '') return {}
  // Safe: `readFields` reads it as texts by name.
  return Object.fromEntries(Object.entries({ ...before, ...(change as Metadata) }).filter(([, value]) => value !== ''))
}

/** Returns whether the cardholder is absent, so that a card with 3-D Secure is declined. */
const isOffSession = (params: Values): boolean =>
  flagOf(params, 'error_on_requires_action') === true || !['false', undefined].includes(textOf(params, 'off_session'))

function choose(intent: Intent, method: string): void {
  intent.payment_method = method
  intent.status = 'requires_confirmation'
}

function charge(ledger: Ledger, intent: Intent, outcome: Exclude<Outcome, 'asks'>, emit: Emit): Intent {
  const decline = outcome === 'pays' ? undefined : declines[outcome]
  const now = intent.capture_method !== 'manual'
  const made: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline || !now ? 0 : intent.amount,
    amount_refunded: 0,
    captured: !decline && now,
    created: seconds(ledger),
    currency: intent.currency,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid: !decline,
    payment_intent: intent.id,
    payment_method: intent.payment_method ?? '',
    payment_method_details: { type: 'card', card: methodById(ledger, intent.payment_method ?? '').card },
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  }
  ledger.charges.set(made.id, made)
  intent.latest_charge = made.id
  if (decline) throw declined(ledger, intent, { type: 'card_error', ...decline, charge: made.id }, emit)
  intent.last_payment_error = null
  Object.assign(intent, now ? { status: 'succeeded', amount_received: intent.amount } : holds(intent))
  emit(now ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', intent)
  if (now) emit('charge.succeeded', made)
  return intent
}

const holds = ({ amount }: Intent): Partial<Intent> => ({ status: 'requires_capture', amount_capturable: amount })

/** Leaves the intent open for another card. The error carries the updated intent. */
function declined(ledger: Ledger, intent: Intent, error: StripeError, emit: Emit): Refusal {
  fail(ledger, intent, error)
  emit('payment_intent.payment_failed', intent)
  return new Refusal(402, { ...intent.last_payment_error, ...error, payment_intent: structuredClone(intent) }, { kept: true })
}

function fail(ledger: Ledger, intent: Intent, error: StripeError): void {
  const method = ledger.methods.get(intent.payment_method ?? '')
  intent.last_payment_error = method ? { ...error, payment_method: method } : error
  intent.payment_method = null
  intent.status = 'requires_payment_method'
}

function unexpected(intent: Intent, doing: string): Refusal {
  const message =
    doing === 'confirm' && intent.payment_method === null
      ? "You cannot confirm this PaymentIntent because it's missing a payment method."
      : `You cannot ${doing} this PaymentIntent because it has a status of ${intent.status}.`
  return invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) })
}
