import { declines, methodById, methodFromCard, type Outcome, outcomeOf } from './cards.ts'
import type { Tell } from './events.ts'
import { flagOf, groupIn, numberOf, textOf, type Values } from './http/fields.ts'
import { invalid, missing, Refusal, type StripeError } from './http/refusals.ts'
import { type Charge, type Intent, type Ledger, type Metadata, newId, seconds } from './ledger.ts'

export function createIntent(ledger: Ledger, given: Values, tell: Tell): Intent {
  const id = newId('pi')
  const automatic = groupIn(given, 'automatic_payment_methods')
  const types = given['allowed_payment_method_types'] as string[] | undefined
  if (automatic && types)
    throw invalid('You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.')
  const redirects = automatic && textOf(automatic, 'allow_redirects') === 'never' ? 'never' : 'always'
  const intent: Intent = {
    id,
    object: 'payment_intent',
    amount: numberOf(given, 'amount') ?? 0,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    automatic_payment_methods: types ? null : { enabled: automatic?.['enabled'] !== false, allow_redirects: redirects },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: textOf(given, 'capture_method') ?? 'automatic_async',
    client_secret: `${id}_${newId('secret', 25)}`,
    confirmation_method: 'automatic',
    created: seconds(),
    currency: textOf(given, 'currency') ?? '',
    customer: textOf(given, 'customer') ?? null,
    description: textOf(given, 'description') ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: changedMetadata({}, given),
    next_action: null,
    payment_method: null,
    payment_method_types: types ?? ['card'],
    receipt_email: textOf(given, 'receipt_email') ?? null,
    statement_descriptor_suffix: textOf(given, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
  }
  const method = textOf(given, 'payment_method')
  if (method) choose(intent, methodById(ledger, method).id)
  ledger.intents.set(id, intent)
  tell('payment_intent.created', intent)
  return flagOf(given, 'confirm') ? confirmIntent(ledger, intent, given, tell) : intent
}

export function findIntent(ledger: Ledger, id: string): Intent {
  const intent = ledger.intents.get(id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
}

export function updateIntent(intent: Intent, given: Values, ledger: Ledger): Intent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const plain = Object.keys(given).every(name => ['metadata', 'description', 'receipt_email', 'expand'].includes(name))
    if (!plain) throw unexpected(intent, 'update')
  }
  intent.amount = numberOf(given, 'amount') ?? intent.amount
  intent.currency = textOf(given, 'currency') ?? intent.currency
  intent.description = textOf(given, 'description') ?? intent.description
  intent.receipt_email = textOf(given, 'receipt_email') ?? intent.receipt_email
  intent.metadata = changedMetadata(intent.metadata, given)
  const method = textOf(given, 'payment_method')
  if (method) choose(intent, methodById(ledger, method).id)
  return intent
}

/** With the secret key (a card by its id) and from the browser (a card as typed): the card is charged, declined, or asks its holder. */
export function confirmIntent(ledger: Ledger, intent: Intent, given: Values, tell: Tell): Intent {
  // A page that was left while the bank asked begins anew: Stripe too confirms what requires an action.
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) throw unexpected(intent, 'confirm')
  const typed = groupIn(given, 'payment_method_data')
  const named = textOf(given, 'payment_method')
  if (typed) choose(intent, methodFromCard(ledger, typed).id)
  else if (named) choose(intent, methodById(ledger, named).id)
  const method = intent.payment_method
  if (!method) throw unexpected(intent, 'confirm')
  intent.next_action = null
  const outcome = outcomeOf(ledger, method)
  if (outcome !== 'asks') return charge(ledger, intent, outcome, tell)
  if (isHolderAway(given)) return charge(ledger, intent, 'holderAway', tell)
  intent.status = 'requires_action'
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_challenge' } }
  tell('payment_intent.requires_action', intent)
  return intent
}

/** The card's holder answered the bank. */
export function authenticateIntent(ledger: Ledger, intent: Intent, given: Values, tell: Tell): Intent {
  if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate')
  intent.next_action = null
  if (textOf(given, 'outcome') === 'approve') return charge(ledger, intent, 'pays', tell)
  const message = 'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
  fail(ledger, intent, { type: 'invalid_request_error', code: 'payment_intent_authentication_failure', message })
  tell('payment_intent.payment_failed', intent)
  return intent
}

export function cancelIntent(intent: Intent, given: Values, tell: Tell): Intent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent, 'cancel')
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: seconds(),
    cancellation_reason: textOf(given, 'cancellation_reason') ?? null,
    amount_capturable: 0,
    next_action: null,
  })
  tell('payment_intent.canceled', intent)
  return intent
}

export function captureIntent(ledger: Ledger, intent: Intent, given: Values, tell: Tell): Intent {
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'capture')
  const amount = numberOf(given, 'amount_to_capture') ?? intent.amount_capturable
  if (amount > intent.amount_capturable)
    throw invalid('The amount to capture is greater than the amount that can be captured.', { param: 'amount_to_capture' })
  const held = ledger.charges.get(intent.latest_charge ?? '')
  if (held) Object.assign(held, { captured: true, amount_captured: amount })
  intent.metadata = changedMetadata(intent.metadata, given)
  Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 })
  tell('payment_intent.succeeded', intent)
  return intent
}

/** What is given is put over what is there; an empty text takes one away, or all. */
export function changedMetadata(before: Metadata, given: Values): Metadata {
  const change = given['metadata']
  if (change === undefined) return before
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...before, ...(change as Metadata) }).filter(([, value]) => value !== ''))
}

/** Nobody is there to ask: a card that asks is declined instead. */
const isHolderAway = (given: Values): boolean =>
  flagOf(given, 'error_on_requires_action') === true || !['false', undefined].includes(textOf(given, 'off_session'))

function choose(intent: Intent, method: string): void {
  intent.payment_method = method
  intent.status = 'requires_confirmation'
}

function charge(ledger: Ledger, intent: Intent, outcome: Exclude<Outcome, 'asks'>, tell: Tell): Intent {
  const decline = outcome === 'pays' ? undefined : declines[outcome]
  const now = intent.capture_method !== 'manual'
  const made: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline || !now ? 0 : intent.amount,
    amount_refunded: 0,
    captured: !decline && now,
    created: seconds(),
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
  if (decline) throw declined(ledger, intent, { type: 'card_error', ...decline, charge: made.id }, tell)
  intent.last_payment_error = null
  Object.assign(intent, now ? { status: 'succeeded', amount_received: intent.amount } : holds(intent))
  tell(now ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', intent)
  if (now) tell('charge.succeeded', made)
  return intent
}

const holds = ({ amount }: Intent): Partial<Intent> => ({ status: 'requires_capture', amount_capturable: amount })

/** A declined card leaves the intent open for another one; the reply carries the intent as it then is. */
function declined(ledger: Ledger, intent: Intent, error: StripeError, tell: Tell): Refusal {
  fail(ledger, intent, error)
  tell('payment_intent.payment_failed', intent)
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
