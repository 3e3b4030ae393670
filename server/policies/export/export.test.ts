import { request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addYears, today } from '#common/kit/dates.ts'
import type { Database } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { giveRoles, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let manager: Seller
let budgeted: { statusTypeUuid: string }
let origin: string
const log: string[] = []
/** The number of policies, for some full batches and a partial one. */
const copies = 4345

beforeAll(async () => {
  app = await testApp({ LOG_LEVEL: 'info' }, { logTo: { write: line => void log.push(line) } })
  origin = await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  seller = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
  const settings = (await app.ask('/api/business-unit/settings', { headers: seller.headers })).body.data
  budgeted = { statusTypeUuid: settings.policyStatusTypes.budgeted.uuid }
  for (const buReference of ['Norte 1', 'Norte 2', 'Sur 1']) await sellAs(seller, { buReference })
  await sellAs(manager, { buReference: 'Sur 2' })
  const rotta = await sellerOf(app, 'agent@rotta.example')
  await registerAs(rotta, { saveBudget: true, buReference: 'Rotta' })
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  // Many share policyholder and time of creation, so that batches end between equals.
  await sql`
    insert into policies (business_unit_id, id, status, version, product_id, product_name, product_sort, taker, taker_sort, seller_id, seller_name,
      seller_sort, reference, reference_sort, start_date, end_date, locale, currency, total_cents, complete, price_valid_until, created_at,
      updated_at, search)
    select business_unit_id, gen_random_uuid(), status, version, product_id, product_name, product_sort, 'Taker ' || n % 7, 'taker ' || n % 7,
      seller_id, seller_name, seller_sort, 'B-' || n, 'b-' || lpad(n::text, 5, '0'), start_date, end_date, locale, currency, total_cents, complete,
      price_valid_until, created_at + n % 5 * interval '1 second', updated_at, search
    from policies, generate_series(1, ${copies}::int) n where id = ${policyUuid}`.execute(app.world.database.kysely)
  await sql`
    update policy_counts set budgeted = budgeted + ${copies} where ctid = (
      select min(ctid) from policy_counts where business_unit_id = ${seller.user.businessUnits[0].uuid})`.execute(app.world.database.kysely)
})
afterAll(() => app.stop())

async function sheetOf(body: object, { headers }: { headers: Record<string, string> } = seller) {
  const payload = { export: true, ...body }
  const reply = await app.context.http.inject({ method: 'POST', url: '/api/policy/list', headers, payload })
  expect(reply.statusCode).toBe(200)
  const { sheets } = await readXlsx(reply.rawPayload)
  return sheets[0]
}
const referencesIn = async (body: object, by = seller) =>
  (await sheetOf(body, by))?.rows
    .filter(([number]) => number !== 'Total')
    .slice(1)
    .map(row => String(row[8])) ?? []
const listed = async (body: object, { headers } = seller): Promise<string[]> =>
  (await app.ask('/api/policy/list', { body: { perPage: 100, ...body }, headers })).body.data.policies.map(
    ({ buReference }: { buReference: string }) => buReference,
  )

it('the workbook freezes its header row', async () => {
  expect((await sheetOf({}))?.freezePane).toMatchObject({ rows: 1 })
})

describe('the workbook’s amounts', () => {
  it('end with their sums', async () => {
    const [head, ...rows] = (await sheetOf({}))?.rows ?? []
    const sums = rows.pop()
    expect([head?.slice(9), sums?.[0]]).toEqual([['Total', 'Comisión', 'Moneda'], 'Total'])
    expect(rows).toHaveLength(4)
    for (const column of [9, 10]) {
      const sum = rows.reduce((cents, row) => cents + Math.round(Number(row[column]) * 100), 0)
      expect(sum).toBeGreaterThan(0)
      expect(Math.round(Number(sums?.[column]) * 100)).toBe(sum)
    }
    expect((await sheetOf({ searchData: 'no such' }))?.rows).toHaveLength(1)
  })

  it('end with the sums of all batches', async () => {
    const [, ...rows] = (await sheetOf(budgeted))?.rows ?? []
    const sums = rows.pop()
    expect(rows.length).toBeGreaterThan(copies)
    const sum = rows.reduce((cents, row) => cents + Math.round(Number(row[9]) * 100), 0)
    expect(Math.round(Number(sums?.[9]) * 100)).toBe(sum)
  })

  it('have no commission for users who may not see it', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const [head, ...rows] = (await sheetOf({}, viewer))?.rows ?? []
    expect(head?.slice(9)).toEqual(['Total', 'Moneda'])
    expect(rows.map(row => row[10])).toEqual(['EUR', 'EUR', 'EUR', 'EUR', 'EUR'])
  })
})

it('the workbook has all that was typed but characters that no workbook can hold', async () => {
  const texts = ['=SUM(A1)', '<&">', 'a\u001eb\u001fc', ' a  b ', 'Ñ 😀', '']
  for (const reference of texts) {
    const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
    await sql`update policies set reference = ${reference}, taker = ${`T${reference}`} where id = ${policyUuid}`.execute(
      app.world.database.kysely,
    )
    const rows = (await sheetOf({ ...budgeted, policyUuids: [policyUuid] }))?.rows ?? []
    expect(rows[1]?.slice(0, 3)).toEqual(['', expect.any(String), `T${shownIn(reference)}`].map(text => (text === '' ? null : text)))
    expect(rows[1]?.[8] ?? '').toBe(shownIn(reference))
    await app.ask('/api/policy', { method: 'DELETE', body: { policyUuid }, headers: seller.headers })
  }
})

const shownIn = (text: string): string => text.replaceAll(/[\u001e\u001f]/g, '')

describe('the workbook equals the list', () => {
  it.each<[what: string, body: () => object, expected: string[]]>([
    ['without a filter', () => ({}), ['Sur 2', 'Sur 1', 'Norte 2', 'Norte 1']],
    ['for a search', () => ({ searchData: 'norte' }), ['Norte 2', 'Norte 1']],
    ['for a search without matches', () => ({ searchData: 'oeste' }), []],
    ['for trips from a day on', () => ({ dateFrom: addYears(today(new Date(), 'Europe/Madrid'), 1) }), []],
    ['for trips until a day', () => ({ dateTo: '2000-01-01' }), []],
    ['in the chosen order', () => ({ sortCriteria: [{ key: 'buReference', order: 'asc' }] }), ['Norte 1', 'Norte 2', 'Sur 1', 'Sur 2']],
    ['for another status', () => ({ ...budgeted, searchData: 'no such' }), []],
  ])('%s', { tags: 'S7.11' }, async (_, body, expected) => {
    expect(await referencesIn(body())).toEqual(expected)
    expect(await listed(body())).toEqual(expected)
  })

  it('for chosen policies', { tags: 'S7.11' }, async () => {
    const { policies } = (await app.ask('/api/policy/list', { body: {}, headers: seller.headers })).body.data
    const chosen = [policies[0], policies[2]]
    const policyUuids = chosen.map(({ policyUuid }) => policyUuid)
    expect(await referencesIn({ policyUuids })).toEqual(chosen.map(({ buReference }) => buReference))
  })

  it('for a user limited to own sales', async () => {
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    expect(await referencesIn({}, manager)).toEqual(['Sur 2'])
    expect(await referencesIn(budgeted, manager)).toEqual([])
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })
})

it.each([
  [[{ key: 'buReference', order: 'asc' }]],
  [[{ key: 'buReference', order: 'desc' }]],
  [[{ key: 'policyTaker', order: 'asc' }]],
  [[{ key: 'createdAt', order: 'desc' }]],
  [
    [
      { key: 'policyTaker', order: 'asc' },
      { key: 'buReference', order: 'desc' },
    ],
  ],
  [[{ key: 'policyNumber', order: 'asc' }]],
])('batches have no gaps or repeats when sorted by %j', async sortCriteria => {
  const found = await referencesIn({ ...budgeted, sortCriteria })
  expect(found).toHaveLength(copies + 1)
  expect(new Set(found).size).toBe(copies + 1)
  expect(found).not.toContain('Rotta')
  const pages = await Promise.all([1, 20, 21, 44].map(page => listed({ ...budgeted, sortCriteria, page })))
  const parts = [0, 1900, 2000, 4300].map(from => found.slice(from, from + 100))
  expect(parts).toEqual(pages)
})

describe('an export whose client leaves', () => {
  it('reads no further batch, frees its connection, logs no error and releases rows', async () => {
    const { database } = app.world
    const inScope = database.inScope.bind(database)
    const [second, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    let released: WeakRef<object> | undefined
    // The second batch waits with its transaction open until the client has left.
    const slow: Database['inScope'] = (scope, work) =>
      inScope(scope, async tx => {
        const result = await work(tx)
        if (!isBatch(result)) return result
        reads += 1
        if (reads !== 2) return result
        released = new WeakRef(result)
        second.resolve()
        await gate.promise
        return result
      })
    Object.assign(database, { inScope: slow })
    const before = log.length
    try {
      await leaveAfter(second.promise)
      await expect.poll(connections).toBe(0)
      gate.resolve()
      setFlagsFromString('--expose-gc')
      // Safe: the flag makes `gc` a function.
      const collect = runInNewContext('gc') as () => void
      await expect
        .poll(() => {
          collect()
          // Only the WeakRef: the rows themselves would stay reachable.
          return released?.deref() === undefined
        })
        .toBe(true)
    } finally {
      gate.resolve()
      Object.assign(database, { inScope })
    }
    expect(reads).toBe(2)
    await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(0)
    expect(database.pool.waitingCount).toBe(0)
    const entries = log.slice(before).map(line => JSON.parse(line))
    expect(entries.filter(({ level, status }) => level === 'error' || level === 'warn' || status >= 500)).toEqual([])
    expect(await referencesIn({})).toHaveLength(4)
  })
})

const isBatch = (result: unknown): result is object => typeof result === 'object' && result !== null && 'rows' in result

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => app.context.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

/** Requests the workbook of all saved quotes, and hangs up during the response once `enough` resolves. */
function leaveAfter(enough: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...seller.headers, 'content-type': 'application/json' }
    const exportRequest = request(new URL('/api/policy/list', origin), { method: 'POST', headers }, reply => {
      reply.resume()
      reply.on('error', () => {})
      void enough.then(() => exportRequest.destroy())
    })
    exportRequest.on('error', () => {})
    exportRequest.on('close', () => resolve())
    exportRequest.setTimeout(120_000, () => reject(new Error('nothing came')))
    exportRequest.end(JSON.stringify({ export: true, ...budgeted }))
  })
}
