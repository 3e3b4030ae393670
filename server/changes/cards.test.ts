import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, intentOf, payBy, receiveWebhooks, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  app.network.refunds('normal')
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }

async function sellByCard(changes = {}): Promise<{ policyUuid: string; clientSecret: string }> {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), ...changes })).body.data
  await payBy(app, sale.clientSecret)
  await purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID: sale.purchaseUUID })
  return sale
}

const post = (path: string, body: unknown, headers = {}) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
const cancel = (policyUuid: string, more = {}, headers = {}) =>
  post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled', ...more }, headers)
const refunded = ({ clientSecret }: { clientSecret: string }) => intentOf(app, clientSecret)?.refunded
const reviews = async (policyUuid: string) =>
  (
    await app.world.database.kysely
      .selectFrom('payment_reviews')
      .innerJoin('payments', 'payments.id', 'payment_reviews.payment_id')
      .where('payments.policy_id', '=', policyUuid)
      .select('payment_reviews.reason')
      .execute()
  ).map(({ reason }) => reason)

const refundsOf = async (policyUuid: string) =>
  (
    await app.world.database.kysely
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .where('payments.policy_id', '=', policyUuid)
      .select(['refunds.reason', 'refunds.amount_cents', 'refunds.state'])
      .orderBy('refunds.id')
      .execute()
  ).map(({ reason, amount_cents: cents, state }) => [reason, cents, state])

describe('the refund of a policy sold by card', () => {
  it('leaves an hour after the cancellation, once', async () => {
    const sale = await sellByCard()
    const { data } = (await cancel(sale.policyUuid)).body
    expect(data.refund).toMatchObject({ amount: 33.76, state: 'due', routes: [{ gateway: 'StripeV2', amount: 33.76 }] })
    await reconcileLater(app, 58)
    expect(refunded(sale)).toBe(0)
    await reconcileLater(app, 61)
    await reconcileLater(app, 70)
    expect(refunded(sale)).toBe(3376)
    expect(await reviews(sale.policyUuid)).toEqual([])
  })

  const meanwhiles: [string, (policyUuid: string) => Promise<unknown>][] = [
    ['done', async () => {}],
    ['refused', async () => app.network.refunds('refused')],
    ['stopped', async policyUuid => post('reinstate', { policyUuid, version: 2, expectedCharge: 0 })],
  ]
  it.each(meanwhiles)('is %s in the reply to a late retry, if it is so by then', async (state, meanwhile) => {
    const { policyUuid } = await sellByCard()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const again = () => cancel(policyUuid, {}, key)
    const first = (await again()).body.data
    await meanwhile(policyUuid)
    await reconcileLater(app, 61)
    expect((await again()).body.data).toEqual(first)
    // Replies are stored for a day.
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    expect((await again()).body.data).toMatchObject({ changeUuid: first.changeUuid, refund: { ...first.refund, state } })
  })

  it('is stopped by a reinstatement within the hour, which charges nothing', async () => {
    const sale = await sellByCard()
    await cancel(sale.policyUuid)
    const back = await post('reinstate', { policyUuid: sale.policyUuid, version: 2, expectedCharge: 0 })
    expect(back.body.data).toMatchObject({ charge: 0, stopped: 33.76, policyData: { status: 'purchased', total: 33.76 } })
    await reconcileLater(app, 70)
    expect(refunded(sale)).toBe(0)
  })

  it('is charged to the account on request if a reinstatement comes after it has left', async () => {
    const sale = await sellByCard()
    await cancel(sale.policyUuid)
    await reconcileLater(app, 61)
    const again = { policyUuid: sale.policyUuid, version: 2, expectedCharge: 33.76 }
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    expect((await post('reinstate', { ...again, settle })).body.data).toMatchObject({ charge: 33.76, stopped: 0 })
  })

  it('that the card network refuses is reviewed, and not taken for a foreign one', async () => {
    const sale = await sellByCard()
    await cancel(sale.policyUuid)
    app.network.refunds('refused')
    await reconcileLater(app, 61)
    expect(await reviews(sale.policyUuid)).toEqual(['refund_refused'])
  })

  it('gives nothing back if both of its parts are refused', async () => {
    const { policyUuid } = await sellByCard()
    await post('change', { policyUuid, version: 1, change: { endDate: addDays(start, 4) }, expectedDifference: -8.22 })
    await cancel(policyUuid, { version: 2, expectedRefund: 25.54 })
    app.network.refunds('refused')
    await reconcileLater(app, 61)
    expect(await refundsOf(policyUuid)).toEqual([
      ['change', 822, 'refused'],
      ['cancellation', 2554, 'refused'],
    ])
    expect((await post('detail', { policyUuid })).body.data.payments).toMatchObject([{ amount: 33.76, refunded: 0 }])
  })

  it('is reviewed again if its second part is refused after the first was resolved', async () => {
    const { policyUuid } = await sellByCard()
    const shorter = { policyUuid, version: 1, change: { endDate: addDays(start, 4) }, expectedDifference: -8.22 }
    await post('change', shorter)
    app.network.refunds('refused')
    await reconcileLater(app, 61)
    const found = () => app.world.database.kysely.selectFrom('payment_reviews').selectAll().where('reason', '=', 'refund_refused')
    const opened = () => found().where('resolved_at', 'is', null).orderBy('id', 'desc').executeTakeFirst()
    const first = await opened()
    await app.world.database.kysely.updateTable('payment_reviews').set({ resolved_at: new Date() }).execute()
    await cancel(policyUuid, { version: 2, expectedRefund: 25.54 })
    await reconcileLater(app, 61)
    const again = await opened()
    expect(again?.id).toBe(first?.id)
    expect(again?.details['refund']).not.toBe(first?.details['refund'])
  })

  it('leaves at once for a withdrawal, and an earlier change’s after its hour', async () => {
    const sale = await sellByCard({ channel: 'distance', endDate: addDays(start, 59) })
    const { policyUuid } = sale
    const shorter = { policyUuid, version: 1, change: { endDate: addDays(start, 41) } }
    const { difference, refund } = (await post('change/preview', shorter)).body.data
    expect(refund).toBeGreaterThan(0)
    await post('change', { ...shorter, expectedDifference: difference.total })
    const ending = { policyUuid, version: 2, as: 'withdrawal' }
    const { refund: expectedRefund } = (await post('cancel/preview', ending)).body.data
    expect((await post('cancel', { ...ending, expectedRefund, reason: 'other' })).body.data).toMatchObject({ kind: 'withdrawal' })
    await reconcileLater(app, 1)
    expect(refunded(sale)).toBe(Math.round(expectedRefund * 100))
    await reconcileLater(app, 58)
    expect(refunded(sale)).toBe(Math.round(expectedRefund * 100))
    await reconcileLater(app, 61)
    expect(refunded(sale)).toBe(Math.round((expectedRefund + refund) * 100))
    expect(await reviews(policyUuid)).toEqual([])
  })

  it('does not count as a reversal when the network reports it', async () => {
    await receiveWebhooks(app)
    const sale = await sellByCard()
    await cancel(sale.policyUuid)
    await reconcileLater(app, 61)
    await expect.poll(async () => (await app.world.outbox.drain(), refunded(sale))).toBe(3376)
    expect(await reviews(sale.policyUuid)).toEqual([])
  })
})

describe('a dearer change of a policy sold by card', () => {
  it('is charged to the agency’s account if that is chosen', async () => {
    const { policyUuid } = await sellByCard()
    const asked = { policyUuid, version: 1, ...longer }
    const made = await post('change', { ...asked, settle: { paymentGatewayUUID: seller.gateway('Deferred') } })
    expect(made.body.data).toMatchObject({ charge: 17.08, routes: [{ gateway: 'Deferred' }] })
    const { data } = (await post('cancel', { policyUuid, version: 2, expectedRefund: 50.84, reason: 'other' })).body
    expect(data.refund.state).toBe('due')
    expect(data.refund.routes.map(({ gateway, amount }: Record<string, unknown>) => [gateway, amount])).toEqual([
      ['Deferred', 17.08],
      ['StripeV2', 33.76],
    ])
    expect((await post('change/terms', { policyUuid })).body.data.can).toMatchObject([{ action: 'reinstate' }])
  })
})
