import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from './start.ts'

const secret = 'whsec_of_the_tests'
let network: CardNetwork
let stripe: Stripe
let listener: Server
let arrived: Stripe.Event[]
/** The endpoint's next status codes; 200 when none is left. */
let answers: number[]

async function start(file?: string): Promise<void> {
  // Safe: it listens on a port.
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`
  network = await startCardNetwork({ webhook: { url, secret, backoff: [5, 5, 5] }, ...(file ? { file } : {}) })
  stripe = new Stripe(network.secretKey, { ...network.sdk, maxNetworkRetries: 0, telemetry: false })
}

beforeEach(async () => {
  arrived = []
  answers = []
  listener = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] ?? ''
      arrived.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, secret))
      reply.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>(resolve => void listener.listen(0, '127.0.0.1', resolve))
  await start()
})

afterEach(async () => {
  await network.stop()
  await new Promise(resolve => listener.close(resolve))
})

const pay = (token = 'pm_card_visa'): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({ amount: 4250, currency: 'eur', payment_method: token, confirm: true })
const open = (): Promise<Stripe.PaymentIntent> => stripe.paymentIntents.create({ amount: 4250, currency: 'eur' })
const types = (): string[] => arrived.map(({ type }) => type)

test('events are sent signed, with a snapshot of their object', async () => {
  const paid = await pay()
  await pay('pm_card_visa_chargeDeclined').catch(() => undefined)
  await stripe.paymentIntents.cancel((await open()).id)
  await stripe.refunds.create({ payment_intent: paid.id })
  await network.idle()
  const expected = ['charge.refunded', 'payment_intent.canceled', 'payment_intent.payment_failed', 'payment_intent.succeeded']
  expect(types().sort()).toEqual(expected)
  const event = arrived.find(({ type }) => type === 'payment_intent.succeeded')
  expect(event?.data.object).toMatchObject({ id: paid.id, status: 'succeeded', amount_received: 4250 })
  expect(await stripe.events.retrieve(event?.id ?? '')).toMatchObject({ type: 'payment_intent.succeeded', pending_webhooks: 0 })
  const listed = await stripe.events.list({ type: 'payment_intent.succeeded' })
  expect(listed.data.map(({ id }) => id)).toEqual([event?.id])
})

test('a signature with a wrong secret does not verify', async () => {
  await pay()
  await network.idle()
  expect(() => stripe.webhooks.constructEvent('{}', 't=1,v1=00', secret)).toThrow(/signature/i)
})

test('an event that is not accepted is sent again with the same id', async () => {
  answers = [500, 302]
  await pay()
  await network.idle()
  expect(new Set(arrived.map(({ id }) => id)).size).toBe(1)
  expect(arrived).toHaveLength(3)
  expect(network.counters().webhooks).toMatchObject({ taken: 1, refused: 2 })
})

test('an event that is never accepted is abandoned and can still be fetched', async () => {
  answers = [500, 500, 500, 500]
  await pay()
  await network.idle()
  expect(arrived).toHaveLength(4)
  expect((await stripe.events.list({ delivery_success: false })).data.map(({ type }) => type)).toEqual(['payment_intent.succeeded'])
})

test('events can be duplicated, delayed, reordered, held or lost', async () => {
  network.webhooks({ mode: 'duplicate' })
  await pay()
  await network.idle()
  expect(arrived.map(({ id }) => id)).toEqual([arrived[0]?.id, arrived[0]?.id])

  arrived = []
  network.webhooks({ mode: 'held' })
  await pay()
  await network.idle()
  expect([types(), network.counters().webhooks.held]).toEqual([[], 1])
  network.release()
  await network.idle()
  expect(types()).toEqual(['payment_intent.succeeded'])

  arrived = []
  network.webhooks({ mode: 'shuffled', ms: 200 })
  const paid = await pay()
  await stripe.refunds.create({ payment_intent: paid.id })
  await network.idle()
  expect(types()).toEqual(['charge.refunded', 'payment_intent.succeeded'])

  arrived = []
  network.webhooks({ mode: 'late', ms: 20 })
  await pay()
  await network.idle()
  network.webhooks({ mode: 'lost' })
  await pay()
  await network.idle()
  expect(types()).toEqual(['payment_intent.succeeded'])
})

test('events not delivered before the end are delivered after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cards-'))
  const restart = async (): Promise<void> => {
    await network.stop()
    await start(join(folder, 'cards.json'))
  }
  await restart()
  network.webhooks({ mode: 'lost' })
  await pay()
  await restart()
  await network.idle()
  expect(types()).toEqual(['payment_intent.succeeded'])
  await restart()
  await network.idle()
  expect(arrived).toHaveLength(1)
  rmSync(folder, { recursive: true })
})
