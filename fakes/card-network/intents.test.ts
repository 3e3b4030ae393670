import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from './start.ts'

let folder: string
let network: CardNetwork
let stripe: Stripe

const start = async (): Promise<void> => {
  network = await startCardNetwork({ file: join(folder, 'cards.json') })
  stripe = new Stripe(network.secretKey, { ...network.sdk, maxNetworkRetries: 0, telemetry: false })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cards-'))
  await start()
})

afterEach(async () => {
  await network.stop()
  rmSync(folder, { recursive: true })
})

const open = (more: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({ amount: 4250, currency: 'eur', ...more })
const pay = (): Promise<Stripe.PaymentIntent> => open({ payment_method: 'pm_card_visa', confirm: true })

/** Sends a raw form, which the SDK's types would not allow. */
async function post(path: string, form: string, key = network.secretKey): Promise<{ status: number; error: Record<string, unknown> }> {
  const reply = await fetch(`${network.url}/v1/${path}`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
  // Safe: refusals have this format.
  return { status: reply.status, error: ((await reply.json()) as { error: Record<string, unknown> }).error }
}

test.each([
  ['currency=eur', { code: 'parameter_missing', param: 'amount' }],
  ['amount=4250', { code: 'parameter_missing', param: 'currency' }],
  ['amount=42.50&currency=eur', { code: 'parameter_invalid_integer', param: 'amount' }],
  ['amount=49&currency=eur', { code: 'amount_too_small', param: 'amount' }],
  ['amount=100000000&currency=eur', { code: 'amount_too_large', param: 'amount' }],
  ['amount=4250&currency=EURO', { param: 'currency' }],
  ['amount=4250&currency=eur&payment_method_types[]=card', { code: 'parameter_unknown', param: 'payment_method_types' }],
  ['amount=4250&currency=eur&automatic_payment_methods[on]=true', { code: 'parameter_unknown', param: 'automatic_payment_methods[on]' }],
  ['amount=4250&currency=eur&automatic_payment_methods[enabled]=yes', { param: 'automatic_payment_methods[enabled]' }],
  ['amount=4250&currency=eur&__proto__[x]=1', { code: 'parameter_unknown', param: '__proto__' }],
  ['amount=4250&currency=eur&description=', { code: 'parameter_invalid_empty', param: 'description' }],
  ['amount=4250&currency=eur&allowed_payment_method_types[]=gold', { param: 'allowed_payment_method_types[0]' }],
])('creating an intent rejects %s', async (form, error) => {
  expect(await post('payment_intents', form)).toMatchObject({ status: 400, error: { type: 'invalid_request_error', ...error } })
  expect(network.counters().intents).toEqual([])
})

test('the publishable key opens only its intent; a missing or wrong key is refused', async () => {
  const intent = await open()
  expect(await post('payment_intents', 'amount=100&currency=eur', 'sk_test_other')).toMatchObject({ status: 401 })
  const browser = network.publishableKey
  expect(await post('payment_intents', 'amount=100&currency=eur', browser)).toMatchObject({ error: { code: 'secret_key_required' } })
  expect(await post(`payment_intents/${intent.id}/confirm`, 'client_secret=pi_x', browser)).toMatchObject({
    status: 400,
    error: { code: 'payment_intent_invalid_parameter' },
  })
  expect((await fetch(`${network.url}/v1/payment_intents/${intent.id}`)).status).toBe(401)
})

test('intents are found by id, in a list and by metadata', async () => {
  const made = []
  for (const sale of ['a', 'b', 'c']) made.push(await open({ metadata: { sale } }))
  expect((await stripe.paymentIntents.list({ limit: 2 })).data.map(({ id }) => id)).toEqual([made[2]?.id, made[1]?.id])
  const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 10 })
  expect(all.map(({ metadata }) => metadata['sale'])).toEqual(['c', 'b', 'a'])
  const found = await stripe.paymentIntents.search({ query: "metadata['sale']:'b' AND status:'requires_payment_method'" })
  expect(found.data.map(({ id }) => id)).toEqual([made[1]?.id])
  await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 })
})

test('a paid or cancelled intent cannot be cancelled, confirmed or changed', async () => {
  const paid = await pay()
  const wrong = { code: 'payment_intent_unexpected_state', payment_intent: { status: 'succeeded' } }
  await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject(wrong)
  await expect(stripe.paymentIntents.confirm(paid.id, { payment_method: 'pm_card_visa' })).rejects.toMatchObject(wrong)
  await expect(stripe.paymentIntents.update(paid.id, { amount: 1000 })).rejects.toMatchObject(wrong)
  const open1 = await open()
  expect(await stripe.paymentIntents.cancel(open1.id, { cancellation_reason: 'abandoned' })).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'abandoned',
  })
  await expect(stripe.paymentIntents.confirm(open1.id, { payment_method: 'pm_card_visa' })).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
})

test('a held amount is captured later', async () => {
  const held = await open({ capture_method: 'manual', payment_method: 'pm_card_visa', confirm: true })
  expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 4250, amount_received: 0 })
  expect(network.counters().charged).toEqual({})
  await expect(stripe.paymentIntents.capture(held.id, { amount_to_capture: 4251 })).rejects.toMatchObject({ param: 'amount_to_capture' })
  expect(await stripe.paymentIntents.capture(held.id, { amount_to_capture: 4000 })).toMatchObject({
    status: 'succeeded',
    amount_received: 4000,
  })
  expect(network.counters().charged).toEqual({ eur: 4000 })
})

test('a payment is refunded in parts, but never beyond its amount', async () => {
  const { id: payment_intent } = await pay()
  const part = await stripe.refunds.create({ payment_intent, amount: 1000, reason: 'requested_by_customer' })
  expect(await stripe.refunds.retrieve(part.id)).toMatchObject({ amount: 1000, status: 'succeeded', payment_intent })
  await expect(stripe.refunds.create({ payment_intent, amount: 3251 })).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
  expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 3250 })
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' })
  expect(network.counters()).toMatchObject({ charged: { eur: 4250 }, refunded: { eur: 4250 } })
  expect((await stripe.refunds.list({ payment_intent })).data).toHaveLength(2)
  const charge = await stripe.charges.retrieve(typeof part.charge === 'string' ? part.charge : '')
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 4250 })
  const unpaid = await open()
  await expect(stripe.refunds.create({ payment_intent: unpaid.id })).rejects.toMatchObject({ statusCode: 400 })
})

test('a restart with the same file keeps payments and keys, but no card number', async () => {
  const intent = await open()
  const sent = { payment_method: 'pm_card_visa' }
  await stripe.paymentIntents.confirm(intent.id, sent, { idempotencyKey: 'once' })
  const form = new URLSearchParams({
    client_secret: (await open()).client_secret ?? '',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4000000000009995',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '39',
  })
  const second = form.get('client_secret')?.split('_secret')[0] ?? ''
  expect(await post(`payment_intents/${second}/confirm`, form.toString(), network.publishableKey)).toMatchObject({ status: 402 })
  await network.stop()
  await start()
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded', amount: 4250 })
  expect(await stripe.paymentIntents.confirm(intent.id, sent, { idempotencyKey: 'once' })).toMatchObject({ status: 'succeeded' })
  expect(readFileSync(join(folder, 'cards.json'), 'utf8')).not.toMatch(/4000000000009995/)
})
