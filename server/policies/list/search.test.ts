import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { sortKeys } from '#common/policies/search.ts'
import { searchable } from '#common/kit/text.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Filter, pageUncounted } from './queries.ts'
import { asArray, idsInOrder } from '#server/policies/export/queries.ts'
import type { PolicyRow } from '#server/policies/queries.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { scopeOf } from '#server/session/scope.ts'
import { signIn } from '#server/session/testing.ts'
import { openTotals } from './totals.ts'

let app: TestApp
let headers: Record<string, string>
let statusTypes: Record<'purchased' | 'budgeted' | 'cancelled', { uuid: string }>
let unitId: string
let rows: PolicyRow[]

beforeAll(async () => {
  // A count is cached as long as no time passes.
  app = await testApp({}, { elapsed: () => 0 })
  ;({ headers } = await signIn(app, 'agent@azahar.example'))
  statusTypes = (await app.ask('/api/business-unit/settings', { headers })).body.data.policyStatusTypes
  ;({ id: unitId } = await app.world.database.kysely
    .selectFrom('business_units')
    .select('id')
    .where('key', '=', 'azahar')
    .executeTakeFirstOrThrow())
  rows = await sell(600, 11)
})
afterAll(() => app.stop())

/** Seeds this many more policies, and returns all of the unit. */
async function sell(many: number, seed: number): Promise<PolicyRow[]> {
  const options = { seed, now: new Date('2026-06-01T12:00:00Z'), show: () => {} }
  await seedPolicies(app.world, [{ scope: scopeOf(unitId), many }], options)
  return app.world.database.kysely.selectFrom('policies').selectAll().where('business_unit_id', '=', unitId).execute()
}

type SortKey = (typeof sortKeys)[number]
type ListQuery = {
  status: 'purchased' | 'budgeted' | 'cancelled'
  searchData: string
  sortCriteria: { key: SortKey; order: 'asc' | 'desc' }[]
  page: number
  perPage: number
} & Conditions

type Conditions = Record<'dateFrom' | 'dateTo' | 'returnFrom' | 'returnTo' | 'sellerUuid' | 'productUuid', string | null>

const columns = {
  policyUuid: 'id',
  policyNumber: 'number',
  productUuid: 'product_id',
  productName: 'product_sort',
  policyTaker: 'taker_sort',
  username: 'seller_sort',
  startDate: 'start_date',
  endDate: 'end_date',
  createdAt: 'created_at',
  status: 'status',
  buReference: 'reference_sort',
  total: 'total_cents',
  commission: 'commission_cents',
  priceValidUntil: 'price_valid_until',
} as const satisfies Record<SortKey, keyof PolicyRow>

/** Computes the expected page by looking at every row. */
function expectedPage({ status, searchData, sortCriteria, page, perPage, ...conditions }: ListQuery) {
  const statuses: string[] = status === 'budgeted' ? ['budgeted', 'pending'] : [status]
  const words = searchable(searchData).split(' ')
  const steps = [
    ...(sortCriteria.length > 0 ? sortCriteria : [{ key: 'createdAt' as const, order: 'desc' as const }]),
    { key: 'policyUuid' as const, order: sortCriteria.length > 0 ? (sortCriteria[0]?.order ?? 'asc') : ('desc' as const) },
  ]
  const inOrder = (one: PolicyRow, other: PolicyRow): number => {
    for (const { key, order } of steps) {
      const [a, b] = [one[columns[key]] ?? '', other[columns[key]] ?? '']
      if (a < b) return order === 'asc' ? -1 : 1
      if (a > b) return order === 'asc' ? 1 : -1
    }
    return 0
  }
  const found = rows
    .filter(row => statuses.includes(row.status) && words.every(word => row.search.includes(word)) && isWithin(row, conditions))
    .toSorted(inOrder)
  // A saved quote can be sold until its trip begins.
  const open = found.filter(row => status !== 'budgeted' || row.start_date >= today(new Date(), 'Europe/Madrid'))
  const sum = (column: 'total_cents' | 'commission_cents') => open.reduce((cents, row) => cents + row[column], 0) / 100
  return {
    total: found.length,
    sums: { policies: open.length, total: sum('total_cents'), commission: sum('commission_cents') },
    ids: found.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
  }
}

const isWithin = (row: PolicyRow, { dateFrom, dateTo, returnFrom, returnTo, sellerUuid, productUuid }: Conditions): boolean =>
  (dateFrom === null || row.start_date >= dateFrom) &&
  (dateTo === null || row.start_date <= dateTo) &&
  (returnFrom === null || row.end_date >= returnFrom) &&
  (returnTo === null || row.end_date <= returnTo) &&
  (sellerUuid === null || row.seller_id === sellerUuid) &&
  (productUuid === null || row.product_id === productUuid)

async function actualPage({ status, ...query }: ListQuery) {
  const reply = await app.ask('/api/policy/list', { body: { ...query, statusTypeUuid: statusTypes[status].uuid }, headers })
  expect(reply.status, reply.text).toBe(200)
  const { total, sums, policies }: { total: number; sums: object; policies: { policyUuid: string }[] } = reply.body.data
  return { total, sums, ids: policies.map(({ policyUuid }) => policyUuid) }
}

const any: Conditions = { dateFrom: null, dateTo: null, returnFrom: null, returnTo: null, sellerUuid: null, productUuid: null }
const plain: ListQuery = { status: 'purchased', searchData: '', sortCriteria: [], page: 1, perPage: 10, ...any }

/** Draws words that nearly all, many, few or no rows have, and parts of existing texts. */
const someWords = () =>
  fc.oneof(
    fc.constantFrom(
      '',
      'a',
      'García',
      'garcia ',
      'exp-',
      'exp-00000',
      'zzz',
      '%',
      '_',
      '\\',
      'Lucía Ferrer',
      'ferrer a lucia',
      'gar a de e',
      '-',
    ),
    fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 })).map(([index, from, length]) => {
      const lines = (rows[index % rows.length]?.search ?? '').split('\n')
      const line = lines[from % lines.length] ?? ''
      const start = from % Math.max(line.length, 1)
      return line.slice(start, start + length)
    }),
  )

/** Draws mostly no conditions; else some days, or the agent or product of some row. */
const conditions = (): fc.Arbitrary<Conditions> => {
  const days = fc.constantFrom(null, null, null, '2025-06-01', '2026-06-20', '2026-07-15')
  const idOf = (column: 'seller_id' | 'product_id') =>
    fc.option(
      fc.nat().map(index => rows[index % rows.length]?.[column] ?? null),
      { freq: 2 },
    )
  const period = fc.tuple(days, days).map(([from, to]) => (from && to && from > to ? { from: to, to: from } : { from, to }))
  return fc
    .record({ departure: period, return: period, sellerUuid: idOf('seller_id'), productUuid: idOf('product_id') })
    .map(({ departure, return: back, ...ids }) => ({
      dateFrom: departure.from,
      dateTo: departure.to,
      returnFrom: back.from,
      returnTo: back.to,
      ...ids,
    }))
}

const queries = (): fc.Arbitrary<ListQuery> =>
  fc
    .record({
      status: fc.constantFrom('purchased', 'purchased', 'budgeted', 'cancelled'),
      searchData: someWords(),
      sortCriteria: fc.uniqueArray(fc.record({ key: fc.constantFrom(...sortKeys), order: fc.constantFrom('asc', 'desc') }), {
        maxLength: 2,
        selector: ({ key }) => key,
      }),
      page: fc.constantFrom(1, 1, 2, 3, 20, 50),
      perPage: fc.constantFrom(1, 7, 10, 100),
      conditions: conditions(),
    })
    .map(({ conditions, ...query }) => ({ ...query, ...conditions }))

it('lists and sums equal a scan of every row, for any search, filter, order and page', async () => {
  await fc.assert(
    fc.asyncProperty(queries(), async query => {
      expect(await actualPage(query)).toEqual(expectedPage(query))
    }),
    { numRuns: 200 },
  )
})

it('matches beyond the scanned part of the order’s index are found', async () => {
  const sortCriteria = [{ key: 'startDate' as const, order: 'asc' as const }]
  const days = rows.filter(({ status }) => status === 'purchased').map(row => row.start_date)
  for (const dateFrom of new Set(days.toSorted().slice(0, 60))) {
    const query = { ...plain, searchData: 'a', sortCriteria, dateFrom }
    expect(await actualPage(query)).toEqual(expectedPage(query))
  }
})

it('a cached count includes what was sold since', async () => {
  const query = { ...plain, searchData: 'garcía' }
  const before = await actualPage(query)
  expect(await actualPage(query)).toEqual(before)
  rows = await sell(20, 12)
  const after = await actualPage(query)
  expect(after).toEqual(expectedPage(query))
  expect(after.total).toBeGreaterThan(before.total)
})

const sold: Filter = {
  statuses: ['purchased'],
  words: '',
  person: undefined,
  from: undefined,
  to: undefined,
  returnFrom: undefined,
  returnTo: undefined,
  soldBy: undefined,
  productId: undefined,
  sellerId: undefined,
  ids: undefined,
}

it('a list of many policies does not wait for its sums, which another call returns', async () => {
  const totals = openTotals(app.world, { fewEnough: 100 })
  const inUnit = <T>(work: (tx: UnitTx) => Promise<T>) => app.world.database.inScope(scopeOf(unitId), work)
  const expected = expectedPage({ ...plain, dateFrom: '2026-06-20' })
  const filter = { ...sold, from: '2026-06-20' }
  expect(await inUnit(tx => totals.of(tx, filter))).toMatchObject({ matches: expected.total, sums: undefined })
  const { body } = await app.ask('/api/policy/totals', { body: { dateFrom: '2026-06-20' }, headers })
  expect(body.data).toEqual({ ...expected.sums, matches: expected.total })
  const { matches: _, ...sums } = await inUnit(tx => totals.sums(tx, filter))
  expect({ ...sums, total: sums.total / 100, commission: sums.commission / 100 }).toEqual(expected.sums)
  // The counts of views do likewise.
  const later = { ...sold, from: '2026-07-15' }
  const count = (exact: boolean) => inUnit(tx => totals.count(tx, later, { exact }))
  const many = expectedPage({ ...plain, dateFrom: '2026-07-15' }).total
  expect([await count(false), await count(true), await count(false)]).toEqual([undefined, many, many])
  // Once added up they come with the list.
  expect(await inUnit(tx => totals.of(tx, filter))).toMatchObject({ sums })
})

describe('among more policies than are counted at once', () => {
  const pretended = 50_000
  const pretend = (many: number) =>
    sql`update policy_counts set purchased = purchased + ${many}, budgeted = budgeted + ${many}, cancelled = cancelled + ${many}
      where business_unit_id = ${unitId} and part = 0`.execute(app.world.database.kysely)

  it('a page comes before its count, which then follows exactly and by itself', async () => {
    await pretend(pretended)
    const ways = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(queries().filter(isFiltered), async query => {
        const expected = expectedPage(query)
        const first = await listedFor(query)
        expect(idsIn(first)).toEqual(expected.ids)
        ways.add(first.totalIsExact)
        if (!first.totalIsExact) {
          // At least one more row follows.
          expect([first.total, first.totalPages, first.sums]).toEqual([
            (query.page - 1) * query.perPage + first.policies.length + 1,
            query.page + 1,
            null,
          ])
          expect(first.total).toBeLessThanOrEqual(expected.total)
          await expect.poll(async () => (await listedFor(query)).totalIsExact).toBe(true)
          expect((await listedFor(query)).sums).toEqual(expected.sums)
        }
        const { total, totalPages, ...then } = await listedFor(query)
        expect([total, totalPages, idsIn(then)]).toEqual([expected.total, Math.ceil(expected.total / query.perPage), expected.ids])
        expect(await totalsFor(query)).toEqual({ ...expected.sums, matches: expected.total })
      }),
      // Both ways are taken, whatever is drawn. No other test has counted these two.
      {
        numRuns: 60,
        examples: [[{ ...plain, dateFrom: '2025-06-02', perPage: 1 }], [{ ...plain, dateFrom: '2025-06-02', searchData: 'zzz' }]],
      },
    )
    expect(ways).toEqual(new Set([true, false]))
    await pretend(-pretended)
  })

  it('a page is searched further on if its first rows show frequent matches', async () => {
    const uncounted = (words: string, limit: number, looked: [number, number]) =>
      app.world.database.inScope(scopeOf(unitId), tx =>
        pageUncounted(tx, { ...sold, words }, { sorting: [{ key: 'createdAt', order: 'desc' }], offset: 0, limit }, looked),
      )
    const all = expectedPage({ ...plain, searchData: 'garcia', perPage: rows.length }).ids
    expect(all.length).toBeGreaterThan(20)
    const idsOf = async (...args: Parameters<typeof uncounted>) => (await uncounted(...args))?.map(({ id }) => id)
    expect(await idsOf('garcia', 10, [20, rows.length])).toEqual(all.slice(0, 10))
    expect(await idsOf('garcia', 10, [20, 20])).toBeUndefined()
    expect(await idsOf('zzz', 10, [20, rows.length])).toBeUndefined()
    // A page of all matches has none that follow.
    expect(await idsOf('garcia', all.length, [20, rows.length])).toBeUndefined()
    expect(await idsOf('garcia', all.length - 1, [rows.length, rows.length])).toEqual(all.slice(0, -1))
  })
})

// Safe: the keys of a value of this type.
const conditionNames = Object.keys(any) as (keyof Conditions)[]

const isFiltered = (query: ListQuery): boolean => searchable(query.searchData) !== '' || conditionNames.some(name => query[name] !== null)

type Listed = { total: number; totalPages: number; totalIsExact: boolean; sums: object | null; policies: { policyUuid: string }[] }

const listedFor = async ({ status, ...query }: ListQuery): Promise<Listed> =>
  (await app.ask('/api/policy/list', { body: { ...query, statusTypeUuid: statusTypes[status].uuid }, headers })).body.data

const totalsFor = async ({ status, searchData, ...query }: ListQuery): Promise<object> => {
  const conditions = Object.fromEntries(conditionNames.map(name => [name, query[name]]))
  const body = { ...conditions, searchData, statusTypeUuid: statusTypes[status].uuid }
  return (await app.ask('/api/policy/totals', { body, headers })).body.data
}

const idsIn = ({ policies }: Pick<Listed, 'policies'>): string[] => policies.map(({ policyUuid }) => policyUuid)

it('ids are returned in order, in any number of parts', async () => {
  const filter = sold
  const all = expectedPage({ ...plain, perPage: rows.length }).ids
  for (const atOnce of [7, 8, 64, all.length, all.length + 1]) {
    const parts = await app.world.database.inScope(scopeOf(unitId), tx =>
      idsInOrder(tx, filter, [{ key: 'createdAt', order: 'desc' }], 1_000_000, atOnce),
    )
    const expected = Array.from({ length: Math.ceil(all.length / atOnce) }, (_, index) => all.slice(index * atOnce, (index + 1) * atOnce))
    expect(await readBack(parts)).toEqual(expected)
  }
  const few = await app.world.database.inScope(scopeOf(unitId), tx => idsInOrder(tx, filter, [{ key: 'createdAt', order: 'desc' }], 9, 4))
  expect(await readBack(few)).toEqual([all.slice(0, 4), all.slice(4, 8), all.slice(8, 9)])
  expect(await readBack([Buffer.alloc(0)])).toEqual([[]])
})

/** Returns the ids as PostgreSQL reads them. */
async function readBack(parts: Buffer[]): Promise<string[][]> {
  const read: string[][] = []
  for (const part of parts) {
    const { rows: found } = await sql<{ ids: string[] }>`select ${asArray(part)}::uuid[] as ids`.execute(app.world.database.kysely)
    read.push(found[0]?.ids ?? [])
  }
  return read
}

it('the export equals a scan of every row, in any number of batches', async () => {
  rows = await sell(1500, 13)
  for (const searchData of ['', 'a', 'garcia', 'zzz']) {
    const query = { ...plain, searchData, sortCriteria: [{ key: 'policyTaker' as const, order: 'desc' as const }], perPage: 5000 }
    const reply = await app.context.http.inject({
      method: 'POST',
      url: '/api/policy/list',
      headers,
      payload: { export: true, searchData, sortCriteria: query.sortCriteria },
    })
    const { sheets } = await readXlsx(reply.rawPayload)
    const numbers = new Map(rows.map(({ id, number }) => [id, number]))
    expect(sheets[0]?.rows.slice(1).flatMap(([number]) => (number === 'Total' ? [] : [number]))).toEqual(
      expectedPage(query).ids.map(id => numbers.get(id)),
    )
  }
})
