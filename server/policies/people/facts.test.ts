import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byKind, personFieldNames, personFields, personFieldsWhere } from '#common/people/person.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, everyFact, leo, reach, type Seller, sellAs, sellerOf } from '../testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

/** The columns of a person that are not facts: keys, positions, and derived or encrypted values. */
const others = new Set([
  'business_unit_id',
  'policy_id',
  'version',
  'position',
  'person_id',
  'holder',
  'traveller',
  'identification_type_id',
  'premium_cents',
  'name_sort',
  'given_sort',
  'sealed',
  'sealed_by',
  'document_hash',
])

test('people have exactly the columns of their facts', async () => {
  const { rows } = await sql<{ column: string; type: string }>`
    select column_name as "column", udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = 'policy_people'`.execute(app.world.database.kysely)
  const types = byKind({ text: 'text', documentNumber: 'text', day: 'date', country: 'int4', documentKind: 'text' })
  const facts = rows.filter(({ column }) => !others.has(column))
  expect(Object.fromEntries(facts.map(({ column, type }) => [column, type]))).toEqual(
    Object.fromEntries(personFieldNames.map(field => [personFields[field].column, types[field]])),
  )
})

const holder = everyFact({ ...ana, ...reach })
const stated = personFieldNames.filter(field => field !== 'companyName')
const factsOf = (person: Record<string, unknown>) => stated.map(field => [field, person[field]])
const shownOf = async (policyUuid: string) => {
  const { text, body } = await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })
  if (!body.data) throw new Error(text)
  return body.data.users[0]
}

test('a sale keeps every fact of the policyholder, and sends it', { tags: ['S7.19'] }, async () => {
  const { policyUuid } = (await sellAs(seller, { users: [holder, leo] })).body.data.policyData
  expect(factsOf(await shownOf(policyUuid))).toEqual(
    factsOf({ ...holder, docNumber: holder.docNumber.toUpperCase(), documentKind: 'national' }),
  )
})

test('a change keeps every fact of the policyholder, changed or not', async () => {
  const { policyUuid } = (await sellAs(seller, { users: [{ ...ana, ...reach }, leo] })).body.data.policyData
  const { policy } = (await app.ask('/api/policy/change/terms', { body: { policyUuid }, headers: seller.headers })).body.data
  const more = Object.fromEntries(personFieldsWhere('part', 'more').map(field => [field, everyFact({})[field]]))
  const [first, second] = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
  const body = { policyUuid, version: policy.version, change: { users: [{ ...first, ...more }, second] } }
  const done = await app.ask('/api/policy/change', { body: { ...body, expectedDifference: 0 }, headers: seller.headers })
  expect(done.status, done.text).toBe(200)
  expect(factsOf(await shownOf(policyUuid))).toEqual(
    factsOf({ ...holder, docNumber: holder.docNumber.toUpperCase(), documentKind: 'national' }),
  )
})
