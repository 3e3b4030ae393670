import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sortKeys } from '#common/policies/search.ts'
import { searchable } from '#common/kit/text.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { idsAt, idsInOrder, countIds } from './queries.ts'
import type { PolicyRow } from '#server/policies/queries.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { scopeOf } from '#server/session/scope.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
let headers: Record<string, string>
let statusTypes: Record<'purchased' | 'budgeted' | 'cancelled', { uuid: string }>
let unitId: string
let rows: PolicyRow[]

beforeAll(async () => {
  app = await testApp()
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

/** Seeds so many more policies, and returns all of the unit. */
async function sell(many: number, seed: number): Promise<PolicyRow[]> {
  const options = { seed, now: new Date('2026-06-01T12:00:00Z'), show: () => {} }
  await seedPolicies(app.world.database, [{ scope: scopeOf(unitId), many }], options)
  return app.world.database.kysely.selectFrom('policies').selectAll().where('business_unit_id', '=', unitId).execute()
}

type SortKey = (typeof sortKeys)[number]
type ListQuery = {
  status: 'purchased' | 'budgeted' | 'cancelled'
  searchData: string
  sortCriteria: { key: SortKey; order: 'asc' | 'desc' }[]
  dateFrom: string | null
  page: number
  perPage: number
}

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
} as const satisfies Record<SortKey, keyof PolicyRow>

/** Computes the expected page by looking at every row. */
function expectedPage({ status, searchData, sortCriteria, dateFrom, page, perPage }: ListQuery) {
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
    .filter(
      row =>
        statuses.includes(row.status) &&
        words.every(word => row.search.includes(word)) &&
        (dateFrom === null || row.start_date >= dateFrom),
    )
    .toSorted(inOrder)
  return { total: found.length, ids: found.slice((page - 1) * perPage, page * perPage).map(({ id }) => id) }
}

async function actualPage({ status, ...query }: ListQuery) {
  const reply = await app.ask('/api/policy/list', { body: { ...query, statusTypeUuid: statusTypes[status].uuid }, headers })
  expect(reply.status, reply.text).toBe(200)
  const { total, policies }: { total: number; policies: { policyUuid: string }[] } = reply.body.data
  return { total, ids: policies.map(({ policyUuid }) => policyUuid) }
}

const plain: ListQuery = { status: 'purchased', searchData: '', sortCriteria: [], dateFrom: null, page: 1, perPage: 10 }

/** Words that nearly all rows have, many, few and none; and parts of existing texts. */
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

const queries = (): fc.Arbitrary<ListQuery> =>
  fc.record({
    status: fc.constantFrom('purchased', 'purchased', 'budgeted', 'cancelled'),
    searchData: someWords(),
    sortCriteria: fc.uniqueArray(fc.record({ key: fc.constantFrom(...sortKeys), order: fc.constantFrom('asc', 'desc') }), {
      maxLength: 2,
      selector: ({ key }) => key,
    }),
    dateFrom: fc.constantFrom(null, null, '2025-06-01', '2026-06-20'),
    page: fc.constantFrom(1, 1, 2, 3, 20, 50),
    perPage: fc.constantFrom(1, 7, 10, 100),
  })

it('a list equals a scan of every row, for any search, order and page', async () => {
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

it('ids are returned in order, in any number of parts', async () => {
  const filter = {
    statuses: ['purchased' as const],
    words: '',
    person: undefined,
    from: undefined,
    to: undefined,
    sellerId: undefined,
    ids: undefined,
  }
  const named = (parts?: number) =>
    app.world.database.inScope(scopeOf(unitId), tx => idsInOrder(tx, filter, [{ key: 'createdAt', order: 'desc' }], 1_000_000, parts))
  const all = expectedPage({ ...plain, perPage: rows.length }).ids
  for (const parts of [undefined, 7, 8, 64]) {
    const ids = await named(parts)
    expect(idsAt(ids, 0, countIds(ids))).toEqual(all)
  }
})

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
