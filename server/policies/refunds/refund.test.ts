import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPayment, moveRefund, refundsOf } from '#server/payments/public.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { brokenInvariants } from '../checks/invariants.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '../testing.ts'
import { type CardApp, cardApp, intentOf, payBy, receiveWebhooks, reconcileLater } from '../testing-cards.ts'

let app: CardApp
let seller: Seller

beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
})
beforeEach(() => app.network.refunds('normal'))
afterEach(async () => {
  app.network.clearFaults()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

type Sale = { purchaseUUID: string; policyUuid: string; clientSecret: string }

/** A sale paid just after it was closed, as if the network accepted a payment for a cancelled intent. */
async function paidTooLate(): Promise<Sale> {
  const sale: Sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await app.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('id', '=', sale.purchaseUUID).execute()
  await payBy(app, sale.clientSecret)
  expect(await purchaseError(sale)).toBe('payment.refunded')
  return sale
}

const purchaseError = async ({ purchaseUUID }: Sale) =>
  (await purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID })).body.error

async function stateOf({ purchaseUUID, clientSecret }: Sale) {
  const { kysely } = app.world.database
  const payment = await kysely.selectFrom('payments').selectAll().where('id', '=', purchaseUUID).executeTakeFirstOrThrow()
  const { state } = await kysely.selectFrom('refunds').select('state').where('payment_id', '=', purchaseUUID).executeTakeFirstOrThrow()
  const reviews = await kysely.selectFrom('payment_reviews').selectAll().where('payment_id', '=', purchaseUUID).orderBy('at').execute()
  const intent = intentOf(app, clientSecret)
  return {
    refund: state,
    isChecked: payment.check_at !== null,
    recorded: payment.refunded_cents,
    refunded: intent?.refunded,
    reviews: reviews.map(({ reason, resolved_at }) => [reason, resolved_at === null ? 'open' : 'ended']),
  }
}

const done = { refund: 'done', isChecked: false, recorded: 3376, refunded: 3376, reviews: [] }
const refusedAndInReview = { refund: 'refused', isChecked: false, recorded: 0, refunded: 0, reviews: [['refund_refused', 'open']] }

const refundRequests = () => app.network.counters().requests['POST /v1/refunds'] ?? 0

describe.each(['refused', 'failed'] as const)('a refund that is %s by the card network', outcome => {
  it('goes to review and is not retried', async () => {
    const sale = await paidTooLate()
    app.network.refunds(outcome)
    await reconcileLater(app, 1)
    expect(await stateOf(sale)).toEqual(refusedAndInReview)
    const before = refundRequests()
    for (const minutes of [6, 12, 18, 24]) await reconcileLater(app, minutes)
    expect(refundRequests()).toBe(before)
    expect(await purchaseError(sale)).toBe('payment.in_review')
    const { headers } = await signIn(app, 'admin@portolan.example')
    const listed = await app.ask('/api/administration/payments/list', { headers, body: {} })
    const found = listed.body.data.reviews.find(({ paymentUuid }: { paymentUuid: string }) => paymentUuid === sale.purchaseUUID)
    expect(found).toMatchObject({
      reason: 'refund_refused',
      received: { amount: 33.76, currency: 'EUR' },
      details: { why: outcome === 'refused' ? 'charge_disputed' : 'expired_or_canceled_card' },
    })
  })
})

it('a pending refund is checked until it is done, and requested once', async () => {
  app.network.refunds('pending')
  const [sale, before] = [await paidTooLate(), refundRequests()]
  for (const minutes of [1, 6]) await reconcileLater(app, minutes)
  expect(await stateOf(sale)).toMatchObject({ refund: 'due', isChecked: true, reviews: [] })
  await reconcileLater(app, 11)
  expect(await stateOf(sale)).toMatchObject({ refund: 'due', isChecked: true, reviews: [['refund_delayed', 'open']] })
  app.network.refunds('normal')
  await reconcileLater(app, 16)
  expect(await stateOf(sale)).toEqual({ ...done, reviews: [['refund_delayed', 'ended']] })
  expect(refundRequests()).toBe(before + 1)
})

it('a pending refund that fails goes to review', async () => {
  app.network.refunds('pending')
  const sale = await paidTooLate()
  await reconcileLater(app, 1)
  app.network.refunds('failed')
  await reconcileLater(app, 6)
  expect(await stateOf(sale)).toEqual(refusedAndInReview)
})

const byHand = async ({ clientSecret }: Sale) => {
  const [intent = ''] = clientSecret.split('_secret_')
  await new Stripe(app.network.secretKey, app.network.sdk).refunds.create({ payment_intent: intent })
}

it.each([
  ['by the service', () => Promise.resolve()],
  ['by hand', byHand],
])('a refund done %s that fails later goes to review', async (_by, before) => {
  const sale = await paidTooLate()
  await before(sale)
  await reconcileLater(app, 1)
  expect(await stateOf(sale)).toMatchObject({ refund: 'done', recorded: 3376, reviews: [] })
  await receiveWebhooks(app)
  app.network.failRefunds()
  await app.network.idle()
  app.network.webhooksTo(undefined)
  await app.world.outbox.drain()
  expect(await stateOf(sale)).toEqual(refusedAndInReview)
  expect(await purchaseError(sale)).toBe('payment.in_review')
})

it('a refund whose response was lost, and that failed, does not count as done', async () => {
  const sale = await paidTooLate()
  // Stripe's library retries once after a broken connection.
  app.network.fault({ fault: 'drop-after', times: 2, method: 'POST', path: '/v1/refunds' })
  await reconcileLater(app, 1)
  expect(await stateOf(sale)).toMatchObject({ refund: 'due', refunded: 3376 })
  app.network.failRefunds()
  await reconcileLater(app, 6)
  expect(await stateOf(sale)).toEqual(refusedAndInReview)
})

it('a refund without response is in review within ten minutes, until it is done', async () => {
  const sale = await paidTooLate()
  app.network.fault({ fault: 'rate-limit', times: 3, method: 'POST', path: '/v1/refunds' })
  for (const minutes of [0, 5]) await reconcileLater(app, minutes)
  expect(await stateOf(sale)).toMatchObject({ refund: 'due', isChecked: true, reviews: [] })
  await reconcileLater(app, 9.5)
  expect(await stateOf(sale)).toMatchObject({ refund: 'due', isChecked: true, reviews: [['refund_delayed', 'open']] })
  await reconcileLater(app, 14)
  expect(await stateOf(sale)).toEqual({ ...done, reviews: [['refund_delayed', 'ended']] })
})

it('a payment refunded by hand is not refunded again', async () => {
  const sale = await paidTooLate()
  await byHand(sale)
  await reconcileLater(app, 1)
  expect(await stateOf(sale)).toEqual(done)
})

class RolledBack extends Error {}

it('a refund moves once, to a state that may follow; stopped, it no longer counts', async () => {
  const { purchaseUUID } = await paidTooLate()
  const outcome = app.world.database.inScope(demoScope('azahar'), async tx => {
    const [due] = await refundsOf(tx, purchaseUUID, ['due'])
    if (!due) throw new Error('no refund is due')
    const recorded = async () => (await findPayment(tx, purchaseUUID))?.refunded_cents
    expect([await moveRefund(tx, due, 'transferred'), await recorded()]).toEqual([false, 3376])
    expect([await moveRefund(tx, due, 'stopped'), await recorded()]).toEqual([true, 0])
    expect([await moveRefund(tx, due, 'refused'), await recorded()]).toEqual([false, 0])
    throw new RolledBack()
  })
  await expect(outcome).rejects.toThrow(RolledBack)
})
