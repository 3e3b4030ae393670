import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, deleteAs, leo, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let statuses: Record<'purchased' | 'budgeted', { uuid: string }>
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  statuses = (await app.ask('/api/business-unit/settings', { headers: seller.headers })).body.data.policyStatusTypes
  await sellAs(seller)
})
afterAll(() => app.stop())

const list = (body: object, headers = seller.headers) => app.ask('/api/policy/list', { body, headers })

describe('finds the policies of a person', () => {
  const marta = { ...ana, ...reach, docNumber: '87654321X', email: 'Marta.Soler@example.es', phoneNumber: '688345678' }
  const zoe = { ...leo, docNumber: 'X7654321J' }
  let theirs: string
  beforeAll(async () => {
    theirs = (await sellAs(seller, { users: [marta, zoe] })).body.data.policyData.policyUuid
  })
  const found = async (searchData: string, more: object = {}, headers = seller.headers) =>
    (await list({ searchData, ...more }, headers)).body.data.policies.map(({ policyUuid }: { policyUuid: string }) => policyUuid)

  it.each([
    '87654321X',
    '87654321',
    '87.654.321',
    'x7654321',
    '87654321-x',
    ' 87 654 321 x ',
    'x7654321j',
    'marta.soler@example.es',
    'MARTA.SOLER@ex',
    'marta.so',
    '688345678',
    '688 34',
    '68 83 45 67 8',
    '+34 688 34 56 78',
    '0034688345678',
    '34688345678',
    '+346883',
  ])('by %j', async searchData => expect(await found(searchData)).toEqual([theirs]))

  it.each(['8765432', '7654321X', 'soler@example.es', 'marta.soler@example.es.', '12345678', '+33 688 345 678', '6883', '+34', '@'])(
    'but not by %j',
    async searchData => expect(await found(searchData)).not.toContain(theirs),
  )

  it('in the workbook, in any order and with other filters', async () => {
    const { rawPayload } = await app.context.http.inject({
      method: 'POST',
      url: '/api/policy/list',
      headers: seller.headers,
      payload: { export: true, searchData: '87654321X' },
    })
    expect((await readXlsx(rawPayload)).sheets[0]?.rows.map(([number]) => number).slice(2)).toEqual(['Total'])
    for (const order of ['asc', 'desc'])
      expect(await found('688345678', { sortCriteria: [{ key: 'policyTaker', order }] })).toEqual([theirs])
    expect(await found('688345678', { dateTo: '1999-01-01' })).toEqual([])
    expect(await found('688345678', { statusTypeUuid: statuses.budgeted.uuid })).toEqual([])
  })

  it('for all users of the unit who see the people in policies', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const rival = await signIn(app, 'agent@rotta.example')
    for (const searchData of ['87654321X', 'marta.soler@', '688345678'])
      expect([await found(searchData, {}, viewer.headers), await found(searchData, {}, rival.headers)]).toEqual([[theirs], []])
  })

  it('but only in current versions', async () => {
    const saved = { saveBudget: true, paxNumber: 1 }
    const { policyUuid } = (await registerAs(seller, { ...saved, users: [{ name: 'Iris', docNumber: '11111111H' }] })).body.data
    const budgets = { statusTypeUuid: statuses.budgeted.uuid }
    expect(await found('11111111H', budgets)).toEqual([policyUuid])
    await registerAs(seller, { ...saved, policyUuid, users: [{ name: 'Iris', docNumber: '22222222J' }] })
    expect([await found('11111111H', budgets), await found('22222222J', budgets)]).toEqual([[], [policyUuid]])
    await deleteAs(seller, policyUuid)
  })

  it('with an audit entry without the text, even if nothing is found', async () => {
    const before = (await auditRows(app, 'policies.listed')).length
    for (const searchData of ['87654321X', 'marta.soler@example.es', '688345678', '99999999R']) await found(searchData)
    const rows = (await auditRows(app, 'policies.listed')).slice(before)
    expect(rows.at(-1)?.details).toMatchObject({ searched: true, people: ['document', 'email'], shown: 0 })
    expect(rows.map(({ details }) => details)).toContainEqual(expect.objectContaining({ people: ['document', 'email', 'phone'], shown: 1 }))
    expect(JSON.stringify(rows)).not.toMatch(/87654321|688345|marta/i)
    await found('zzqqxx')
    expect((await auditRows(app, 'policies.listed')).slice(before)).toHaveLength(rows.length)
    await app.ask('/api/policy/totals', { body: { searchData: '87654321X' }, headers: seller.headers })
    const ofTotals = (await auditRows(app, 'policies.listed')).slice(before + rows.length)
    expect(ofTotals.map(({ details }) => details)).toEqual([expect.objectContaining({ people: ['document', 'email'] })])
  })
})

it.each([
  ['+34', '699111222'],
  ['+34', '+34699111222'],
  ['+34', '0034699111222'],
  ['+34', '34699111222'],
])('a phone stored as %s %s is found in any notation', async (phonePrefix, phoneNumber) => {
  const users = [{ name: 'Iris', phonePrefix, phoneNumber }]
  const { policyUuid } = (await registerAs(seller, { saveBudget: true, paxNumber: 1, users })).body.data
  for (const searchData of ['699111222', '69911', '+34699111222', '0034 699 11', '34699111222']) {
    const { body } = await list({ searchData, statusTypeUuid: statuses.budgeted.uuid })
    expect(body.data.policies, searchData).toMatchObject([{ policyUuid }])
  }
  await deleteAs(seller, policyUuid)
})
