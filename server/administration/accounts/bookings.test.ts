import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { camt, camtEntry } from '#common/accounting/bank/testing.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
let seller: Seller
const [azahar, rotta] = [demoScope('azahar').businessUnitId, demoScope('rotta').businessUnitId]

const day = Date.parse('2026-12-02T12:00:00Z')

// An agency that sold twice in November and owes for it.
beforeEach(async () => {
  let real = Date.now()
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  ask = await admin(app)
  seller = await sellerOf(app)
  await at('2026-11-10T10:00:00Z')
  for (const day of ['2026-11-20', '2026-11-22']) await sellAs(seller, { startDate: day, endDate: day })
  await at('2026-12-01T06:00:00Z')
  await openClosing(app.world)()
  await at(new Date(day).toISOString())
})
afterEach(() => app.stop())

async function at(instant: string): Promise<void> {
  expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
}
const dayOf = (daysAgo = 0) => new Date(day - daysAgo * 86_400_000).toISOString().slice(0, 10)
const account = async (businessUnitUuid = azahar) => (await ask.post('accounting/list', { businessUnitUuid })).body.data.accounts[0]
const bookings = async (more: object = {}) => (await ask.post('accounting/bookings', { businessUnitUuid: azahar, ...more })).body.data
const payment = (more: object = {}) => ({
  requestUuid: crypto.randomUUID(),
  businessUnitUuid: azahar,
  way: 'received',
  amount: 1,
  on: dayOf(),
  reference: 'N43-1',
  ...more,
})
const pay = (more: object = {}) => ask.post('accounting/payment', payment(more))
const reverse = (bookingUuid: string, more: object = {}) =>
  ask.post('accounting/bookings/reverse', {
    requestUuid: crypto.randomUUID(),
    businessUnitUuid: azahar,
    bookingUuid,
    reason: 'Of another agency',
    ...more,
  })

test('a payment like a recent one needs confirmation, and is booked once per request', async () => {
  const first = payment({ on: dayOf(3) })
  expect((await ask.post('accounting/payment', first)).status).toBe(200)
  const second = payment({ reference: 'N43-2' })
  const refused = await ask.post('accounting/payment', second)
  expect([refused.status, refused.body.error, refused.body.data]).toEqual([
    409,
    'account.booked_before',
    { on: dayOf(3), reference: 'N43-1' },
  ])
  expect((await ask.post('accounting/payment', first)).status).toBe(200)
  // Another amount, way or agency is another payment.
  for (const more of [{ amount: 1.01 }, { way: 'paid', beyond: true }, { businessUnitUuid: rotta, beyond: true }])
    expect((await pay(more)).status).toBe(200)
  const again = { ...second, again: true }
  expect((await ask.post('accounting/payment', again)).status).toBe(200)
  const { total } = await bookings()
  expect((await ask.post('accounting/payment', again)).status).toBe(200)
  expect((await bookings()).total).toBe(total)
})

test('two tabs that book an equal payment at once book one', async () => {
  const before = (await account()).account
  const replies = await Promise.all([pay({ amount: 1.11 }), pay({ amount: 1.11 })])
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect((await account()).account).toBeCloseTo(before - 1.11, 10)
})

test('a payment is recent for ten days, by its own day or by the day it was booked', async () => {
  await pay({ amount: 1.2, on: dayOf(30) })
  expect((await pay({ amount: 1.2 })).body.error).toBe('account.booked_before')
  await at(new Date(day + 11 * 86_400_000).toISOString())
  expect((await pay({ amount: 1.2, on: dayOf(25) })).body.error).toBe('account.booked_before')
  expect((await pay({ amount: 1.2 })).status).toBe(200)
})

test('a payment by hand like one from a bank’s file needs confirmation, too', async () => {
  const file = Buffer.from(camt([camtEntry({ amount: '1.30', day: `<Dt>${dayOf(2)}</Dt>` })])).toString('base64')
  const [{ uuid }] = (await ask.post('accounting/bank', { file })).body.data.entries
  await ask.post('accounting/bank/book', { file, entries: [{ uuid, businessUnitUuid: azahar }] })
  expect((await pay({ amount: 1.3 })).body).toMatchObject({ error: 'account.booked_before', data: { on: dayOf(2) } })
  expect((await bookings()).bookings[0]).toMatchObject({ amount: 1.3, fromFile: true, by: expect.any(String), on: dayOf(2) })
})

test('a payment above the debt needs confirmation, with the balance before and after', async () => {
  const { account: before } = await account()
  expect(before).toBeGreaterThan(0)
  const above = payment({ amount: Number((before + 5).toFixed(2)) })
  const refused = await ask.post('accounting/payment', above)
  expect([refused.status, refused.body.error]).toEqual([409, 'account.beyond_balance'])
  expect(refused.body.data).toEqual({ of: 'account', before, after: -5, currency: 'EUR' })
  expect((await account()).account).toBe(before)
  expect((await ask.post('accounting/payment', { ...above, beyond: true })).body.data.account).toBe(-5)
  // The agency is owed five: a payout of that amount passes, a larger one needs confirmation.
  expect((await pay({ way: 'paid', amount: 6 })).body.data).toEqual({ of: 'account', before: -5, after: 1, currency: 'EUR' })
  expect((await pay({ way: 'paid', amount: 5 })).body.data.account).toBe(0)
  expect((await reverse((await bookings()).bookings[0].uuid)).status).toBe(200)
  expect((await reverse((await bookings()).bookings[2].uuid)).body.data.account).toBe(before)
})

test('a write-off above what is owed is refused at its field', async () => {
  const { account: before } = await account()
  const writeOff = (amount: number) =>
    ask.post('accounting/write-off', {
      requestUuid: crypto.randomUUID(),
      businessUnitUuid: azahar,
      amount,
      reason: 'A quarrel that is settled',
    })
  const { status, body } = await writeOff(Number((before + 0.01).toFixed(2)))
  expect([status, body.fields.map(({ path }: { path: string }) => path)]).toEqual([422, ['amount']])
  expect((await account()).account).toBe(before)
  expect((await writeOff(before)).body.data.account).toBe(0)
  const [written] = (await bookings()).bookings
  expect(written).toMatchObject({ way: 'write_off', amount: before, reason: 'A quarrel that is settled', reference: '' })
  expect((await reverse(written.uuid)).body.data.account).toBe(before)
})

test('without netting, a payout above the open commission needs confirmation', async () => {
  const terms = { businessUnitUuid: rotta, limit: null, netted: false, reason: 'For this test' }
  expect((await ask.post('accounting/limit', terms)).status).toBe(200)
  const paid = { businessUnitUuid: rotta, way: 'paid', amount: 3 }
  expect((await pay(paid)).body.data).toEqual({ of: 'commission', before: 0, after: -3, currency: 'EUR' })
  expect((await pay({ ...paid, beyond: true })).body.data.commission).toBe(-3)
})

test('the bookings of an agency are listed, the newest first, by pages', async () => {
  for (let count = 1; count <= 10; count += 1) expect((await pay({ amount: count / 10 })).status).toBe(200)
  const { bookings: all, total } = await bookings({ perPage: 100 })
  expect(all).toHaveLength(total)
  const moments = all.map(({ at }: { at: string }) => at)
  expect(moments).toEqual(moments.toSorted().toReversed())
  const pages = await Promise.all([1, 2, 3].map(page => bookings({ page, perPage: 3 })))
  expect(pages.flatMap(page => page.bookings)).toEqual(all.slice(0, 9))
  expect(pages[0].totalPages).toBe(Math.ceil(total / 3))
})

test('a booking is reversed once, with a reason, and its statement is open again', async () => {
  const { account: before, lastStatement } = await account()
  const { number, open } = lastStatement
  await pay({ amount: open.account, reference: 'N43-9' })
  expect((await account()).lastStatement).toMatchObject({ number, open: { account: 0 } })
  const [paid] = (await bookings()).bookings
  expect(paid).toMatchObject({ way: 'received', amount: open.account, reference: 'N43-9', on: dayOf(), reverses: null, reversedBy: null })
  expect((await reverse(paid.uuid, { reason: 'no' })).body.fields[0].path).toBe('reason')
  const requestUuid = crypto.randomUUID()
  const replies = await Promise.all([1, 2].map(() => reverse(paid.uuid, { requestUuid })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await account()).toMatchObject({ account: before, lastStatement: { open: { account: open.account } } })
  const [reversal, first] = (await bookings()).bookings
  expect(reversal).toMatchObject({
    way: 'received',
    amount: -open.account,
    reference: 'N43-9',
    reason: 'Of another agency',
    reverses: paid.uuid,
  })
  expect(first).toMatchObject({ uuid: paid.uuid, reversedBy: reversal.uuid })
  for (const uuid of [paid.uuid, reversal.uuid]) expect((await reverse(uuid)).body.error).toBe('account.not_reversible')
  expect((await reverse(first.uuid, { businessUnitUuid: rotta })).status).toBe(404)
  const entries = (await auditOf(app, 'account_reversed')).filter(({ details }) => details?.['reference'] === 'N43-9')
  expect(entries).toMatchObject([
    { reason: 'Of another agency', details: { way: 'received', amount: open.account, currency: 'EUR', on: dayOf(), reference: 'N43-9' } },
  ])
  // An equal payment is not compared with the reversed one.
  expect((await pay({ amount: open.account })).status).toBe(200)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('a request that has booked a payment, or reversed another one, reverses nothing', async () => {
  const sent = payment({ amount: 1.4, beyond: true })
  await ask.post('accounting/payment', sent)
  await pay({ amount: 1.4, again: true, beyond: true })
  const [second, first] = (await bookings()).bookings
  expect((await reverse(first.uuid, { requestUuid: sent.requestUuid })).body.error).toBe('idempotency.mismatch')
  const requestUuid = crypto.randomUUID()
  expect((await reverse(first.uuid, { requestUuid })).status).toBe(200)
  expect((await reverse(second.uuid, { requestUuid })).body.error).toBe('idempotency.mismatch')
})

test('a statement shows the day and reference of what was paid, and what was reversed', async () => {
  await pay({ amount: 1.5, reference: 'N43-15', on: dayOf(1), beyond: true })
  const [{ uuid }] = (await bookings()).bookings
  await reverse(uuid)
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const opened = await app.ask('/api/accounting/statements/detail', { body: { number: 'azahar-2026-11' }, headers })
  expect(opened.body.data.payments.slice(-2)).toMatchObject([
    { way: 'received', on: dayOf(1), reference: 'N43-15', reverses: false, account: 1.5, since: true },
    { way: 'received', on: dayOf(), reference: 'N43-15', reverses: true, account: -1.5, since: true },
  ])
})

test('commission whose payout is reversed is open again', async () => {
  await ask.post('accounting/limit', { businessUnitUuid: azahar, limit: null, netted: false, reason: 'For this test' })
  await sellAs(seller, { startDate: '2026-12-20', endDate: '2026-12-20' })
  await at(new Date(day + 40 * 86_400_000).toISOString())
  await openClosing(app.world)()
  const { commission } = (await account()).lastStatement.open
  expect(commission).toBeLessThan(0)
  const openNow = async () => (await account()).lastStatement.open.commission
  await pay({ way: 'paid', amount: -commission })
  expect(await openNow()).toBe(0)
  await reverse((await bookings()).bookings[0].uuid)
  expect(await openNow()).toBe(commission)
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const [{ number }] = (await app.ask('/api/accounting/statements', { body: {}, headers })).body.data.statements
  const opened = await app.ask('/api/accounting/statements/detail', { body: { number }, headers })
  expect(opened.body.data.open.commission).toBe(commission)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('bookings are for administrators', async () => {
  const manager = asker(app, await signIn(app, 'manager@azahar.example'))
  for (const path of ['bookings', 'bookings/reverse'])
    expect((await manager.post(`accounting/${path}`, { businessUnitUuid: azahar })).status).toBe(403)
})

test('the schema refuses a second reversal', async () => {
  await pay()
  await reverse((await bookings()).bookings[0].uuid)
  const again = `insert into account_bookings select business_unit_id, gen_random_uuid(), way, cents, currency, paid_on, reference, reason, from_file, taken_back,
    booked_by, reverses from account_bookings where reverses is not null limit 1`
  await expect(app.world.database.kysely.transaction().execute(tx => sql.raw(again).execute(tx))).rejects.toThrow(/reversed_once/)
})
