import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { giveRoles } from '#server/session/testing.ts'

/** A seller who sees only own sales changes only those: a colleague's policy is refused like an unknown one. */

let app: CardApp
let colleague: Seller
let freelancer: Seller
beforeAll(async () => {
  app = await cardApp()
  colleague = await sellerOf(app, 'manager@azahar.example')
  await giveRoles(app, 'agent@azahar.example', ['freelancer'])
  freelancer = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const longer = { version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const post = ({ headers }: Seller, path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers })

async function sellByCard(seller: Seller): Promise<string> {
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, gateway)).body.data
  await payBy(app, clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID })
  return policyUuid
}

it.each<[path: string, body: object]>([
  ['change/terms', {}],
  ['change/preview', { version: 1, change: {} }],
  ['cancel/preview', { version: 1 }],
  ['reinstate/preview', { version: 1 }],
  ['change', longer],
  ['change/undo', { version: 1 }],
  ['cancel', { version: 1, expectedRefund: 33.76, reason: 'other' }],
  ['reinstate', { version: 1, expectedCharge: 33.76 }],
  ['versions', {}],
])('the call %s finds no policy of a colleague, and the own one', async (path, body) => {
  const statusOn = async (seller: Seller) => {
    const { policyUuid } = (await sellAs(seller)).body.data.policyData
    return (await post(freelancer, path, { policyUuid, ...body })).status
  }
  expect(await statusOn(colleague)).toBe(404)
  expect(await statusOn(freelancer)).not.toBe(404)
})

it.each(['change/open', 'change/pay', 'change/take-back'])('the call %s finds no change of a colleague, and the own one', async path => {
  const statusOn = async (seller: Seller) => {
    const { changeUuid } = (await post(seller, 'change', { policyUuid: await sellByCard(seller), ...longer })).body.data
    return (await post(freelancer, path, { changeUuid })).status
  }
  expect(await statusOn(colleague)).toBe(404)
  expect(await statusOn(freelancer)).not.toBe(404)
})
