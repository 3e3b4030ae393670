import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let network: CardNetwork
let app: TestApp
beforeAll(async () => {
  network = await startCardNetwork()
  app = await testApp({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_API_URL: network.url,
  })
})
afterAll(async () => {
  await app.stop()
  await network.stop()
})

const intents = '/dev/cards/v1/payment_intents'

it('passes the browser’s calls on to the fake card network, and no others', async () => {
  const made = await fetch(`${network.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.secretKey}` },
    body: new URLSearchParams({ amount: '4250', currency: 'eur' }),
  })
  // Safe: the card network answers with the intent.
  const { id, client_secret } = (await made.json()) as { id: string; client_secret: string }
  const authorization = `Bearer ${network.publishableKey}`
  const found = await app.ask(`${intents}/${id}?client_secret=${client_secret}`, { headers: { authorization } })
  expect([found.status, found.body.status]).toEqual([200, 'requires_payment_method'])
  const payload = new URLSearchParams({ client_secret, payment_method: 'pm_card_visa' }).toString()
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await app.ask(`${intents}/${id}/confirm`, { payload, headers })).body.status).toBe('succeeded')
  expect((await app.ask(`${intents}/${id}/cancel`, { payload, headers })).status).toBe(404)
})

it('does not exist in production or with the real Stripe', async () => {
  for (const config of [{ NODE_ENV: 'test' }, { NODE_ENV: 'test', STRIPE_API_URL: 'https://api.stripe.example' }]) {
    const other = await testApp({ ...config, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' })
    expect((await other.ask(`${intents}/pi_1`)).status).toBe(404)
    await other.stop()
  }
})
