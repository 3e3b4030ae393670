import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { admin } from '#server/administration/testing.ts'
import { leo, reach, sellAs } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { type November, playNovember } from '../testing.ts'
import { openClosing } from './close.ts'
import { overdueOf, type Standing } from './standing.ts'

let november: November
beforeEach(async () => {
  november = await playNovember()
})
afterEach(() => november.app.stop())

const student = (docNumber: string, startDate: string, endDate: string) => ({
  productUUID: november.seller.products.find(({ code }) => code === 'STU').uuid,
  users: [{ ...leo, ...reach, birthDate: '2005-01-15', docNumber }],
  paxNumber: 1,
  startDate,
  endDate,
  countriesDestinationId: '276',
})

/** Runs the hourly job at an instant. */
async function inTheHourOf(instant: string): Promise<void> {
  await november.at(instant)
  await openClosing(november.app.world)()
}

async function cancel(policyUuid: string): Promise<void> {
  const { app, seller } = november
  const ask = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  const ending = { policyUuid, version: 1 }
  const { refund: expectedRefund } = (await ask('cancel/preview', ending)).body.data
  const reply = await ask('cancel', { ...ending, reason: 'trip_cancelled', expectedRefund })
  expect(reply.status, reply.text).toBe(200)
}

/** Returns the debt as the agency and the insurer see it. */
async function seen() {
  const { statements } = await november.asAccountant('statements', {})
  const { accounts } = (await (await admin(november.app)).post('accounting/list')).body.data
  const own = accounts.find(({ businessUnit }: { businessUnit: { brandName: string } }) => businessUnit.brandName === 'Viajes Azahar')
  return {
    account: own.account,
    since: own.overdueSince,
    statements: own.openStatements.map(({ open }: { open: number }) => open),
    last: own.lastStatement.open.account,
    overdue: statements.flatMap(({ overdue }: { overdue: { amount: number } | null }) => (overdue ? [overdue.amount] : [])),
    page: (await november.asAccountant('statements/detail', { number: statements[0].number, page: 1, perPage: 1 })).open.account,
    states: statements.map(({ state }: { state: string }) => state),
  }
}

test('refunds lower what is overdue on every screen, and the mark goes with the debt', async () => {
  const { at, seller } = november
  await at('2026-12-22T10:00:00Z')
  const long = (await sellAs(seller, student('22222222J', '2027-03-10', '2027-06-08'))).body.data.policyData
  const short = (await sellAs(seller, student('44444444A', '2027-03-10', '2027-04-29'))).body.data.policyData
  await inTheHourOf('2027-01-01T06:00:00Z')
  await inTheHourOf('2027-01-21T08:00:00Z')
  const first = await seen()
  expect(first.since).toBe('2027-01-15')
  expect(first.overdue).toEqual([first.last])

  await cancel(short.policyUuid)
  await inTheHourOf('2027-01-21T09:00:00Z')
  const less = await seen()
  expect(less).toMatchObject({ since: '2027-01-15', account: less.last, overdue: [less.last], page: less.last, states: first.states })
  expect(less.last).toBeLessThan(first.last)
  expect(less.statements.reduce((sum: number, open: number) => sum + open, 0)).toBeCloseTo(less.last, 10)
  expect((await sellAs(seller, student('33333333P', '2027-05-10', '2027-06-08'))).body).toMatchObject({ error: 'account.overdue' })

  // January's statement is not due yet, and carries December's debt over.
  await inTheHourOf('2027-02-01T06:00:00Z')
  expect((await seen()).since).toBe('2027-01-15')
  await cancel(long.policyUuid)
  await inTheHourOf('2027-02-12T10:00:00Z')
  expect(await seen()).toMatchObject({ since: null, statements: [], last: 0, page: 0, overdue: [], states: ['open', 'carried', 'carried'] })
  const notices = november.app.world.database.kysely.selectFrom('account_notices').select(['kind', 'subject']).orderBy('kind')
  expect(await notices.execute()).toEqual([{ kind: 'overdue', subject: 'azahar-2026-12' }])
  expect((await sellAs(seller, student('33333333P', '2027-05-10', '2027-06-08'))).status).toBe(200)
})

test('a paid statement is not carried over', async () => {
  const { at, seller, asAccountant } = november
  await inTheHourOf('2027-02-12T10:00:00Z')
  expect((await sellAs(seller, student('22222222J', '2027-05-10', '2027-11-08'))).status).toBe(200)
  await inTheHourOf('2027-03-01T06:00:00Z')
  const operator = await admin(november.app)
  const { last } = await seen()
  const booked = { requestUuid: randomUUID(), way: 'received', amount: last, on: '2027-03-02', reference: 'TRF 1', beyond: true }
  await at('2027-03-02T10:00:00Z')
  const paid = await operator.post('accounting/payment', { businessUnitUuid: demoScope('azahar').businessUnitId, ...booked })
  expect(paid.status, paid.text).toBe(200)
  expect((await sellAs(seller, student('11111111H', '2027-05-10', '2027-11-08'))).status).toBe(200)
  await inTheHourOf('2027-04-01T06:00:00Z')
  const { statements } = await asAccountant('statements', {})
  expect(statements.slice(0, 2)).toMatchObject([
    { number: 'azahar-2027-03', state: 'open', carriedTo: null },
    { number: 'azahar-2027-02', state: 'paid', carriedTo: null },
  ])
})

test('a debt in one currency does not count in another', () => {
  const standing = (currency: string, account: number): Standing => {
    const row = { currency, number: currency, due_on: '2027-01-15', account_after_cents: account, commission_after_cents: 0, netted: true }
    return {
      // Safe: only these columns of a row are read.
      row: row as Standing['row'],
      state: 'overdue',
      settled: { received: 0, returned: 0, commission: 0 },
      owed: account,
      carriedTo: null,
      first: { starts_at: new Date(0), next_id: '' },
    }
  }
  const all = [standing('EUR', 700), standing('GBP', 30)]
  expect(['EUR', 'GBP', 'USD'].map(currency => overdueOf(all, currency))).toEqual([
    { open: 700, since: '2027-01-15', numbers: ['EUR'] },
    { open: 30, since: '2027-01-15', numbers: ['GBP'] },
    undefined,
  ])
})
