import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
let seller: Seller
let policyUuid: string
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  policyUuid = (await sellAs(seller)).body.data.policyData.policyUuid
  const endDate = addDays(today(new Date(), 'Europe/Madrid'), 22)
  const body = { policyUuid, version: 1, change: { endDate }, expectedDifference: 17.08 }
  expect((await app.ask('/api/policy/change', { body, headers: seller.headers })).status).toBe(200)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

/** Each breaks one thing of the changed policy, and takes it back. */
it.each([
  ['I7', 'update policies set sold_version = 2', 'update policies set sold_version = 1'],
  [
    'I7 a deed',
    `update jobs set subscriber = 'none' where subscriber = 'policies.changed'`,
    `update jobs set subscriber = 'policies.changed' where subscriber = 'none'`,
  ],
  [
    'I8 the total',
    'update policy_deeds set difference_cents = difference_cents + 1, charge_cents = charge_cents + 1',
    'update policy_deeds set difference_cents = difference_cents - 1, charge_cents = charge_cents - 1',
  ],
  [
    'I8 the lines',
    `update policy_price_lines set amount_cents = amount_cents + 1 where version = 2 and kind = 'tax' and code = 'IPS'`,
    `update policy_price_lines set amount_cents = amount_cents - 1 where version = 2 and kind = 'tax' and code = 'IPS'`,
  ],
  [
    'I8 the money',
    `update payments set refunded_cents = 1 where purpose = 'change'`,
    `update payments set refunded_cents = 0 where purpose = 'change'`,
  ],
  ['I9', 'update policy_segments set premium_cents = premium_cents + 1', 'update policy_segments set premium_cents = premium_cents - 1'],
  ['I10', 'update policies set commission_cents = commission_cents + 1', 'update policies set commission_cents = commission_cents - 1'],
  [
    'I11 a document',
    'update files set policy_version = 3 where policy_version = 2',
    'update files set policy_version = 2 where policy_version = 3',
  ],
  [
    'I11 not exactly one',
    `update files set replaced_by = null where kind = 'certificate' and policy_version = 1`,
    `update files set replaced_by = 2 where kind = 'certificate' and policy_version = 1`,
  ],
  [
    'I11 not exactly one',
    `update files set replaced_by = 2 where kind = 'certificate' and policy_version = 2`,
    `update files set replaced_by = null where kind = 'certificate' and policy_version = 2`,
  ],
  [
    'I11 the certificate',
    `update files set replaced_by = case policy_version when 1 then null else 1 end where kind = 'certificate'`,
    `update files set replaced_by = case policy_version when 1 then 2 end where kind = 'certificate'`,
  ],
  ['I12', `update policy_deeds set kind = 'cancellation'`, `update policy_deeds set kind = 'change'`],
])('%s is reported when it is broken', async (invariant, breaks, takesBack) => {
  const { kysely } = app.world.database
  await sql.raw(breaks).execute(kysely)
  const violations = await brokenInvariants(app.world.database)
  await sql.raw(takesBack).execute(kysely)
  expect(violations).toContainEqual(expect.stringMatching(new RegExp(`^${invariant}`)))
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
