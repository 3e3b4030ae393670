import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needsFakeCardNetwork, startFakeCardNetwork } from './fake-card-network.ts'
import { openStripe } from './stripe.ts'

it('runs as its own process with a new folder until it is stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-card-network-'))
  const fakeCardNetwork = await startFakeCardNetwork({ DATA_DIR: join(folder, 'new') })
  const { STRIPE_SECRET_KEY = '', STRIPE_PUBLISHABLE_KEY = '', STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = fakeCardNetwork.keys
  const cards = openStripe({
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiUrl: STRIPE_API_URL,
  })
  const reference = { businessUnitId: crypto.randomUUID(), paymentId: crypto.randomUUID() }
  const request = { key: 'purchase-1', amountCents: 3376, currency: 'EUR', reference }
  const intent = await cards.createIntent(request)
  expect(intent).toMatchObject({ status: 'requires_payment_method', amountCents: 3376, receivedCents: 0, currency: 'EUR', reference })
  expect((await cards.createIntent(request)).id).toBe(intent.id)
  expect((await cards.cancelIntent(intent.id)).status).toBe('canceled')
  expect((await cards.cancelIntent(intent.id)).status).toBe('canceled')
  fakeCardNetwork.stop()
  await expect
    .poll(() =>
      fetch(String(STRIPE_API_URL)).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
  rmSync(folder, { recursive: true, force: true })
})

it('dates payments by the business clock that it is given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-card-network-'))
  const network = await startFakeCardNetwork({ DATA_DIR: folder })
  const { keys } = network
  const paidAt = async () => {
    const reply = await fetch(`${keys.STRIPE_API_URL}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.STRIPE_SECRET_KEY}` },
      body: new URLSearchParams({ amount: '3376', currency: 'eur' }),
    })
    // Safe: the network answers with an intent.
    return ((await reply.json()) as { created: number }).created
  }
  const before = await paidAt()
  await network.moveClock(86_400_000)
  expect(Math.round(((await paidAt()) - before) / 3600)).toBe(24)
  network.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('is needed for a trial without keys', () => {
  expect(needsFakeCardNetwork({ production: false, STRIPE_SECRET_KEY: undefined })).toBe(true)
  expect(needsFakeCardNetwork({ production: false, STRIPE_SECRET_KEY: 'sk_test_x' })).toBe(false)
  expect(needsFakeCardNetwork({ production: true, STRIPE_SECRET_KEY: undefined })).toBe(false)
})
