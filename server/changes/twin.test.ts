import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, other, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

/** A policy has a duplicate if another one in force has its product, its days and one of its documents. */

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = async (path: string, body: object) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body.data
const sell = async (changes: object): Promise<string> => (await sellAs(seller, { ...changes })).body.data.policyData.policyUuid
const hasTwin = async (policyUuid: string): Promise<boolean> => (await post('change/terms', { policyUuid })).policy.twin

let people = 0
/** Two people whom no other sale of this file has. */
function couple() {
  people += 2
  return [{ ...ana, ...reach, ...other(people) }, other(people + 1)]
}
const codes = (code: string) => seller.products.find(each => each.code === code).uuid

it('another policy with one of the documents is a duplicate while it is in force', async () => {
  const users = couple()
  const [holder] = users
  const first = await sell({ users })
  expect(await hasTwin(first)).toBe(false)
  const [, stranger] = couple()
  const second = await sell({ users: [{ ...holder, docNumber: holder?.docNumber.toLowerCase() }, stranger] })
  expect([await hasTwin(first), await hasTwin(second)]).toEqual([true, true])
  await post('cancel', { policyUuid: second, version: 1, expectedRefund: 33.76, reason: 'duplicate' })
  expect(await hasTwin(first)).toBe(false)
})

it.each<[what: string, changes: () => object]>([
  ['people', () => ({ users: couple() })],
  ['days', () => ({ endDate: addDays(start, 6) })],
  ['product', () => ({ productUUID: codes('TOT'), insurancedAmount: 1000, reservationDate: today(new Date(), 'Europe/Madrid') })],
])('a policy with other %s is not a duplicate', async (_what, changes) => {
  const users = couple()
  const first = await sell({ users })
  await sell({ users, ...changes() })
  expect(await hasTwin(first)).toBe(false)
})

it('the document of a person who left no longer counts', async () => {
  const [holder, guest] = couple()
  const [host, stranger] = couple()
  const first = await sell({ users: [holder, guest] })
  const second = await sell({ users: [host, guest] })
  expect(await hasTwin(first)).toBe(true)
  const { policy } = await post('change/terms', { policyUuid: second })
  const change = { users: [{ personUuid: policy.people[0].personUuid }, stranger] }
  await post('change', { policyUuid: second, version: 1, change, expectedDifference: 0 })
  expect(await hasTwin(first)).toBe(false)
})
