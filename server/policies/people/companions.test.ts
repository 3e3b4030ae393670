import { afterAll, beforeAll, expect, it } from 'vitest'
import { numberSought } from '#server/kit/sealed/document-numbers.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, demoScope, giveRoles, signIn } from '#server/session/testing.ts'
import { ana, leo, other, reach, registerAs, type Seller, sellAs, sellerOf, toSnow } from '../testing.ts'
import { companionsOf } from './queries.ts'
import { planAmongThousands } from './testing.ts'

let app: TestApp
let seller: Seller
let policyUuid: string
const eva = { name: 'Eva', middleName: 'García', lastName: 'Gil', birthDate: '2019-03-04' }
const holder = { ...ana, ...reach }
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  await sellAs(seller, { users: [holder, { ...eva }, leo], paxNumber: 3 })
  policyUuid = (await sellAs(seller, { users: [holder, leo] })).body.data.policyData.policyUuid
})
afterAll(() => app.stop())

const ask = (docNumber: string, { headers }: Pick<Seller, 'headers'> = seller) =>
  app.ask('/api/people/companions', { headers, body: { docNumber } })
const found = async (...asked: Parameters<typeof ask>): Promise<string[]> =>
  (await ask(...asked)).body.data.people.map(({ name }: { name: string }) => name)

it('companions come with the facts of a traveller, the most frequent first', async () => {
  expect((await ask('12345678z')).body.data.people).toEqual([
    { ...leo, documentKind: 'national' },
    { ...eva, docNumber: '', documentKind: 'national' },
  ])
  expect(await found('X1234567L')).toEqual(['Ana', 'Eva'])
})

it('a companion with a new passport appears once, as in the newest policy', async () => {
  const mother = { ...holder, docNumber: '33333333P' }
  await sellAs(seller, { users: [mother, eva, { ...leo, docNumber: '44444444A' }], paxNumber: 3 })
  await sellAs(seller, { users: [mother, { ...leo, documentKind: 'passport', docNumber: 'AB123456' }] })
  const people = (await ask('33333333P')).body.data.people
  expect(people).toMatchObject([{ name: 'Leo', documentKind: 'passport', docNumber: 'AB123456' }, { name: 'Eva' }])
})

it('the start of a number, a saved quote and a group name no companions', async () => {
  const alone = { ...holder, docNumber: '87654321X' }
  await registerAs(seller, { saveBudget: true, users: [alone, leo] })
  await sellAs(seller, { ...toSnow(seller), users: [alone, ...Array.from({ length: 9 }, (_, index) => other(index))], paxNumber: 10 })
  expect([await found('87654321X'), await found('12345')]).toEqual([[], []])
})

it('a policyholder who does not travel has companions, and is not one', async () => {
  const ida = { ...holder, name: 'Ida', docNumber: '11111111H' }
  const max = { ...leo, name: 'Max', docNumber: '22222222J' }
  await sellAs(seller, { users: [ida, max], paxNumber: 1, roleFirstUser: 10 })
  expect([await found('11111111H'), await found('22222222J')]).toEqual([['Max'], []])
})

it('only companions by visible policies of the own unit are found', async () => {
  expect(await found('12345678Z', await signIn(app, 'agent@rotta.example'))).toEqual([])
  expect((await ask('12345678Z', await signIn(app, 'viewer@azahar.example'))).status).toBe(403)
  const manager = await signIn(app, 'manager@azahar.example')
  expect(await found('12345678Z', manager)).toEqual(['Leo', 'Eva'])
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  expect(await found('12345678Z', manager)).toEqual([])
  await giveRoles(app, 'manager@azahar.example', ['manager'])
})

it('a find is audited by policy and position, never by name', async () => {
  await ask('X1234567L')
  const last = (await auditRows(app, 'people.seen')).at(-1)
  expect(last?.details).toMatchObject({ by: 'companion', seen: expect.arrayContaining([`${policyUuid}/0`]) })
  expect(JSON.stringify(last)).not.toMatch(/Ana|García|12345/)
})

it.each([{ docNumber: '1234' }, { docNumber: 'a\u0000bcde' }, {}, { docNumber: '12345678Z', more: 1 }])('%j is refused', async body =>
  expect((await app.ask('/api/people/companions', { headers: seller.headers, body })).status).toBe(422),
)

it('companions are read by the index of documents, among thousands', async () => {
  const scope = demoScope('azahar')
  const number = numberSought(app.world.secrets, scope.businessUnitId, '12345678Z')
  const plan = await planAmongThousands(app, scope, companionsOf(scope, { number, own: undefined }))
  expect(plan).toMatch(/policy_people_hash[^\n]*\n\s*Index Cond: \(\(business_unit_id = [^\n]*document_hash = /)
  expect(plan).not.toMatch(/Seq Scan on policy_people/)
})
