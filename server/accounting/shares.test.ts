import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { daysOf } from '#common/accounting/period.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { earnedBy, sharesBy } from './reports/sums.ts'
import { closeMonths } from './statements/close.ts'
import { type November, playNovember } from './testing.ts'

let november: November
let app: November['app']
let manager: SignedIn
let agent: string
beforeEach(async () => {
  november = await playNovember()
  ;({ app } = november)
  manager = await signIn(app, 'manager@azahar.example')
  agent = november.seller.user.uuid
  await november.at('2026-11-25T10:00:00Z')
})
afterEach(() => app.stop())

const shares = () => app.world.database.kysely.selectFrom('commission_shares')
const rows = () => shares().select(['user_id', 'month', 'share_bp']).orderBy('user_id').orderBy('month').execute()

const change = (body: object, user: SignedIn = manager, uuid = agent) =>
  app.ask(`/api/agency/users/${uuid}`, { method: 'PUT', body, headers: user.headers })
async function share(commissionShare: number | null, uuid = agent): Promise<void> {
  const reply = await change({ commissionShare }, manager, uuid)
  expect([reply.status, reply.body.data?.commissionShare], reply.text).toEqual([200, commissionShare])
}
type Row = { uuid: string; earned: number; share: { percent: number | null; amount: number } | null }
const sellers = async (from = '2026-11', to = from): Promise<Row[]> => (await november.asAccountant('earnings', { from, to })).sellers
const shareOf = async (from?: string, to?: string) => (await sellers(from, to)).find(({ uuid }) => uuid === agent)?.share

const trip = { startDate: '2027-06-01', endDate: '2027-06-08' }

test('a share of this month is in the earnings, which have none before', async () => {
  expect(await sellers()).toEqual([expect.objectContaining({ uuid: agent, earned: 171.32, share: null })])
  await share(30)
  // Computed by hand: 51.396.
  expect(await shareOf()).toEqual({ percent: 30, amount: 51.4 })
  expect(await rows()).toEqual([{ user_id: agent, month: '2026-11-01', share_bp: 3000 }])
  const { users } = (await app.ask('/api/agency/users', { headers: manager.headers })).body.data
  expect(users.find(({ uuid }: { uuid: string }) => uuid === agent).commissionShare).toBe(30)
  const entry = (await auditRows(app, 'agency.user_changed')).at(-1)
  expect(entry).toMatchObject({ object: agent, details: { commissionShare: { before: null, after: 30 }, month: '2026-11' } })
})

test('the last share set in a month applies, and an equal one is no change', async () => {
  await share(30)
  await share(33.33)
  expect(await shareOf()).toEqual({ percent: 33.33, amount: 57.1 })
  const before = await auditRows(app, 'agency.user_changed')
  await share(33.33)
  expect(await auditRows(app, 'agency.user_changed')).toEqual(before)
  expect(await rows()).toHaveLength(1)
  await share(0)
  expect(await shareOf()).toEqual({ percent: 0, amount: 0 })
})

test('a share that is not a percentage with two decimals is refused at the field', async () => {
  for (const commissionShare of [-1, 100.01, 12.345, '30', true]) {
    const reply = await change({ commissionShare })
    expect([reply.status, reply.body.fields?.[0]?.path], `${commissionShare} ${reply.text}`).toEqual([422, 'commissionShare'])
  }
  expect(await rows()).toEqual([])
})

test('only users who may change users set a share', async () => {
  const own = await change({ commissionShare: 90 }, november.seller)
  expect(own.status).toBe(403)
  const rotta = await signIn(app, 'admin@portolan.example', 'Rotta Viaggi')
  expect((await change({ commissionShare: 90 }, rotta)).status).toBe(404)
  expect(await rows()).toEqual([])
  const { kysely } = app.world.database
  const write = app.world.database.inScope(demoScope('azahar'), tx =>
    tx.insertInto('commission_shares').values({ user_id: agent, month: '2026-11-01', share_bp: 1, set_at: new Date() }).execute(),
  )
  await expect(write).rejects.toThrow(/permission denied/)
  await expect(
    kysely
      .insertInto('commission_shares')
      .values({ ...(await unitOf()), month: '2026-11-02', share_bp: 1 })
      .execute(),
  ).rejects.toThrow()
})

const unitOf = async () => {
  const unit = await app.world.database.kysely
    .selectFrom('business_units')
    .select('id')
    .where('key', '=', 'azahar')
    .executeTakeFirstOrThrow()
  return { business_unit_id: unit.id, user_id: agent, set_at: new Date() }
}

test('an invited user has no share', async () => {
  const invited = await app.ask('/api/agency/users', {
    body: { name: 'Marta Gil', email: 'marta@azahar.example', roles: ['seller'] },
    headers: manager.headers,
  })
  const { uuid } = invited.body.data
  expect(invited.body.data.commissionShare).toBeNull()
  expect((await change({ commissionShare: 10 }, manager, uuid)).body.error).toBe('agency.still_invited')
  expect((await change({ commissionShare: null, name: 'Marta' }, manager, uuid)).status).toBe(200)
  expect(await rows()).toEqual([])
})

test('a user who sees only own sales sees only their own share', async () => {
  await share(30)
  await share(50, manager.user.uuid)
  await giveRoles(app, 'agent@azahar.example', ['freelancer'])
  const { headers } = await signIn(app, 'agent@azahar.example')
  const own = await app.ask('/api/accounting/earnings', { body: { from: '2026-11', to: '2026-11' }, headers })
  expect(own.body.data.sellers.map(({ uuid, share }: Row) => [uuid, share])).toEqual([[agent, { percent: 30, amount: 51.4 }]])
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  const others = await signIn(app, 'manager@azahar.example')
  const none = await app.ask('/api/accounting/earnings', { body: { from: '2026-11', to: '2026-11' }, headers: others.headers })
  expect(none.body.data.sellers).toEqual([])
})

test('a share applies from its month on; a closed month keeps its own', async () => {
  await november.at('2026-11-28T10:00:00Z')
  await share(30)
  await november.at('2026-12-02T10:00:00Z')
  await closeMonths(app.world)
  expect(await shareOf()).toEqual({ percent: 30, amount: 51.4 })
  await sellAs(november.seller, trip)
  const december = (await sellers('2026-12'))[0]?.earned ?? 0
  expect(december).toBeGreaterThan(0)
  const part = (percent: number) => Math.round(december * percent) / 100
  expect(await shareOf('2026-12')).toEqual({ percent: 30, amount: part(30) })
  await share(45)
  expect(await shareOf('2026-12')).toEqual({ percent: 45, amount: part(45) })
  expect(await shareOf()).toEqual({ percent: 30, amount: 51.4 })
  const both = await shareOf('2026-11', '2026-12')
  expect([both?.percent, both?.amount]).toEqual([null, expect.closeTo(51.4 + part(45), 5)])
  // The clock is back in a closed month, as after a change of the unit's time zone.
  await november.at('2026-11-29T10:00:00Z')
  await share(60)
  expect(await shareOf()).toEqual({ percent: 30, amount: 51.4 })
  expect((await rows()).map(({ month, share_bp }) => [month, share_bp])).toEqual([
    ['2026-11-01', 3000],
    ['2026-12-01', 6000],
  ])
})

test('a seller who left keeps past shares, and later refunds reduce their share', async () => {
  await november.at('2026-12-05T10:00:00Z')
  await share(20)
  const { policyUuid } = (await sellAs(november.seller, trip)).body.data.policyData
  const { total } = (await november.asAccountant('entries', { from: '2026-12-05', to: '2026-12-05' })).entries.reduce(
    (sum: { total: number }, each: { gross: number }) => ({ total: sum.total + each.gross }),
    { total: 0 },
  )
  const before = await shareOf('2026-12')
  expect((await change({ active: false })).status).toBe(200)
  expect(await shareOf('2026-12')).toEqual(before)
  await november.at('2027-01-05T10:00:00Z')
  const { headers } = await signIn(app, 'manager@azahar.example')
  const body = { policyUuid, version: 1, expectedRefund: total, reason: 'trip_cancelled' }
  const cancelled = await app.ask('/api/policy/cancel', { body, headers })
  expect(cancelled.status, cancelled.text).toBe(200)
  const [january] = await sellers('2027-01')
  expect(january).toMatchObject({ uuid: agent, share: { percent: 20 } })
  expect(january?.earned).toBeLessThan(0)
  // Rounded away from zero, like what was earned.
  expect(january?.share?.amount).toBe(-Math.round(-(january?.earned ?? 0) * 20) / 100)
  expect((await change({ active: true })).status).toBe(200)
  await share(null)
  expect(await shareOf('2027-01')).toBeNull()
  expect(await shareOf('2026-12')).toEqual(before)
})

test('a share belongs to one unit', async () => {
  await sql`
    insert into commission_shares (business_unit_id, user_id, month, share_bp, set_at)
    select id, ${agent}::uuid, '2026-10-01', 5000, now() from business_units where key = 'rotta'`.execute(app.world.database.kysely)
  expect(await shareOf()).toBeNull()
  const { users } = (await app.ask('/api/agency/users', { headers: manager.headers })).body.data
  expect(users.map(({ commissionShare }: { commissionShare: number | null }) => commissionShare)).toEqual(users.map(() => null))
  await share(20)
  expect(await rows()).toHaveLength(2)
})

test('rows by month and seller add up to the cent to those by seller', async () => {
  await november.at('2027-01-06T10:00:00Z')
  const unit = await unitOf()
  const percents = [3333, 1, null, 9999]
  for (const [index, share_bp] of percents.entries())
    await app.world.database.kysely
      .insertInto('commission_shares')
      .values({ ...unit, month: ['2026-10-01', '2026-11-01', '2026-12-01', '2027-01-01'][index] ?? '', share_bp })
      .execute()
  const seller = await sellerOf(app, 'agent@azahar.example')
  for (let count = 0; count < 3; count += 1) await sellAs(seller, trip)
  const days = { ...daysOf({ from: '2026-10', to: '2027-01' }), locale: 'es-ES' as const, currency: 'EUR', own: undefined }
  const centsBy = (by: ('month' | 'seller')[]) =>
    app.world.database.inScope(demoScope('azahar'), async tx => {
      const shareOfRow = await sharesBy(tx, days, by)
      return (await earnedBy(tx, days, by)).map(row => shareOfRow(row)?.cents ?? 0)
    })
  const sum = (all: number[]) => all.reduce((total, cents) => total + cents, 0)
  const [whole, parts] = [await centsBy(['seller']), await centsBy(['month', 'seller'])]
  expect(whole).toHaveLength(1)
  expect(parts.length).toBeGreaterThan(1)
  expect(sum(parts)).toBe(sum(whole))
  expect((await shareOf('2026-10', '2027-01'))?.amount).toBe(sum(whole) / 100)
})
