import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoScope, giveRoles, signIn } from '#server/session/testing.ts'
import { ana, reach, sellAs } from '#server/policies/testing.ts'
import { bookPayment } from '../by-hand/book.ts'
import { closeMonths } from '../statements/close.ts'
import { closedNovember, type November } from '../testing.ts'

let november: November
beforeEach(async () => {
  november = await closedNovember()
})
afterEach(() => november.app.stop())

const number = 'azahar-2026-11'
const open = (more: object = {}) => november.asAccountant('statements/detail', { number, ...more })

test('a statement opens with its sums and its lines, the oldest first', async () => {
  const { statement, lines, ...rest } = await open({ perPage: 100 })
  expect(statement).toMatchObject({
    number,
    deeds: 6,
    gross: 653.57,
    account: 134.72,
    earned: 171.32,
    due: { account: -36.6, commission: 0 },
  })
  expect(lines.map(({ kind, gross, commission }: Record<string, unknown>) => [kind, gross, commission])).toEqual([
    ['sale', 33.76, 8.74],
    ['change', 17.08, 4.42],
    ['sale', 561.48, 155.75],
    ['cancellation', -50.84, -13.16],
    ['sale', 134.72, 27.4],
    ['change', -42.63, -11.83],
  ])
  expect(rest).toMatchObject({ total: 6, totalPages: 1, open: { account: -36.6, commission: 0 }, netting: 0, payments: [] })
})

test('a line that takes commission back has a reason and links to those that earned it', async () => {
  const { lines } = await open({ perPage: 100 })
  const { entries } = await november.asAccountant('entries', { from: '2026-11-01', to: '2026-11-30', perPage: 100 })
  for (const [saleA, changeA, saleB, cancelled, saleC, changeB] of [lines, entries.toReversed()]) {
    const pair = ({ uuid, at, kind, commission }: typeof saleA) => ({ uuid, at, kind, commission, statement: number })
    expect(cancelled).toMatchObject({
      why: { basis: 'before_departure', reason: 'trip_cancelled', byClient: false },
      takesBack: [pair(saleA), pair(changeA)],
      takenBackBy: [],
    })
    expect(saleA).toMatchObject({ why: null, takesBack: [], takenBackBy: [pair(cancelled)] })
    expect(changeA).toMatchObject({ why: { reason: null }, takesBack: [], takenBackBy: [pair(cancelled)] })
    expect(changeB).toMatchObject({ why: { basis: 'free_look', byClient: false }, takesBack: [pair(saleB)] })
    expect(saleB).toMatchObject({ takenBackBy: [pair(changeB)] })
    expect(saleC).toMatchObject({ why: null, takesBack: [], takenBackBy: [] })
  }
})

test('the pages of a statement hold each line once', async () => {
  const { lines } = await open({ perPage: 100 })
  const pages = await Promise.all([1, 2, 3, 4].map(page => open({ page, perPage: 2 })))
  expect(pages.flatMap(page => page.lines)).toEqual(lines)
})

test('a later payment lowers what is due, and is on the next month’s statement', async () => {
  const { app, at, seller, asAccountant } = november
  await app.world.database.inScope(demoScope('azahar'), tx =>
    bookPayment(app.world, tx, {
      requestId: randomUUID(),
      cents: 1660,
      currency: 'EUR',
      way: 'paid',
      by: randomUUID(),
      on: '2026-12-01',
      reference: 'N43-7',
    }),
  )
  const paid = [{ way: 'paid', on: '2026-12-01', reference: 'N43-7', reverses: false, account: -16.6, commission: 0 }]
  expect(await open()).toMatchObject({ open: { account: -20, commission: 0 }, payments: [{ ...paid[0], since: true }] })
  await sellAs(seller, {
    startDate: '2027-01-10',
    endDate: '2027-01-17',
    users: [{ ...ana, ...reach, docNumber: '11111111H' }],
    paxNumber: 1,
  })
  await at('2027-01-04T09:00:00Z')
  await closeMonths(app.world)
  const next = await asAccountant('statements/detail', { number: 'azahar-2026-12' })
  expect(next).toMatchObject({ total: 1, netting: 171.32, payments: [{ ...paid[0], since: false }] })
  const { before, account, earned, due } = next.statement
  expect(due.account).toBeCloseTo(before.account - before.commission + account - earned + 16.6, 10)
})

test('a late line of a closed month comes first on its statement', async () => {
  const { at, seller, app, asAccountant } = november
  await at('2027-01-04T09:00:00Z')
  await closeMonths(app.world)
  await at('2026-11-30T12:00:00Z')
  await sellAs(seller, {
    startDate: '2027-02-10',
    endDate: '2027-02-17',
    users: [{ ...ana, ...reach, docNumber: '22222222J' }],
    paxNumber: 1,
  })
  await at('2027-01-05T12:00:00Z')
  await sellAs(seller, {
    startDate: '2027-02-10',
    endDate: '2027-02-17',
    users: [{ ...ana, ...reach, docNumber: '33333333P' }],
    paxNumber: 1,
  })
  await at('2027-02-02T12:00:00Z')
  await closeMonths(app.world)
  const { lines, total } = await asAccountant('statements/detail', { number: 'azahar-2027-01' })
  expect(lines.map(({ at }: { at: string }) => at.slice(0, 7))).toEqual(['2026-11', '2027-01'])
  expect([total, (await open()).total]).toEqual([2, 6])
})

test('statements are shown to users who see all sales of their own unit', async () => {
  const { app, seller } = november
  const ask = (headers: Record<string, string>, body: object = { number }) =>
    app.ask('/api/accounting/statements/detail', { body, headers })
  expect((await ask(seller.headers)).status).toBe(403)
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  expect((await ask((await signIn(app, 'agent@rotta.example')).headers)).status).toBe(404)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  expect((await ask((await signIn(app, 'manager@azahar.example')).headers)).status).toBe(403)
  expect((await ask(november.accountant.headers, { number: '' })).status).toBe(422)
  expect((await ask(november.accountant.headers, { number, page: 0 })).status).toBe(422)
})

test('each view of a statement is audited', async () => {
  const { kysely } = november.app.world.database
  const entries = () => kysely.selectFrom('audit').select('details').where('action', '=', 'accounting.listed').execute()
  const before = (await entries()).length
  await open({ page: 2, perPage: 5 })
  const looks = (await entries()).map(({ details }) => details)
  expect(looks).toHaveLength(before + 1)
  expect(looks).toContainEqual({ statement: number, page: 2, shown: 1, seen: 1 })
})

test('each view of the list of statements is audited', async () => {
  const { kysely } = november.app.world.database
  const looks = () => kysely.selectFrom('audit').select('details').where('action', '=', 'accounting.listed').execute()
  const before = (await looks()).length
  const { statements } = await november.asAccountant('statements', { page: 1 })
  const after = (await looks()).map(({ details }) => details)
  expect(after).toHaveLength(before + 1)
  expect(after).toContainEqual({ page: 1, shown: statements.length })
})

test('each view of an agency’s sums is audited, but not a seller’s view of their own', async () => {
  const { app, accountant } = november
  const looks = async () =>
    (await app.world.database.kysely.selectFrom('audit').select('details').where('action', '=', 'accounting.listed').execute()).length
  const month = { from: '2026-11', to: '2026-11' }
  const look = async (path: string, headers: Record<string, string>) =>
    expect((await app.ask(`/api/accounting/${path}`, { body: month, headers })).status).toBe(200)
  const before = await looks()
  await look('earnings', accountant.headers)
  await look('rates', accountant.headers)
  expect(await looks()).toBe(before + 2)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const { headers } = await signIn(app, 'manager@azahar.example')
  await look('earnings', headers)
  await look('rates', headers)
  expect(await looks()).toBe(before + 2)
})
