import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { readVersionFacts } from '#server/policies/public.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { scopeOf } from '#server/session/public.ts'

let app: TestApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = async (path: string, body: unknown) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body.data
const zoneOf = async (policyUuid: string) => (await post('change/terms', { policyUuid })).policy.timeZone

async function moveClock(to: number): Promise<void> {
  ahead = to
  // The session of another day has expired.
  seller = await sellerOf(app)
}

async function zonesOnDocument(policyUuid: string): Promise<(string | undefined)[]> {
  const { database } = app.world
  const { business_unit_id } = await database.kysely
    .selectFrom('policies')
    .select('business_unit_id')
    .where('id', '=', policyUuid)
    .executeTakeFirstOrThrow()
  const facts = (version: number) =>
    database.inScope(scopeOf(business_unit_id), tx => readVersionFacts(app.world.secrets, tx, policyUuid, version))
  return [(await facts(1))?.seller.timeZone, (await facts(2))?.seller.timeZone]
}

async function moveUnit(zone: string): Promise<void> {
  const settings = sql`jsonb_set(settings, '{timeZone}', ${JSON.stringify(zone)}::jsonb)`
  await app.world.database.asService(tx =>
    sql`update business_units set settings = ${settings}, version = version + 1 where key = 'azahar'`.execute(tx),
  )
  const settled = async () => (await app.ask('/api/business-unit/settings', { headers: seller.headers })).body.data.configuration.timeZone
  await expect.poll(settled).toBe(zone)
}

it('a policy keeps the time zone that it was sold in, whatever the unit’s is later', async () => {
  const policyUuid: string = (await sellAs(seller)).body.data.policyData.policyUuid
  await moveUnit('Pacific/Auckland')
  expect(await zoneOf(policyUuid)).toBe('Europe/Madrid')
  const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
  const made = await post('change', { policyUuid, version: 1, change: { endDate: addDays(start, 11) }, expectedDifference: 17.08, settle })
  expect([made.state, await zoneOf(policyUuid)]).toEqual(['done', 'Europe/Madrid'])
  expect(await zonesOnDocument(policyUuid)).toEqual(['Europe/Madrid', 'Europe/Madrid'])
  // The day of departure has begun in Auckland.
  await moveClock(startOfDay(start, 'Europe/Madrid') - 60_000 - Date.now())
  expect(await post('cancel/preview', { policyUuid, version: 2 })).toMatchObject({ possible: true, refund: 50.84 })
  await moveClock(0)
  const elsewhere: string = (await sellAs(seller)).body.data.policyData.policyUuid
  expect(await zoneOf(elsewhere)).toBe('Pacific/Auckland')
})

it('a version without a time zone uses the unit’s, which its next version keeps', async () => {
  await moveUnit('Europe/Madrid')
  const policyUuid: string = (await sellAs(seller)).body.data.policyData.policyUuid
  await app.world.database.asPrivacy(tx =>
    sql`update policy_versions set content = content - 'timeZone' where policy_id = ${policyUuid}`.execute(tx),
  )
  await moveUnit('Europe/Lisbon')
  expect(await zoneOf(policyUuid)).toBe('Europe/Lisbon')
  await post('change', { policyUuid, version: 1, change: { buReference: 'Kept' }, expectedDifference: 0 })
  await moveUnit('Europe/Madrid')
  expect(await zoneOf(policyUuid)).toBe('Europe/Lisbon')
  expect(await zonesOnDocument(policyUuid)).toEqual(['Europe/Madrid', 'Europe/Lisbon'])
})
