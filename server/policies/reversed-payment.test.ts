import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import type { TestApp } from '#server/kit/testing.ts'
import type { CardNetwork as Cards } from '#server/payments/gateway.ts'
import { signIn } from '#server/session/testing.ts'
import { openCards } from '#server/payments/serve.ts'
import { scopeOf } from '#server/session/scope.ts'
import { brokenInvariants } from './invariants.ts'
import { openSales } from './sale/sales.ts'
import { checkReversals } from './reversed-payment.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from './testing.ts'
import { cardApp, payBy, reconcileLater, webhookSecret } from './testing-cards.ts'

// attack cases F117, F118

let network: CardNetwork
let app: TestApp
let seller: Seller

beforeAll(async () => {
  network = await startCardNetwork()
  app = await cardApp(network)
  seller = await sellerOf(app)
  const origin = await app.front.http.listen({ port: 0, host: '127.0.0.1' })
  network.webhooksTo({ url: `${origin}/api/payments/webhook`, secret: webhookSecret, backoff: [] })
})
beforeEach(() => network.webhooks({ mode: 'normal' }))
afterAll(async () => {
  await app.stop()
  await network.stop()
})

type Sale = { purchaseUUID: string; policyUuid: string; clientSecret: string; intent: string }

async function paid(): Promise<Sale> {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await payBy(network, sale.clientSecret)
  return { ...sale, intent: sale.clientSecret.split('_secret_')[0] }
}
const buy = ({ purchaseUUID }: Sale) => purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID })
async function sold(): Promise<Sale> {
  const sale = await paid()
  expect((await buy(sale)).status).toBe(200)
  await heard()
  return sale
}
async function heard() {
  await network.idle()
  await app.world.outbox.drain()
}
async function atDashboard(what: 'refund' | 'dispute', body: object) {
  const reply = await fetch(`${network.url}/control/dashboard/${what}`, { method: 'POST', body: JSON.stringify(body) })
  expect(reply.status).toBe(200)
  await heard()
}
/** The network's own word once more, as it tells it when it heard no answer. */
async function tellAgain(type: string) {
  const stripe = new Stripe(network.secretKey, { ...network.sdk, maxNetworkRetries: 0, telemetry: false })
  const [event] = (await stripe.events.list({ type })).data
  const payload = JSON.stringify(event)
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
  expect((await app.ask('/api/payments/webhook', { payload, headers: { 'stripe-signature': signature } })).status).toBe(200)
  await heard()
}
const reviewsOf = ({ purchaseUUID }: Sale) =>
  app.world.database.kysely
    .selectFrom('payment_reviews')
    .select(['id', 'reason', 'details', 'resolved_at'])
    .where('payment_id', '=', purchaseUUID)
    .orderBy('reason')
    .execute()
const takenFrom = async (sale: Sale) => (await reviewsOf(sale)).map(each => [each.reason, each.details['taken'], each.resolved_at === null])
const policyOf = ({ policyUuid }: Sale) =>
  app.world.database.kysely.selectFrom('policies').selectAll().where('id', '=', policyUuid).executeTakeFirstOrThrow()
const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await app.world.metrics.cardEvents.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]))
}

test('money that is given back at the network is put before somebody once, and its sum is followed; the policy stays', async () => {
  const sale = await sold()
  const before = await policyOf(sale)
  const cents = before.total_cents
  await atDashboard('refund', { intent: sale.intent, amount: 1000 })
  const [first, ...none] = await reviewsOf(sale)
  expect([first?.reason, none]).toEqual(['refunded_elsewhere', []])
  expect(first?.details).toMatchObject({ received: { cents, currency: 'EUR' }, taken: { cents: 1000, currency: 'EUR' } })
  const { headers } = await signIn(app, 'admin@portolan.example')
  const completeSale = { body: { reason: 'Agreed with the client' }, headers }
  const path = `/api/administration/payments/${first?.id}/settle`
  expect((await app.ask(path, completeSale)).status).toBe(200)
  // Told again, it is nothing new; given back further, it is.
  await app.world.database.kysely.deleteFrom('payment_events').where('kind', '=', 'charge.refunded').execute()
  await tellAgain('charge.refunded')
  expect((await reviewsOf(sale))[0]?.resolved_at).not.toBeNull()
  await atDashboard('refund', { intent: sale.intent })
  const [again, ...others] = await reviewsOf(sale)
  expect(others).toEqual([])
  expect(again).toMatchObject({ id: first?.id, resolved_at: null, details: { taken: { cents } } })
  expect(await policyOf(sale)).toEqual(before)
  const listed = (await app.ask('/api/administration/payments/list', { body: { state: 'open' }, headers })).body.data.reviews
  expect(listed).toEqual([expect.objectContaining({ taken: { amount: cents / 100, currency: 'EUR' }, reason: 'refunded_elsewhere' })])
  network.failRefunds()
  await heard()
  expect((await reviewsOf(sale))[0]?.resolved_at).not.toBeNull()
})

test('a dispute is put before somebody, and again when it ends', async () => {
  const sale = await sold()
  const { total_cents: cents } = await policyOf(sale)
  await atDashboard('dispute', { intent: sale.intent })
  const told = async () => (await reviewsOf(sale)).map(({ reason, details }) => [reason, details['taken'], details['disputes']])
  const disputed = (status: string) => [
    ['disputed', { cents, currency: 'EUR' }, [expect.objectContaining({ cents, status, why: 'fraudulent' })]],
  ]
  expect(await told()).toEqual(disputed('needs_response'))
  await atDashboard('dispute', { intent: sale.intent })
  expect(await told()).toEqual(disputed('under_review'))
  await app.world.database.kysely.updateTable('payment_reviews').set({ resolved_at: new Date() }).execute()
  await atDashboard('dispute', { intent: sale.intent, end: 'lost' })
  expect(await told()).toEqual(disputed('lost'))
  expect((await reviewsOf(sale))[0]?.resolved_at).toBeNull()
  expect((await policyOf(sale)).status).toBe('purchased')
})

const ways: [string, (sale: Sale) => Promise<unknown>][] = [
  ['the network’s news', heard],
  ['the browser', buy],
  ['the reconciler', () => reconcileLater(app, 5)],
]
test.each(ways)('what is given back in full before it is sold is not sold, and put before somebody, by %s', async (_by, settled) => {
  network.webhooks({ mode: 'held' })
  const sale = await paid()
  await atDashboard('refund', { intent: sale.intent })
  if (settled === heard) network.release()
  await settled(sale)
  const { total_cents: cents, status } = await policyOf(sale)
  const told = [['refunded_elsewhere', { cents, currency: 'EUR' }, true]]
  expect([status, await takenFrom(sale)]).toEqual(['budgeted', told])
  network.release()
  await heard()
  await reconcileLater(app, 10)
  expect((await buy(sale)).body.error).toBe('payment.in_review')
  expect([(await policyOf(sale)).status, await takenFrom(sale)]).toEqual(['budgeted', told])
  // The money comes back to us: nothing was sold for it, so that is news.
  network.webhooks({ mode: 'normal' })
  network.failRefunds()
  await heard()
  expect(await takenFrom(sale)).toEqual([['refunded_elsewhere', { cents: 0, currency: 'EUR' }, true]])
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test.each(ways)(
  'what is given back in part or disputed before it is sold is sold, and put before somebody, by %s',
  async (_by, settled) => {
    // The network's own news of it is lost, unless the sale comes by it.
    network.webhooks({ mode: settled === heard ? 'held' : 'lost' })
    const [refunded, disputed] = [await paid(), await paid()]
    await atDashboard('refund', { intent: refunded.intent, amount: 1000 })
    await atDashboard('dispute', { intent: disputed.intent })
    if (settled === heard) network.release()
    for (const sale of [refunded, disputed]) await settled(sale)
    await app.world.outbox.drain()
    const { total_cents: cents, status } = await policyOf(disputed)
    expect([status, (await policyOf(refunded)).status]).toEqual(['purchased', 'purchased'])
    expect(await takenFrom(refunded)).toEqual([['refunded_elsewhere', { cents: 1000, currency: 'EUR' }, true]])
    expect(await takenFrom(disputed)).toEqual([['disputed', { cents, currency: 'EUR' }, true]])
    network.webhooks({ mode: 'normal' })
  },
)

test('an older answer never overwrites a newer one, of two lookers of whom the first waits for its answer', async () => {
  const looker = (cards: Cards) => openSales(app.world, cards, app.documents)
  const cards = openCards(app.world.config) as Cards
  const sale = await sold()
  const scope = scopeOf((await policyOf(sale)).business_unit_id)
  const look = (by: Cards, { purchaseUUID }: Sale) => checkReversals(looker(by), scope, purchaseUUID)
  /** Has its first answer, and holds it until it may go on. */
  const slow = () => {
    const [answered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const takenBack = async (id: string) => {
      const answer = await cards.takenBack(id)
      answered.resolve()
      await goOn.promise
      return answer
    }
    return { cards: { ...cards, takenBack }, answered: answered.promise, goOn: goOn.resolve }
  }
  network.webhooks({ mode: 'lost' })
  await atDashboard('refund', { intent: sale.intent, amount: 1000 })
  await look(cards, sale)
  for (const [later, told] of [
    [() => atDashboard('refund', { intent: sale.intent, amount: 2000 }), [['refunded_elsewhere', { cents: 3000, currency: 'EUR' }, true]]],
    [() => network.failRefunds(), [['refunded_elsewhere', { cents: 3000, currency: 'EUR' }, false]]],
  ] as const) {
    const first = slow()
    const looking = look(first.cards, sale)
    await first.answered
    await later()
    await look(cards, sale)
    expect(await takenFrom(sale)).toEqual(told)
    first.goOn()
    await looking
    expect(await takenFrom(sale)).toEqual(told)
  }
  const none = await sold()
  await atDashboard('refund', { intent: none.intent, amount: 1000 })
  const first = slow()
  const looking = look(first.cards, none)
  await first.answered
  network.failRefunds()
  await look(cards, none)
  first.goOn()
  await looking
  // The second looker had nothing to write, and was newer all the same.
  expect(await takenFrom(none)).toEqual([])
})

test('what the service itself gives back is no news to anybody', async () => {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await app.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('id', '=', sale.purchaseUUID).execute()
  await payBy(network, sale.clientSecret)
  await heard()
  await heard()
  const intent = network.counters().intents.find(({ id }) => sale.clientSecret.startsWith(id))
  expect(intent?.refunded).toBe(intent?.received)
  expect(await reviewsOf(sale)).toEqual([])
})

test('news of another installation is thanked for and counted; of an unknown payment of this one it is asked for again', async () => {
  const sale = await sold()
  const intent = network.counters().intents.find(({ id }) => id === sale.intent)
  const { id: own } = await app.world.database.kysely.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  expect(intent?.metadata['installation']).toBe(own)
  const tell = async (metadata: Record<string, string | undefined>, id = `evt_${crypto.randomUUID()}`) => {
    const object = { id: 'pi_elsewhere', object: 'payment_intent', metadata }
    const payload = JSON.stringify({ id, object: 'event', type: 'payment_intent.succeeded', data: { object } })
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    return (await app.ask('/api/payments/webhook', { payload, headers: { 'stripe-signature': signature } })).status
  }
  const before = await outcomes()
  const known = { app: 'portolan', business_unit: intent?.metadata['business_unit'], payment: sale.purchaseUUID }
  const unknown = { ...known, payment: crypto.randomUUID() }
  expect(await tell({ ...unknown, installation: crypto.randomUUID() })).toBe(200)
  expect(await tell({ ...known, installation: crypto.randomUUID() })).toBe(200)
  expect(await tell({ ...unknown, installation: own })).toBe(404)
  // Of before there was a mark: this one's own.
  expect(await tell(unknown)).toBe(404)
  expect([await tell(known, 'evt_1'), await tell(known, 'evt_1'), await tell({ app: 'another' })]).toEqual([200, 200, 200])
  const now = await outcomes()
  const counted = ['foreign', 'unknown', 'heard', 'repeated', 'other'].map(name => (now[name] ?? 0) - (before[name] ?? 0))
  expect(counted).toEqual([2, 2, 1, 1, 1])
})
