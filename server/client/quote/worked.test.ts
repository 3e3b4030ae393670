import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { ana, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { askClient } from '../testing.ts'

// The worked amounts of a link: a couple to Japan, quoted on 20 November 2026 at 10:00 in Madrid.

let app: CardApp
let seller: Seller
let now = '2026-11-20T09:00:00Z'
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(now) } })
  await sql`update business_units set settings = settings || '{"quoteHours": 72}'::jsonb, version = version + 1`.execute(
    app.world.database.kysely,
  )
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const couple = [
  { ...ana, ...reach, birthDate: '1985-01-15' },
  { ...leo, birthDate: '1987-01-15' },
]
const japan = { countriesDestinationId: '392', startDate: '2027-02-19', endDate: '2027-03-05' }

/** Saves a quote at the counter's time, and returns its link. */
async function linked(code: 'TOT' | 'ESS', changes: object = {}): Promise<string> {
  now = '2026-11-20T09:00:00Z'
  const productUUID = seller.products.find(each => each.code === code).uuid
  const cost = code === 'TOT' ? { insurancedAmount: 3200, reservationDate: '2026-11-20' } : {}
  const saved = await registerAs(seller, { ...japan, ...cost, productUUID, users: couple, saveBudget: true, ...changes })
  const { policyUuid } = saved.body.data
  const { body } = await app.ask('/api/policy/quote-link', { body: { policyUuid }, headers: seller.headers })
  return body.data.url.split('#')[1]
}
const quoteIn = async (token: string) => (await askClient(app, 'quote', { token })).body.data.quotes[0]
async function pay(token: string, moment: string, more: object = {}) {
  const { policyUuid, version, price, files, withdrawal } = await quoteIn(token)
  now = moment
  const declared = { needs: true, files: files.map(({ uuid }: { uuid: string }) => uuid), beginNow: withdrawal ? false : null }
  return askClient(app, 'quote/pay', { token, policyUuid, version, expectedTotal: price.total, declared, ...more })
}

it('371.22 stands until its last day ends, can be begun in that minute and finished after it, and not begun at midnight', async () => {
  const [token, late] = [await linked('TOT'), await linked('TOT')]
  expect(await quoteIn(token)).toMatchObject({ price: { total: 371.22 }, until: '2026-11-20T22:59:59.999Z' })
  const begun = await pay(token, '2026-11-20T22:59:59.999Z')
  expect(begun.body.data?.state, begun.text).toBe('awaiting_payment')
  const { clientSecret } = begun.body.data
  await payBy(app, clientSecret)
  const done = await pay(token, '2026-11-20T23:05:00Z', { paymentIntentClientSecret: clientSecret })
  expect(done.body.data?.state, done.text).toBe('done')
  const refused = await pay(late, '2026-11-20T23:00:00Z')
  expect(refused.body.error).toBe('policy.price_expired')
  expect((await quoteIn(late)).state).toBe('expired')
})

it('144.93 stands for 72 hours, also when the client completes it on the way', async () => {
  const token = await linked('ESS', { users: [couple[0], { ...couple[1], docNumber: '' }] })
  const shown = await quoteIn(token)
  expect(shown).toMatchObject({ price: { total: 144.93 }, until: '2026-11-23T09:00:00.000Z' })
  now = '2026-11-22T19:00:00Z'
  const { policyUuid, version } = shown
  const users = [{ position: 1, docNumber: 'X1234567L' }]
  const completed = await askClient(app, 'quote/complete', { token, policyUuid, version, users })
  expect(completed.body.data, completed.text).toMatchObject({ total: 144.93, before: 144.93 })
  expect(await quoteIn(token)).toMatchObject({ until: '2026-11-23T09:00:00.000Z', state: 'open' })
})

it('363.58 is provisional until the partner is 71, and then 485.62', async () => {
  const open = { name: leo.name, middleName: leo.middleName, lastName: leo.lastName, docNumber: leo.docNumber }
  const token = await linked('TOT', { users: [couple[0], open] })
  const { policyUuid, version, price, provisional } = await quoteIn(token)
  expect([price.total, provisional]).toEqual([363.58, true])
  const users = [{ position: 1, birthDate: '1955-06-01' }]
  const completed = await askClient(app, 'quote/complete', { token, policyUuid, version, users })
  expect(completed.body.data, completed.text).toMatchObject({ before: 363.58, total: 485.62, provisional: false })
})
