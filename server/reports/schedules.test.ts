import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { type November, playNovember } from '#server/accounting/testing.ts'
import { auditRows, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { runSchedules } from './due.ts'

let mailbox: Mailbox
let november: November
let app: November['app']
let accountant: SignedIn
let manager: SignedIn
let foreign: SignedIn

beforeAll(async () => {
  mailbox = await openMailbox()
  november = await playNovember({ SMTP_URL: mailbox.url, PUBLIC_URL: 'http://portal.example' })
  ;({ app, accountant } = november)
  manager = await signIn(app, 'manager@azahar.example')
  foreign = await signIn(app, 'admin@portolan.example', 'Rotta Viaggi')
  await app.world.database.kysely.updateTable('users').set({ locale: 'en-EN' }).where('email', '=', 'accounts@azahar.example').execute()
  await app.world.outbox.drain()
})
afterAll(() => Promise.all([app.stop(), mailbox.close()]))

beforeEach(async () => {
  await november.at('2026-12-01T12:00:00Z')
  await app.world.database.kysely.deleteFrom('report_schedules').execute()
  await app.world.database.kysely.deleteFrom('reports').execute()
})

const third = { monthDay: 3, hour: 7 }
const content = () => ({ report: 'sales', groupBy: ['month'], format: 'csv', period: 'previous', when: third, to: [accountant.user.uuid] })
const ask = (method: string, body: object | undefined, { headers }: SignedIn = accountant) =>
  app.ask('/api/reports/schedules', { method, headers, ...(body ? { body } : {}) })
const create = (body: object = {}, by = accountant) => ask('POST', { ...content(), ...body }, by)
const schedules = async (by = accountant) => (await ask('GET', undefined, by)).body.data.schedules

async function created(body: object = {}, by = accountant): Promise<string> {
  const reply = await create(body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data.scheduleUuid
}

/** Runs the rounds of two nodes at once at a moment, and after a restart. Returns the recipients of the mails that left. */
async function rounds(instant: string): Promise<string[]> {
  mailbox.received.length = 0
  await november.at(instant)
  await Promise.all([runSchedules(app.world), runSchedules(app.world)])
  await runSchedules(app.world)
  await app.world.outbox.drain()
  return mailbox.received.map(({ to }) => to.join()).toSorted()
}

const textTo = (address: string): string =>
  (mailbox.received.find(({ to }) => to.includes(address))?.raw ?? '')
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/(?:=[\dA-F]{2})+/g, codes => Buffer.from(codes.replaceAll('=', ''), 'hex').toString())

async function reportedFrom(): Promise<string[]> {
  const reports = await app.world.database.kysely.selectFrom('reports').select('from_day').orderBy('from_day').execute()
  return reports.map(({ from_day }) => from_day)
}

const linkIn = (text: string): string => /report=([\da-f-]{36})/.exec(text)?.[1] ?? 'no link'

describe('a schedule', () => {
  test('is created, listed with its next moment, changed and deleted', async () => {
    const reply = await create()
    expect(reply.body.data).toMatchObject({ nextAt: '2026-12-03T06:00:00.000Z' })
    const { scheduleUuid } = reply.body.data
    const to = [{ uuid: accountant.user.uuid, name: expect.any(String), receives: true }]
    expect(await schedules()).toEqual([
      {
        scheduleUuid,
        report: 'sales',
        groupBy: ['month'],
        filters: {},
        format: 'csv',
        period: 'previous',
        to,
        ...next('2026-12-03T06:00'),
        failedAt: null,
      },
    ])
    expect(await schedules(manager)).toHaveLength(1)
    const when = { weekday: 1, hour: 8 }
    expect((await ask('PUT', { scheduleUuid, ...content(), report: 'earnings', when }, manager)).status).toBe(200)
    expect(await schedules()).toMatchObject([{ report: 'earnings', when: { monthDay: null, ...when }, nextAt: '2026-12-07T07:00:00.000Z' }])
    expect((await ask('DELETE', { scheduleUuid })).status).toBe(200)
    expect(await schedules()).toEqual([])
    for (const action of ['report.scheduled', 'report.schedule_changed', 'report.schedule_deleted'])
      expect((await auditRows(app, action)).at(-1)).toMatchObject({ object: scheduleUuid, outcome: 'done' })
  })

  const next = (at: string) => ({ when: { ...third, weekday: null }, nextAt: `${at}:00.000Z` })

  test('is one of at most twenty, also when they are created at once', async () => {
    const third = await signIn(app, 'admin@portolan.example', 'Viajes Azahar')
    const makers = Array.from({ length: 8 }, () => [accountant, manager, third]).flat()
    const replies = await Promise.all(makers.map(by => create({}, by)))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.error)).toEqual(Array.from({ length: 4 }, () => 'report.too_many_schedules'))
    expect(await schedules()).toHaveLength(20)
  })

  test('is one of at most ten of its user, also when they are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => create()))
    expect(replies.flatMap(({ body }) => body.error ?? [])).toEqual(['report.too_many_own_schedules', 'report.too_many_own_schedules'])
    expect(replies.find(({ status }) => status === 409)?.body.errorMessage).toContain('10')
    expect((await create({}, manager)).status).toBe(200)
    const [one] = await schedules()
    expect((await ask('DELETE', { scheduleUuid: one.scheduleUuid })).status).toBe(200)
    expect((await create()).status).toBe(200)
  })

  test('is created once under an idempotency key', async () => {
    const twice = () =>
      app.ask('/api/reports/schedules', { headers: { ...accountant.headers, 'idempotency-key': 'schedule' }, body: content() })
    expect((await twice()).body.data).toEqual((await twice()).body.data)
    expect(await schedules()).toHaveLength(1)
  })

  test('is its agency’s alone', async () => {
    const scheduleUuid = await created()
    expect(await schedules(foreign)).toEqual([])
    expect((await ask('DELETE', { scheduleUuid }, foreign)).status).toBe(404)
    const body = { scheduleUuid, ...content(), to: [foreign.user.uuid] }
    expect((await ask('PUT', body, foreign)).body.fields?.[0]?.path).toBe('to[0]')
    expect(await schedules()).toHaveLength(1)
  })

  test('is for its maker alone if that user sees only own sales', async () => {
    await created()
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'manager@azahar.example')
    expect((await create({}, freelancer)).body.fields?.[0]?.path).toBe('to[0]')
    const own = { to: [freelancer.user.uuid] }
    const [{ scheduleUuid: colleagues }] = await schedules()
    expect((await ask('PUT', { scheduleUuid: colleagues, ...content(), ...own }, freelancer)).status).toBe(404)
    expect((await ask('DELETE', { scheduleUuid: colleagues }, freelancer)).status).toBe(404)
    const scheduleUuid = await created({ to: [freelancer.user.uuid] }, freelancer)
    expect(await schedules(freelancer)).toMatchObject([{ scheduleUuid }])
    const { people } = (await ask('GET', undefined, freelancer)).body.data
    expect(people).toMatchObject([{ uuid: freelancer.user.uuid }])
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })

  test.each([
    [{ when: { hour: 7 } }, 'when'],
    [{ when: { monthDay: 3, weekday: 1, hour: 7 } }, 'when'],
    [{ when: { monthDay: 29, hour: 7 } }, 'when.monthDay'],
    [{ when: { weekday: 8, hour: 7 } }, 'when.weekday'],
    [{ when: { monthDay: 3, hour: 24 } }, 'when.hour'],
    [{ to: [] }, 'to'],
    [{ to: [crypto.randomUUID()] }, 'to[0]'],
    [{ period: 'decade' }, 'period'],
    [{ report: 'deeds', groupBy: ['month'] }, 'groupBy'],
  ])('is refused at its field for %j', async (body, path) => {
    const reply = await create(body)
    expect([reply.status, reply.body.fields?.[0]?.path]).toEqual([422, path])
    expect(reply.body.fields[0].message).not.toMatch(/^(?:reports|shape)\./)
  })

  test('needs the permission', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await create({}, viewer)).status).toBe(403)
    expect((await ask('GET', undefined, viewer)).status).toBe(403)
    expect((await create({ to: [viewer.user.uuid] })).body.fields?.[0]?.path).toBe('to[0]')
  })
})

describe('a report that is due', () => {
  test('is mailed once at its moment, with a link, in each recipient’s language', async () => {
    await created({ to: [accountant.user.uuid, manager.user.uuid] })
    expect(await rounds('2026-12-03T05:59:59Z')).toEqual([])
    expect(await rounds('2026-12-03T06:00:00Z')).toEqual(['accounts@azahar.example', 'manager@azahar.example'])
    const text = textTo('accounts@azahar.example')
    expect(text).toMatch(/Your report is ready: sales from 01\/11\/2026 to 30\/11\/2026\./)
    expect(text).toContain('http://portal.example/earnings?tab=reports&report=')
    expect(text).not.toMatch(/attachment/i)
    expect(textTo('manager@azahar.example')).toMatch(/Su informe está listo: ventas del 01\/11\/2026/)
    const file = (by: SignedIn, uuid: string) => app.ask(`/api/reports/file?uuid=${uuid}`, { headers: by.headers })
    const [own, other] = [linkIn(text), linkIn(textTo('manager@azahar.example'))]
    expect((await file(accountant, own)).text).toMatch(/Total,3,674\.91/)
    expect((await file(manager, other)).text).toMatch(/Pólizas vendidas/)
    expect((await file(manager, own)).status).toBe(404)
    expect(await rounds('2026-12-03T06:01:00Z')).toEqual([])
    expect(await schedules()).toMatchObject([{ nextAt: '2027-01-03T06:00:00.000Z' }])
  })

  test('comes once for each moment in the last month at which no node was running', async () => {
    await november.at('2026-12-07T12:00:00Z')
    await created({ when: { weekday: 1, hour: 7 }, period: 'week' })
    await rounds('2026-12-28T06:00:00Z')
    expect(await reportedFrom()).toEqual(['2026-12-07', '2026-12-14', '2026-12-21'])
    expect(mailbox.received).toHaveLength(3)
    await rounds('2027-12-01T12:00:00Z')
    expect((await reportedFrom()).slice(3)).toEqual(['2027-10-25', '2027-11-01', '2027-11-08', '2027-11-15', '2027-11-22'])
    expect(await schedules()).toMatchObject([{ nextAt: '2027-12-06T06:00:00.000Z' }])
  })

  test.each([
    ['America/New_York', [0, 1, 0]],
    ['Asia/Tokyo', [1, 0, 0]],
  ])('comes once, for the same month, after the agency has moved to %s', async (timeZone, counts) => {
    await november.at('2026-12-02T12:00:00Z')
    await created({ when: { monthDay: 1, hour: 0 } })
    const moveTo = (timeZone: string) =>
      sql`update business_units set settings = jsonb_set(settings, '{timeZone}', ${JSON.stringify(timeZone)}::jsonb)`.execute(
        app.world.database.kysely,
      )
    await moveTo(timeZone)
    const sent = [await rounds('2026-12-31T23:00:00Z'), await rounds('2027-01-01T05:00:00Z'), await rounds('2027-01-05T00:00:00Z')]
    await moveTo('Europe/Madrid')
    expect(sent.map(({ length }) => length)).toEqual(counts)
    expect(await reportedFrom()).toEqual(['2026-12-01'])
  })

  test('comes once on the nights on which the clock changes', async () => {
    await november.at('2027-03-27T12:00:00Z')
    await created({ when: { weekday: 7, hour: 2 }, period: 'week' })
    expect([(await rounds('2027-03-28T00:59:59Z')).length, (await rounds('2027-03-28T01:00:00Z')).length]).toEqual([0, 1])
    expect([(await rounds('2027-03-28T02:00:00Z')).length, (await rounds('2027-04-03T12:00:00Z')).length]).toEqual([0, 0])
    await november.at('2027-10-30T12:00:00Z')
    await app.world.database.kysely.updateTable('report_schedules').set({ next_at: '2027-10-31T00:00:00Z' }).execute()
    expect([(await rounds('2027-10-31T00:00:00Z')).length, (await rounds('2027-10-31T01:00:00Z')).length]).toEqual([1, 0])
    expect(await rounds('2027-11-06T12:00:00Z')).toEqual([])
  })

  test('is narrowed for a recipient who sees only own sales', async () => {
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'manager@azahar.example')
    await created({ to: [accountant.user.uuid, freelancer.user.uuid] })
    expect(await rounds('2026-12-03T06:00:00Z')).toHaveLength(2)
    const link = linkIn(textTo('manager@azahar.example'))
    expect((await app.ask(`/api/reports/file?uuid=${link}`, { headers: freelancer.headers })).text).toMatch(/Total;0;/)
    await giveRoles(app, 'manager@azahar.example', ['manager'])
    const again = await signIn(app, 'manager@azahar.example')
    expect((await app.ask(`/api/reports/file?uuid=${link}`, { headers: again.headers })).status).toBe(404)
  })

  test('leaves out a recipient who lost the permission, and its schedule says so', async () => {
    await created({ to: [accountant.user.uuid, manager.user.uuid] })
    await giveRoles(app, 'manager@azahar.example', ['seller'])
    expect(await rounds('2026-12-03T06:00:00Z')).toEqual(['accounts@azahar.example'])
    const [{ to }] = await schedules()
    expect(to.map(({ receives }: { receives: boolean }) => receives)).toEqual([true, false])
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })

  test('is not mailed to a recipient who loses the permission before its file is made', async () => {
    mailbox.received.length = 0
    await created({ to: [accountant.user.uuid, manager.user.uuid] })
    await november.at('2026-12-03T06:00:00Z')
    await runSchedules(app.world)
    await giveRoles(app, 'manager@azahar.example', ['seller'])
    await app.world.outbox.drain()
    expect(mailbox.received.map(({ to }) => to.join())).toEqual(['accounts@azahar.example'])
    await giveRoles(app, 'manager@azahar.example', ['manager'])
  })

  test('that cannot be made is mailed to its owner once, and shown at its schedule', async () => {
    const scheduleUuid = await created({ to: [manager.user.uuid] })
    await november.at('2026-12-03T06:00:00Z')
    await runSchedules(app.world)
    const { kysely } = app.world.database
    // As if workers had died with the job, one after the other.
    await kysely.updateTable('jobs').set({ lost: 6 }).where('subscriber', '=', 'reports.make').where('state', '=', 'waiting').execute()
    mailbox.received.length = 0
    await app.world.outbox.drain()
    expect(mailbox.received.map(({ to }) => to.join())).toEqual(['accounts@azahar.example'])
    const text = textTo('accounts@azahar.example')
    expect(text).toContain('Your scheduled report could not be made: sales from 01/11/2026 to 30/11/2026.')
    expect(text).toContain('http://portal.example/earnings?tab=reports')
    expect(await schedules()).toMatchObject([{ scheduleUuid, failedAt: expect.stringMatching(/^2026-12-03T/) }])
    expect(await rounds('2027-01-03T06:00:00Z')).toEqual(['manager@azahar.example'])
    expect(await schedules()).toMatchObject([{ failedAt: null }])
  })

  test('is kept when its schedule is changed at its moment, before a node has run it', async () => {
    const scheduleUuid = await created()
    await november.at('2026-12-03T06:00:30Z')
    expect((await ask('PUT', { scheduleUuid, ...content(), report: 'earnings' })).status).toBe(200)
    expect(await rounds('2026-12-03T06:01:00Z')).toEqual(['accounts@azahar.example'])
  })
})
