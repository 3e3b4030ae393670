import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import type { Sales } from '#server/policies/sale/sale-context.ts'
import { type CardApp, cardApp, intentOf } from '#server/policies/testing-cards.ts'
import { sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { noRequest } from '#server/session/public.ts'
import { demoScope } from '#server/session/testing.ts'
import { beginToPay, declineOffer } from './answer.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const scope = demoScope('azahar')
const post = async (path: string, body: object) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body.data

/** Does work before a unit's transaction of this number, counted from here on. */
function before(transaction: number, work: () => Promise<unknown>): Sales {
  const { database } = app.world
  let counted = 0
  const inScope: typeof database.inScope = async (of, inside) => {
    counted += 1
    if (counted === transaction) await work()
    return database.inScope(of, inside)
  }
  return { ...app.sales, world: { ...app.world, database: { ...database, inScope } } }
}

it('a payment that begins while its offer is declined is cancelled with it', async () => {
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const change = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  const settle = { offer: { email: 'ana@example.es' } }
  const { changeUuid: id } = await post('change', { policyUuid, version: 1, change, expectedDifference: 17.08, settle })
  const answer = { id, where: noRequest, action: 'client.change_pay' }
  const sales = before(0, () => Promise.resolve())
  let secret = ''
  // The offer is read, then its payment, then it is ended: before that the payment begins.
  const overtaken = before(3, async () => {
    secret = (await beginToPay(sales, scope, answer)).clientSecret ?? ''
  })
  expect(await declineOffer(overtaken, scope, answer, 'Ana')).toBe('declined')
  expect(intentOf(app, secret)?.status).toBe('canceled')
  expect((await post('change/terms', { policyUuid })).openChange).toBeNull()
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
