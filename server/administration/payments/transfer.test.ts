import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { admin, auditOf } from '../testing.ts'

let app: CardApp
let seller: Seller
let ask: Awaited<ReturnType<typeof admin>>
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
  ask = await admin(app)
})
beforeEach(() => app.network.refunds('refused'))
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

type Sale = { policyUuid: string; clientSecret: string }
const post = (path: string, body: unknown) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })

async function sell(): Promise<Sale> {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await payBy(app, sale.clientSecret)
  await purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID: sale.purchaseUUID })
  return sale
}

const cancel = (policyUuid: string, version = 1, expectedRefund = 33.76) =>
  post('cancel', { policyUuid, version, expectedRefund, reason: 'trip_cancelled' })

const reviewOf = async ({ policyUuid }: Sale, state = 'open') =>
  (await ask.post('payments/list', { state, perPage: 100 })).body.data.reviews.find(
    (each: { policyUuid: string }) => each.policyUuid === policyUuid,
  )

/** A cancelled policy whose refund the network has refused, and its review. */
async function refused(sold?: Sale) {
  const sale = sold ?? (await sell())
  await cancel(sale.policyUuid)
  await reconcileLater(app, 61)
  const review = await reviewOf(sale)
  const [refund] = review.refunds
  return { sale, review, refund }
}

type Refused = Awaited<ReturnType<typeof refused>>
const transfer = ({ review, refund }: Pick<Refused, 'review' | 'refund'>, reference: unknown = 'SCT 2026-118') =>
  ask.post(`payments/${review.uuid}/transfer`, { refundUuid: refund.uuid, reference })

const bookOf = ({ policyUuid }: Sale) =>
  app.world.database.kysely
    .selectFrom('money_book')
    .select(['kind', 'bank', 'refunds_payable', 'refund_id'])
    .where('policy_id', '=', policyUuid)
    .where('kind', 'in', ['refund_sent', 'refund_failed', 'refund_transferred'])
    .execute()

test('a refused refund that went by bank transfer is no longer owed, on every screen', async () => {
  const owed = await refused()
  const { sale, review, refund } = owed
  expect(refund).toMatchObject({ amount: 33.76, currency: 'EUR', state: 'refused', reference: null, transferredAt: null })
  const reply = await transfer(owed, ' SCT 2026-118 ')
  expect(reply.body).toMatchObject({
    code: 200,
    data: {
      settledBy: { email: 'admin@portolan.example' },
      resolution: 'SCT 2026-118',
      refunds: [{ state: 'transferred', reference: 'SCT 2026-118', transferredAt: expect.any(String) }],
    },
  })
  expect(await bookOf(sale)).toEqual([{ kind: 'refund_transferred', bank: -3376, refunds_payable: 3376, refund_id: refund.uuid }])
  expect(await reviewOf(sale)).toBeUndefined()
  const detail = (await post('detail', { policyUuid: sale.policyUuid })).body.data
  expect(detail.payments).toMatchObject([{ amount: 33.76, refunded: 0, transfers: [{ amount: 33.76, reference: 'SCT 2026-118' }] }])
  expect(detail.history).toContainEqual(expect.objectContaining({ what: 'refund_transferred' }))
  await app.world.outbox.drain()
  const { mails } = (await post('detail', { policyUuid: sale.policyUuid })).body.data
  expect(mails.map(({ subject }: { subject: string }) => subject)).toContainEqual(expect.stringContaining('transfer'))
  const audited = await auditOf(app, 'refund_transferred')
  expect(audited.filter(({ object }) => object === review.paymentUuid)).toMatchObject([
    { object: review.paymentUuid, details: { review: review.uuid, reference: 'SCT 2026-118', amount: 33.76, currency: 'EUR' } },
  ])
})

test('only the policyholder’s page says that the money went by bank transfer', async () => {
  const sale = await sell()
  const token = await tokenFor(app, sale.policyUuid)
  const owed = await refused(sale)
  const view = async () => (await askClient(app, 'policy', { token })).body.data
  expect(await view()).toMatchObject({ holderOnly: false, transfers: [] })
  await transfer(owed)
  const transfers = [{ amount: 33.76, on: today(app.world.clock.now(), 'Europe/Madrid') }]
  expect(await view()).toMatchObject({ status: 'cancelled', transfers })
  await app.world.database.kysely
    .updateTable('client_tokens')
    .set({ recipient_hash: Buffer.alloc(32) })
    .execute()
  expect(await view()).toMatchObject({ holderOnly: true, transfers: [] })
})

test('repeated and concurrent calls note a transfer once', async () => {
  const owed = await refused()
  const replies = await Promise.all([transfer(owed, 'one'), transfer(owed, 'two')])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const again = await transfer(owed, 'three')
  expect(again).toMatchObject({ status: 409, body: { error: 'administration.refund_not_owed' } })
  expect(await bookOf(owed.sale)).toHaveLength(1)
})

test('money that the network has refunded meanwhile is not sent again', async () => {
  const owed = await refused()
  const { sale } = owed
  const dashboard = { intent: intentOf(app, sale.clientSecret)?.id, amount: 3376 }
  app.network.refunds('normal')
  await fetch(`${app.network.url}/control/dashboard/refund`, { method: 'POST', body: JSON.stringify(dashboard) })
  expect(intentOf(app, sale.clientSecret)?.refunded).toBe(3376)
  expect(await transfer(owed)).toMatchObject({ status: 409, body: { error: 'administration.refunded_at_network' } })
  expect(await bookOf(sale)).toEqual([])
  expect(await reviewOf(sale)).toMatchObject({ refunds: [{ state: 'refused' }] })
})

test('without a response of the card network, nothing is noted', async () => {
  const owed = await refused()
  app.network.fault({ fault: 'rate-limit', times: 3, method: 'GET', path: '/v1/refunds' })
  expect(await transfer(owed)).toMatchObject({ status: 503, body: { error: 'payment.unavailable' } })
  app.network.clearFaults()
  expect(await transfer(owed)).toMatchObject({ status: 200 })
})

test('a payment with two refused refunds stays in review until both are noted', async () => {
  const sale = await sell()
  const { startDate } = (await post('detail', { policyUuid: sale.policyUuid })).body.data.policy
  const endDate = new Date(Date.parse(startDate) + 4 * 86_400_000).toISOString().slice(0, 10)
  await post('change', { policyUuid: sale.policyUuid, version: 1, change: { endDate }, expectedDifference: -8.22 })
  await cancel(sale.policyUuid, 2, 25.54)
  await reconcileLater(app, 61)
  const review = await reviewOf(sale)
  expect(review.refunds).toMatchObject([{ amount: 8.22 }, { amount: 25.54 }])
  const [change, ending] = review.refunds
  expect((await transfer({ review, refund: change }, 'first')).body.data).toMatchObject({ settledAt: null })
  expect((await transfer({ review, refund: ending }, 'second')).body.data).toMatchObject({ resolution: 'second' })
})

test.each(['', '  ', 'x'.repeat(101), undefined, 7])('the reference %j is refused', async reference => {
  const owed = await refused()
  const { review, refund } = owed
  expect((await ask.post(`payments/${review.uuid}/transfer`, { refundUuid: refund.uuid, reference })).status).toBe(422)
  expect((await transfer(owed, 'x'.repeat(100))).status).toBe(200)
})

test('a refund that is not of the review is unknown', async () => {
  const [one, other] = [await refused(), await refused()]
  expect((await transfer({ review: one.review, refund: other.refund })).status).toBe(404)
  expect((await transfer({ review: { uuid: crypto.randomUUID() }, refund: one.refund })).status).toBe(404)
})

test('a transfer can still be noted if the review was resolved with a text', async () => {
  const owed = await refused()
  await ask.post(`payments/${owed.review.uuid}/settle`, { reason: 'wrote to the client' })
  expect((await transfer(owed)).body.data).toMatchObject({ resolution: 'wrote to the client', refunds: [{ state: 'transferred' }] })
})

test('a policy can be reinstated after the transfer, and charges again', async () => {
  const owed = await refused()
  await transfer(owed)
  const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
  const back = await post('reinstate', { policyUuid: owed.sale.policyUuid, version: 2, expectedCharge: 33.76, settle })
  expect(back.body.data).toMatchObject({ charge: 33.76, policyData: { status: 'purchased' } })
})
