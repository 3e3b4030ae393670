import { afterEach, beforeEach, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { deleteAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { giveRoles, auditRows, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
const start = today(new Date(), 'Europe/Madrid')

beforeEach(async () => {
  // By this clock a count takes no time, so none is cached.
  app = await testApp({}, { elapsed: () => 0 })
  seller = await sellerOf(app)
})
afterEach(() => app.stop())

const day = async (headers = seller.headers) => (await app.ask('/api/policy/day', { headers })).body.data
const restore = (policyUuid: string, headers = seller.headers) => app.ask('/api/policy/restore', { headers, body: { policyUuid } })
const saved = async (by = seller): Promise<string> => (await registerAs(by, { saveBudget: true })).body.data.policyUuid

it('lists the policies that depart this week', async () => {
  await sellAs(seller)
  const soon = await sellAs(seller, { startDate: addDays(start, 6), endDate: addDays(start, 9) })
  const { departures, from, to } = await day()
  expect([from, to]).toEqual([start, addDays(start, 6)])
  expect(departures.total).toBe(1)
  expect(departures.policies[0].policyUuid).toBe(soon.body.data.policyData.policyUuid)
  const viewer = await signIn(app, 'viewer@azahar.example')
  expect(await day(viewer.headers)).toMatchObject({ departures: { total: 1 }, lapsing: null })
})

it('lists saved quotes that can no longer be bought after this week', async () => {
  const week = { saveBudget: true, startDate: addDays(start, 6), endDate: addDays(start, 9) }
  await registerAs(seller, { ...week, startDate: addDays(start, 7) })
  const budget = (await registerAs(seller, week)).body.data.policyUuid
  expect((await day()).lapsing).toMatchObject({ total: 1, policies: [{ policyUuid: budget }] })
  expect((await day((await signIn(app, 'agent@rotta.example')).headers)).lapsing.total).toBe(0)
})

it('lists emails that were not delivered, if their policy is visible', async () => {
  const budget = await saved()
  await app.ask('/api/policy/sendCertificates', { headers: seller.headers, body: { policyUuid: budget, emails: ['gone@example.es'] } })
  const { kysely } = app.world.database
  await kysely.updateTable('mails').set({ state: 'refused', reason: 'no such box' }).where('about', '=', budget).execute()
  expect((await day()).failedMails).toMatchObject({ total: 1, mails: [{ to: 'gone@example.es', policyUuid: budget, isBudget: true }] })
  expect((await day((await signIn(app, 'viewer@azahar.example')).headers)).failedMails.total).toBe(0)
  expect((await day((await signIn(app, 'agent@rotta.example')).headers)).failedMails.total).toBe(0)
})

it('lists only own departures, quotes and failed emails for a freelancer', async () => {
  const { kysely } = app.world.database
  const thisWeek = { saveBudget: true, startDate: addDays(start, 6), endDate: addDays(start, 9) }
  const manager = await sellerOf(app, 'manager@azahar.example')
  const thisWeekSold = { startDate: addDays(start, 5), endDate: addDays(start, 9) }
  await sellAs(manager, thisWeekSold)
  const budget = (await registerAs(manager, thisWeek)).body.data.policyUuid
  const send = async (by: Seller, policyUuid: string, to: string) =>
    app.ask('/api/policy/sendCertificates', { headers: by.headers, body: { policyUuid, emails: [to] } })
  await send(manager, budget, 'his@example.es')
  await send(seller, await saved(), 'hers@example.es')
  await kysely.updateTable('mails').set({ state: 'refused', reason: 'no such box' }).where('state', '=', 'queued').execute()
  await sellAs(seller, thisWeekSold)
  await registerAs(seller, thisWeek)
  const all = await day()
  expect(all.departures.total).toBeGreaterThan(1)
  expect(all.lapsing.total).toBeGreaterThan(1)
  expect(all.failedMails.total).toBeGreaterThan(1)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const own = await day((await signIn(app, 'manager@azahar.example')).headers)
  expect(own).toMatchObject({
    departures: { total: 1, policies: [{ username: 'Andrés Molina' }] },
    lapsing: { total: 1, policies: [{ policyUuid: budget }] },
    failedMails: { total: 1, mails: [{ to: 'his@example.es' }] },
  })
})

it('audits the view, as it shows people’s names', async () => {
  const auditedViews = async () => (await auditRows(app, 'policies.listed')).map(({ user_id, details }) => ({ user_id, details }))
  await sellAs(seller, { startDate: addDays(start, 6), endDate: addDays(start, 9) })
  const before = (await auditedViews()).length
  await day()
  expect((await auditedViews()).slice(before)).toEqual([{ user_id: seller.user.uuid, details: { day: start, shown: 1 } }])
})

it('counts the sales of the last six months by month, product and seller', async () => {
  await sellAs(seller)
  const { status, body } = await app.ask('/api/policy/sales', { headers: seller.headers })
  expect(status).toBe(200)
  const { months, products, sellers, currency } = body.data
  expect(months).toHaveLength(6)
  expect(months.at(-1).name).toBe(start.slice(0, 7))
  const all = (rows: { policies: number; total: number }[]) => rows.reduce((sum, { policies }) => sum + policies, 0)
  const { body: listed } = await app.ask('/api/policy/list', { headers: seller.headers, body: {} })
  expect([all(months), all(products), all(sellers)]).toEqual(Array.from({ length: 3 }, () => listed.data.total))
  const cents = listed.data.policies.reduce((sum: number, { total }: { total: number }) => sum + Math.round(total * 100), 0)
  expect(Math.round(months.at(-1).total * 100)).toBe(cents)
  const earned = listed.data.policies.reduce((sum: number, { commission }: { commission: number }) => sum + Math.round(commission * 100), 0)
  expect(Math.round(months.at(-1).earned * 100)).toBe(earned)
  expect(earned).toBeGreaterThan(0)
  expect(currency).toBe('EUR')
  expect((await app.ask('/api/policy/sales', { headers: (await signIn(app, 'viewer@azahar.example')).headers })).status).toBe(403)
})

it('counts a product once across languages, and sellers of one name apart', async () => {
  const { kysely } = app.world.database
  await kysely.updateTable('users').set({ name: seller.user.name }).where('email', '=', 'manager@azahar.example').execute()
  const namesake = await sellerOf(app, 'manager@azahar.example')
  await sellAs(seller, { locale: 'fr-FR' })
  await sellAs(namesake)
  const picture = async (locale: string) =>
    (await app.ask('/api/policy/sales', { headers: { ...seller.headers, 'accept-language': locale } })).body.data
  const [portuguese, italian] = [await picture('pt-PT'), await picture('it-IT')]
  const { data: offered } = (await app.ask('/api/products', { headers: { ...seller.headers, 'accept-language': 'pt-PT' }, body: {} })).body
  expect(portuguese.products).toHaveLength(1)
  expect(offered.map((product: { name: string }) => product.name)).toContain(portuguese.products[0].name)
  expect(italian.products).toMatchObject([{ policies: portuguese.products[0].policies }])
  expect(portuguese.sellers.filter((each: { name: string }) => each.name === seller.user.name)).toHaveLength(2)
})

it('keeps a count of sales a hundred times as long as it took', async () => {
  let [now, elapsed] = [Date.now(), 0]
  const slow = await testApp({}, { clock: { now: () => new Date(now) }, elapsed: () => (elapsed += 100) })
  const by = await sellerOf(slow)
  const products = async () => (await slow.ask('/api/policy/sales', { headers: by.headers })).body.data.products
  expect(await products()).toEqual([])
  await sellAs(by)
  now += 9_999
  expect(await products()).toEqual([])
  now += 1
  expect(await products()).toHaveLength(1)
  await slow.stop()
})

it('restores a deleted quote within the hour for users who may delete it', async () => {
  const budget = await saved()
  const foreign = await signIn(app, 'agent@rotta.example')
  expect((await restore(budget)).status).toBe(200)
  expect((await deleteAs(seller, budget)).status).toBe(200)
  expect((await restore(budget, foreign.headers)).status).toBe(404)
  expect((await restore(budget)).status).toBe(200)
  const { body } = await app.ask('/api/policy/detail', { headers: seller.headers, body: { policyUuid: budget } })
  expect(body.data.policy.status).toBe('budgeted')
  expect(body.data.history.map(({ what }: { what: string }) => what)).toEqual(expect.arrayContaining(['deleted', 'restored']))
  // Users limited to own sales restore only own quotes; others are unknown to them.
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const freelancer = await sellerOf(app, 'manager@azahar.example')
  expect((await restore(budget, freelancer.headers)).status).toBe(404)
  const manager = await saved(freelancer)
  await deleteAs(freelancer, manager)
  await deleteAs(seller, budget)
  expect((await restore(budget, freelancer.headers)).status).toBe(404)
  const { status } = await app.world.database.kysely
    .selectFrom('policies')
    .select('status')
    .where('id', '=', budget)
    .executeTakeFirstOrThrow()
  expect(status).toBe('deleted')
  expect((await restore(manager, freelancer.headers)).status).toBe(200)
  const hourAgo = new Date(app.world.clock.now().getTime() - 3_600_001)
  await app.world.database.kysely.updateTable('policies').set({ updated_at: hourAgo }).where('id', '=', budget).execute()
  expect((await restore(budget)).status).toBe(404)
  const sold = (await sellAs(seller)).body.data.policyData.policyUuid
  expect((await restore(sold)).status).toBe(404)
})
