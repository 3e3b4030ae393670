import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { refundMarginMs } from '#common/payments/states.ts'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { startRefund } from '#server/policies/refunds/refund.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'

let app: CardApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const day = today(new Date(), 'Europe/Madrid')
const post = async (path: string, body: unknown) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body
const rows = (table: 'policy_deeds' | 'refunds') => app.world.database.kysely.selectFrom(table).selectAll()

async function sell(changes = {}): Promise<string> {
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, { ...gateway, ...changes })).body.data
  await payBy(app, clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID })
  return policyUuid
}

/** A reinstatement that stops a refund by card, and charges by card what went back on account. */
async function reinstating() {
  const policyUuid = await sell()
  const longer = { change: { endDate: addDays(day, 22) }, expectedDifference: 17.08 }
  await post('change', { policyUuid, version: 1, ...longer, settle: { paymentGatewayUUID: seller.gateway('Deferred') } })
  const { changeUuid } = (await post('cancel', { policyUuid, version: 2, expectedRefund: 50.84, reason: 'other' })).data
  const asked = (await post('reinstate', { policyUuid, version: 3, expectedCharge: 17.08 })).data
  expect(asked).toMatchObject({ state: 'awaiting_payment', charge: 17.08, stopped: 33.76 })
  const refund = await rows('refunds').where('deed_id', '=', changeUuid).executeTakeFirstOrThrow()
  return { policyUuid, asked, sold: refund.payment_id, leaves: refund.leave_at?.getTime() ?? 0 }
}

it('a waiting reinstatement ends a minute before the refund that it stops leaves', async () => {
  const { asked, leaves } = await reinstating()
  expect(Date.parse(asked.until)).toBe(leaves - refundMarginMs)
})

it('a step that waits keeps its price with the sums, which an older node reads', async () => {
  const { asked } = await reinstating()
  const { step } = await app.world.database.asService(tx =>
    tx.selectFrom('open_changes').select('step').where('id', '=', asked.changeUuid).executeTakeFirstOrThrow(),
  )
  expect(step).toMatchObject({ contents: { charged: { travelPremium: 4700, premium: 4700, total: 5084 } } })
})

it('a payment for a reinstatement whose refund has left meanwhile is given back', async () => {
  const { policyUuid, asked, sold } = await reinstating()
  // Another node, whose clock is ahead, sends the refund.
  const clock = { now: () => new Date(Date.now() + ahead + 61 * 60_000) }
  await startRefund({ ...app.sales, world: { ...app.world, clock } }, demoScope('azahar'), sold)
  await payBy(app, asked.clientSecret)
  expect((await post('change/pay', { changeUuid: asked.changeUuid })).error).toBe('payment.refunded')
  expect((await post('change/terms', { policyUuid })).data.policy).toMatchObject({ status: 'cancelled', version: 3 })
  await reconcileLater(app, 0)
  expect(intentOf(app, asked.clientSecret)?.refunded).toBe(1708)
})

it('the waiting time of more cancellation cover counts from its payment', async () => {
  const productUUID = seller.products.find(({ code }) => code === 'CAN').uuid
  const policyUuid = await sell({ productUUID, insurancedAmount: 1500, reservationDate: day })
  const asked = { policyUuid, version: 1, change: { insurancedAmount: 4000, reservationDate: addDays(day, -60) } }
  const { difference, waitUntil, effectiveAt } = (await post('change/preview', asked)).data
  const waits = Date.parse(waitUntil) - Date.parse(effectiveAt)
  expect(waits).toBeGreaterThan(0)
  const { changeUuid, clientSecret } = (await post('change', { ...asked, expectedDifference: difference.total })).data
  ahead += 3 * 3_600_000
  seller = await sellerOf(app)
  await payBy(app, clientSecret)
  expect((await post('change/pay', { changeUuid })).data.state).toBe('done')
  const movement = await rows('policy_deeds').where('id', '=', changeUuid).executeTakeFirstOrThrow()
  expect(Number(movement.wait_until) - Number(movement.at)).toBe(waits)
})
