import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { leo, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows } from '#server/session/testing.ts'
import { rectifyAs, xenia } from '../testing.ts'

let app: TestApp
let seller: Seller
let operator: { headers: Record<string, string> }
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  operator = await admin(app)
})
afterAll(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
  await app.stop()
})

const post = (path: string, body: object, by = operator): Promise<TestReply> =>
  app.ask(`/api/privacy/${path}`, { body, headers: by.headers })
/** A document number for each test's own person. */
const documents = ['87654321X', '48765432G', '11223344B', '55667788Z', '99887766P', '31415926L', '75395126E', '24681357B']
const someone = () => {
  const docNumber = documents.shift() ?? ''
  return { ...xenia, docNumber, email: `${docNumber.toLowerCase()}@correo.example` }
}
const keyOf = async ({ docNumber, birthDate }: { docNumber: string; birthDate: string }): Promise<string> =>
  (await post('find', { docNumber, birthDate })).body.data.persons[0].personKey
const sell = async (person: object): Promise<string> => (await sellAs(seller, { users: [person, leo] })).body.data.policyData.policyUuid
const policyOf = async (policyUuid: string) =>
  (await app.ask('/api/policy/change/terms', { body: { policyUuid }, headers: seller.headers })).body.data.policy
/** Extends a trip, as the change desk does. */
async function lengthen(policyUuid: string): Promise<TestReply> {
  const { trip, people, version } = await policyOf(policyUuid)
  const change = { endDate: addDays(trip.endDate, 20), users: people.map(({ personUuid }: { personUuid: string }) => ({ personUuid })) }
  const asked = { policyUuid, version, change, settle: { paymentGatewayUUID: seller.gateway('Deferred') } }
  const send = (expectedDifference: number) =>
    app.ask('/api/policy/change', { body: { ...asked, expectedDifference }, headers: seller.headers })
  return send((await send(0)).body.data.difference.total)
}
const requestOf = async (uuid: string) =>
  (await post('requests', {})).body.data.requests.find((each: { uuid: string }) => each.uuid === uuid)
const rectify = (personKey: string, fields: object, by = operator) => rectifyAs(app, by.headers, { personKey, fields })

test('a fact is corrected in every running policy; a saved quote says why it is not', async () => {
  const person = someone()
  const sold = [await sell(person), await sell(person)]
  const budget = (await registerAs(seller, { users: [person, leo], saveBudget: true })).body.data.policyUuid
  const { status, body, text } = await rectify(await keyOf(person), { lastName: 'Zubizarreta Ruiz', address: 'Calle Nueva 1' })
  expect(status, text).toBe(200)
  const outcomes = Object.fromEntries(
    body.data.items.map(({ uuid, outcome, because }: Record<string, string>) => [uuid, [outcome, because]]),
  )
  expect(outcomes).toEqual({
    [sold[0] ?? '']: ['mended', 'asked'],
    [sold[1] ?? '']: ['mended', 'asked'],
    [budget]: ['unchanged', 'not_sold'],
  })
  for (const uuid of sold) {
    const { people, version } = await policyOf(uuid)
    expect([people[0].lastName, people[0].address, people[1].lastName, version]).toEqual([
      'Zubizarreta Ruiz',
      'Calle Nueva 1',
      leo.lastName,
      2,
    ])
  }
  const { requestUuid } = body.data
  expect(await requestOf(requestUuid)).toMatchObject({ kind: 'rectify', letter: true, doneAt: expect.any(String) })
  await app.world.outbox.drain()
  const letter = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', requestUuid).execute()
  expect(letter).toMatchObject([{ template: 'privacy_answer', state: 'sent' }])
  const entries = (await auditRows(app, 'privacy.rectify')).filter(({ object }) => object === requestUuid)
  expect(entries).toMatchObject([{ details: { mended: 2, unchanged: 1 } }])
  // When sent again, the fact is already right.
  const again = (await rectify(await keyOf(person), { address: 'Calle Nueva 1' })).body.data.items
  expect(again).toContainEqual(expect.objectContaining({ uuid: sold[0], outcome: 'unchanged', because: 'right_already' }))
})

test('two identifying facts at once are refused at their fields, before any change', async () => {
  const person = someone()
  const sold = await sell(person)
  const { status, body } = await rectify(await keyOf(person), { name: 'Yolanda', docNumber: '00000000T', city: 'Bilbao' })
  expect([status, body.fields.map(({ path }: { path: string }) => path)]).toEqual([422, ['fields.name', 'fields.docNumber']])
  expect((await policyOf(sold)).version).toBe(1)
})

test('a second identifying fact within thirty days is refused, but not an undo', async () => {
  const person = { ...xenia, docNumber: '12345678Z', email: 'pasos@correo.example' }
  const sold = await sell(person)
  expect((await rectify(await keyOf(person), { name: 'Yolanda' })).status).toBe(200)
  const { status, body } = await rectify(await keyOf(person), { birthDate: '1971-03-19' })
  expect([status, body.fields]).toMatchObject([422, [{ path: 'fields.birthDate', rule: 'samePerson' }]])
  expect(body.fields[0].message).toBe(app.world.words('en-EN')('privacy.other_person_since'))
  const fields = { birthDate: '1971-03-19' }
  expect((await post('rectify/preview', { personKey: await keyOf(person), fields })).status).toBe(422)
  expect((await rectify(await keyOf(person), { name: 'Xenia' })).status).toBe(200)
  expect((await rectify(await keyOf(person), fields)).body.data.items).toMatchObject([{ outcome: 'mended' }])
  // A fact that was corrected long ago is the person’s.
  const later = { ...person, ...fields }
  expect((await rectify(await keyOf(later), { name: 'Yolanda' })).status).toBe(422)
  const requests = app.world.database.kysely.updateTable('person_requests').set({ at: new Date(Date.now() - 31 * 86_400_000) })
  await requests.where('kind', '=', 'rectify').execute()
  expect((await rectify(await keyOf(later), { name: 'Yolanda' })).status).toBe(200)
  expect((await policyOf(sold)).version).toBe(5)
})

test('a correction that lowers the price shows the refund before and after', async () => {
  const person = { ...xenia, birthDate: '1951-03-09', docNumber: '23456789D', email: 'precio@correo.example' }
  const sold = await sell(person)
  const personKey = await keyOf(person)
  const fields = { birthDate: '1997-03-09' }
  const { status, body, text } = await post('rectify/preview', { personKey, fields })
  expect(status, text).toBe(200)
  const [money] = body.data.money
  expect(body.data.items).toMatchObject([{ uuid: sold, outcome: 'mended', because: 'asked' }])
  expect(money).toMatchObject({ uuid: sold, currency: 'EUR', routes: [{ gateway: 'Deferred', amount: money.refund }], withoutWay: 0 })
  expect(money.difference).toBeLessThan(0)
  expect(money.refund).toBe(-money.difference)
  expect(money.commission).toBeLessThan(0)
  expect((await policyOf(sold)).version).toBe(1)
  expect((await post('rectify/preview', { personKey, fields }, seller)).status).toBe(403)
  expect((await rectify(personKey, fields)).body.data.money).toEqual(body.data.money)
  // One that raises the price shows by how much, too.
  const dearer = (await post('rectify/preview', { personKey: await keyOf({ ...person, ...fields }), fields: { birthDate: '1951-03-09' } }))
    .body
  expect(dearer.data).toMatchObject({ items: [{ outcome: 'refused', because: 'price' }], money: [{ difference: money.refund, refund: 0 }] })
})

test('a correction with an outdated preview does nothing, and returns the new one', async () => {
  const person = { ...xenia, birthDate: '1951-03-09', docNumber: '34567890V', email: 'entretanto@correo.example' }
  const sold = await sell(person)
  const personKey = await keyOf(person)
  const fields = { birthDate: '1997-03-09' }
  const preview = async () => (await post('rectify/preview', { personKey, fields })).body.data
  const seen = await preview()
  expect(seen.versions).toEqual([{ uuid: sold, version: 1 }])
  const send = ({ versions, money }: typeof seen) =>
    post('rectify', { personKey, askedBy: 'person', reason: 'Lo pide por carta', fields, expected: { versions, money } })
  const refused = async (shown: object) => {
    const { status, body } = await send({ ...seen, ...shown })
    expect([status, body.error]).toEqual([409, 'privacy.preview_changed'])
    return body.data
  }
  // Nothing that was shown may differ.
  const [money] = seen.money
  expect(await refused({ versions: [] })).toEqual(seen)
  for (const other of [{ difference: -1 }, { refund: 1 }, { commission: -1 }, { routes: [] }, { withoutWay: 1 }])
    expect(await refused({ money: [{ ...money, ...other }] })).toEqual(seen)

  // The change desk extends the trip, so that the refund would be larger.
  expect((await lengthen(sold)).status).toBe(200)
  const now = await refused({})
  expect(now).toEqual(await preview())
  expect(now.versions).toEqual([{ uuid: sold, version: 2 }])
  expect(now.money[0].refund).toBeGreaterThan(money.refund)

  // A policy that was sold meanwhile was not shown either.
  const next = await sell({ ...person, birthDate: '1951-03-09' })
  const both = await preview()
  expect((await send(now)).body.data).toEqual(both)
  expect((await post('requests', {})).body.data.requests).not.toContainEqual(expect.objectContaining({ outcome: null, doneAt: null }))
  expect([(await policyOf(sold)).version, (await policyOf(next)).version]).toEqual([2, 1])
  // Amounts within a millionth of a cent are equal, as sums of floating point are not exact.
  const added = JSON.parse(JSON.stringify(both.money), (name, value: unknown) => (typeof value === 'number' ? value + 1e-10 : value))
  expect(added).not.toEqual(both.money)
  const done = await send({ ...both, money: added })
  expect(done.status, done.text).toBe(200)
  expect(done.body.data.money).toEqual(both.money)
  expect([(await policyOf(sold)).version, (await policyOf(next)).version]).toEqual([3, 2])
})

test('a correction that a change overtakes is refused, and reports no moved money', async () => {
  const person = { ...xenia, birthDate: '1951-03-09', docNumber: '45678901G', email: 'alcanzada@correo.example' }
  const sold = await sell(person)
  const personKey = await keyOf(person)
  const fields = { birthDate: '1997-03-09' }
  const { versions, money } = (await post('rectify/preview', { personKey, fields })).body.data
  expect(money.length).toBe(1)
  // The change desk comes first, after the correction is judged and stored.
  const { database } = app.world
  const former = { ...database }
  let calls = 0
  const overtaken = vi.spyOn(database, 'asPrivacy').mockImplementation(async work => {
    const outcome = await former.asPrivacy(work)
    if (++calls === 2) expect((await lengthen(sold)).status).toBe(200)
    return outcome
  })
  const { body } = await post('rectify', {
    personKey,
    askedBy: 'person',
    reason: 'Lo pide por carta',
    fields,
    expected: { versions, money },
  })
  overtaken.mockRestore()
  expect(body.data.items).toMatchObject([{ outcome: 'refused', because: 'rules', note: app.world.words('en-EN')('refusal.change.stale') }])
  expect(body.data.money).toEqual([])
})

test('invalid facts and an empty correction are refused at their fields', async () => {
  const person = someone()
  const sold = await sell(person)
  const personKey = await keyOf(person)
  for (const [fields, path] of [
    [{ email: 'no es un correo' }, 'fields.email'],
    [{ docNumber: '12345678A' }, 'fields.docNumber'],
    [{ birthDate: '2150-01-01' }, 'fields.birthDate'],
    [{}, 'fields'],
    [{ companyName: 'x' }, 'fields.companyName'],
  ] as const) {
    const { status, body } = await rectify(personKey, fields)
    expect([status, body.fields?.[0]?.path]).toEqual([422, path])
  }
  expect((await policyOf(sold)).version).toBe(1)
})

test('a correction for which more is to be paid is left to the change desk', async () => {
  const person = someone()
  const sold = await sell(person)
  const { body } = await rectify(await keyOf(person), { birthDate: '1951-03-09' })
  expect(body.data.items).toMatchObject([{ uuid: sold, outcome: 'refused', because: 'price' }])
  expect(await requestOf(body.data.requestUuid)).toMatchObject({ doneAt: null })
  expect((await policyOf(sold)).version).toBe(1)
})

test('the letter of a correction that no policy accepts goes to the known address', async () => {
  const person = someone()
  const uuid = await sell(person)
  const { kysely } = app.world.database
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', uuid).execute()
  const { requestUuid, items } = (await rectify(await keyOf(person), { email: 'otra@correo.example' })).body.data
  expect(items).toMatchObject([{ because: 'over' }])
  const mails = await kysely.selectFrom('mails').select('recipient_address').where('about', '=', requestUuid).execute()
  expect(mails).toEqual([{ recipient_address: person.email }])
})

test('a correction that stops half-way keeps its changes, and leaves an open request', async () => {
  const person = someone()
  const sold = [await sell(person), await sell(person)]
  const { kysely } = app.world.database
  // The second change fails with a bug, not a refusal.
  await sql`create function fail_second() returns trigger language plpgsql as $$ begin
    if (select count(*) from policy_versions where version = 2 and policy_id = any(${sql.lit(`{${sold.join()}}`)}::uuid[])) > 1 then
      raise exception 'stopped'; end if; return null; end $$`.execute(kysely)
  await sql`create trigger fail_second after insert on policy_versions for each row execute function fail_second()`.execute(kysely)
  const reply = await rectify(await keyOf(person), { city: 'Bilbao' })
  await sql`drop trigger fail_second on policy_versions`.execute(kysely)
  await sql`drop function fail_second`.execute(kysely)
  expect(reply.status).toBe(500)
  const versions = await Promise.all(sold.map(async uuid => (await policyOf(uuid)).version))
  expect(versions.toSorted((one, other) => one - other)).toEqual([1, 2])
  const { requests } = (await post('requests', { state: 'open' })).body.data
  const request = requests.find(({ outcome }: { outcome: unknown }) => outcome === null)
  expect(request).toMatchObject({ kind: 'rectify', doneAt: null, outcome: null, letter: false })

  // The request is closed once, with a reason.
  const close = (body: object, by = operator) => post('requests/close', { uuid: request.uuid, reason: 'Corregida de nuevo', ...body }, by)
  expect((await close({}, seller)).status).toBe(403)
  expect((await close({ reason: ' ' })).status).toBe(422)
  expect((await close({ uuid: sold[0] })).status).toBe(404)
  expect((await close({})).body.data).toMatchObject({
    doneAt: expect.any(String),
    closing: 'Corregida de nuevo',
    outcome: null,
    letter: false,
  })
  expect((await close({})).status).toBe(409)
  expect((await post('requests/extend', { uuid: request.uuid, months: 1, reason: 'Muchos documentos' })).status).toBe(409)
  expect(await auditRows(app, 'privacy.closed')).toMatchObject([{ object: request.uuid, reason: 'Corregida de nuevo' }])
})

test('a request that is closed while it is carried out stays closed', async () => {
  const person = someone()
  await sell(person)
  const personKey = await keyOf(person)
  const { kysely } = app.world.database
  // As if an operator had closed it in the meantime.
  await sql`create function close_it() returns trigger language plpgsql as $$ begin
    new.done_at = now(); new.closing = 'meanwhile'; return new; end $$`.execute(kysely)
  await sql`create trigger close_it before insert on person_requests for each row execute function close_it()`.execute(kysely)
  const { requestUuid, items } = (await rectify(personKey, { birthDate: '1951-03-09' })).body.data
  await sql`drop trigger close_it on person_requests`.execute(kysely)
  await sql`drop function close_it`.execute(kysely)
  expect(items).toMatchObject([{ outcome: 'refused' }])
  expect(await requestOf(requestUuid)).toMatchObject({
    doneAt: expect.any(String),
    closing: 'meanwhile',
    letter: true,
  })
})

test('a correction is the administration’s alone, and of a known person', async () => {
  const person = someone()
  await sell(person)
  expect((await rectify(await keyOf(person), { city: 'Bilbao' }, seller)).status).toBe(403)
  expect((await rectify('x', { city: 'Bilbao' })).status).toBe(404)
})
