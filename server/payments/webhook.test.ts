import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const secret = 'whsec_of_the_tests_alone'
const keys = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x', STRIPE_API_URL: 'http://127.0.0.1:9' }
const path = '/api/payments/webhook'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ ...keys, STRIPE_WEBHOOK_SECRET: secret })
})
afterAll(() => app.stop())

const eventOf = (metadata: Record<string, string>, more: object = {}, intent: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', object: 'payment_intent', metadata, ...intent } },
    ...more,
  })

const sign = (payload: string, options: { secret?: string; timestamp?: number } = {}): string =>
  new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret, ...options })

const send = (payload: string, signature?: string, type = 'application/json; charset=utf-8') =>
  app.ask(path, {
    method: 'POST',
    payload,
    headers: { 'content-type': type, ...(signature === undefined ? {} : { 'stripe-signature': signature }) },
  })

const foreign = eventOf({ app: 'another' })
const seconds = () => Math.floor(Date.now() / 1000)

describe('an event of the card network', () => {
  it('is accepted with its signature, also one of another program', async () => {
    expect((await send(foreign, sign(foreign))).body).toEqual({ code: 200, data: { received: true } })
  })

  it.each<[what: string, payload: string, signature: () => string | undefined]>([
    ['without a signature', foreign, () => undefined],
    ['with another secret', foreign, () => sign(foreign, { secret: 'whsec_of_another_service' })],
    ['with an empty secret', foreign, () => sign(foreign, { secret: '' })],
    ['with an old scheme alone', foreign, () => sign(foreign).replace('v1=', 'v0=')],
    ['when it is 301 seconds old', foreign, () => sign(foreign, { timestamp: seconds() - 301 })],
    ['when its bytes differ', JSON.stringify(JSON.parse(foreign), null, 1), () => sign(foreign)],
    ['when it is not JSON', 'x', () => sign('x')],
  ])('is refused %s', async (_, payload, signature) => {
    expect((await send(payload, signature())).status).toBe(400)
  })

  it.each<[what: string, more: object, intent: object]>([
    ['an id', { id: undefined }, {}],
    ['a text as id', { id: { x: 1 } }, {}],
    ['a kind', { type: undefined }, {}],
    ['data', { data: undefined }, {}],
    ['the id of a payment', {}, { id: undefined }],
    ['metadata', {}, { metadata: undefined }],
  ])('is refused without %s, though it is signed', async (_, more, intent) => {
    const event = eventOf({ app: 'another' }, more, intent)
    expect((await send(event, sign(event))).status).toBe(400)
  })

  it('is refused when it is too long', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(300_000) })
    expect((await send(long, sign(long))).status).toBe(413)
  })

  it('gets 404 for an unknown payment, so that the network repeats it', async () => {
    const unit = await app.world.database.kysely.selectFrom('business_units').select('id').executeTakeFirstOrThrow()
    const unknown = eventOf({ app: 'portolan', business_unit: unit.id, payment: crypto.randomUUID() })
    expect((await send(unknown, sign(unknown))).status).toBe(404)
  })
})

it('the webhook does not exist without a secret', async () => {
  const other = await testApp(keys)
  expect((await other.ask(path, { method: 'POST', payload: foreign, headers: { 'stripe-signature': sign(foreign) } })).status).toBe(404)
  await other.stop()
})
