import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { admin, auditOf } from '#server/administration/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { openMonthOf } from '../bordereau/read.ts'
import { openClosing } from '../statements/close.ts'
import { stateOpening } from './opening.ts'

// An update from a version without a money book: its sales are booked by 0055-money-book.sql, and settled by 0113-opening.sql.

let app: TestApp
let seller: Seller
let real: number
beforeEach(async () => {
  // The sales are written before the update, whatever day they say.
  real = Date.UTC(2026, 7, 1)
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  seller = await sellerOf(app)
  onTestFinished(() => app.stop())
})

const at = async (instant: string): Promise<void> => {
  expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
}

let documents = 0
/** Sells for 16.88 on account, of which 4.37 are commission. */
async function sell(instant: string): Promise<void> {
  await at(instant)
  const users = [{ ...ana, ...reach, documentKind: 'passport', docNumber: `AB${(documents += 1) + 1000}` }]
  const sold = await sellAs(seller, { users, paxNumber: 1, startDate: '2027-06-01', endDate: '2027-06-08' })
  expect([sold.status, sold.text]).toEqual([200, expect.any(String)])
}

/** Brings the schema to the state before 0113-opening.sql, with the money book of an update on 23 November, and updates it. */
async function update(): Promise<void> {
  const { database } = app.world
  const undo = [
    `update kysely_migration set timestamp = '2026-11-23T10:00:00.000Z' where name = '0055-money-book'`,
    `delete from kysely_migration where name = '0113-opening'`,
    'drop index money_book_opening, money_book_settled',
    `create index money_book_settlements on money_book (business_unit_id, at) where kind in ('payment', 'write_off')`,
  ]
  for (const text of undo) await sql.raw(text).execute(database.kysely)
  expect(await migrate(database)).toEqual(['0113-opening'])
  // Earlier sessions have expired.
  real = Date.now()
  seller = await sellerOf(app)
  expect(await brokenInvariants(database)).toEqual([])
}

const asked = async (path: string, body: object) => {
  const { headers } = await signIn(app, 'accounts@azahar.example')
  return (await app.ask(`/api/accounting/${path}`, { body, headers })).body.data
}
const statements = async (): Promise<Record<string, unknown>[]> => (await asked('statements', {})).statements
const account = async () => {
  const { accounts } = (await (await admin(app)).post('accounting/list', { businessUnitUuid: demoScope('azahar').businessUnitId })).body
    .data
  return accounts[0]
}
const closing = async (instant: string): Promise<void> => {
  await at(instant)
  await openClosing(app.world)()
  expect(await brokenInvariants(app.world.database)).toEqual([])
}
const notices = async (): Promise<unknown[]> => {
  const { rows } = await app.world.database.asService(tx => sql<{ subject: string }>`select kind, subject from account_notices`.execute(tx))
  return rows.map(({ subject }) => subject)
}

test('after the update of an old version, only the sales of its month are owed', async () => {
  for (const month of ['2026-08', '2026-09', '2026-10']) await sell(`${month}-10T10:00:00Z`)
  await sell('2026-11-10T10:00:00Z')
  await update()
  expect(await account()).toMatchObject({ account: 16.88, commission: 4.37, lastStatement: null })
  await closing('2026-11-24T10:00:00Z')
  expect(await statements()).toEqual([])
  const isOpen = (month: string) => app.world.database.inScope(demoScope('azahar'), tx => openMonthOf(tx, month))
  expect([await isOpen('2026-10'), await isOpen('2026-11')]).toEqual([false, true])

  await closing('2026-12-02T10:00:00Z')
  const [only, ...others] = await statements()
  expect(only).toMatchObject({ number: 'azahar-2026-11', deeds: 1, before: { account: 0, commission: 0 }, due: { account: 12.51 } })
  expect(others).toEqual([])
  const { entries } = await asked('entries', { from: '2026-08-01', to: '2026-11-30' })
  expect(entries.map(({ state, statement }: Record<string, unknown>) => [state, statement])).toEqual([
    ['on_statement', 'azahar-2026-11'],
    ['paid', null],
    ['paid', null],
    ['paid', null],
  ])
  const { total, months } = await asked('earnings', { from: '2026-08', to: '2026-11' })
  expect([total.deeds, months.map(({ deeds }: { deeds: number }) => deeds)]).toEqual([4, [1, 1, 1, 1]])

  await closing('2026-12-22T10:00:00Z')
  expect((await account()).overdueSince).toBe('2026-12-15')
  expect(new Set(await notices())).toEqual(new Set(['azahar-2026-11']))
})

test('an administrator states the opening until the first month is closed', async () => {
  await sell('2026-10-10T10:00:00Z')
  await sell('2026-11-10T10:00:00Z')
  await update()
  const state = (agency: string, account: number, commission: number) =>
    stateOpening(app.world, { agency, currency: 'EUR', stated: { account, commission }, reason: 'Agreed by letter' })
  expect(await state('azahar', 5000, 1000)).toEqual({ account: 0, commission: 0 })
  expect(await state('azahar', 1000, 300)).toEqual({ account: 5000, commission: 1000 })
  expect(await state('azahar', 1000, 300)).toEqual({ account: 1000, commission: 300 })
  expect(await account()).toMatchObject({ account: 26.88, commission: 7.37 })
  expect((await auditOf(app, 'account_opened')).at(-1)).toMatchObject({ details: { amount: 10, commission: 3, currency: 'EUR' } })
  await expect(state('nowhere', 0, 0)).rejects.toThrow('There is no agency nowhere')
  await expect(state('rotta', 0, 0)).rejects.toThrow('has no opening')

  await closing('2026-12-02T10:00:00Z')
  expect((await statements())[0]).toMatchObject({ before: { account: 10, commission: 3 }, paid: { account: 0 }, due: { account: 19.51 } })
  await expect(state('azahar', 0, 0)).rejects.toThrow('2026-11 of azahar is closed')
})

/** Continues after the update to a money book, when earlier sessions have expired. */
async function afterMoneyBook(): Promise<void> {
  real = Date.UTC(2026, 10, 24)
  seller = await sellerOf(app)
}

test.each([
  ['before', () => Promise.resolve()],
  ['after', afterMoneyBook],
])('months closed %s the update stay, and a correction settles what they left open', async (_, goOn) => {
  await sell('2026-09-10T10:00:00Z')
  await sell('2026-10-10T10:00:00Z')
  await goOn()
  await closing('2026-11-02T10:00:00Z')
  await sell('2026-11-10T10:00:00Z')
  const closed = (await statements()).map(({ number, due }) => [number, due])
  expect(closed).toEqual([
    ['azahar-2026-10', { account: 25.02, commission: 0 }],
    ['azahar-2026-09', { account: 12.51, commission: 0 }],
  ])
  await update()
  expect((await statements()).map(({ number, due, state }) => [number, due, state])).toEqual(closed.map(each => [...each, 'paid']))
  expect(await account()).toMatchObject({ account: 16.88, commission: 4.37, lastStatement: { open: { account: 0, commission: 0 } } })
  const { payments } = await asked('statements/detail', { number: 'azahar-2026-10' })
  expect(payments).toMatchObject([{ way: 'correction', account: 25.02, commission: 0, since: true }])
})

test('an agency that sold nothing before the update gets no opening', async () => {
  await sell('2026-11-10T10:00:00Z')
  await update()
  const count = await app.world.database.asService(tx => sql`select from money_book where kind in ('opening', 'correction')`.execute(tx))
  expect(count.rows).toEqual([])
})

test('a correction does not return what an agency has paid of its old debt', async () => {
  await sell('2026-09-10T10:00:00Z')
  await sell('2026-10-10T10:00:00Z')
  await closing('2026-11-02T10:00:00Z')
  await sell('2026-11-10T10:00:00Z')
  await afterMoneyBook()
  await at('2026-11-12T10:00:00Z')
  const paid = await (await admin(app)).post('accounting/payment', {
    requestUuid: randomUUID(),
    businessUnitUuid: demoScope('azahar').businessUnitId,
    way: 'received',
    amount: 20,
    on: '2026-11-12',
    reference: 'N43-1',
  })
  expect([paid.status, paid.text]).toEqual([200, expect.any(String)])
  expect(await account()).toMatchObject({ account: 21.9, commission: 4.37 })
  await update()
  // The payment beyond the month's own sale has settled some of the old ones.
  expect(await account()).toMatchObject({ account: 0, commission: 4.37 })
})
