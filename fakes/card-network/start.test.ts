import { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testCards } from './cards.ts'
import { type CardNetwork, startCardNetwork } from './start.ts'

let network: CardNetwork
let stripe: Stripe

beforeEach(async () => {
  network = await startCardNetwork()
  stripe = new Stripe(network.secretKey, { ...network.sdk, maxNetworkRetries: 0, timeout: 10_000, telemetry: false })
})

afterEach(() => network.stop())

const intentParams = { amount: 4250, currency: 'eur', automatic_payment_methods: { enabled: true, allow_redirects: 'never' } } as const

/** Sends a call as Stripe.js does: with the publishable key, the client secret and the card data. */
async function inBrowser(intent: Stripe.PaymentIntent, verb: string, more: Record<string, string>) {
  const reply = await fetch(`${network.url}/v1/payment_intents/${intent.id}/${verb}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams({ client_secret: intent.client_secret ?? '', ...more }),
  })
  // Safe: responses are JSON objects.
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

const typed = (number: string): Record<string, string> => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2039',
  'payment_method_data[card][cvc]': '123',
})

const numberOf = (token: string): string => testCards.find(card => card.token === token)?.number ?? ''

test.each(['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'])('%s is charged from the server and from the browser', async token => {
  const byServer = await stripe.paymentIntents.create({ ...intentParams, payment_method: token, confirm: true, metadata: { sale: '7' } })
  expect(byServer).toMatchObject({ status: 'succeeded', amount_received: 4250, metadata: { sale: '7' } })
  const intent = await stripe.paymentIntents.create(intentParams)
  expect(intent).toMatchObject({ status: 'requires_payment_method', amount_received: 0 })
  const { body } = await inBrowser(intent, 'confirm', typed(numberOf(token)))
  expect(body['status']).toBe('succeeded')
  expect(body).not.toHaveProperty('metadata')
  const after = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  expect(after).toMatchObject({ status: 'succeeded', amount_received: 4250, latest_charge: { paid: true, amount_captured: 4250 } })
  expect(network.counters()).toMatchObject({ charged: { eur: 8500 }, refunded: { eur: 0 } })
})

test.each([
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
])('%s is declined with %s, %s, and another card can pay', async (token, code, decline_code) => {
  const intent = await stripe.paymentIntents.create(intentParams)
  const { status, body } = await inBrowser(intent, 'confirm', typed(numberOf(token)))
  expect(status).toBe(402)
  expect(body['error']).toMatchObject({ type: 'card_error', code, decline_code, payment_intent: { status: 'requires_payment_method' } })
  const refusal = await stripe.paymentIntents.confirm(intent.id, { payment_method: token }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError)
  expect(refusal).toMatchObject({ code, decline_code, payment_intent: { last_payment_error: { code } } })
  expect(network.counters().charged).toEqual({})
  expect((await inBrowser(intent, 'confirm', typed('4242424242424242'))).body['status']).toBe('succeeded')
})

test('3-D Secure pays when approved and leaves the intent open when failed', async () => {
  for (const [outcome, after] of [
    ['approve', 'succeeded'],
    ['fail', 'requires_payment_method'],
  ] as const) {
    const intent = await stripe.paymentIntents.create(intentParams)
    const { body } = await inBrowser(intent, 'confirm', typed('4000002500003155'))
    expect(body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
    expect((await inBrowser(intent, 'authenticate', { outcome })).body['status']).toBe(after)
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(intent.id)
    expect([status, last_payment_error?.code]).toEqual([after, outcome === 'fail' ? 'payment_intent_authentication_failure' : undefined])
  }
  expect(network.counters().charged).toEqual({ eur: 4250 })
})

test('3-D Secure can start over, and off-session the card is declined', async () => {
  const intent = await stripe.paymentIntents.create(intentParams)
  await inBrowser(intent, 'confirm', typed('4000002500003155'))
  expect((await inBrowser(intent, 'confirm', typed('4242424242424242'))).body).toMatchObject({ status: 'succeeded', next_action: null })
  const offSession = { payment_method: 'pm_card_authenticationRequiredOnSetup', confirm: true }
  for (const more of [{ off_session: true }, { error_on_requires_action: true }])
    await expect(stripe.paymentIntents.create({ ...intentParams, ...offSession, ...more })).rejects.toMatchObject({
      code: 'authentication_required',
    })
  expect(network.counters().charged).toEqual({ eur: 4250 })
})
