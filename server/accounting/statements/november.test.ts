import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, reach, sellAs } from '#server/policies/testing.ts'
import { giveRoles, signIn } from '#server/session/testing.ts'
import { type November, playNovember } from '../testing.ts'
import { closeMonths } from './close.ts'

let app: November['app']
let seller: November['seller']
let accountant: November['accountant']
let at: November['at']
let asAccountant: November['asAccountant']

beforeEach(async () => {
  ;({ app, seller, accountant, at, asAccountant } = await playNovember())
})
afterEach(() => app.stop())

async function close(instant = '2026-12-01T05:00:00Z'): Promise<void> {
  await at(instant)
  await closeMonths(app.world)
}
const sell = (startDate: string, endDate: string, docNumber: string) =>
  sellAs(seller, { startDate, endDate, users: [{ ...ana, ...reach, docNumber }], paxNumber: 1 })

const month = { from: '2026-11-01', to: '2026-11-30' }
const sums = { deeds: 6, gross: 653.57, account: 134.72, earned: 171.32 }

test('November is earned movement by movement, to the cent', async () => {
  const { entries, ...rest } = await asAccountant('entries', { ...month, perPage: 100 })
  expect(
    entries
      .toReversed()
      .map(({ kind, way, gross, account, commission, state }: Record<string, unknown>) => [kind, way, gross, account, commission, state]),
  ).toEqual([
    ['sale', 'account', 33.76, 33.76, 8.74, 'open'],
    ['change', 'account', 17.08, 17.08, 4.42, 'open'],
    ['sale', 'card', 561.48, 0, 155.75, 'open'],
    ['cancellation', 'account', -50.84, -50.84, -13.16, 'open'],
    ['sale', 'account', 134.72, 134.72, 27.4, 'open'],
    ['change', 'card', -42.63, 0, -11.83, 'open'],
  ])
  expect(rest).toMatchObject({ total: 6, totalPages: 1, currency: 'EUR', sums })
})

test('the earnings of a month are the same before and after it is closed', async () => {
  const picture = await asAccountant('earnings', { from: '2026-10', to: '2026-12' })
  expect(picture.total).toEqual(sums)
  expect(picture.months.map(({ name, earned }: { name: string; earned: number }) => [name, earned])).toEqual([
    ['2026-10', 0],
    ['2026-11', 171.32],
    ['2026-12', 0],
  ])
  await close('2026-12-01T04:59:59Z')
  expect((await asAccountant('statements', {})).statements).toEqual([])
  await at('2026-12-01T05:00:00Z')
  await Promise.all([closeMonths(app.world), closeMonths(app.world)])
  expect(await asAccountant('earnings', { from: '2026-10', to: '2026-12' })).toEqual(picture)
})

test('the statement of November nets the commission, and is paid by the insurer', async () => {
  await close()
  const { statements } = await asAccountant('statements', {})
  expect(statements).toMatchObject([
    {
      number: 'azahar-2026-11',
      month: '2026-11',
      dueOn: '2026-12-15',
      netted: true,
      ...sums,
      before: { account: 0, commission: 0 },
      due: { account: -36.6, commission: 0 },
      state: 'open',
    },
  ])
  const { entries, sums: ofMonth } = await asAccountant('entries', month)
  // Whole months are added up from the statements, other days from the book.
  const { sums: ofDays } = await asAccountant('entries', { ...month, to: '2026-12-01' })
  const byProduct = await asAccountant('entries', { ...month, productUuid: randomUUID() })
  expect([ofMonth, ofDays, byProduct.sums.deeds]).toEqual([sums, sums, 0])
  expect(new Set(entries.map(({ state, statement }: Record<string, string>) => `${state} ${statement}`))).toEqual(
    new Set(['on_statement azahar-2026-11']),
  )
})

test('a later sale is in the next month, and the closed one stays as it is', async () => {
  await close()
  const before = await asAccountant('statements', {})
  await sell('2027-01-10', '2027-01-17', '11111111H')
  await close('2027-01-04T09:00:00Z')
  const { statements } = await asAccountant('statements', {})
  expect(statements.slice(1)).toEqual(
    before.statements.map((each: object) => ({ ...each, state: 'carried', carriedTo: 'azahar-2026-12', overdue: null })),
  )
  expect(statements[0]).toMatchObject({ number: 'azahar-2026-12', deeds: 1, before: { account: 134.72, commission: 171.32 } })
  expect(statements[0].due.account).toBeCloseTo(-36.6 + statements[0].account - statements[0].earned, 10)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('earnings need the permission, and cover the own unit alone', async () => {
  expect((await app.ask('/api/accounting/entries', { body: month, headers: seller.headers })).status).toBe(403)
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  const { headers } = await signIn(app, 'agent@rotta.example')
  const ofRotta = async (path: string, body: object) => (await app.ask(`/api/accounting/${path}`, { body, headers })).body.data
  expect((await ofRotta('entries', month)).entries).toEqual([])
  expect((await ofRotta('earnings', { from: '2026-11', to: '2026-11' })).total.deeds).toBe(0)
  expect((await ofRotta('statements', {})).statements).toEqual([])
})

test('a user who sees only own sales sees their earnings, and no statements', async () => {
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const { headers } = await signIn(app, 'manager@azahar.example')
  const ask = (path: string, body: object) => app.ask(`/api/accounting/${path}`, { body, headers })
  for (const body of [month, { ...month, sellerUuid: seller.user.uuid }]) expect((await ask('entries', body)).body.data.entries).toEqual([])
  expect((await ask('earnings', { from: '2026-11', to: '2027-01' })).body.data.total).toEqual({ deeds: 0, gross: 0, account: 0, earned: 0 })
  expect((await ask('statements', {})).status).toBe(403)
})

test('entries and earnings refuse impossible, reversed or too many days at the field', async () => {
  const wrong: [string, { from: string; to: string }][] = [
    ['entries', { from: '2026-11-30', to: '2026-11-01' }],
    ['entries', { from: '2026-11-31', to: '2026-12-01' }],
    ['entries', { from: '2020-01-01', to: '2026-11-30' }],
    ['entries', { from: '0001-01-01', to: '0001-01-02' }],
    ['entries', { from: '9999-12-31', to: '9999-12-31' }],
    ['earnings', { from: '9999-12', to: '9999-12' }],
    ['earnings', { from: '2026-12', to: '2026-11' }],
    ['earnings', { from: '2020-01', to: '2026-11' }],
    ['earnings', { from: '2026-13', to: '2026-14' }],
  ]
  for (const [path, body] of wrong) {
    const reply = await app.ask(`/api/accounting/${path}`, { body, headers: accountant.headers })
    expect([path, body, reply.status]).toEqual([path, body, 422])
    expect(reply.body.fields.length).toBeGreaterThan(0)
  }
})

test('a late booking of a closed month is on the next statement, earned in its month', async () => {
  await close()
  await sell('2027-01-10', '2027-01-17', '11111111H')
  await close('2027-01-04T09:00:00Z')
  const earned = async () =>
    (await asAccountant('earnings', { from: '2026-11', to: '2026-12' })).months.map((each: { deeds: number }) => each.deeds)
  expect(await earned()).toEqual([6, 1])
  await at('2026-11-30T12:00:00Z')
  await sell('2027-02-10', '2027-02-17', '22222222J')
  expect(await earned()).toEqual([7, 1])
  expect((await asAccountant('earnings', { from: '2026-10', to: '2026-10' })).total.deeds).toBe(0)
  const late = async () => (await asAccountant('entries', { ...month, perPage: 100 })).entries[0]
  expect(await late()).toMatchObject({ state: 'open', statement: null })
  await close('2027-02-02T12:00:00Z')
  expect(await late()).toMatchObject({ statement: 'azahar-2027-01' })
  const { statements } = await asAccountant('statements', {})
  expect(statements.map(({ number, deeds }: Record<string, unknown>) => [number, deeds])).toEqual([
    ['azahar-2027-01', 1],
    ['azahar-2026-12', 1],
    ['azahar-2026-11', 6],
  ])
  expect(await earned()).toEqual([7, 1])
})

test('earnings have fifty products and agents, or all on request, with the same total', async () => {
  await close()
  await at('2026-11-30T12:00:00Z')
  await sell('2027-02-10', '2027-02-17', '22222222J')
  await close('2027-02-02T12:00:00Z')
  const { kysely } = app.world.database
  const [november] = await kysely.selectFrom('statements').selectAll().where('number', '=', 'azahar-2026-11').execute()
  await sql`insert into statement_sums (business_unit_id, statement_id, month, product_id, seller_id, way, kind, deeds, gross_cents, account_cents, earned_cents)
    select ${november?.business_unit_id}, ${november?.id}, '2026-11-01', gen_random_uuid(), gen_random_uuid(), 'card', 'sale', 1, 100, 0, 7
    from generate_series(1, 60)`.execute(kysely)
  const picture = async (whole: object) => {
    const { total, products, sellers } = await asAccountant('earnings', { from: '2026-11', to: '2026-11', ...whole })
    const earned = (rows: { earned: number }[]) => Math.round(rows.reduce((sum, row) => sum + row.earned * 100, 0))
    return { total, many: [products.length, sellers.length], earned: [earned(products), earned(sellers), Math.round(total.earned * 100)] }
  }
  const most = await picture({})
  expect(most.many).toEqual([50, 50])
  const { total, many, earned } = await picture({ whole: true })
  expect([total, many]).toEqual([most.total, [63, 61]])
  expect(new Set(earned).size).toBe(1)
})
