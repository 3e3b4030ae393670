import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { recordStatements, type Statement } from '#testing/recorder.ts'
import { type TestApp, type TestReply, testApp } from '#server/kit/testing.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

// Statements are counted, not timed: each is a round trip to the database.

let app: TestApp
let seller: Seller
const recorded: Statement[] = []
const counts: Record<string, number> = {}
/** The last statement of each call that writes a policy, before its commit. */
const last: Record<string, string | undefined> = {}
const instants: Record<'before' | 'after', unknown> = { before: undefined, after: undefined }

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...key() } })

async function count(name: string, request: () => Promise<TestReply>): Promise<TestReply> {
  recorded.length = 0
  const reply = await request()
  expect(reply.status, reply.text).toBe(200)
  // The trial's clock is read at most once in 200 ms, and never in production.
  counts[name] = recorded.filter(({ text }) => !text.includes('business_clock')).length
  const texts = recorded.map(({ text }) => text)
  last[name] = texts
    .slice(texts.findIndex(text => text.includes('write_movement')))
    .find((_, at, rest) => rest[at + 1]?.startsWith('commit'))
  return reply
}

async function sellAndChange(): Promise<void> {
  const { purchaseUUID, policyUuid } = (await registerAs(seller, {}, key())).body.data
  await purchaseAs(seller, { purchaseUUID }, key())
  const change = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
  const quote = (await registerAs(seller, { saveBudget: true }, key())).body.data
  await count('quote', () => post('detail', { policyUuid: quote.policyUuid }))
  await count('detail', () => post('detail', { policyUuid }))
  await count('preview', () => post('change/preview', { policyUuid, version: 1, change }))
  const { kysely } = app.world.database
  const read = () => sql`select created_at::text, purchased_at::text from policies where id = ${policyUuid}`.execute(kysely)
  // The database keeps instants more exactly than the service reads them.
  await sql`update policies set purchased_at = purchased_at + interval '123 microseconds' where id = ${policyUuid}`.execute(kysely)
  instants.before = (await read()).rows
  await count('change', () => post('change', { policyUuid, version: 1, change, expectedDifference: 17.08, settle }))
  instants.after = (await read()).rows
  await count('undo', () => post('change/undo', { policyUuid, version: 2 }))
  await count('cancel', () => post('cancel', { policyUuid, version: 3, expectedRefund: 33.76, reason: 'other' }))
  await count('reinstate', () => post('reinstate', { policyUuid, version: 4, expectedCharge: 33.76, settle }))
}

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  recordStatements(app.world.database.pool, recorded)
  // The first round fills the caches of the catalogue.
  for (const _ of [1, 2]) await sellAndChange()
})
afterAll(() => app.stop())

it.each([
  ['change', 28],
  ['undo', 36],
  ['cancel', 33],
  ['reinstate', 34],
])('the call %s sends at most %d statements', (name, most) => {
  expect(counts[name]).toBeGreaterThan(10)
  expect(counts[name]).toBeLessThanOrEqual(most)
})

it.each(['change', 'undo', 'cancel', 'reinstate'])('the call %s counts last, as the agency’s sales wait for its count', name => {
  expect(last[name]).toMatch(/^insert into "policy_counts"/)
})

it('a step leaves the instants of its policy as they are', () => {
  expect(instants.after).toEqual(instants.before)
})

it('the preview of a change needs no more statements than a saved quote’s detail', () => {
  expect(counts['quote']).toBeGreaterThan(10)
  expect(counts['preview']).toBeLessThanOrEqual(counts['quote'] ?? 0)
})

it('the detail of a sold policy, which reads the rules’ input too, sends at most 24', () => {
  expect(counts['detail']).toBeGreaterThan(counts['preview'] ?? 0)
  expect(counts['detail']).toBeLessThanOrEqual(24)
})
