import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, get } from 'node:http'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from './start.ts'

let network: CardNetwork
let stripe: Stripe

beforeEach(async () => {
  network = await startCardNetwork()
  stripe = new Stripe(network.secretKey, { ...network.sdk, maxNetworkRetries: 0, telemetry: false })
})

afterEach(() => network.stop())

const payment = { amount: 4250, currency: 'eur', payment_method: 'pm_card_visa', confirm: true } as const

const create = (idempotencyKey: string, amount = 4250): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({ ...payment, amount }, { idempotencyKey })

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => error,
  )

const chargesMade = (): number => network.counters().intents.reduce((sum, { charges }) => sum + charges, 0)

test('a repeated idempotency key replays the response and rejects other parameters', async () => {
  const key = randomUUID()
  const first = await create(key)
  // Safe: the SDK resolves with a response.
  const second = (await create(key)) as Stripe.Response<Stripe.PaymentIntent>
  expect(second).toEqual(first)
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(await refusalOf(create(key, 4300))).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
  expect(chargesMade()).toBe(1)
})

test('a request conflicts while another with its idempotency key is in progress', async () => {
  const key = randomUUID()
  network.fault({ fault: 'delay', ms: 60_000 })
  const first = create(key)
  await expect.poll(() => network.counters().requests['POST /v1/payment_intents']).toBe(1)
  expect(await refusalOf(create(key))).toMatchObject({ statusCode: 409, rawType: 'idempotency_error', code: 'idempotency_key_in_use' })
  network.clearFaults()
  const { id } = await first
  expect(await create(key)).toMatchObject({ id })
})

test('a 500 is replayed under its key; an invalid or rate-limited request is not', async () => {
  const key = randomUUID()
  network.fault({ fault: 'error-after' })
  expect(await refusalOf(create(key))).toMatchObject({ statusCode: 500, rawType: 'api_error' })
  expect(await refusalOf(create(key))).toMatchObject({ statusCode: 500, headers: { 'idempotent-replayed': 'true' } })
  expect(chargesMade()).toBe(1)
  const other = randomUUID()
  network.fault({ fault: 'rate-limit' })
  expect(await refusalOf(create(other))).toBeInstanceOf(Stripe.errors.StripeRateLimitError)
  expect(await refusalOf(create(other, 49))).toMatchObject({ statusCode: 400, code: 'amount_too_small' })
  expect(await create(other)).toMatchObject({ status: 'succeeded' })
})

test('a decline is replayed under its key', async () => {
  const declined = () =>
    refusalOf(stripe.paymentIntents.create({ ...payment, payment_method: 'pm_card_visa_chargeDeclined' }, { idempotencyKey: 'k' }))
  const [first, second] = [await declined(), await declined()]
  // Safe: the SDK rejects with its own errors.
  expect(second).toMatchObject({ code: 'card_declined', requestId: (first as Stripe.errors.StripeError).requestId })
  expect(network.counters().intents).toHaveLength(1)
})

test('drop-before does nothing, drop-after completes the request', async () => {
  network.fault({ fault: 'drop-before', times: 2 })
  expect(await refusalOf(create('a'))).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  expect(chargesMade()).toBe(0)
  network.fault({ fault: 'drop-after', times: 2 })
  expect(await refusalOf(create('b'))).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  expect(chargesMade()).toBe(1)
  expect(await create('b')).toMatchObject({ status: 'succeeded' })
  expect(chargesMade()).toBe(1)
})

test('a stalled response never ends although the card was charged', async () => {
  network.fault({ fault: 'stall' })
  const reply = refusalOf(create('c'))
  await expect.poll(chargesMade).toBe(1)
  // A later request completes first.
  expect(await Promise.race([reply, open().then(() => 'still waiting')])).toBe('still waiting')
  await network.stop()
  expect(await reply).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  network = await startCardNetwork()
})

test('a fault applies to its path after the skipped requests', async () => {
  network.fault({ fault: 'error', method: 'POST', path: '/v1/payment_intents/*/cancel', skip: 1 })
  const [one, two] = [await open(), await open()]
  expect(await stripe.paymentIntents.cancel(one.id)).toMatchObject({ status: 'canceled' })
  expect(await refusalOf(stripe.paymentIntents.cancel(two.id))).toMatchObject({ statusCode: 500 })
  expect(await stripe.paymentIntents.retrieve(two.id)).toMatchObject({ status: 'requires_payment_method' })
})

const open = (): Promise<Stripe.PaymentIntent> => stripe.paymentIntents.create({ amount: 100, currency: 'eur' })

test('faults can be set over HTTP, but not by a page or under another host name', async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${network.url}/control/faults`, { method: 'POST', headers, body: JSON.stringify({ fault: 'error' }) })
  expect((await ask({ origin: 'http://evil.example' })).status).toBe(403)
  // Safe: `response` passes the message.
  const [rebound] = (await once(get(`${network.url}/control/counters`, { headers: { host: 'evil.example' } }), 'response')) as [
    IncomingMessage,
  ]
  expect(rebound.statusCode).toBe(421)
  rebound.resume()
  expect((await ask({})).status).toBe(200)
  expect(await refusalOf(open())).toMatchObject({ statusCode: 500 })
  const counters: unknown = await (await fetch(`${network.url}/control/counters`)).json()
  expect(counters).toMatchObject({ requests: { 'POST /v1/payment_intents': 1 } })
  expect((await fetch(`${network.url}/control/faults`, { method: 'POST', body: '{"fault":"fire"}' })).status).toBe(400)
})

test('refunds follow their mode, and a failed one returns no money', async () => {
  const { id: payment_intent } = await create('d')
  const refunded = () => network.counters().refunded['eur']
  network.refunds('refused')
  expect(await refusalOf(stripe.refunds.create({ payment_intent }))).toMatchObject({ statusCode: 400, code: 'charge_disputed' })
  network.refunds('pending')
  const refund = await stripe.refunds.create({ payment_intent })
  expect([refund.status, (await stripe.refunds.retrieve(refund.id)).status, refunded()]).toEqual(['pending', 'pending', 4250])
  const ended = await fetch(`${network.url}/control/refunds`, { method: 'POST', body: JSON.stringify({ mode: 'failed' }) })
  expect(ended.status).toBe(200)
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
  expect(refunded()).toBe(0)
  network.refunds('normal')
  expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ status: 'succeeded', amount: 4250 })
})
