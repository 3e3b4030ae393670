import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addYears, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { deleteAs, registerAs, reach, ana, leo, type Seller, sellAs, sellerOf, tripOf } from '#server/policies/testing.ts'
import { giveRoles, auditRows, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let statuses: Record<'purchased' | 'budgeted' | 'cancelled', { uuid: string }>
const sold: string[] = []
let budget: string

const holders = [
  { ...ana, name: 'Ána', middleName: 'Ñúñez' },
  { ...ana, name: '=SUM(A)', middleName: 'Zapata' },
  { ...ana, name: '%A', middleName: 'De_Blas' },
]

beforeAll(async () => {
  // By this clock a count takes no time, so none is cached.
  app = await testApp({}, { elapsed: () => 0 })
  seller = await sellerOf(app)
  statuses = (await app.ask('/api/business-unit/settings', { headers: seller.headers })).body.data.policyStatusTypes
  for (const [index, holder] of holders.entries()) {
    const bought = await sellAs(seller, { users: [{ ...holder, ...reach }, leo], buReference: `R-${index}` })
    sold.push(bought.body.data.policyData.policyUuid)
  }
  await sellAs(await sellerOf(app, 'manager@azahar.example'))
  budget = (await registerAs(seller, { saveBudget: true, users: [{ name: 'Berta' }] })).body.data.policyUuid
  await registerAs(seller)
  const rotta = await sellerOf(app, 'agent@rotta.example')
  const foreign = await registerAs(rotta, { saveBudget: true, users: [{ name: 'Carla' }] })
  expect(foreign.status).toBe(200)
})
afterAll(() => app.stop())

const post = (path: string, body: unknown, headers = seller.headers) => app.ask(path, { body, headers })
const list = (body: object, headers = seller.headers) => post('/api/policy/list', body, headers)
const takers = (reply: { body: { data: { policies: { policyTaker: string }[] } } }) =>
  reply.body.data.policies.map(({ policyTaker }) => policyTaker)

describe('the list', () => {
  it('shows the unit’s sold policies, the newest first', { tags: ['S3.11', 'S4.1', 'S7.10', 'S9.1'] }, async () => {
    const { body } = await list({})
    expect(body.data).toMatchObject({ total: 4, totalPages: 1, page: 1, perPage: 10 })
    expect(body.data.policies.map(({ username }: { username: string }) => username)).toEqual([
      'Andrés Molina',
      'Lucía Ferrer',
      'Lucía Ferrer',
      'Lucía Ferrer',
    ])
    const { startDate, endDate } = tripOf(seller)
    expect(body.data.policies[3]).toEqual({
      policyUuid: sold[0],
      policyNumber: expect.stringMatching(/^\d{7}-[A-Z]$/),
      productUuid: expect.any(String),
      productName: expect.any(String),
      policyTaker: 'Ána Ñúñez López',
      username: 'Lucía Ferrer',
      startDate,
      endDate,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: 'purchased',
      buReference: 'R-0',
      total: 33.76,
      commission: expect.any(Number),
      currency: 'EUR',
      priceValidUntil: null,
      withdrawn: false,
    })
  })

  it('shows saved quotes together with unpaid registrations', { tags: ['S3.12', 'S4.1'] }, async () => {
    const { body } = await list({ statusTypeUuid: statuses.budgeted.uuid })
    expect(body.data.policies.map(({ status }: { status: string }) => status)).toEqual(['pending', 'budgeted'])
    expect(takers({ body })).not.toContain('Carla')
    for (const { policyUuid, priceValidUntil } of body.data.policies) {
      expect(priceValidUntil).toMatch(/^\d{4}-\d\d-\d\dT/)
      expect((await post('/api/policy/detail', { policyUuid })).body.data.priceValidUntil).toBe(priceValidUntil)
    }
    expect((await list({ statusTypeUuid: statuses.cancelled.uuid })).body.data).toMatchObject({ total: 0, totalPages: 0, policies: [] })
  })

  it.each([
    ['nunez', ['Ána Ñúñez López']],
    ['ÑÚÑEZ  lóp', ['Ána Ñúñez López']],
    ['lópez ñúñez  án', ['Ána Ñúñez López']],
    ['lópez ñúñez berta', []],
    ['%A', ['%A De_Blas López']],
    ['%', ['%A De_Blas López']],
    ['e_b', ['%A De_Blas López']],
    ['r-1', ['=SUM(A) Zapata López']],
    ['gil', 4],
    ['molina', ['Ana García López']],
    ['\\', []],
    ["'; drop table policies; --", []],
  ])('finds %j', async (searchData, expected) => {
    const reply = await list({ searchData })
    if (typeof expected === 'number') expect(reply.body.data.total).toBe(expected)
    else expect(takers(reply)).toEqual(expected)
  })

  it('finds a policy by its number in any spelling', { tags: 'S3.12' }, async () => {
    const all = await list({})
    const { policyNumber, policyUuid } = all.body.data.policies[1]
    for (const spelling of [
      policyNumber.toLowerCase(),
      policyNumber.replace('-', ''),
      ` ${policyNumber.slice(0, 3)} ${policyNumber.slice(3)}`,
    ])
      expect((await list({ searchData: spelling })).body.data.policies).toMatchObject([{ policyUuid }])
  })

  it('sorts by each field in both directions, without gaps or repeats across pages', { tags: ['S3.12', 'S7.10'] }, async () => {
    const pagesOf = async (perPage: number) => (await list({ perPage })).body.data.totalPages
    expect(await Promise.all([1, 2, 3, 4, 5].map(pagesOf))).toEqual([4, 2, 2, 1, 1])
    const fields = Object.keys((await list({})).body.data.policies[0]).filter(key => key !== 'currency' && key !== 'withdrawn')
    for (const key of fields) {
      const read = async (order: 'asc' | 'desc', page: number) =>
        (await list({ sortCriteria: [{ key, order }], page, perPage: 1 })).body.data.policies.map(
          (row: { policyUuid: string }) => row.policyUuid,
        )
      const up = (await Promise.all([1, 2, 3, 4, 5].map(page => read('asc', page)))).flat()
      const down = (await Promise.all([1, 2, 3, 4].map(page => read('desc', page)))).flat()
      expect(new Set(up).size, key).toBe(4)
      expect(down, key).toEqual(up.toReversed())
    }
    expect(takers(await list({ sortCriteria: [{ key: 'policyTaker', order: 'asc' }] }))).toEqual([
      '%A De_Blas López',
      '=SUM(A) Zapata López',
      'Ana García López',
      'Ána Ñúñez López',
    ])
  })

  it('shows and sorts by the commission only for users who may see it', async () => {
    const { policies } = (await list({})).body.data
    const { price } = (await post('/api/policy/detail', { policyUuid: policies[0].policyUuid })).body.data
    expect(policies[0].commission).toBeGreaterThan(0)
    expect(policies[0].commission).toBe(price.lines.find(({ kind }: { kind: string }) => kind === 'commission').amount)
    const { headers } = await signIn(app, 'viewer@azahar.example')
    const seen = (await list({}, headers)).body.data.policies
    expect(seen.map(({ commission }: { commission: unknown }) => commission)).toEqual([null, null, null, null])
    expect((await post('/api/policy/detail', { policyUuid: sold[0] }, headers)).body.data.policy.commission).toBeNull()
    const refused = await list({ sortCriteria: [{ key: 'commission', order: 'asc' }] }, headers)
    expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([422, 'sortCriteria[0].key'])
  })

  it('sorts by several fields', { tags: 'S3.12' }, async () => {
    const sortCriteria = [
      { key: 'username', order: 'asc' },
      { key: 'buReference', order: 'desc' },
    ]
    expect(takers(await list({ sortCriteria }))).toEqual([
      'Ana García López',
      '%A De_Blas López',
      '=SUM(A) Zapata López',
      'Ána Ñúñez López',
    ])
  })

  it('filters by starting date', async () => {
    const { startDate } = (await list({})).body.data.policies[0]
    expect((await list({ dateFrom: startDate, dateTo: startDate })).body.data.total).toBe(4)
    const last = addYears(today(new Date(), 'Europe/Madrid'), 1)
    expect((await list({ dateFrom: last, dateTo: last })).body.data.total).toBe(0)
  })

  it('refuses days more than a year ahead and reversed days, as its form does', async () => {
    const last = addYears(today(new Date(), 'Europe/Madrid'), 1)
    const refused = async (body: object, path = 'list') => {
      const { status, body: reply } = await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
      return [status, ...(reply.fields ?? []).map((field: { path: string; rule: string }) => `${field.path} ${field.rule}`)]
    }
    const late = { dateTo: addDays(last, 1), returnFrom: addDays(last, 1) }
    const names = [422, 'dateTo policyListDateRange', 'returnFrom policyListDateRange']
    expect([await refused(late), await refused({ ...late, export: true }), await refused(late, 'totals')]).toEqual([names, names, names])
    expect(await refused({ dateFrom: last, dateTo: addDays(last, -1) })).toEqual([422, 'dateTo policyListDateRange'])
    expect(await refused({ returnFrom: last, returnTo: addDays(last, -1) })).toEqual([422, 'returnTo policyListDateRange'])
    expect(await refused({ dateFrom: last, dateTo: last, returnFrom: last, returnTo: last })).toEqual([200])
  })

  it('filters by a status of its type, by the agent, the product and the return', async () => {
    const quotes = { statusTypeUuid: statuses.budgeted.uuid }
    const statusesOf = async (body: object) => (await list(body)).body.data.policies.map(({ status }: { status: string }) => status)
    expect(await statusesOf({ ...quotes, status: 'pending' })).toEqual(['pending'])
    expect(await statusesOf({ ...quotes, status: 'budgeted' })).toEqual(['budgeted'])
    expect((await list({ status: 'pending' })).body.fields).toMatchObject([{ path: 'status' }])
    const [{ endDate, productUuid }] = (await list({})).body.data.policies
    expect(takers(await list({ sellerUuid: seller.user.uuid }))).toHaveLength(3)
    expect((await list({ productUuid })).body.data.total).toBe(4)
    expect((await list({ productUuid: budget })).body.data.total).toBe(0)
    expect((await list({ returnFrom: endDate, returnTo: endDate })).body.data.total).toBe(4)
    expect((await list({ returnFrom: addDays(endDate, 1) })).body.data.total).toBe(0)
  })

  it('adds up prices and commissions, the latter only for users who may see them', async () => {
    const { policies, sums } = (await list({ perPage: 100 })).body.data
    const sum = (field: string) =>
      policies.reduce((cents: number, row: Record<string, number>) => cents + Math.round((row[field] ?? 0) * 100), 0)
    expect(sums).toEqual({ policies: policies.length, total: sum('total') / 100, commission: sum('commission') / 100 })
    expect((await post('/api/policy/totals', {})).body.data).toEqual({ ...sums, matches: policies.length })
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await list({}, viewer.headers)).body.data.sums).toEqual({ ...sums, commission: null })
    expect((await post('/api/policy/totals', {}, viewer.headers)).body.data).toEqual({
      ...sums,
      commission: null,
      matches: policies.length,
    })
    expect((await post('/api/policy/totals', { statusTypeUuid: statuses.budgeted.uuid }, viewer.headers)).status).toBe(403)
    const foreign = await signIn(app, 'agent@rotta.example')
    expect((await post('/api/policy/totals', {}, foreign.headers)).body.data).toEqual({ policies: 0, total: 0, commission: 0, matches: 0 })
  })

  it.each([
    [{ sortCriteria: [{ key: 'currency', order: 'asc' }] }, 'sortCriteria[0].key'],
    [{ sortCriteria: [{ key: 'id; drop table', order: 'asc' }] }, 'sortCriteria[0].key'],
    [{ perPage: 101 }, 'perPage'],
    [{ page: 0 }, 'page'],
    [{ statusTypeUuid: '0190a000-0000-7000-8000-000000000000' }, 'statusTypeUuid'],
    [{ dateFrom: '2026-02-30' }, 'dateFrom'],
    [{ searchData: 'a\u0000b' }, 'searchData'],
  ])('refuses %j at its field', async (body, path) => {
    const reply = await list(body)
    expect(reply.status).toBe(422)
    expect(reply.body.fields).toMatchObject([{ path }])
  })

  it('requires the permission of the status', { tags: ['S2.5', 'S2.6'] }, async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await list({}, viewer.headers)).status).toBe(200)
    expect((await list({ statusTypeUuid: statuses.budgeted.uuid }, viewer.headers)).status).toBe(403)
    expect((await post('/api/policy/detail', { policyUuid: budget }, viewer.headers)).status).toBe(403)
    const kindsSeenBy = async (headers: Record<string, string>): Promise<string[]> =>
      (await post('/api/policy/detail', { policyUuid: sold[0] }, headers)).body.data.price.lines.map(({ kind }: { kind: string }) => kind)
    const { lines } = (await post('/api/policy/detail', { policyUuid: sold[0] })).body.data.price
    expect(lines.find(({ code }: { code: string }) => code === 'IPS').label).toBe('Impuesto sobre Primas de Seguros')
    expect(await kindsSeenBy(seller.headers)).toContain('commission')
    expect(await kindsSeenBy(viewer.headers)).not.toContain('commission')
  })
})

describe('a user limited to own sales', () => {
  it('sees no other policies', async () => {
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'manager@azahar.example')
    const { body } = await list({}, freelancer.headers)
    expect(body.data).toMatchObject({ total: 1, policies: [{ username: 'Andrés Molina' }] })
    expect((await list({ sellerUuid: seller.user.uuid }, freelancer.headers)).body.data).toMatchObject({ total: 0, sums: { total: 0 } })
    expect((await post('/api/policy/totals', {}, freelancer.headers)).body.data.total).toBe(body.data.policies[0].total)
    expect((await post('/api/policy/detail', { policyUuid: sold[0] }, freelancer.headers)).status).toBe(404)
    expect((await deleteAs({ ...seller, headers: freelancer.headers }, budget)).status).toBe(404)
    const gone = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    await deleteAs(seller, gone)
    expect((await deleteAs({ ...seller, headers: freelancer.headers }, gone)).status).toBe(404)
  })

  it('sees only own sales in the statistics, whatever other roles allow', async () => {
    await giveRoles(app, 'manager@azahar.example', ['seller', 'freelancer'])
    const { headers } = await signIn(app, 'manager@azahar.example')
    const sellersShownTo = async (headers: Record<string, string>) =>
      (await app.ask('/api/policy/sales', { headers })).body.data.sellers.map(({ name }: { name: string }) => name)
    expect((await sellersShownTo(seller.headers)).toSorted()).toEqual(['Andrés Molina', 'Lucía Ferrer'])
    expect(await sellersShownTo(headers)).toEqual(['Andrés Molina'])
  })
})

describe('the workbook', () => {
  it('holds every matching row, with typed dates, amounts and texts', { tags: ['S3.12', 'S7.11', 'S9.11'] }, async () => {
    const reply = await app.context.http.inject({
      method: 'POST',
      url: '/api/policy/list',
      headers: { ...seller.headers, 'accept-language': 'fr-FR' },
      payload: { export: true, perPage: 1, sortCriteria: [{ key: 'policyTaker', order: 'asc' }] },
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(reply.headers['content-disposition']).toMatch(/filename\*=UTF-8''contrats%20\d{4}-\d\d-\d\d\.xlsx/)
    const { sheets } = await readXlsx(reply.rawPayload)
    const [head, ...rows] = sheets[0]?.rows ?? []
    expect(head?.slice(0, 3)).toEqual(['Numéro de contrat', 'Produit', 'Souscripteur'])
    expect(rows.pop()?.[0]).toBe('Total')
    expect(rows.map(row => row[2])).toEqual(['%A De_Blas López', '=SUM(A) Zapata López', 'Ana García López', 'Ána Ñúñez López'])
    expect(rows[0]?.[4]).toBeInstanceOf(Date)
    expect(rows[0]?.[9]).toBe(33.76)
  })
})

describe('viewing a list', () => {
  const auditedViews = () => auditRows(app, 'policies.listed')

  it('is audited with user, time, network and filter, without the search text', async () => {
    const before = (await auditedViews()).length
    const body = { searchData: 'ÑÚÑEZ', dateFrom: '2020-01-01', page: 1, perPage: 2 }
    const { body: listed } = await list(body)
    const [entry, ...more] = (await auditedViews()).slice(before)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      user_id: seller.user.uuid,
      business_unit_id: seller.user.businessUnits[0].uuid,
      outcome: 'done',
      network: expect.stringMatching(/./),
      request_id: expect.stringMatching(/./),
      details: { statuses: ['purchased'], searched: true, from: '2020-01-01', page: 1, shown: listed.data.policies.length },
    })
    expect(JSON.stringify(entry)).not.toMatch(/[nñ][uú][nñ]ez/i)
  })

  it('is audited once per page, and not for an empty page', async () => {
    const before = (await auditedViews()).length
    await list({ page: 1, perPage: 1 })
    await list({ page: 2, perPage: 1 })
    await list({ searchData: 'no such name' })
    await list({ perPage: 101 })
    expect((await auditedViews()).slice(before).map(({ details }) => details)).toEqual([
      { statuses: ['purchased'], page: 1, shown: 1 },
      { statuses: ['purchased'], page: 2, shown: 1 },
    ])
  })
})
