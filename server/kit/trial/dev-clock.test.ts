import { afterEach, describe, expect, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { standsMs } from './business-clock.ts'
import { inProcess, type TestApp, testApp, testConfig, testDatabase } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
afterEach(() => app.stop())

const set = (to: TestApp, body: object = {}, options = {}) => to.ask('/dev/clock', { body, ...options })
const minute = 60_000
const aheadOf = (at: string) => Date.parse(at) - Date.now()

describe('the business clock', () => {
  test('stands at a set instant for ten seconds, runs on, and can be reset', async () => {
    let real = Date.parse('2026-11-24T10:00:00Z')
    app = await testApp({}, { clock: { now: () => new Date(real) } })
    const after = (ms: number) => {
      real += ms
      return app.world.clock.now().toISOString()
    }
    const reply = await set(app, { at: '2027-03-27T23:59:59.999+01:00' })
    expect(reply.body).toEqual({ code: 200, data: { now: '2027-03-27T22:59:59.999Z', isSet: true } })
    expect(after(standsMs)).toBe('2027-03-27T22:59:59.999Z')
    expect(after(1)).toBe('2027-03-27T23:00:00.000Z')
    expect(after(3_600_000)).toBe('2027-03-28T00:00:00.000Z')
    expect((await set(app)).body.data).toEqual({ now: after(0), isSet: false })
    expect(after(0)).toBe('2026-11-24T11:00:10.001Z')
  })

  test('dates a sale, while sessions, keys and jobs keep real time', async () => {
    app = await testApp()
    const seller = await sellerOf(app)
    await set(app, { at: '2027-02-03T10:00:00Z' })
    const trip = { startDate: '2027-02-03', endDate: '2027-02-09' }
    const sale = await sellAs(seller, trip)
    // The portal takes its day from the first data of a page.
    const { now } = (await app.ask('/policies/_payload.json', { headers: seller.headers })).body.data
    expect(new Date(now).toISOString()).toMatch(/^2027-02-03T10:00/)
    expect(sale.body.data.policyData.createdAt).toMatch(/^2027-02-03T10:00/)
    const yesterday = await app.ask('/api/quotes/compare', { body: { ...trip, startDate: '2027-02-02' }, headers: seller.headers })
    expect(yesterday.status).toBe(422)
    const { kysely } = app.world.database
    const [session, job] = await Promise.all([
      kysely.selectFrom('sessions').select('last_seen_at as at').executeTakeFirstOrThrow(),
      kysely.selectFrom('jobs').where('subscriber', '=', 'policies.purchased').select('run_at as at').executeTakeFirstOrThrow(),
    ])
    for (const { at } of [session, job]) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(minute)
  })

  test('outlives a restart, and is the same on every node that shares the database', async () => {
    // Two nodes share a server; an embedded database has one.
    const database = { ...(await testDatabase()), embedded: false }
    app = inProcess(await openApp(testConfig(), database))
    const other = inProcess(await openApp(testConfig(), database))
    const { headers } = await sellerOf(other)
    const at = '2027-06-01T08:00:00Z'
    const received: number[] = []
    await other.world.businessClock.whenSet(aheadMs => received.push(aheadMs))
    await set(app, { at })
    const asked = await other.ask('/api/policy/list', {
      body: { page: 1, perPage: 10, export: false, searchData: '', sortCriteria: [] },
      headers,
    })
    expect([asked.status, received.length]).toEqual([200, 1])
    const later = inProcess(await openApp(testConfig(), database))
    for (const node of [app, other, later])
      expect(Math.abs(node.world.clock.now().getTime() - Date.now() - aheadOf(at))).toBeLessThan(minute)
  })

  test.for<[object, string, string]>([
    [{ at: 'tomorrow' }, 'at', 'format'],
    [{ at: '2026-02-30T10:00:00Z' }, 'at', 'format'],
    [{ at: '2026-12-01T10:00:00' }, 'at', 'format'],
    [{ at: 1_800_000_000 }, 'at', 'type'],
    [{ at: '2026-12-01T10:00:00Z', speed: 2 }, 'speed', 'unknown'],
  ])('is not set by %j', async ([body, path, rule]) => {
    app = await testApp()
    const reply = await set(app, body)
    expect([reply.status, reply.body.fields]).toMatchObject([422, [{ path, rule }]])
    expect(Math.abs(app.world.clock.now().getTime() - Date.now())).toBeLessThan(minute)
  })

  test('is set by this machine only', async () => {
    app = await testApp()
    for (const options of [{ remoteAddress: '203.0.113.5' }, { headers: { 'x-forwarded-for': '203.0.113.5' } }])
      expect((await set(app, { at: '2027-06-01T08:00:00Z' }, options)).status).toBe(404)
    expect(Math.abs(app.world.clock.now().getTime() - Date.now())).toBeLessThan(minute)
  })

  test('cannot be set in production, which ignores what a trial has set', async () => {
    const database = await testDatabase()
    await database.kysely.insertInto('business_clock').values({ at: '2027-06-01T08:00:00Z', runs_from: new Date() }).execute()
    const live = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.example',
      MAIL_FROM: 'a@portal.test',
      SMTP_URL: 'smtp://127.0.0.1:9',
    }
    app = inProcess(await openApp(testConfig(live), database))
    expect((await set(app, { at: '2027-06-01T08:00:00Z' })).status).toBe(404)
    expect(Math.abs(app.world.clock.now().getTime() - Date.now())).toBeLessThan(minute)
  })
})
