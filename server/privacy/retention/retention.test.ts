import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { erasureOf, personFieldNames, personFields } from '#common/people/person.ts'
import { admin } from '#server/administration/testing.ts'
import { migrate } from '#server/database/migrate.ts'
import { openStore } from '#server/documents/open-store.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { everyFact, registerAs, type Seller, sellAs, sellerOf, tripOf } from '#server/policies/testing.ts'
import { demoScope, giveRoles, signIn } from '#server/session/testing.ts'
import { leaveTraces, tracesIn, xenia } from '../testing.ts'
import { dryRun, openRetention, runRetention } from './run.ts'

const dayMs = 86_400_000
/** In days: when a saved quote's price has ended for ten days, and when a sold policy has ended for a year. */
const [tenDays, year] = [13, 500]

let app: TestApp
let seller: Seller
let ahead = 0
beforeEach(async () => {
  ahead = 0
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
  await app.stop()
})

const dayAfter = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
async function night(after: number): Promise<void> {
  ahead = after * dayMs
  await runRetention(app.world, dayAfter(after))
  await app.world.outbox.drain()
}
const rowOf = (id: string) =>
  app.world.database.kysely
    .selectFrom('policies')
    .select(['status', 'taker', 'total_cents', 'start_date'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const closeTickets = () => sql`update tickets set status = 'closed'`.execute(app.world.database.kysely)
const counts = async () =>
  (await app.world.database.kysely.selectFrom('retention_counts').select(['day', 'class', 'what', 'objects']).execute()).map(
    ({ class: of, what, objects }) => `${of} ${what} ${objects}`,
  )
const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })

test('every fact of a policyholder is erased from a saved quote as its row says', async () => {
  const { kysely } = app.world.database
  const saved = await registerAs(seller, { users: [everyFact(xenia)], saveBudget: true })
  const factsOf = () =>
    kysely.selectFrom('policy_people').selectAll().where('policy_id', '=', saved.body.data.policyUuid).executeTakeFirstOrThrow()
  const before = await factsOf()
  expect(before.sealed).not.toBeNull()
  await night(tenDays)
  const after = await factsOf()
  const left = { all: () => null, toDecade: (day: unknown) => `${String(day).slice(0, 3)}0-01-01`, nothing: (value: unknown) => value }
  for (const field of personFieldNames) {
    const { column } = personFields[field]
    expect([column, after[column]]).toEqual([column, left[erasureOf(field)](before[column])])
  }
  expect([after.sealed, after.document_hash]).toEqual([null, null])
})

test('a policyholder’s country is erased, also from quotes erased by an older version', async () => {
  const { kysely } = app.world.database
  const saved = await registerAs(seller, { users: [{ ...xenia, residenceCountryId: 724 }], saveBudget: true })
  const budget = saved.body.data.policyUuid
  const residences = async () => {
    const rows = await kysely.selectFrom('policy_people').select('residence_country').where('policy_id', '=', budget).execute()
    return rows.map(row => row.residence_country)
  }
  expect(await residences()).toEqual([724])
  await night(tenDays)
  expect(await residences()).toEqual([null])
  await app.world.database.asService(tx =>
    sql`set local role portolan_privacy`.execute(tx).then(() => sql`update policy_people set residence_country = 724`.execute(tx)),
  )
  await sql`delete from kysely_migration where name = '0116-erased-residence'`.execute(kysely)
  expect(await migrate(app.world.database)).toEqual(['0116-erased-residence'])
  expect(await residences()).toEqual([null])
})

test('people of a saved quote are erased ten days after its price ends; figures stay', async () => {
  const { budget } = await leaveTraces(app, seller)
  const before = await rowOf(budget)
  await night(tenDays - 2)
  expect(await rowOf(budget)).toEqual(before)
  await night(tenDays)
  expect(await rowOf(budget)).toEqual({ ...before, status: 'deleted', taker: '' })
  expect(await counts()).toContain('budget erased 1')
  const files = await app.world.database.kysely.selectFrom('files').select('content_id').where('policy_id', '=', budget).execute()
  expect(files).toEqual([])
})

test('a policy is blocked a year after its end, with its tickets, and hides its people', async () => {
  const { sold } = await leaveTraces(app, seller)
  const before = await rowOf(sold)
  await night(year)
  expect(await rowOf(sold)).toEqual(before)
  await closeTickets()
  expect(await dryRun(app.world)).toMatchObject([{ class: 'ticket', objects: 3 }])
  await night(year + 1)
  expect(await tracesIn(app)).toEqual([])
  expect(await rowOf(sold)).toEqual({ ...before, status: 'blocked', taker: '' })
  seller = await sellerOf(app)
  await expectBlocked(sold, 'policy.blocked')
  expect(await post('list', { status: 'purchased' })).toMatchObject({ status: 200, body: { data: { total: 0 } } })
})

test('a blocked ticket is opened with everything that was written in it', async () => {
  const { claim } = await leaveTraces(app, seller)
  const text = 'La rodilla operada se hinchó'
  expect((await app.ask(`/api/tickets/${claim}/messages`, { body: { text }, headers: seller.headers })).status).toBe(200)
  await closeTickets()
  await night(year)
  const { headers } = await admin(app)
  const opened = await app.ask('/api/privacy/blocked', { body: { kind: 'ticket', uuid: claim, reason: 'Pleito 7/27' }, headers })
  const { ticket, messages } = opened.body.data.content
  expect([ticket.description, messages.map(({ body }: { body: string }) => body)]).toEqual([
    'Xenia, con la rodilla operada, la perdió',
    [text],
  ])
  expect(ticket.form.answers.map(({ value }: { value: unknown }) => value)).toContain('Roma 12')
  expect([Object.keys(ticket), Object.keys(messages[0])].flat().filter(name => name.startsWith('sealed'))).toEqual([])
})

test('blocked data is erased with its documents when its time is over', async () => {
  const { sold } = await leaveTraces(app, seller)
  await closeTickets()
  await night(year)
  const kysely = app.world.database.kysely
  const files = await kysely
    .selectFrom('files')
    .select('content_id as id')
    .where('policy_id', '=', sold)
    .where('kind', 'in', ['certificate', 'receipt', 'upload', 'withdrawal'])
    .execute()
  const store = openStore(app.world.config)
  const areStored = () => Promise.all(files.map(({ id }) => store.has(`${demoScope('azahar').businessUnitId}/${id}`)))
  expect(await areStored()).toEqual(Array(4).fill(true))
  await night(7 * 366)
  expect(await areStored()).toEqual(Array(4).fill(false))
  for (const table of ['blocked_data', 'blocked_people', 'tickets', 'ticket_files', 'ticket_messages'] as const)
    expect(await kysely.selectFrom(table).selectAll().execute(), table).toEqual([])
  expect(
    await kysely.selectFrom('files').select('id').where('kind', 'in', ['certificate', 'ticket', 'upload', 'withdrawal']).execute(),
  ).toEqual([])
  expect(await rowOf(sold)).toMatchObject({ status: 'blocked', total_cents: 11_032 })
  seller = await sellerOf(app)
  await expectBlocked(sold, 'policy.erased')
})

/** Expects that the agency only learns that the policy is blocked or erased, and that others get 404. Only these are audited as refused. */
async function expectBlocked(policyUuid: string, code: string): Promise<void> {
  const refusals = async () =>
    (
      await app.world.database.kysely
        .selectFrom('audit')
        .select('object')
        .where('action', '=', 'POST /api/policy/detail')
        .where('outcome', '=', 'refused')
        .execute()
    ).map(({ object }) => object)
  const ask = async (headers: Record<string, string>, uuid = policyUuid) => {
    const { status, body } = await app.ask('/api/policy/detail', { body: { policyUuid: uuid }, headers })
    return { status, body: { ...body, requestId: '' } }
  }
  const before = await refusals()
  const reply = await ask(seller.headers)
  expect(reply).toMatchObject({ status: 410, body: { error: code } })
  expect(Object.keys(reply.body).toSorted()).toEqual(Object.keys((await ask(seller.headers, randomUUID())).body).toSorted())
  expect((await refusals()).slice(before.length)).not.toContain(policyUuid)
  const unknown = randomUUID()
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  await giveRoles(app, 'agent@rotta.example', ['manager'])
  for (const other of ['manager@azahar.example', 'agent@rotta.example']) {
    const { headers } = await signIn(app, other)
    expect(await ask(headers)).toEqual(await ask(headers, unknown))
  }
  expect((await refusals()).filter(object => object === policyUuid)).toHaveLength(2)
}

test('a nightly run happens once, on two nodes at the same time and after a crash', async () => {
  for (let many = 0; many < 3; many++) await sellAs(seller, { buReference: `Night ${many}` })
  ahead = year * dayMs
  await Promise.all([runRetention(app.world, dayAfter(year)), runRetention(app.world, dayAfter(year))])
  expect(await counts()).toEqual(['policy blocked 3'])
  await openRetention(app.world)()
  expect(await counts()).toEqual(['policy blocked 3'])
  const history = await app.world.database.kysely.selectFrom('policy_history').select('policy_id').where('what', '=', 'blocked').execute()
  expect(history.length).toBe(3)
})

test('a policy that is held, or still has open money, waits', async () => {
  const { policyUuid } = (await sellAs(seller, tripOf(seller))).body.data.policyData
  const kysely = app.world.database.kysely
  await sql`
    insert into holds (business_unit_id, id, kind, object_id, until, reason, user_id, at)
    select business_unit_id, gen_random_uuid(), 'policy', id, ${dayAfter(year + 10)}::date, 'Juicio 12/26', seller_id, now() from policies
    where id = ${policyUuid}`.execute(kysely)
  await night(year)
  expect(await rowOf(policyUuid)).toMatchObject({ status: 'purchased' })
  await night(year + 11)
  expect(await rowOf(policyUuid)).toMatchObject({ status: 'blocked' })
})

test('emails lose their texts after ninety days, the audit its networks after a year', async () => {
  await leaveTraces(app, seller)
  await night(89)
  const kysely = app.world.database.kysely
  const bodies = async () => (await kysely.selectFrom('mails').select('id').where('text_body', 'is not', null).execute()).length
  const networks = async () => (await kysely.selectFrom('audit').select('id').where('network', '<>', '').execute()).length
  const mails = (await kysely.selectFrom('mails').select('id').execute()).length
  expect([await bodies(), (await networks()) > 0]).toEqual([mails, true])
  await night(92)
  expect(await bodies()).toBe(0)
  await night(400)
  expect(await networks()).toBe(0)
  await expect(app.world.database.asService(tx => tx.updateTable('audit').set({ network: 'x' }).execute())).rejects.toThrow(
    /permission denied/,
  )
})

test('reasons are erased three years after a request or hold, in the audit after six', async () => {
  const { budget, sold } = await leaveTraces(app, seller)
  const { headers } = await admin(app)
  const answer = async (path: string, body: object) => {
    const reply = await app.ask(`/api/privacy/${path}`, { body, headers })
    expect(reply.status, reply.text).toBe(200)
    return reply.body.data
  }
  const kysely = app.world.database.kysely
  const reason = 'Xenia Quintanilla'
  await closeTickets()
  await kysely.updateTable('policies').set({ end_date: '2026-02-01', start_date: '2026-01-01' }).where('id', '=', sold).execute()
  const lasting = await answer('hold', { kind: 'policy', uuid: sold, until: dayAfter(60), reason })
  const lifted = await answer('hold', { kind: 'policy', uuid: sold, until: dayAfter(2000), reason })
  const [{ personKey }] = (await answer('find', { docNumber: xenia.docNumber, birthDate: xenia.birthDate })).persons
  const asked = { personKey, askedBy: 'person', reason }
  // The hold refuses a part, with its reason, so the request stays open until it is closed.
  const { requestUuid: closed } = await answer('erase', asked)
  await answer('requests/extend', { uuid: closed, months: 2, reason })
  const { requestUuid: open } = await answer('erase', asked)
  await kysely.updateTable('person_requests').set({ done_at: null }).where('id', '=', open).execute()
  await answer('requests/close', { uuid: closed, reason })
  await answer('holds/lift', { uuid: lifted.uuid, reason })
  const requests = () => kysely.selectFrom('person_requests').selectAll().orderBy('id').execute()
  const withReasons = async () => ({
    requests: (await requests()).filter(row => JSON.stringify(row).includes(reason)).map(({ id }) => id),
    holds: (await kysely.selectFrom('holds').select('id').where('reason', '=', reason).orderBy('id').execute()).map(({ id }) => id),
    audit: (await kysely.selectFrom('audit').select('id').where('reason', '=', reason).execute()).length > 0,
  })
  const before = await withReasons()
  expect(before).toEqual({ requests: [closed, open], holds: [lasting.uuid, lifted.uuid], audit: true })
  const outcome = async () =>
    (await kysely.selectFrom('person_requests').select('outcome').where('id', '=', closed).executeTakeFirstOrThrow()).outcome
  const items = (await outcome())?.['items']
  expect(items).toContainEqual(expect.objectContaining({ uuid: budget, outcome: 'erased', note: null }))
  expect(items).toContainEqual(expect.objectContaining({ uuid: sold, outcome: 'refused', note: reason }))
  await night(3 * 365)
  expect(await withReasons()).toEqual(before)
  await night(3 * 365 + 3)
  expect(await withReasons()).toEqual({ requests: [open], holds: [lasting.uuid], audit: true })
  // The outcome stays, without what was typed.
  expect(JSON.stringify(await outcome())).toBe(JSON.stringify({ items, mails: 0 }).replaceAll(`"note":"${reason}"`, '"note":null'))
  await night(3 * 365 + 63)
  expect(await withReasons()).toEqual({ requests: [open], holds: [], audit: true })
  await night(6 * 366)
  expect(await withReasons()).toEqual({ requests: [open], holds: [], audit: false })
})

test('no other role changes people after they were written', async () => {
  const { database } = app.world
  for (const table of ['policy_people', 'policy_versions', 'policy_history'] as const) {
    const change = sql`update ${sql.table(table)} set business_unit_id = business_unit_id`
    await expect(
      database.asService(tx => change.execute(tx)),
      table,
    ).rejects.toThrow(/permission denied/)
    await expect(
      database.inScope(demoScope('azahar'), tx => change.execute(tx)),
      table,
    ).rejects.toThrow(/permission denied/)
  }
})
