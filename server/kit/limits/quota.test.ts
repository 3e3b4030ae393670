import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellerOf, tripOf } from '#server/policies/testing.ts'
import { scopeOf } from '#server/session/scope.ts'
import { openQuota } from './quota.ts'

// attack case G94

let app: TestApp
let agent: Seller
let manager: Seller
let rival: Seller
let now = new Date()
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

beforeAll(async () => {
  app = await testApp(
    { QUOTES_PER_MINUTE: '3/5', EXPORTS_PER_MINUTE: '2/3', MAILS_PER_MINUTE: '12/20', SESSION_IDLE_HOURS: '720' },
    { clock: { now: () => now } },
  )
  agent = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
  rival = await sellerOf(app, 'agent@rotta.example')
})
beforeEach(() => later(120))
afterAll(() => app.stop())

const quote = ({ headers, ...seller }: Seller): Promise<TestReply> => {
  const { productUUID, insuranceType, startDate, endDate, paxNumber, countryOriginId, countriesDestinationId } = tripOf({
    headers,
    ...seller,
  })
  const body = { productUUID, insuranceType, startDate, endDate, paxNumber, countryOriginId, countriesDestinationId }
  return app.ask('/api/quotes', { body, headers })
}
const exported = ({ headers }: Seller) => app.ask('/api/policy/list', { body: { export: true }, headers })
const statuses = async (send: () => Promise<TestReply>, times: number) => {
  const all = []
  for (let time = 0; time < times; time++) all.push((await send()).status)
  return all
}

describe.each([
  ['quotes', quote, 3, 5],
  ['exports', exported, 2, 3],
] as const)('%s', (_, send, user, unit) => {
  test('get 429 with the wait beyond a user’s quota; other users are not affected', async () => {
    expect(await statuses(() => send(agent), user)).toEqual(Array.from({ length: user }, () => 200))
    const refused = await send(agent)
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([429, 429, 'request.too_many'])
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBe(60 / user)
    expect((await send(manager)).status).toBe(200)
    expect((await send(rival)).status).toBe(200)
    later(wait - 1)
    expect((await send(agent)).status).toBe(429)
    later(1)
    expect(await statuses(() => send(agent), 2)).toEqual([200, 429])
  })

  test('get 429 beyond a unit’s quota, and are not charged to the user', async () => {
    const both = [...(await statuses(() => send(agent), user)), ...(await statuses(() => send(manager), user))]
    expect(both.filter(status => status === 200)).toHaveLength(unit)
    expect(both.at(-1)).toBe(429)
    expect((await send(rival)).status).toBe(200)
    later(Math.ceil(60 / unit))
    expect((await send(manager)).status).toBe(200)
  })

  test('sent concurrently cannot exceed the quota', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => send(agent)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(user)
    expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true)
  })
})

test('a comparison is charged for each product that it prices', async () => {
  const { productUUID: _, ...trip } = tripOf(agent)
  const { startDate, endDate, paxNumber, countryOriginId, countriesDestinationId } = trip
  const body = { startDate, endDate, paxNumber, countryOriginId, countriesDestinationId }
  expect(agent.products.length).toBeGreaterThan(5)
  // It costs more than the whole quota of a minute: it is allowed once, and nothing beside it.
  const compare = () => app.ask('/api/quotes/compare', { body, headers: agent.headers })
  expect((await compare()).status).toBe(200)
  expect([(await compare()).status, (await quote(agent)).status]).toEqual([429, 429])
  // A minute later it is allowed again.
  later(60)
  expect((await compare()).status).toBe(200)
})

describe('mails', () => {
  const send = (policyUuid: string, emails: string[], more: Record<string, string> = {}) =>
    app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails }, headers: { ...agent.headers, ...more } })
  const addresses = (many: number, from = 0) => Array.from({ length: many }, (_, index) => `client${from + index}@example.com`)
  const saveQuote = async (): Promise<string> => (await registerAs(agent, { saveBudget: true })).body.data.policyUuid

  test('are charged by address; a refused call sends nothing, and its key can be retried', async () => {
    const policyUuid = await saveQuote()
    expect((await send(policyUuid, addresses(10))).body.data).toEqual({ queued: 10 })
    const key = { 'idempotency-key': 'mails-1' }
    const refused = await send(policyUuid, addresses(5, 10), key)
    expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([429, 'request.too_many', '15'])
    // The rest of the quota can still be used.
    expect((await send(policyUuid, addresses(2, 20))).body.data).toEqual({ queued: 2 })
    later(25)
    expect((await send(policyUuid, addresses(5, 10), key)).body.data).toEqual({ queued: 5 })
    // The stored reply is sent again, which costs nothing.
    expect((await send(policyUuid, addresses(5, 10), key)).body.data).toEqual({ queued: 5 })
    const mails = await app.world.database.kysely.selectFrom('mails').select('id').where('about', '=', policyUuid).execute()
    expect(mails).toHaveLength(17)
  })

  test('are not charged if the call is refused for another reason', async () => {
    const policyUuid = await saveQuote()
    for (let times = 0; times < 5; times++) expect((await send(policyUuid, ['nobody'])).status).toBe(422)
    for (let times = 0; times < 5; times++) expect((await send('0190a000-0000-7000-8000-000000000000', addresses(10))).status).toBe(404)
    expect((await send(policyUuid, addresses(10))).status).toBe(200)
  })
})

describe('several nodes', () => {
  const caller = async (seller: Seller) => {
    const unit = await app.world.database.kysely
      .selectFrom('business_units')
      .select('id')
      .where('key', '=', 'azahar')
      .executeTakeFirstOrThrow()
    // Safe: the quota reads only these two fields.
    return { userId: seller.user.uuid, unit: { scope: scopeOf(unit.id) } } as CallerInUnit
  }
  const allowed = async (spend: ReturnType<typeof openQuota>, by: CallerInUnit, times: number) => {
    let many = 0
    for (let time = 0; time < times; time++)
      many += await spend(by, 'quotes').then(
        () => 1,
        () => 0,
      )
    return many
  }
  const nodeWith = (user: number, unit: number) =>
    openQuota({ ...app.world, config: { ...app.world.config, QUOTES_PER_MINUTE: { user, unit } } })

  test('count together, and a restarted one knows the charges', async () => {
    const by = await caller(agent)
    const nodes = [nodeWith(10, 1000), nodeWith(10, 1000)] as const
    const done = [await allowed(nodes[0], by, 7), await allowed(nodes[1], by, 7), await allowed(nodes[0], by, 7)]
    expect(done).toEqual([7, 3, 0])
    expect(await allowed(nodeWith(10, 1000), by, 7)).toBe(0)
  })

  test('reserve shares: few database requests, and never more than the quota', async () => {
    const by = await caller(agent)
    const transactions = vi.spyOn(app.world.database, 'inScope')
    const nodes = [nodeWith(500, 5000), nodeWith(500, 5000)] as const
    const done = await Promise.all(nodes.map(node => allowed(node, by, 600)))
    // Each share is ten; some of the last ones may remain unused.
    expect(done.reduce((sum, each) => sum + each)).toBe(500)
    expect(transactions.mock.calls.length).toBeLessThanOrEqual(60)
    transactions.mockRestore()
  })

  test('refuse a flood of requests from memory, without the database', async () => {
    const by = await caller(agent)
    const node = nodeWith(10, 1000)
    await allowed(node, by, 11)
    const transactions = vi.spyOn(app.world.database, 'inScope')
    expect(await allowed(node, by, 1000)).toBe(0)
    expect(transactions).not.toHaveBeenCalled()
    transactions.mockRestore()
  })

  test('allow the full quota after a clock that ran ahead is corrected', async () => {
    const by = await caller(agent)
    later(86_400)
    expect(await allowed(nodeWith(10, 1000), by, 20)).toBe(10)
    later(-86_400)
    expect(await allowed(nodeWith(10, 1000), by, 20)).toBe(10)
  })
})
