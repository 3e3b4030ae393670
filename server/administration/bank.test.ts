import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { camt, camtDetails, camtEntry, norma43 } from '#common/accounting/bank/testing.ts'
import { displayDate } from '#common/kit/dates.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from './testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
let due: number
const [azahar, rotta] = [demoScope('azahar').businessUnitId, demoScope('rotta').businessUnitId]

beforeEach(async () => {
  let real = Date.now()
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  ask = await admin(app)
  const at = async (instant: string) => expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
  await at('2026-11-10T10:00:00Z')
  await sellAs(await sellerOf(app), { startDate: '2026-11-20', endDate: '2026-11-20' })
  await at('2026-12-16T06:00:00Z')
  await openClosing(app.world)()
  due = (await account(azahar)).account
})
afterEach(() => app.stop())

const account = async (businessUnitUuid: string) => (await ask.post('accounting/list', { businessUnitUuid })).body.data.accounts[0]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const read = async (text: string) => {
  const reply = await ask.post('accounting/bank', { file: base64(text) })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data.entries
}
const book = (text: string, entries: { uuid: string; businessUnitUuid: string; again?: boolean }[]) =>
  ask.post('accounting/bank/book', { file: base64(text), entries })
const paid = (amount: number, more: Parameters<typeof camtEntry>[0] = {}) =>
  camtEntry({ amount: amount.toFixed(2), details: camtDetails({}), ...more })
/** Books the payment of what is due from a file. */
async function bookDue(): Promise<void> {
  const [{ uuid }] = await read(camt([paid(due)]))
  const { body } = await book(camt([paid(due)]), [{ uuid, businessUnitUuid: azahar }])
  expect(body.data.outcomes[0].outcome).toBe('booked')
}
const linesOf = async (unit: string) => {
  const { database } = app.world
  return database.asService(tx =>
    tx
      .selectFrom('money_book')
      .select(['agency_account', 'bank'])
      .where('business_unit_id', '=', unit)
      .where('kind', '=', 'payment')
      .orderBy('id')
      .execute(),
  )
}

test('a payment is proposed by its statement’s number, booked once, and then known', async () => {
  const file = camt([paid(due), camtEntry({ amount: '3.00', servicer: 'S-2', details: camtDetails({ text: 'rent', name: 'Landlord' }) })])
  const [entry, other] = await read(file)
  expect(entry).toMatchObject({
    bookedOn: '2026-12-14',
    amount: due,
    state: 'new',
    bookedFor: null,
    proposal: { businessUnit: { uuid: azahar }, statement: 'azahar-2026-11', by: 'statement' },
  })
  expect(other.proposal).toBeNull()
  expect((await account(azahar)).account).toBe(due)
  const chosen = [{ uuid: entry.uuid, businessUnitUuid: azahar }]
  expect((await book(file, chosen)).body.data).toEqual({ outcomes: [{ uuid: entry.uuid, outcome: 'booked' }] })
  expect((await account(azahar)).account).toBe(0)
  expect((await read(file))[0]).toMatchObject({ uuid: entry.uuid, state: 'booked', bookedFor: { uuid: azahar } })
  // Booking it again, also for another agency, changes nothing.
  expect((await book(file, chosen)).body.data.outcomes[0].outcome).toBe('before')
  expect((await book(file, [{ uuid: entry.uuid, businessUnitUuid: rotta }])).body.data.outcomes[0].outcome).toBe('before')
  expect([(await account(azahar)).account, (await account(rotta)).account]).toEqual([0, 0])
  expect((await auditOf(app, 'account_payment')).at(-1)).toMatchObject({
    details: { way: 'received', amount: due, on: '2026-12-14', statement: 'azahar-2026-11', bankEntry: entry.uuid },
  })
  expect(await auditOf(app, 'account_payment')).toHaveLength(1)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('an overlapping file, of another version and with more days, has the same entry', async () => {
  await bookDue()
  const later = camt(
    [camtEntry({ amount: '1.00', day: '<Dt>2026-12-15</Dt>', servicer: 'S-9' }), paid(due, { status: '<Sts><Cd>BOOK</Cd></Sts>' })],
    {
      version: '08',
    },
  )
  expect((await read(later)).map(({ state }: { state: string }) => state)).toEqual(['new', 'booked'])
})

test('the same payment in a file of the other format is shown as maybe booked', async () => {
  await bookDue()
  const [entry] = await read(norma43([{ cents: Math.round(due * 100), first: 'AZAHAR202611' }]))
  expect(entry).toMatchObject({ state: 'alike', bookedFor: { uuid: azahar }, proposal: { by: 'statement' } })
})

test('two equal entries of a day are two payments, however often the file is read', async () => {
  const twin = () => camtEntry({ amount: '5.00', servicer: 'NONREF', details: camtDetails({ text: 'azahar', end: 'NOTPROVIDED' }) })
  const file = camt([twin(), twin()])
  const entries = await read(file)
  const chosen = entries.map(({ uuid }: { uuid: string }) => ({ uuid, businessUnitUuid: azahar }))
  const before = (await account(azahar)).account
  const replies = await Promise.all([1, 2, 3, 4].map(() => book(file, chosen)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const outcomes = replies.flatMap(({ body }) => body.data.outcomes.map(({ outcome }: { outcome: string }) => outcome))
  expect(outcomes.filter(outcome => outcome === 'booked')).toHaveLength(2)
  expect((await account(azahar)).account).toBeCloseTo(before - 10, 10)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('equal entries on two pages of a statement, one file each, are shown as alike', async () => {
  const equal = () => camtEntry({ amount: '7.00', servicer: 'NONREF', details: camtDetails({ text: 'azahar', end: 'NOTPROVIDED' }) })
  const [first, second] = [camt([equal()], { page: [1, false] }), camt([equal()], { page: [2, true] })]
  const statesOf = async (text: string) => (await read(text)).map(({ state }: { state: string }) => state)
  const chosen = async (text: string) => (await read(text)).map(({ uuid }: { uuid: string }) => ({ uuid, businessUnitUuid: azahar }))
  const before = (await account(azahar)).account
  await book(first, await chosen(first))
  expect([await statesOf(first), await statesOf(second)]).toEqual([['booked'], ['alike']])
  expect((await book(second, await chosen(second))).body.data.outcomes[0].outcome).toBe('booked')
  expect([await statesOf(first), await statesOf(second)]).toEqual([['booked'], ['booked']])
  for (const page of [first, second]) expect((await book(page, await chosen(page))).body.data.outcomes[0].outcome).toBe('before')
  expect((await account(azahar)).account).toBeCloseTo(before - 14, 10)
  // An entry with the bank's own reference is the same on any page.
  const referenced = (page: [number, boolean]) => camt([camtEntry({ amount: '8.00', servicer: 'S-8' })], { page })
  await book(referenced([1, false]), await chosen(referenced([1, false])))
  expect(await statesOf(referenced([2, true]))).toEqual(['booked'])
})

test('a file with an entry of an impossible day is refused, and books nothing', async () => {
  // The bank's day may have begun before the agency's.
  expect(await read(camt([paid(due, { day: '<Dt>2026-12-16</Dt>' })]))).toHaveLength(1)
  for (const day of ['2026-12-17', '2099-12-31', '2019-12-31', '1970-01-01']) {
    const file = camt([paid(1, { servicer: 'S-8' }), paid(due, { day: `<Dt>${day}</Dt>` })])
    const reply = await ask.post('accounting/bank', { file: base64(file) })
    expect([reply.status, reply.body.fields]).toEqual([
      422,
      [{ path: 'file', rule: 'bank', message: `No payment can be of ${displayDate(day)}. Ask the bank for the right file.` }],
    ])
    expect((await book(file, [{ uuid: crypto.randomUUID(), businessUnitUuid: azahar }])).status).toBe(422)
  }
  expect((await account(azahar)).account).toBe(due)
})

test('the schema refuses a second booking of an entry, for any agency', async () => {
  await bookDue()
  const again = sql.raw(`insert into bank_entries select id, alike, '${rotta}', booked_at from bank_entries limit 1`)
  await expect(app.world.database.asService(tx => again.execute(tx))).rejects.toThrow(/bank_entries_pkey/)
})

test('a payment that the bank takes back is owed again, and a payout is booked as one', async () => {
  const file = camt([
    paid(4, { way: 'DBIT', reversal: 'true', servicer: 'R-1' }),
    paid(6, { way: 'DBIT', servicer: 'R-2' }),
    paid(2, { way: 'CRDT', reversal: 'true', servicer: 'R-3' }),
  ])
  const chosen = (await read(file)).map(({ uuid }: { uuid: string }) => ({ uuid, businessUnitUuid: azahar }))
  const before = (await account(azahar)).account
  await book(file, chosen)
  expect((await account(azahar)).account).toBeCloseTo(before + 4 + 6 - 2, 10)
  expect((await linesOf(azahar)).slice(-3).map(({ bank }) => bank)).toEqual([-400, -600, 200])
})

test('without netting, a payout is commission, and a reversal undoes its own booking', async () => {
  const terms = { businessUnitUuid: rotta, limit: null, netted: false, reason: 'For this test' }
  expect((await ask.post('accounting/limit', terms)).status).toBe(200)
  const file = camt([
    paid(4, { servicer: 'N-1' }),
    paid(4, { way: 'DBIT', reversal: 'true', servicer: 'N-2' }),
    paid(6, { way: 'DBIT', servicer: 'N-3' }),
    paid(6, { reversal: '1', servicer: 'N-4' }),
  ])
  const chosen = (await read(file)).map(({ uuid }: { uuid: string }) => ({ uuid, businessUnitUuid: rotta }))
  await book(file, chosen)
  expect((await linesOf(rotta)).map(({ agency_account, bank }) => [agency_account, bank])).toEqual([
    [-400, 400],
    [400, -400],
    [0, -600],
    [0, 600],
  ])
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('an entry like a payment booked by hand says so, and needs confirmation', async () => {
  const byHand = { businessUnitUuid: azahar, way: 'received', on: '2026-12-10', reference: 'N43-0077', amount: 21 }
  const booked = await ask.post('accounting/payment', { ...byHand, requestUuid: crypto.randomUUID(), beyond: true })
  expect(booked.status, booked.text).toBe(200)
  const hand = [{ businessUnitUuid: azahar, on: '2026-12-10', reference: 'N43-0077' }]
  const far = '<Dt>2026-10-31</Dt>'
  const file = camt([
    paid(21, { servicer: 'H-1' }),
    paid(21, { servicer: 'H-2', day: far }),
    paid(21, { servicer: 'H-3', day: far, details: camtDetails({ text: 'LIQUIDACION N43 0077' }) }),
    paid(21, { servicer: 'H-4', way: 'DBIT' }),
    paid(21.01, { servicer: 'H-5' }),
  ])
  const entries = await read(file)
  expect(entries.map((entry: { byHand: unknown[] }) => entry.byHand)).toEqual([hand, [], hand, [], []])
  const before = (await account(azahar)).account
  const [{ uuid }] = entries
  const outcomes = async (again: object, businessUnitUuid = azahar) =>
    (await book(file, [{ uuid, businessUnitUuid, ...again }])).body.data.outcomes.map(({ outcome }: { outcome: string }) => outcome)
  expect(await outcomes({})).toEqual(['by_hand'])
  expect((await account(azahar)).account).toBe(before)
  expect(await outcomes({ again: true })).toEqual(['booked'])
  expect(await outcomes({ again: true })).toEqual(['before'])
  expect((await account(azahar)).account).toBeCloseTo(before - 21, 10)
  // For another agency the entry is not a second one.
  const other = entries[2].uuid
  expect((await book(file, [{ uuid: other, businessUnitUuid: rotta }])).body.data.outcomes[0].outcome).toBe('booked')
})

test('an entry is not compared with a payment by hand that was reversed', async () => {
  const file = camt([paid(22, { servicer: 'H-6' })])
  const byHand = { businessUnitUuid: azahar, way: 'received', on: '2026-12-10', reference: 'N43-0078', amount: 22 }
  await ask.post('accounting/payment', { ...byHand, requestUuid: crypto.randomUUID(), beyond: true })
  expect((await read(file))[0].byHand).toHaveLength(1)
  const { bookings } = (await ask.post('accounting/bookings', { businessUnitUuid: azahar })).body.data
  const reversal = {
    requestUuid: crypto.randomUUID(),
    businessUnitUuid: azahar,
    bookingUuid: bookings[0].uuid,
    reason: 'Of another agency',
  }
  expect((await ask.post('accounting/bookings/reverse', reversal)).status).toBe(200)
  expect((await read(file))[0].byHand).toEqual([])
})

const good = camt([camtEntry({ amount: '9.00', servicer: 'G-1' }), camtEntry({ amount: '9.00', servicer: 'G-2', currency: 'EUR' })])
test('a choice with one wrong entry books nothing', async () => {
  const [one, two] = await read(good)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const choices: [{ uuid: string; businessUnitUuid: string }, string][] = [
    [{ uuid: unknown, businessUnitUuid: azahar }, 'entries[1].uuid'],
    [{ uuid: one.uuid, businessUnitUuid: azahar }, 'entries[1].uuid'],
    [{ uuid: two.uuid, businessUnitUuid: unknown }, 'entries[1].businessUnitUuid'],
  ]
  const before = await linesOf(azahar)
  for (const [wrong, path] of choices) {
    const reply = await book(good, [{ uuid: one.uuid, businessUnitUuid: azahar }, wrong])
    expect([reply.status, reply.body.fields.map((field: { path: string }) => field.path)]).toEqual([422, [path]])
  }
  expect(await linesOf(azahar)).toEqual(before)
  const pounds = camt([camtEntry({ currency: 'GBP' })]).replace('<Ccy>EUR', '<Ccy>GBP')
  const [foreign] = await read(pounds)
  const reply = await book(pounds, [{ uuid: foreign.uuid, businessUnitUuid: azahar }])
  expect(reply.body.fields[0].message).toBe('The entry is in GBP; the agency’s account is in EUR.')
})

test.each([
  [camt([camtEntry({ amount: '1.005' }), camtEntry({ amount: '-1' })]), 2, 'Entry 1: the amount is not valid'],
  [norma43([{ cents: 500 }]).replace(/^(33.{42})\d{14}/m, '$100000000000501'), 1, 'Line 3: the sums or balances'],
  ['Date;Amount\n', 1, 'This is neither a camt.053 nor'],
  [camt([camtEntry()], { head: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' }), 1, 'The file has a document type'],
  ['<a>'.repeat(1_700_000), 1, 'The file is larger than 5 MB'],
])('a file is refused with a line for each problem (%#)', async (text, count, message) => {
  for (const path of ['accounting/bank', 'accounting/bank/book']) {
    const more = path.endsWith('book') ? { entries: [{ uuid: azahar, businessUnitUuid: azahar }] } : {}
    const { status, body } = await ask.post(path, { file: base64(text), ...more })
    expect([status, body.fields.length]).toEqual([422, count])
    expect(body.fields[0]).toMatchObject({ path: 'file', message: expect.stringContaining(message) })
  }
})

test('a file in the encoding of old programs is read', async () => {
  const text = norma43([{ cents: 900, texts: ['LIQUIDACIÓN DE ESPAÑA'] }])
  const reply = await ask.post('accounting/bank', { file: Buffer.from(text, 'latin1').toString('base64') })
  expect(reply.body.data.entries[0].reference).toBe('LIQUIDACIÓN DE ESPAÑA')
})

test('bank files are for administrators', async () => {
  const manager = asker(app, await signIn(app, 'manager@azahar.example'))
  for (const path of ['accounting/bank', 'accounting/bank/book'])
    expect((await manager.post(path, { file: base64(good) })).status).toBe(403)
})
