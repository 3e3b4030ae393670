import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, purchaseAs, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { changeLimit, moveExposure, saveTerms, slots, takeFromSlot } from './queries.ts'

// One traveller costs 16.88.

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp({ SALES_PER_MINUTE: '1000/1000', MAILS_PER_MINUTE: '1000/1000' })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())
beforeEach(async () => limit(null))

const scope = () => demoScope('azahar')
async function limit(cents: number | null, more: { lifted_until?: Date | null; overdue_since?: string | null } = {}): Promise<void> {
  await app.world.database.inScope(scope(), async tx => {
    await changeLimit(tx, 'EUR', cents)
    await saveTerms(tx, { currency: 'EUR', limit_cents: cents, lifted_until: null, overdue_since: null, ...more })
  })
}

/** Returns the balance of the agency's account, and the room in its slots. */
async function standing(): Promise<{ balance: number; headroom: number }> {
  const { rows } = await sql<{ balance: number; headroom: number }>`
    select (select coalesce(sum(agency_account), 0) from money_book where business_unit_id = ${scope().businessUnitId})::int as balance,
      (select coalesce(sum(cents), 0) from account_headroom where business_unit_id = ${scope().businessUnitId})::int as headroom`.execute(
    app.world.database.kysely,
  )
  return rows[0] ?? { balance: 0, headroom: 0 }
}

const one = (changes: object = {}) => ({ users: [{ ...ana, ...reach }], paxNumber: 1, ...changes })
const register = async () => (await registerAs(seller, one())).body.data
const buy = (purchaseUUID: string) => purchaseAs(seller, { purchaseUUID })

test('a sale beyond the limit is refused with figures, and a cancelled one makes room', async () => {
  const { balance } = await standing()
  await limit(balance + 3000)
  const first = await sellAs(seller, one())
  const { purchaseUUID } = await register()
  const refused = await buy(purchaseUUID)
  expect([refused.status, refused.body.error]).toEqual([409, 'account.limit'])
  expect(refused.body.data).toEqual({ limit: (balance + 3000) / 100, exposure: (balance + 1688) / 100, headroom: 13.12, currency: 'EUR' })
  const { policyUuid } = first.body.data.policyData
  const cancel = { policyUuid, version: 1, expectedRefund: 16.88, reason: 'other' }
  expect((await app.ask('/api/policy/cancel', { body: cancel, headers: seller.headers })).status).toBe(200)
  expect((await buy(purchaseUUID)).status).toBe(200)
  expect(await standing()).toEqual({ balance: balance + 1688, headroom: 1312 })
})

test('a sale that uses up the limit exactly passes', { tags: 'S7.9' }, async () => {
  const { balance } = await standing()
  await limit(balance + 1688)
  expect((await sellAs(seller, one())).status).toBe(200)
  expect((await standing()).headroom).toBe(0)
  await limit(balance + 1688 + 1687)
  expect((await sellAs(seller, one())).body.error).toBe('account.limit')
})

test('many sellers at once use the limit up to the last sale that fits, and no further', async () => {
  const { balance } = await standing()
  const sales = []
  for (let index = 0; index < 12; index++) sales.push((await register()).purchaseUUID)
  await limit(balance + 7 * 1688 + 1687)
  const replies = await Promise.all(sales.map(buy))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(new Set(['account.limit']))
  expect(await standing()).toEqual({ balance: balance + 7 * 1688, headroom: 1687 })
})

/** Takes an amount off the account again, so that the room agrees with the book. */
const giveBack = (cents: number) => app.world.database.inScope(scope(), tx => moveExposure(tx, { cents: -cents, ...now() }, false))
const now = () => ({ currency: 'EUR', at: new Date() })

test('a slot that many sellers wait for never gives more than it holds', async () => {
  await limit((await standing()).balance + slots * 300)
  const take = () => app.world.database.inScope(scope(), tx => takeFromSlot(tx, { cents: 100, ...now() }, 3))
  const taken = (await Promise.all(Array.from({ length: 40 }, take))).filter(Boolean)
  await giveBack(taken.length * 100)
  expect(taken).toHaveLength(3)
})

test('many sellers whose slots are short do not deadlock', async () => {
  await limit((await standing()).balance + 3199)
  const take = () => app.world.database.inScope(scope(), tx => moveExposure(tx, { cents: 100, ...now() }, true))
  const taken = await Promise.all(Array.from({ length: 120 }, () => take().then(() => 'taken', String)))
  const refused = taken.filter(outcome => outcome !== 'taken')
  await giveBack((taken.length - refused.length) * 100)
  expect([new Set(refused), taken.length - refused.length]).toEqual([new Set(['Refusal: account.limit']), 31])
})

test('a limit that is lifted until an instant applies again from then on', async () => {
  const { balance } = await standing()
  await limit(balance, { lifted_until: new Date(Date.now() + 3_600_000) })
  expect((await sellAs(seller, one())).status).toBe(200)
  await limit(balance, { lifted_until: new Date(Date.now() - 1000) })
  expect((await sellAs(seller, one())).body.error).toBe('account.limit')
  expect((await standing()).headroom).toBe(-1688)
})

test('an overdue agency sells nothing on account, and still gets refunds', async () => {
  const { policyUuid } = (await sellAs(seller, one())).body.data.policyData
  await limit(null, { overdue_since: '2026-11-15' })
  const refused = await sellAs(seller, one())
  expect([refused.status, refused.body.error, refused.body.data]).toEqual([409, 'account.overdue', { since: '2026-11-15' }])
  const cancel = { policyUuid, version: 1, expectedRefund: 16.88, reason: 'other' }
  expect((await app.ask('/api/policy/cancel', { body: cancel, headers: seller.headers })).status).toBe(200)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
