import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { daysOf } from '#common/accounting/period.ts'
import { saveTerms } from '../limit/queries.ts'
import { earnedBy } from '../reports/sums.ts'
import { closeMonths } from './close.ts'

// The chain of an agency's statements: each begins where the one before ended, and carries its balances over.

let app: TestApp
let seller: Seller
beforeEach(async () => {
  await app?.stop()
  let real = Date.now()
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

async function at(instant: string): Promise<void> {
  expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
}
let documents = 0
/** Sells for 16.88, of which 4.37 are commission. */
async function sell(instant: string): Promise<void> {
  await at(instant)
  const users = [{ ...ana, ...reach, documentKind: 'passport', docNumber: `AB${(documents += 1) + 1000}` }]
  const sold = await sellAs(seller, { users, paxNumber: 1, startDate: '2027-06-01', endDate: '2027-06-08' })
  expect([sold.status, sold.text]).toEqual([200, expect.any(String)])
}
async function close(instant: string) {
  await at(instant)
  await closeMonths(app.world)
  expect(await brokenInvariants(app.world.database)).toEqual([])
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const asked = async (path: string, body: object) => (await app.ask(`/api/accounting/${path}`, { body, headers })).body.data
  const { entries, total: listed } = await asked('entries', { from: '2026-11-01', to: '2026-11-30', perPage: 100 })
  expect(listed).toBe(entries.length)
  const { statements } = await asked('statements', {})
  const { total } = await asked('earnings', { from: '2026-10', to: '2027-03' })
  return {
    deeds: total.deeds,
    statements: statements.toReversed().map(({ month, deeds: movements, before, due, dueOn, state }: Record<string, unknown>) => ({
      month,
      deeds: movements,
      before,
      due,
      dueOn,
      state,
    })),
  }
}
const moveTo = (timeZone: string) =>
  sql`update business_units set settings = settings || ${JSON.stringify({ timeZone })}::jsonb where key = 'azahar'`.execute(
    app.world.database.kysely,
  )

test('months that are closed at once net each commission once', async () => {
  await sell('2026-11-10T10:00:00Z')
  const { statements, deeds } = await close('2027-03-02T10:00:00Z')
  expect(deeds).toBe(1)
  // Each month adds up: opening balance, movements and payments give what is due.
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const listed = (await app.ask('/api/accounting/statements', { body: {}, headers })).body.data.statements
  for (const { before, account, earned, stampDuty, paid, due } of listed) {
    expect(before.account - before.commission + account - earned + stampDuty.amount + paid.account - paid.commission).toBeCloseTo(
      due.account,
      10,
    )
    expect(paid).toEqual({ account: 0, commission: 0 })
  }
  const due = { account: 12.51, commission: 0 }
  const netted = { deeds: 0, before: { account: 12.51, commission: 0 }, due, dueOn: '2027-03-16' }
  expect(statements).toEqual([
    { month: '2026-11', deeds: 1, before: { account: 0, commission: 0 }, due, dueOn: '2027-03-16', state: 'carried' },
    { month: '2026-12', deeds: 0, before: { account: 16.88, commission: 4.37 }, due, dueOn: '2027-03-16', state: 'carried' },
    { month: '2027-01', ...netted, state: 'carried' },
    { month: '2027-02', ...netted, dueOn: '2027-03-15', state: 'open' },
  ])
})

test.each([
  ['Europe/Madrid', 'Atlantic/Canary'],
  ['Atlantic/Canary', 'Europe/Madrid'],
])('an agency that moves from %s to %s has every movement on one statement', async (before, after) => {
  await moveTo(before)
  await sell('2026-11-10T10:00:00Z')
  await sell('2026-11-30T23:30:00Z')
  await close('2026-12-01T10:00:00Z')
  await moveTo(after)
  await sell('2026-12-31T23:30:00Z')
  const { statements, deeds } = await close('2027-02-01T10:00:00Z')
  expect(deeds).toBe(3)
  expect(statements.reduce((sum: number, each: { deeds: number }) => sum + each.deeds, 0)).toBe(3)
  expect(statements.at(-1).due.account).toBeCloseTo(3 * 12.51, 10)
})

test.each([
  ['Europe/Madrid', 'Atlantic/Canary'],
  ['Atlantic/Canary', 'Europe/Madrid'],
])('page, list, report and statement agree on each month after a move from %s to %s', async (before, after) => {
  await moveTo(before)
  for (const instant of ['2026-11-10T10:00:00Z', '2026-11-30T22:30:00Z']) await sell(instant)
  await close('2026-12-01T10:00:00Z')
  const months = ['2026-11', '2026-12', '2027-01']
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const asked = async (path: string, body: object) => (await app.ask(`/api/accounting/${path}`, { body, headers })).body.data
  const picture = async () =>
    Object.fromEntries(
      await Promise.all(
        months.map(async month => {
          const days = daysOf({ from: month, to: month })
          const page = await asked('earnings', { from: month, to: month })
          const list = await asked('entries', { ...days, perPage: 100 })
          const report = await app.world.database.inScope(demoScope('azahar'), tx =>
            earnedBy(tx, { ...days, currency: 'EUR', locale: 'es-ES', own: undefined }, ['month']),
          )
          expect(report.map(each => each.month)).toEqual(page.total.deeds === 0 ? [] : [month])
          expect([list.total, list.entries.length, report[0]?.deeds ?? 0]).toEqual([page.total.deeds, page.total.deeds, page.total.deeds])
          expect(page.months.map(({ name, deeds }: Record<string, unknown>) => [name, deeds])).toEqual([[month, page.total.deeds]])
          return [month, page.total.deeds]
        }),
      ),
    )
  const november = (await picture())['2026-11']
  await moveTo(after)
  // Instants between the two midnights, within the month, and late for the closed one.
  for (const instant of ['2026-11-30T23:30:00Z', '2026-12-31T22:30:00Z', '2026-12-31T23:30:00Z', '2026-11-12T10:00:00Z'])
    await sell(instant)
  const open = await picture()
  expect(open['2026-11']).toBe(november + (before === 'Atlantic/Canary' ? 2 : 1))
  expect(months.reduce((sum, month) => sum + (open[month] ?? 0), 0)).toBe(6)
  await close('2027-02-01T10:00:00Z')
  expect(await picture()).toEqual(open)
})

test('without netting the agency owes its account, and is owed its commission', async () => {
  await app.world.database.inScope(demoScope('azahar'), tx => saveTerms(tx, { netted: false }))
  await sell('2026-11-10T10:00:00Z')
  const { statements } = await close('2026-12-01T10:00:00Z')
  expect(statements).toMatchObject([{ due: { account: 16.88, commission: -4.37 }, dueOn: '2026-12-15' }])
  await sell('2026-12-10T10:00:00Z')
  const next = await close('2027-01-01T10:00:00Z')
  expect(next.statements[1]).toMatchObject({ before: { account: 16.88, commission: 4.37 }, due: { account: 33.76, commission: -8.74 } })
})
