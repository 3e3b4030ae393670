import { afterAll, beforeAll, expect, test } from 'vitest'
import { countedAtOnce } from '#common/views/views.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, giveRoles, signIn, type SignedIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let sold: string
let saved: string
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  sold = (await sellAs(seller, { users: [{ ...ana, ...reach, middleName: 'Ferrando' }], paxNumber: 1 })).body.data.policyData.policyUuid
  const budget = { saveBudget: true, users: [{ ...ana, ...reach, middleName: "O'Connor" }], paxNumber: 1 }
  saved = (await registerAs(seller, budget)).body.data.policyUuid
})
afterAll(() => app.stop())

async function near(searchData: string | null, { headers }: Pick<SignedIn, 'headers'> = seller): Promise<string[]> {
  const { status, body } = await app.ask('/api/policy/near', { body: { searchData }, headers })
  expect(status).toBe(200)
  return body.data.policies.map(({ policyUuid }: { policyUuid: string }) => policyUuid)
}

test.each(['ferando', 'FERRANFO', 'ferrándoo', 'efrrando'])('%j finds Ferrando', async typed => {
  expect(await near(typed)).toEqual([sold])
})

test('an apostrophe may be missing', async () => {
  expect(await near('oconnor')).toEqual([saved])
  expect(await near('O’Connor')).toEqual([saved])
})

test.each(['feran', 'ferando garcia', '1000001', '', null, '......', 'fer(ando'])('%j is not searched', async typed =>
  expect(await near(typed)).toEqual([]),
)

test('the newest five are returned, and only what the caller may see', async () => {
  const viewer = await signIn(app, 'viewer@azahar.example')
  const rival = await signIn(app, 'agent@rotta.example')
  expect([await near('oconnor', viewer), await near('ferando', viewer), await near('ferando', rival)]).toEqual([[], [sold], []])
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  expect(await near('ferando', await signIn(app, 'manager@azahar.example'))).toEqual([])
  const all: string[] = []
  for (const digit of [1, 2, 3, 4, 5, 6]) {
    const users = [{ ...ana, ...reach, middleName: 'Belmonte', documentKind: 'passport', docNumber: `AB12345${digit}` }]
    all.unshift((await sellAs(seller, { users, paxNumber: 1 })).body.data.policyData.policyUuid)
  }
  expect(await near('belmonre')).toEqual(all.slice(0, 5))
})

test('each view is audited without the word', async () => {
  await near('ferando')
  const [last] = (await auditRows(app, 'policies.listed')).toReversed()
  expect(last?.details).toEqual({ statuses: ['purchased', 'cancelled', 'budgeted', 'pending'], searched: true, shown: 1 })
})

test('a large agency gets none, as the index would be read for too long', async () => {
  const { pool } = app.world.database
  const sell = (many: number) => pool.query('update policy_counts set purchased = purchased + $1', [many])
  await sell(countedAtOnce)
  expect(await near('ferando')).toEqual([])
  await sell(-countedAtOnce)
  expect(await near('ferando')).toEqual([sold])
})
