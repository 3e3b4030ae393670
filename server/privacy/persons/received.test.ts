import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, today } from '#common/kit/dates.ts'
import { receivedDays } from '#common/privacy/days.ts'
import { admin } from '#server/administration/testing.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { leo, registerAs, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows } from '#server/session/testing.ts'
import { xenia } from '../testing.ts'

const zone = 'Europe/Madrid'

let app: TestApp
let headers: Record<string, string>
beforeEach(async () => {
  app = await testApp({ SUPPRESSION_FILE: join(tmpdir(), `received-${process.pid}.jsonl`) })
  const seller = await sellerOf(app)
  await sellAs(seller, { users: [xenia, leo] })
  await registerAs(seller, { users: [xenia, leo], saveBudget: true })
  headers = (await admin(app)).headers
})
afterEach(() => app.stop())

const post = (path: string, body: object): Promise<TestReply> => app.ask(`/api/privacy/${path}`, { body, headers })
const facts = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
const keyOf = async (): Promise<string> => (await post('find', facts)).body.data.persons[0].personKey
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }
const requests = async () => (await post('requests', {})).body.data.requests
const requestOf = async (uuid: string) => (await requests()).find((each: { uuid: string }) => each.uuid === uuid)
const clockAt = async (at: string | undefined) => expect((await app.ask('/dev/clock', { body: { at } })).status).toBe(200)

const fields = { address: 'Calle Nueva 1' }
async function previewOf(personKey: string) {
  const { versions, money } = (await post('rectify/preview', { personKey, fields })).body.data
  return { versions, money }
}

const kinds: [string, object][] = [
  ['erase', asked],
  ['object', { askedBy: 'person', what: 'Publicidad' }],
  ['restrict', asked],
  ['rectify', { ...asked, fields }],
  ['export', { ...asked, email: xenia.email }],
]

test.each(kinds)('%s refuses a future, too old or impossible day at its field, and does nothing', async (kind, more) => {
  const now = today(app.world.businessClock.now(), zone)
  const personKey = await keyOf()
  const expected = kind === 'rectify' ? { expected: await previewOf(personKey) } : {}
  for (const [receivedOn, rule] of [
    [addDays(now, 1), 'future'],
    [addDays(now, -receivedDays - 1), 'past'],
    ['2026-02-30', 'validDate'],
  ]) {
    const { status, body } = await post(kind, { personKey, ...more, ...expected, receivedOn })
    expect([status, body.fields]).toMatchObject([422, [{ path: 'receivedOn', rule }]])
  }
  expect(await requests()).toEqual([])
  const { where } = (await post('find', facts)).body.data.persons[0]
  expect(where.map((place: { kind: string; blocked: boolean }) => [place.kind, place.blocked]).toSorted()).toEqual([
    ['budget', false],
    ['policy', false],
  ])
  expect(await app.world.database.kysely.selectFrom('policy_versions').select('version').where('version', '>', 1).execute()).toEqual([])
})

test('the month counts from the day of receipt, by default today in the agency’s zone', async () => {
  const now = today(app.world.businessClock.now(), zone)
  const receivedOn = addDays(now, -20)
  const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email, receivedOn })).body.data
  expect(await requestOf(requestUuid)).toMatchObject({ receivedOn, dueOn: addMonths(receivedOn, 1), doneAt: null })
  expect((await auditRows(app, 'privacy.export')).at(-1)).toMatchObject({ object: requestUuid, details: { receivedOn } })
  const extended = await post('requests/extend', { uuid: requestUuid, months: 2, reason: 'Muchos documentos' })
  expect(extended.body.data).toMatchObject({ receivedOn, dueOn: addMonths(receivedOn, 3) })

  // In Madrid it is already the last of January.
  await clockAt('2028-01-30T23:30:00Z')
  const next = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data.requestUuid
  expect(await requestOf(next)).toMatchObject({ receivedOn: '2028-01-31', dueOn: '2028-02-29' })
  const later = await post('requests/extend', { uuid: next, months: 2, reason: 'Muchos documentos' })
  expect(later.body.data).toMatchObject({ dueOn: '2028-04-30' })
})

test('a request that is overdue when recorded stays open and cannot be extended', async () => {
  const now = today(app.world.businessClock.now(), zone)
  const receivedOn = addDays(now, -receivedDays)
  const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email, receivedOn })).body.data
  const kept = await requestOf(requestUuid)
  expect(kept).toMatchObject({ receivedOn, doneAt: null })
  expect(kept.dueOn < now).toBe(true)
  const { status, body } = await post('requests/extend', { uuid: requestUuid, months: 2, reason: 'Muchos documentos' })
  expect([status, body.fields]).toMatchObject([422, [{ path: 'months', rule: 'past' }]])
  // A correction is recorded before it is made, and answered after.
  const personKey = await keyOf()
  const mended = await post('rectify', { personKey, ...asked, fields, receivedOn, expected: await previewOf(personKey) })
  expect(mended.status, mended.text).toBe(200)
  expect(await requestOf(mended.body.data.requestUuid)).toMatchObject({ receivedOn, dueOn: addMonths(receivedOn, 1) })
  expect((await auditRows(app, 'privacy.rectify')).at(-1)).toMatchObject({ details: { mended: 1, receivedOn } })
})

test('a request of an older version counts as received on the day of its record', async () => {
  const { kysely } = app.world.database
  const uuid: string = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data.requestUuid
  await sql`alter table person_requests drop column received_on`.execute(kysely)
  await sql`update person_requests set at = '2026-03-04T23:30:00Z' where id = ${uuid}`.execute(kysely)
  const update = readFileSync(new URL('../../database/migrations/0104-receipt-of-requests.sql', import.meta.url), 'utf8')
  await kysely.transaction().execute(tx => sql.raw(update).execute(tx))
  expect(await requestOf(uuid)).toMatchObject({ receivedOn: '2026-03-04' })
})
