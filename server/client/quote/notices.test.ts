import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { askClient } from '../testing.ts'

let app: TestApp
let manager: Seller
beforeAll(async () => {
  app = await testApp()
  manager = await sellerOf(app, 'manager@azahar.example')
})
afterAll(() => app.stop())

/** Saves a quote, which its client declines, and returns the managers' tasks about it. */
async function declined(seller: Seller, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  const { url } = (await app.ask('/api/policy/quote-link', { body: { policyUuid }, headers: seller.headers })).body.data
  await meanwhile()
  const { body, text } = await askClient(app, 'quote/decline', { token: url.split('#')[1], name: 'Ana' })
  expect(body.data, text).toEqual({ state: 'declined' })
  const { tasks } = (await app.ask('/api/policy/day', { headers: manager.headers })).body.data
  return tasks.items.flatMap((task: { kind: string; policyUuid: string }) => (task.policyUuid === policyUuid ? [task.kind] : []))
}

it('notices of a seller without access go to the managers of the agency', async () => {
  const seller = await sellerOf(app)
  expect(await declined(seller, () => Promise.resolve())).not.toContain('quote_declined')
  const lock = () =>
    app.world.database.kysely.updateTable('memberships').set({ active: false }).where('user_id', '=', seller.user.uuid).execute()
  expect(await declined(seller, lock)).toContain('quote_declined')
})
