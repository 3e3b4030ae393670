import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, other, purchaseAs, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, countedRefusals } from '#server/session/testing.ts'

let app: CardApp
let seller: Seller
let administrator: Seller
let ahead = 0
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
  administrator = await sellerOf(app, 'admin@portolan.example')
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 40)
const post = (path: string, body: object, by = administrator, headers = {}) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...by.headers, ...headers } })
const total = 'TOT'

/** Moves the clock past the days in which the rules refund everything. */
async function later(days = 20): Promise<void> {
  ahead = days * 86_400_000
  seller = await sellerOf(app)
  administrator = await sellerOf(app, 'admin@portolan.example')
}
afterEach(() => later(0))

let people = 0
/** A trip of two people who are in no other policy, since a duplicate is refunded in full. */
const trip = () => ({
  users: [{ ...ana, ...reach, ...other((people += 1)) }, other((people += 1))],
  productUUID: seller.products.find(({ code }) => code === total).uuid,
  startDate: start,
  endDate: addDays(start, 7),
  insurancedAmount: 2000,
  reservationDate: today(new Date(), 'Europe/Madrid'),
})
async function sell(): Promise<{ policyUuid: string; paid: number }> {
  const { status, text, body } = await sellAs(seller, trip())
  expect([status, text]).toEqual([200, text])
  return { policyUuid: body.data.policyData.policyUuid, paid: body.data.policyData.total }
}
const detail = async (policyUuid: string) => (await post('detail', { policyUuid })).body.data
const asked = (policyUuid: string, expectedRefund: number, more = {}) => ({
  policyUuid,
  version: 1,
  expectedRefund,
  reason: 'other',
  goodwill: 100,
  note: 'A long-standing client',
  ...more,
})

it('goodwill gives back on account what the rules keep, with its reason, once', async () => {
  const { policyUuid, paid } = await sell()
  await later()
  expect((await post('cancel/preview', { policyUuid, version: 1 })).body.data).toMatchObject({ possible: false, refund: 0 })
  const preview = await post('cancel/preview', { policyUuid, version: 1, goodwill: 100 })
  expect(preview.body.data).toMatchObject({
    possible: true,
    basis: 'goodwill',
    refund: paid,
    routes: [{ gateway: 'Deferred', amount: paid }],
  })
  const key = { 'idempotency-key': crypto.randomUUID() }
  const made = await post('cancel', asked(policyUuid, paid), administrator, key)
  expect(made.body.data).toMatchObject({ state: 'done', kind: 'cancellation', refund: { amount: paid, state: 'done' } })
  expect((await post('cancel', asked(policyUuid, paid), administrator, key)).text).toBe(made.text)
  expect((await post('cancel', asked(policyUuid, paid))).body.error).toBe('cancel.already')
  const step = (await post('versions', { policyUuid })).body.data.at(-1)
  expect(step).toMatchObject({ kind: 'cancellation', basis: 'goodwill', note: 'A long-standing client', difference: -paid })
  expect(step.who).not.toBe(seller.user.name)
  expect((await detail(policyUuid)).payments).toMatchObject([{ amount: paid, refunded: paid }])
  const rows = (await auditRows(app, 'policy.cancelled')).filter(({ object }) => object === policyUuid)
  expect(rows).toMatchObject([{ user_id: administrator.user.uuid, details: { kind: 'cancellation', basis: 'goodwill', refund: paid } }])
})

it('a part as goodwill leaves the rest charged, and goes back by card after the hour', async () => {
  const paymentGatewayUUID = seller.gateway('StripeV2')
  const { purchaseUUID, clientSecret, policyUuid } = (await registerAs(seller, { ...trip(), paymentGatewayUUID })).body.data
  await payBy(app, clientSecret)
  await purchaseAs(seller, { purchaseUUID, paymentGatewayUUID })
  await later()
  const { refund, after } = (await post('cancel/preview', { policyUuid, version: 1, goodwill: 40 })).body.data
  const made = await post('cancel', asked(policyUuid, refund, { goodwill: 40 }))
  expect(made.body.data).toMatchObject({ refund: { amount: refund, state: 'due' }, policyData: { total: after.total } })
  ahead = 0
  await reconcileLater(app, 20 * 24 * 60 + 61)
  expect(intentOf(app, clientSecret)?.refunded).toBe(Math.round(refund * 100))
})

it('only the administration may give it, and only with a reason', async () => {
  const { policyUuid, paid } = await sell()
  await later()
  const manager = await sellerOf(app, 'manager@azahar.example')
  for (const by of [seller, manager]) {
    expect((await post('cancel/preview', { policyUuid, version: 1, goodwill: 100 }, by)).body.error).toBe('session.forbidden')
    expect((await post('cancel', asked(policyUuid, paid), by)).body.error).toBe('session.forbidden')
    expect((await detail(policyUuid)).policy).toMatchObject({ status: 'purchased', total: paid })
  }
  const refused = (await auditRows(app, 'policy.goodwill')).filter(({ object }) => object === policyUuid)
  expect(new Set(refused.map(({ outcome, user_id }) => `${outcome} ${user_id}`))).toEqual(
    new Set([seller, manager].map(({ user }) => `refused ${user.uuid}`)),
  )
  expect(await countedRefusals(app, 'policy.goodwill')).toEqual({ 'session.forbidden b2b-admin': 4 })
  for (const note of [undefined, '  ']) {
    const { status, body } = await post('cancel', asked(policyUuid, paid, { note }))
    expect([status, body.fields?.[0] ?? body]).toMatchObject([422, { path: 'note' }])
  }
  for (const goodwill of [0, 101, 12.5]) expect((await post('cancel', asked(policyUuid, paid, { goodwill }))).status).toBe(422)
  expect((await post('cancel', asked(policyUuid, paid - 1))).body.error).toBe('change.price_changed')
  expect((await detail(policyUuid)).policy.status).toBe('purchased')
})

it('only the administration cancels on the trip, and a full refund is no goodwill', async () => {
  const { policyUuid, paid } = await sell()
  expect((await post('cancel/preview', { policyUuid, version: 1, goodwill: 100 })).body.data).toMatchObject({ refund: paid, basis: 'undo' })
  await later(42)
  const actions = async (by: Seller) =>
    (await post('detail', { policyUuid }, by)).body.data.can.map(({ action }: { action: string }) => action)
  expect(await actions(seller)).not.toContain('cancel')
  expect(await actions(administrator)).toContain('cancel')
  expect((await post('cancel', asked(policyUuid, paid))).body.data).toMatchObject({ refund: { amount: paid } })
})
