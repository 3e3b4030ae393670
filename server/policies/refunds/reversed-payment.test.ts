import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import type { CardNetwork as Cards } from '#server/payments/gateway.ts'
import { signIn } from '#server/session/testing.ts'
import { openCards } from '#server/payments/serve.ts'
import { scopeOf } from '#server/session/scope.ts'
import { brokenInvariants } from '../checks/invariants.ts'
import { checkReversals } from './reversed-payment.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '../testing.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater, webhookSecret } from '../testing-cards.ts'

// attack cases F117, F118

let app: CardApp
let seller: Seller

beforeAll(async () => {
  app = await cardApp({ backoff: [] })
  seller = await sellerOf(app)
})
beforeEach(() => app.network.webhooks({ mode: 'normal' }))
afterAll(() => app.stop())

type Sale = { purchaseUUID: string; policyUuid: string; clientSecret: string; intent: string }

async function paid(): Promise<Sale> {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await payBy(app, sale.clientSecret)
  return { ...sale, intent: sale.clientSecret.split('_secret_')[0] }
}
const buy = ({ purchaseUUID }: Sale) => purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID })
async function sold(): Promise<Sale> {
  const sale = await paid()
  expect((await buy(sale)).status).toBe(200)
  await processNotifications()
  return sale
}
async function processNotifications() {
  await app.network.idle()
  await app.world.outbox.drain()
}
async function atDashboard(what: 'refund' | 'dispute', body: object) {
  const reply = await fetch(`${app.network.url}/control/dashboard/${what}`, { method: 'POST', body: JSON.stringify(body) })
  expect(reply.status).toBe(200)
  await processNotifications()
}
/** Sends the last event again, as the network does without a response. */
async function notifyAgain(type: string) {
  const stripe = new Stripe(app.network.secretKey, { ...app.network.sdk, maxNetworkRetries: 0, telemetry: false })
  const [event] = (await stripe.events.list({ type })).data
  const payload = JSON.stringify(event)
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
  expect((await app.ask('/api/payments/webhook', { payload, headers: { 'stripe-signature': signature } })).status).toBe(200)
  await processNotifications()
}
const reviewsOf = ({ purchaseUUID }: Sale) =>
  app.world.database.kysely
    .selectFrom('payment_reviews')
    .select(['id', 'reason', 'details', 'resolved_at'])
    .where('payment_id', '=', purchaseUUID)
    .orderBy('reason')
    .execute()
const reversalsOf = async (sale: Sale) =>
  (await reviewsOf(sale)).map(each => [each.reason, each.details['taken'], each.resolved_at === null])
const policyOf = ({ policyUuid }: Sale) =>
  app.world.database.kysely.selectFrom('policies').selectAll().where('id', '=', policyUuid).executeTakeFirstOrThrow()
const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await app.world.metrics.cardEvents.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]))
}

test('a refund at the network goes to review with its sum, and the policy stays', async () => {
  const sale = await sold()
  const before = await policyOf(sale)
  const cents = before.total_cents
  await atDashboard('refund', { intent: sale.intent, amount: 1000 })
  const [first, ...none] = await reviewsOf(sale)
  expect([first?.reason, none]).toEqual(['refunded_elsewhere', []])
  expect(first?.details).toMatchObject({ received: { cents, currency: 'EUR' }, taken: { cents: 1000, currency: 'EUR' } })
  const { headers } = await signIn(app, 'admin@portolan.example')
  const resolution = { body: { reason: 'Agreed with the client' }, headers }
  const path = `/api/administration/payments/${first?.id}/settle`
  expect((await app.ask(path, resolution)).status).toBe(200)
  // A repeated notification changes nothing; a further refund does.
  await app.world.database.kysely.deleteFrom('payment_events').where('kind', '=', 'charge.refunded').execute()
  await notifyAgain('charge.refunded')
  expect((await reviewsOf(sale))[0]?.resolved_at).not.toBeNull()
  await atDashboard('refund', { intent: sale.intent })
  const [again, ...others] = await reviewsOf(sale)
  expect(others).toEqual([])
  expect(again).toMatchObject({ id: first?.id, resolved_at: null, details: { taken: { cents } } })
  expect(await policyOf(sale)).toEqual(before)
  const { reviews } = (await app.ask('/api/administration/payments/list', { body: { state: 'open' }, headers })).body.data
  const own = reviews.filter(({ paymentUuid }: { paymentUuid: string }) => paymentUuid === sale.purchaseUUID)
  expect(own).toEqual([expect.objectContaining({ taken: { amount: cents / 100, currency: 'EUR' }, reason: 'refunded_elsewhere' })])
  app.network.failRefunds()
  await processNotifications()
  expect((await reviewsOf(sale))[0]?.resolved_at).not.toBeNull()
})

test('a dispute goes to review, and again when it ends', async () => {
  const sale = await sold()
  const { total_cents: cents } = await policyOf(sale)
  await atDashboard('dispute', { intent: sale.intent })
  const expected = async () => (await reviewsOf(sale)).map(({ reason, details }) => [reason, details['taken'], details['disputes']])
  const disputed = (status: string) => [
    ['disputed', { cents, currency: 'EUR' }, [expect.objectContaining({ cents, status, why: 'fraudulent' })]],
  ]
  expect(await expected()).toEqual(disputed('needs_response'))
  await atDashboard('dispute', { intent: sale.intent })
  expect(await expected()).toEqual(disputed('under_review'))
  await app.world.database.kysely.updateTable('payment_reviews').set({ resolved_at: new Date() }).execute()
  await atDashboard('dispute', { intent: sale.intent, end: 'lost' })
  expect(await expected()).toEqual(disputed('lost'))
  expect((await reviewsOf(sale))[0]?.resolved_at).toBeNull()
  expect((await policyOf(sale)).status).toBe('purchased')
})

const triggers: [string, (sale: Sale) => Promise<unknown>][] = [
  ['a notification', processNotifications],
  ['the browser', buy],
  ['the reconciler', () => reconcileLater(app, 5)],
]
test.each(triggers)('a payment refunded before the sale is not sold, but reviewed, by %s', async (_by, complete) => {
  app.network.webhooks({ mode: 'held' })
  const sale = await paid()
  await atDashboard('refund', { intent: sale.intent })
  if (complete === processNotifications) app.network.release()
  await complete(sale)
  const { total_cents: cents, status } = await policyOf(sale)
  const expected = [['refunded_elsewhere', { cents, currency: 'EUR' }, true]]
  expect([status, await reversalsOf(sale)]).toEqual(['budgeted', expected])
  app.network.release()
  await processNotifications()
  await reconcileLater(app, 10)
  expect((await buy(sale)).body.error).toBe('payment.in_review')
  expect([(await policyOf(sale)).status, await reversalsOf(sale)]).toEqual(['budgeted', expected])
  // The refund failed, so the money is back without a sale: the review is updated.
  app.network.webhooks({ mode: 'normal' })
  app.network.failRefunds()
  await processNotifications()
  expect(await reversalsOf(sale)).toEqual([['refunded_elsewhere', { cents: 0, currency: 'EUR' }, true]])
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test.each(triggers)('a payment refunded in part or disputed is sold and reviewed, by %s', async (_by, complete) => {
  // The notification is lost, unless it triggers the sale.
  app.network.webhooks({ mode: complete === processNotifications ? 'held' : 'lost' })
  const [refunded, disputed] = [await paid(), await paid()]
  await atDashboard('refund', { intent: refunded.intent, amount: 1000 })
  await atDashboard('dispute', { intent: disputed.intent })
  if (complete === processNotifications) app.network.release()
  for (const sale of [refunded, disputed]) await complete(sale)
  await app.world.outbox.drain()
  const { total_cents: cents, status } = await policyOf(disputed)
  expect([status, (await policyOf(refunded)).status]).toEqual(['purchased', 'purchased'])
  expect(await reversalsOf(refunded)).toEqual([['refunded_elsewhere', { cents: 1000, currency: 'EUR' }, true]])
  expect(await reversalsOf(disputed)).toEqual([['disputed', { cents, currency: 'EUR' }, true]])
  app.network.webhooks({ mode: 'normal' })
})

test('an older response never overwrites a newer one', async () => {
  const salesWith = (cards: Cards) => ({ ...app.sales, cards })
  const cards = existing(openCards(app.world.config))
  const sale = await sold()
  const scope = scopeOf((await policyOf(sale)).business_unit_id)
  const check = (by: Cards, { purchaseUUID }: Sale) => checkReversals(salesWith(by), scope, purchaseUUID)
  /** Gets its response at once, and returns it when released. */
  const slow = () => {
    const [answered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reversedAmounts = async (id: string) => {
      const answer = await cards.reversedAmounts(id)
      answered.resolve()
      await goOn.promise
      return answer
    }
    return { cards: { ...cards, reversedAmounts }, answered: answered.promise, goOn: goOn.resolve }
  }
  app.network.webhooks({ mode: 'lost' })
  await atDashboard('refund', { intent: sale.intent, amount: 1000 })
  await check(cards, sale)
  for (const [later, expected] of [
    [() => atDashboard('refund', { intent: sale.intent, amount: 2000 }), [['refunded_elsewhere', { cents: 3000, currency: 'EUR' }, true]]],
    [() => app.network.failRefunds(), [['refunded_elsewhere', { cents: 3000, currency: 'EUR' }, false]]],
  ] as const) {
    const first = slow()
    const checking = check(first.cards, sale)
    await first.answered
    await later()
    await check(cards, sale)
    expect(await reversalsOf(sale)).toEqual(expected)
    first.goOn()
    await checking
    expect(await reversalsOf(sale)).toEqual(expected)
  }
  const none = await sold()
  await atDashboard('refund', { intent: none.intent, amount: 1000 })
  const first = slow()
  const checking = check(first.cards, none)
  await first.answered
  app.network.failRefunds()
  await check(cards, none)
  first.goOn()
  await checking
  // The second check had nothing to write, but was newer.
  expect(await reversalsOf(none)).toEqual([])
})

test('a refund by the service itself opens no review', async () => {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await app.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('id', '=', sale.purchaseUUID).execute()
  await payBy(app, sale.clientSecret)
  await processNotifications()
  await processNotifications()
  const intent = intentOf(app, sale.clientSecret)
  expect(intent?.refunded).toBe(intent?.received)
  expect(await reviewsOf(sale)).toEqual([])
})

test('notifications of other installations get 200, of unknown own payments 404', async () => {
  const sale = await sold()
  const intent = intentOf(app, sale.clientSecret)
  const { id: own } = await app.world.database.kysely.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  expect(intent?.metadata['installation']).toBe(own)
  const notify = async (metadata: Record<string, string | undefined>, id = `evt_${crypto.randomUUID()}`) => {
    const object = { id: 'pi_elsewhere', object: 'payment_intent', metadata }
    const payload = JSON.stringify({ id, object: 'event', type: 'payment_intent.succeeded', data: { object } })
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    return (await app.ask('/api/payments/webhook', { payload, headers: { 'stripe-signature': signature } })).status
  }
  const before = await outcomes()
  const known = { app: 'portolan', business_unit: intent?.metadata['business_unit'], payment: sale.purchaseUUID }
  const unknown = { ...known, payment: crypto.randomUUID() }
  expect(await notify({ ...unknown, installation: crypto.randomUUID() })).toBe(200)
  expect(await notify({ ...known, installation: crypto.randomUUID() })).toBe(200)
  expect(await notify({ ...unknown, installation: own })).toBe(404)
  // A notification from before installations had ids counts as own.
  expect(await notify(unknown)).toBe(404)
  expect([await notify(known, 'evt_1'), await notify(known, 'evt_1'), await notify({ app: 'another' })]).toEqual([200, 200, 200])
  const now = await outcomes()
  const counted = ['foreign', 'unknown', 'heard', 'repeated', 'other'].map(name => (now[name] ?? 0) - (before[name] ?? 0))
  expect(counted).toEqual([2, 2, 1, 1, 1])
})
