import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

// The window of a right counts from the day on which the terms reached the client, as the state of the sale's email shows.

const zone = 'Europe/Madrid'
let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const day = 86_400_000
const sold = today(new Date(), zone)
const start = addDays(sold, 60)
/** A trip of 40 days, to which EU14 applies at a distance. */
const distance = { channel: 'distance', startDate: start, endDate: addDays(start, 39) }

const setClock = async (body: object) => expect((await app.ask('/dev/clock', { body })).status).toBe(200)

type Mail = { state: 'sent' | 'refused' | 'queued'; after?: number }

/** Sells, gives the email this state, and returns the last day of the right as it is read some days after the sale. */
async function rightOn(days: number, { state, after = 0 }: Mail, more = {}) {
  await setClock({})
  const reply = await sellAs(seller, { ...distance, ...more })
  expect(reply.body.code, reply.text).toBe(200)
  const { policyUuid } = reply.body.data.policyData
  await app.world.outbox.drain()
  const finished_at = state === 'queued' ? null : new Date(Date.now() + after * day)
  await app.world.database.kysely.updateTable('mails').set({ state, finished_at }).where('about', '=', policyUuid).execute()
  // In the middle of that day, whatever the time is now.
  await setClock({ at: new Date(startOfDay(addDays(sold, days), zone) + day / 2).toISOString() })
  return (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data.withdrawal
}

/** The fourteenth day after one, or the Monday after it. */
function fourteenAfter(from: string): string {
  const until = addDays(from, 14)
  const weekday = new Date(`${until}T00:00:00Z`).getUTCDay()
  return addDays(until, weekday === 6 ? 2 : weekday === 0 ? 1 : 0)
}

test.each<[string, Mail]>([
  ['left at once', { state: 'sent' }],
  ['still waits', { state: 'queued' }],
])('the window counts from the sale if the email %s', async (_how, mail) => {
  expect(await rightOn(1, mail)).toEqual({ right: 'EU14', until: fourteenAfter(sold) })
  expect(await rightOn(20, mail)).toBeNull()
})

test('the window counts from the day on which a delayed email left', async () => {
  expect(await rightOn(16, { state: 'sent', after: 3 })).toEqual({ right: 'EU14', until: fourteenAfter(addDays(sold, 3)) })
})

test('no window ends while the email with the terms is refused', async () => {
  expect(await rightOn(40, { state: 'refused', after: 1 })).toEqual({ right: 'EU14', until: fourteenAfter(addDays(sold, 40)) })
})

/** Writes an instant into a sold policy, as older versions did. */
const store = (policyUuid: string, termsGivenAt: string) =>
  app.world.database.kysely
    .updateTable('policy_versions')
    .set({ content: sql`jsonb_set(content, '{trip,termsGivenAt}', ${JSON.stringify(termsGivenAt)}::jsonb)` })
    .where('policy_id', '=', policyUuid)
    .execute()

test.each([
  ['2030-01-01T00:00:00Z', 'past', 'Este momento no ha llegado todavía.'],
  ['1970-01-01T00:00:00Z', 'near', 'Indique un momento del último año.'],
])('the agency’s statement that the terms were given at %s is refused', async (termsGivenAt, rule, message) => {
  await setClock({})
  const { status, body } = await registerAs(seller, { ...distance, termsGivenAt })
  expect([status, body.fields]).toEqual([422, [{ path: 'termsGivenAt', rule, message }]])
})

test.each<[string, Mail['state'], string | undefined]>([
  ['2030-01-01T00:00:00Z', 'sent', undefined],
  // An instant after the sale, which has passed when the right is read.
  ['the fifth week', 'sent', undefined],
  ['1970-01-01T00:00:00Z', 'refused', fourteenAfter(addDays(sold, 41))],
])('a stored instant of %s does not count, but the email, which was %s', async (termsGivenAt, state, until) => {
  await setClock({})
  const { policyUuid } = (await sellAs(seller, distance)).body.data.policyData
  await app.world.outbox.drain()
  await app.world.database.kysely.updateTable('mails').set({ state, finished_at: new Date() }).where('about', '=', policyUuid).execute()
  await store(policyUuid, termsGivenAt === 'the fifth week' ? new Date(Date.now() + 35 * day).toISOString() : termsGivenAt)
  await setClock({ at: new Date(startOfDay(addDays(sold, 41), zone) + day / 2).toISOString() })
  const detail = (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data
  expect(detail.withdrawal?.until).toBe(until)
})

test('the agency’s statement about the terms counts, whatever became of the email', async () => {
  const termsGivenAt = new Date().toISOString()
  expect(await rightOn(40, { state: 'refused' }, { termsGivenAt })).toBeNull()
})
