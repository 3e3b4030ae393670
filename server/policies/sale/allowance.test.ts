import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestReply } from '#server/kit/testing.ts'
import { type CardApp, cardApp, payBy, reconcileLater } from '../testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '../testing.ts'

// attack case G116

let app: CardApp
let agent: Seller
let manager: Seller
let rival: Seller
let now = new Date()

beforeAll(async () => {
  const limits = { SALES_PER_MINUTE: '6/10', MAILS_PER_MINUTE: '12/60', SESSION_IDLE_HOURS: '720' }
  app = await cardApp({ clock: { now: () => now }, environment: limits })
  agent = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
  rival = await sellerOf(app, 'agent@rotta.example')
})
beforeEach(() => {
  now = new Date(now.getTime() + 120_000)
})
afterAll(() => app.stop())

const statusesOf = async (send: () => Promise<TestReply>, times: number) => {
  const found = []
  for (let time = 0; time < times; time++) found.push((await send()).status)
  return found
}
const ok = (count: number) => Array.from({ length: count }, () => 200)
const purchase = (purchaseUUID: string, headers?: Record<string, string>) => purchaseAs(agent, { purchaseUUID }, headers)
const rows = async (table: 'policies' | 'payments' | 'money_book') =>
  (await app.world.database.kysely.selectFrom(table).select('business_unit_id').execute()).length
/** Uses up the emails that the agent may still send this minute. */
async function useUpMails(spent = 0) {
  const { policyUuid } = (await registerAs(agent, { saveBudget: true })).body.data
  const send = (count: number) => {
    const emails = Array.from({ length: count }, (_, index) => `client${index}@example.com`)
    return app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails }, headers: agent.headers })
  }
  expect([(await send(10 - spent)).status, (await send(2)).status]).toEqual([200, 200])
}

test('registering and purchasing share one quota, then get 429 and write nothing', async () => {
  const { purchaseUUID } = (await registerAs(agent)).body.data
  expect(await statusesOf(() => registerAs(agent), 5)).toEqual(ok(5))
  const before = [await rows('policies'), await rows('payments'), await rows('money_book')]
  for (const refused of [await registerAs(agent), await purchase(purchaseUUID)]) {
    expect([refused.status, refused.body.error]).toEqual([429, 'request.too_many'])
    expect(refused.headers['retry-after']).toBe('10')
  }
  expect([await rows('policies'), await rows('payments'), await rows('money_book')]).toEqual(before)
  expect((await registerAs(rival)).status).not.toBe(429)
  expect(await statusesOf(() => registerAs(manager), 5)).toEqual([...ok(4), 429])
  now = new Date(now.getTime() + 10_000)
  expect((await purchase(purchaseUUID)).status).toBe(200)
})

test('repeated requests are free, also beyond the quota', async () => {
  const key = { 'idempotency-key': `sale-${now.getTime()}` }
  const first = await registerAs(agent, {}, key)
  expect(await statusesOf(() => registerAs(agent, {}, key), 8)).toEqual(ok(8))
  const { purchaseUUID } = first.body.data
  expect(await statusesOf(() => purchase(purchaseUUID), 8)).toEqual(ok(8))
  expect(await statusesOf(() => registerAs(agent), 5)).toEqual([...ok(4), 429])
  expect((await purchase(purchaseUUID)).status).toBe(200)
  // Simulates a reply lost with its node: the same key finds the stored sale.
  await app.world.database.kysely.deleteFrom('idempotency').execute()
  expect((await registerAs(agent, {}, key)).body.data.purchaseUUID).toBe(purchaseUUID)
})

test('a purchase on account beyond the email quota is refused until there is quota', async () => {
  const { purchaseUUID, policyUuid } = (await registerAs(agent)).body.data
  await useUpMails()
  const before = await rows('money_book')
  expect((await purchase(purchaseUUID)).status).toBe(429)
  const status = () => app.world.database.kysely.selectFrom('policies').select('status').where('id', '=', policyUuid).executeTakeFirst()
  expect([await status(), await rows('money_book')]).toEqual([{ status: 'pending' }, before])
  now = new Date(now.getTime() + 60_000)
  expect((await purchase(purchaseUUID)).status).toBe(200)
})

test('a refused purchase on account uses no email quota', async () => {
  const person = { name: 'Ana', birthDate: '1990-05-05' }
  const half = (await registerAs(agent, { saveBudget: true, users: [person, person] })).body.data
  const { purchaseUUID } = (await registerAs(agent)).body.data
  await useUpMails(1)
  for (const refused of [await purchase(half.purchaseUUID), await purchase(half.purchaseUUID)])
    expect(refused.body.error).toBe('policy.incomplete')
  expect((await purchase(purchaseUUID)).status).toBe(200)
})

test('a refused registration by card uses no email quota', async () => {
  const byCard = (changes: Record<string, unknown> = {}) => registerAs(agent, { paymentGatewayUUID: agent.gateway('StripeV2'), ...changes })
  const sold = (await registerAs(agent)).body.data
  expect((await purchase(sold.purchaseUUID)).status).toBe(200)
  await useUpMails(2)
  expect((await byCard({ expectedTotal: 1 })).body.error).toBe('quote.price_changed')
  expect((await byCard({ policyUuid: sold.policyUuid })).body.error).toBe('policy.not_replaceable')
  expect([(await byCard()).status, (await byCard()).body.error]).toEqual([200, 'request.too_many'])
})

test('a card sale uses email quota when registered, and is sold whatever is left', async () => {
  const byCard = () => registerAs(agent, { paymentGatewayUUID: agent.gateway('StripeV2') })
  const { clientSecret, policyUuid, purchaseUUID } = (await byCard()).body.data
  const other = (await byCard()).body.data
  await useUpMails(2)
  const before = await rows('policies')
  expect((await byCard()).status).toBe(429)
  expect(await rows('policies')).toBe(before)
  for (const secret of [clientSecret, other.clientSecret]) expect(await payBy(app, secret)).toBe('succeeded')
  const body = { purchaseUUID, paymentIntentClientSecret: clientSecret, paymentGatewayUUID: agent.gateway('StripeV2') }
  expect((await purchaseAs(agent, body)).status).toBe(200)
  await reconcileLater(app, 3)
  const { kysely } = app.world.database
  const sold = await kysely.selectFrom('policies').select('status').where('id', 'in', [policyUuid, other.policyUuid]).execute()
  expect(sold).toEqual([{ status: 'purchased' }, { status: 'purchased' }])
})
