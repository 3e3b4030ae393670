import { afterEach, beforeEach, expect, test } from 'vitest'
import { payBy } from '#server/policies/testing-cards.ts'
import { deleteAs, purchaseAs, registerAs, sellAs, sellerOf } from '#server/policies/testing.ts'
import { giveRoles, signIn } from '#server/session/testing.ts'
import { closeMonths } from '../statements/close.ts'
import { type November, playNovember } from '../testing.ts'

let november: November
beforeEach(async () => {
  november = await playNovember()
})
afterEach(() => november.app.stop())

const month = { from: '2026-11', to: '2026-11' }
const rates = (asked: object = month) => november.asAccountant('rates', asked)

/** Computed by hand: 33.76 + 17.08 + 561.48 + 134.72 were paid, 50.84 + 42.63 went back, 93.47 / 747.04 = 0.12512. */
const refunds = { charged: 747.04, refunded: 93.47, refundRate: 0.1251 }
const trip = { startDate: '2027-03-10', endDate: '2027-03-17' }

test('November sold each of its three quotes, and refunded an eighth of what was paid', async () => {
  const ofNovember = { quotes: 3, sold: 3, conversion: 1, ...refunds }
  const none = { quotes: 0, sold: 0, conversion: null, charged: 0, refunded: 0, refundRate: null }
  expect(await rates({ from: '2026-10', to: '2026-12' })).toEqual({
    currency: 'EUR',
    total: ofNovember,
    months: [
      { name: '2026-10', ...none },
      { name: '2026-11', ...ofNovember },
      { name: '2026-12', ...none },
    ],
  })
})

test('a quote that was saved, not paid or deleted counts as unsold', async () => {
  const { seller } = november
  await registerAs(seller, { ...trip, saveBudget: true })
  const { body } = await registerAs(seller, { ...trip, saveBudget: true })
  expect((await deleteAs(seller, body.data.policyUuid)).status).toBe(200)
  await registerAs(seller, trip)
  expect((await rates()).total).toEqual({ quotes: 6, sold: 3, conversion: 0.5, ...refunds })
})

test('an unsold renewal does not lower the conversion, and a sold one raises it', async () => {
  const { app, seller } = november
  const { body } = await registerAs(seller, { ...trip, saveBudget: true })
  const renewal = body.data.policyUuid
  const renew = (id: string) =>
    app.world.database.asService(tx => tx.updateTable('policies').set({ renews: renewal }).where('id', '=', id).execute())
  await renew(renewal)
  expect((await rates()).total).toEqual({ quotes: 3, sold: 3, conversion: 1, ...refunds })
  expect((await deleteAs(seller, renewal)).status).toBe(200)
  expect((await rates()).total).toMatchObject({ quotes: 3, sold: 3 })
  await renew((await sellAs(seller, trip)).body.data.policyData.policyUuid)
  expect((await rates()).total).toMatchObject({ quotes: 4, sold: 4 })
})

test('a quote of the last second of a month counts in it, also when it is sold later', async () => {
  const { seller, at } = november
  for (let count = 0; count < 3; count += 1) await registerAs(seller, trip)
  // Madrid is an hour ahead of UTC.
  await at('2026-11-30T22:59:59Z')
  const { body } = await registerAs(seller, trip)
  await at('2026-11-30T23:00:00Z')
  await registerAs(seller, trip)
  await november.app.ask('/api/policy/purchase', {
    headers: seller.headers,
    body: { purchaseUUID: body.data.purchaseUUID, paymentGatewayUUID: seller.gateway('Deferred') },
  })
  const { months, total } = await rates({ from: '2026-11', to: '2026-12' })
  expect(months).toMatchObject([
    { quotes: 7, sold: 4, conversion: 0.5714, ...refunds },
    { quotes: 1, sold: 0, conversion: 0, refunded: 0, refundRate: 0 },
  ])
  expect(total).toMatchObject({ quotes: 8, sold: 4, refunded: 93.47 })
})

test('the rates of a month are the same before and after it is closed', async () => {
  await registerAs(november.seller, trip)
  const before = await rates()
  await november.at('2026-12-01T05:00:00Z')
  await closeMonths(november.app.world)
  expect((await november.asAccountant('statements', {})).statements).toHaveLength(1)
  expect(await rates()).toEqual(before)
})

test('rates need the permission, and cover the own unit alone', async () => {
  const { app, seller } = november
  const ask = (headers: Record<string, string>) => app.ask('/api/accounting/rates', { body: month, headers })
  expect((await ask(seller.headers)).status).toBe(403)
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  const { headers } = await signIn(app, 'agent@rotta.example')
  expect((await ask(headers)).body.data.total).toMatchObject({ quotes: 0, charged: 0, refunded: 0 })
})

test('a user who sees only own sales sees only their rates', async () => {
  const { app, at } = november
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const own = await sellerOf(app, 'manager@azahar.example')
  const ask = async () =>
    (await app.ask('/api/accounting/rates', { body: { from: '2026-11', to: '2026-12' }, headers: own.headers })).body.data.total
  expect(await ask()).toMatchObject({ quotes: 0, charged: 0, refunded: 0 })
  await at('2026-12-02T09:00:00Z')
  const { policyUuid } = (await sellAs(own, trip)).body.data.policyData
  const [{ total }] = (await november.asAccountant('entries', { from: '2026-12-02', to: '2026-12-02' })).entries.map(
    (each: { gross: number }) => ({
      total: each.gross,
    }),
  )
  const cancelled = await app.ask('/api/policy/cancel', {
    headers: own.headers,
    body: { policyUuid, version: 1, expectedRefund: total, reason: 'trip_cancelled' },
  })
  expect(cancelled.status, cancelled.text).toBe(200)
  expect(await ask()).toEqual({ quotes: 1, sold: 1, conversion: 1, charged: total, refunded: total, refundRate: 1 })
})

test('impossible, reversed or too many months and no currency are refused at the field', async () => {
  const { app, accountant } = november
  for (const body of [
    { from: '2026-12', to: '2026-11' },
    { from: '2020-01', to: '2026-11' },
    { from: '2026-13', to: '2026-14' },
    { from: '2026-11', to: '2026-11', currency: 'euro' },
  ]) {
    const reply = await app.ask('/api/accounting/rates', { body, headers: accountant.headers })
    expect([body, reply.status]).toEqual([body, 422])
    expect(reply.body.fields.length).toBeGreaterThan(0)
  }
})

test('a refund stopped by a reinstatement counts as neither refund nor payment', async () => {
  const { app, seller, at, asAccountant } = november
  const paymentGatewayUUID = seller.gateway('StripeV2')
  const ofMonth = async () => (await asAccountant('rates', month)).total
  const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  await at('2026-11-25T10:00:00Z')
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, { ...trip, paymentGatewayUUID })).body.data
  await payBy(app, clientSecret)
  await purchaseAs(seller, { paymentGatewayUUID, purchaseUUID })
  const sold = await ofMonth()
  expect(sold).toMatchObject({ charged: 780.8, refunded: 93.47 })
  await post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
  expect(await ofMonth()).toMatchObject({ charged: 780.8, refunded: 127.23 })
  expect((await post('reinstate', { policyUuid, version: 2, expectedCharge: 0 })).status).toBe(200)
  expect(await ofMonth()).toEqual(sold)
})
