import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths, today } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { leo, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows } from '#server/session/testing.ts'
import { leaveTraces, tracesIn, xenia } from '../testing.ts'

const list = join(tmpdir(), `suppressed-${process.pid}.jsonl`)

let app: TestApp
let seller: Seller
let operator: { headers: Record<string, string> }
let left: Awaited<ReturnType<typeof leaveTraces>>
beforeEach(async () => {
  app = await testApp({ SUPPRESSION_FILE: list })
  seller = await sellerOf(app)
  operator = await admin(app)
  left = await leaveTraces(app, seller)
  return async () => {
    await app.world.outbox.drain()
    expect(await brokenInvariants(app.world.database)).toEqual([])
    await app.stop()
  }
})
beforeAll(() => rmSync(list, { force: true }))
afterAll(() => rmSync(list, { force: true }))

const post = (path: string, body: object, by = operator): Promise<TestReply> =>
  app.ask(`/api/privacy/${path}`, { body, headers: by.headers })
const found = async (facts: object) => (await post('find', facts)).body.data.persons
const document = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
const keyOf = async (facts: object = document): Promise<string> => (await found(facts))[0].personKey
const zone = 'Europe/Madrid'
const request = { askedBy: 'person', reason: 'Lo pide por carta' }

test('days and months that do not exist are refused at their fields', async () => {
  const refused = async (path: string, body: object) => {
    const { status, body: reply } = await post(path, body)
    return [status, reply.fields?.[0]?.path]
  }
  expect(await refused('find', { name: 'Xenia', birthDate: '2024-02-30' })).toEqual([422, 'birthDate'])
  expect(await refused('certificate', { month: '0000-01' })).toEqual([422, 'month'])
})

describe('a person is found', () => {
  test.each<[string, object]>([
    ['by document and birth date', { docNumber: ' 48765432-g', birthDate: '1971-03-09' }],
    ['by name and birth date, in either order', { name: 'Quintanilla zubizarreta', birthDate: '1971-03-09' }],
    ['by email and name', { email: 'XENIA.Q@correo.example', name: 'xenía' }],
  ])('%s', async (_, facts) => {
    expect(await found(facts)).toEqual([
      {
        personKey: expect.any(String),
        businessUnit: { uuid: expect.any(String), brandName: 'Viajes Azahar' },
        name: 'Xenia Quintanilla Zubizarreta',
        birthDate: '1971-03-09',
        docNumber: '48765432G',
        emails: ['xenia.q@correo.example'],
        where: expect.arrayContaining([
          expect.objectContaining({ kind: 'budget', uuid: left.budget, number: null, blocked: false }),
          expect.objectContaining({ kind: 'policy', uuid: left.sold, blocked: false }),
          expect.objectContaining({ kind: 'ticket', uuid: left.claim, blocked: false }),
        ]),
        mails: expect.any(Number),
        // As the newest policy has them, for a correction.
        facts: expect.objectContaining({ name: 'Xenia', lastName: 'Zubizarreta', address: 'Calle de la Higuera 77, 2º', zipCode: '01007' }),
      },
    ])
  })

  test('by two facts at least, and only if all agree', async () => {
    for (const facts of [{}, { name: 'Xenia' }, { email: ' ', docNumber: '48765432G' }]) {
      const { status, body } = await post('find', facts)
      expect([status, body.fields]).toMatchObject([422, [{ path: 'name', rule: 'required' }]])
    }
    expect(await found({ ...document, name: 'Leo' })).toEqual([])
    expect(await found({ name: 'Xander', birthDate: '1971-03-09' })).toEqual([])
  })

  test('as two persons if there are two who are alike', async () => {
    const twin = { ...xenia, docNumber: '11223344B' }
    await registerAs(seller, { users: [twin, leo], saveBudget: true })
    const both = await found({ name: 'Xenia', birthDate: xenia.birthDate })
    expect(both.map(({ docNumber }: { docNumber: string }) => docNumber).toSorted()).toEqual(['11223344B', '48765432G'])
  })

  test('with many long addresses, and can be erased by the key', async () => {
    const long = (index: number) => `${String(index).padStart(64, 'x')}@${'y'.repeat(60)}.${'z'.repeat(60)}.example`
    for (let index = 0; index < 18; index++)
      expect((await registerAs(seller, { users: [{ ...xenia, email: long(index) }, leo], saveBudget: true })).status).toBe(200)
    const [person] = await found(document)
    expect(person.emails).toHaveLength(19)
    const { items } = (await post('erase', { personKey: person.personKey, ...request })).body.data
    const erased = items.filter(({ outcome }: { outcome: string }) => outcome === 'erased')
    expect(erased).toHaveLength(19)
  })

  test('by the administration alone, and the search is audited without what was typed', async () => {
    expect((await post('find', document, seller)).status).toBe(403)
    await found(document)
    const [entry] = await auditRows(app, 'privacy.found')
    expect(entry).toMatchObject({ details: { by: ['document', 'birthDate'], persons: 1 } })
  })
})

describe('an erasure', () => {
  test('shows the outcome for each object, and why, before anything is done', async () => {
    const before = await tracesIn(app)
    const { items } = (await post('erase/preview', { personKey: await keyOf() })).body.data
    const of = (uuid: string) => items.find((item: { uuid: string }) => item.uuid === uuid)
    const end = of(left.sold).until
    expect(of(left.budget)).toMatchObject({ outcome: 'erased', because: 'no_contract', erasedOn: null })
    expect(of(left.sold)).toMatchObject({ outcome: 'kept', because: 'in_force', erasedOn: addDays(addMonths(end, 72), 1) })
    expect(of(left.claim)).toMatchObject({ outcome: 'refused', because: 'open_claim' })
    expect(await tracesIn(app)).toEqual(before)
  })

  test('erases saved quotes, blocks ended policies, and refuses open ones until later', async () => {
    const personKey = await keyOf()
    const first = (await post('erase', { personKey, ...request })).body.data
    const outcomes = Object.fromEntries(first.items.map(({ uuid, outcome }: { uuid: string; outcome: string }) => [uuid, outcome]))
    expect(outcomes).toMatchObject({ [left.budget]: 'erased', [left.sold]: 'kept', [left.claim]: 'refused' })
    const listed = (await post('requests', {})).body.data.requests
    expect(listed).toMatchObject([{ uuid: first.requestUuid, kind: 'erase', askedBy: 'person', doneAt: null }])
    expect(listed[0].dueOn).toBe(addMonths(today(new Date(), zone), 1))
    await end()
    const again = (await post('erase', { personKey, ...request })).body.data
    expect(new Set(again.items.map(({ outcome }: { outcome: string }) => outcome))).toEqual(new Set(['blocked']))
    // The letter goes to the address first.
    await app.world.outbox.drain()
    expect(await tracesIn(app)).toEqual([])
    // Blocked data is still found, by those who know whom they look for.
    const [person] = await found(document)
    expect(person).toMatchObject({
      name: null,
      where: expect.arrayContaining([expect.objectContaining({ uuid: left.sold, blocked: true, erasedOn: addDays('2032-02-01', 1) })]),
    })
  })

  test('by an invented key, or one tampered with, is refused like an unknown person', async () => {
    const key = await keyOf()
    const tampered = `${key[0] === 'A' ? 'B' : 'A'}${key.slice(1)}`
    for (const personKey of ['x', tampered, 'A'.repeat(400)])
      expect((await post('erase', { personKey, ...request })).status, personKey).toBe(404)
  })

  test('refuses a held policy with the reason of the hold, until that is lifted', async () => {
    await end()
    const until = addDays(today(new Date(), 'UTC'), 90)
    const hold = await post('hold', { kind: 'policy', uuid: left.sold, until, reason: 'Juicio 12/26' })
    expect(hold.body.data).toMatchObject({ objectUuid: left.sold, until, reason: 'Juicio 12/26' })
    const ofPolicy = async () =>
      (await post('erase/preview', { personKey: await keyOf() })).body.data.items.find(({ uuid }: { uuid: string }) => uuid === left.sold)
    expect(await ofPolicy()).toMatchObject({ outcome: 'refused', because: 'held', note: 'Juicio 12/26' })
    expect((await post('holds', {})).body.data).toMatchObject({ total: 1 })
    // The search shows the hold, too.
    const whereNow = async () => (await found(document))[0].where.find(({ uuid: each }: { uuid: string }) => each === left.sold)
    expect(await whereNow()).toMatchObject({ hold: { uuid: hold.body.data.uuid, until } })
    await post('holds/lift', { uuid: hold.body.data.uuid, reason: 'Sentencia firme' })
    expect(await ofPolicy()).toMatchObject({ outcome: 'blocked', because: 'law' })
    expect(await whereNow()).toMatchObject({ hold: null, erasedOn: null })
  })

  test('deletes no email if all is held, whatever was blocked before', async () => {
    await end()
    await post('erase', { personKey: await keyOf(), ...request })
    const next = (await sellAs(seller, { users: [xenia, leo] })).body.data.policyData.policyUuid
    await app.world.outbox.drain()
    const until = addDays(today(new Date(), 'UTC'), 90)
    expect((await post('hold', { kind: 'policy', uuid: next, until, reason: 'Juicio' })).status).toBe(200)
    const { kysely } = app.world.database
    await kysely.updateTable('mails').set({ about: null }).where('about', '=', next).execute()
    const mails = async () => (await kysely.selectFrom('mails').where('about', 'is', null).select('id').orderBy('id').execute()).length
    const before = await mails()
    expect(before).toBeGreaterThan(0)
    const { items, mails: erased } = (await post('erase', { personKey: await keyOf(), ...request })).body.data
    const left = items.filter(({ blocked }: { blocked: boolean }) => !blocked)
    expect([left.map(({ outcome }: { outcome: string }) => outcome), erased, await mails()]).toEqual([['refused'], 0, before])
  })

  test('administrators open blocked data one object at a time, with an audited reason', async () => {
    await end()
    await post('erase', { personKey: await keyOf(), ...request })
    expect((await post('blocked', { kind: 'policy', uuid: left.sold, reason: 'x' })).status).toBe(422)
    const { body } = await post('blocked', { kind: 'policy', uuid: left.sold, reason: 'Requerimiento judicial' })
    expect(body.data).toMatchObject({
      cause: 'erasure',
      policy: { endDate: '2026-02-01', currency: 'EUR', total: expect.any(Number), product: expect.any(String) },
      content: { people: expect.arrayContaining([expect.objectContaining({ name: 'Xenia', document_number: '48765432G' })]) },
    })
    // The content has nothing encrypted within it, and the row has no encrypted number left.
    expect(Object.keys(body.data.content.people[0]).filter(column => /sealed|hash/.test(column))).toEqual([])
    const people = await app.world.database.kysely.selectFrom('policy_people').selectAll().where('policy_id', '=', left.sold).execute()
    expect(new Set(people.flatMap(({ sealed, sealed_by, document_hash }) => [sealed, sealed_by, document_hash]))).toEqual(new Set([null]))
    expect(await auditRows(app, 'privacy.opened')).toMatchObject([{ object: left.sold, reason: 'Requerimiento judicial' }])
    expect((await post('blocked', { kind: 'policy', uuid: left.budget, reason: 'Requerimiento judicial' })).status).toBe(404)
  })
})

test('two concurrent erasures are both answered, and block each object once', async () => {
  await end()
  const personKey = await keyOf()
  const both = await Promise.all([post('erase', { personKey, ...request }), post('erase', { personKey, ...request })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  await app.world.outbox.drain()
  expect(await tracesIn(app)).toEqual([])
})

test('an erasure spares other clients whom the agency stores under the same address', async () => {
  const { kysely } = app.world.database
  const eva = { ...xenia, name: 'Eva', middleName: 'Sol', lastName: 'Mar', docNumber: '11223344B' }
  const other = (await sellAs(seller, { users: [eva, leo] })).body.data.policyData.policyUuid
  await app.world.outbox.drain()
  const mailsAbout = () => kysely.selectFrom('mails').select('id').where('about', '=', other).execute()
  const before = await mailsAbout()
  expect(before.length).toBeGreaterThan(0)
  await end()
  await post('erase', { personKey: await keyOf(), ...request })
  expect(await mailsAbout()).toEqual(before)
})

test('a deleted quote that was erased meanwhile is not restored', async () => {
  const ask = (path: string, method?: string) =>
    app.ask(path, { ...(method ? { method } : {}), body: { policyUuid: left.budget }, headers: seller.headers })
  await ask('/api/policy', 'DELETE')
  await post('erase', { personKey: await keyOf(), ...request })
  expect((await ask('/api/policy/restore')).status).toBe(404)
})

test('a request is extended once, by two months at most, with a reason', async () => {
  const { requestUuid } = (await post('erase', { personKey: await keyOf(), ...request })).body.data
  const extend = (body: object) => post('requests/extend', { uuid: requestUuid, reason: 'Muchos documentos', ...body })
  expect((await extend({ months: 3 })).status).toBe(422)
  // It cannot be extended after its first month, within which the person must be informed.
  const dueOn = (day: string) => app.world.database.kysely.updateTable('person_requests').set({ due_on: day }).execute()
  const last = addMonths(today(new Date(), zone), 1)
  await dueOn(addDays(today(new Date(), zone), -1))
  const late = await extend({ months: 2 })
  expect([late.status, late.body.fields]).toMatchObject([422, [{ path: 'months', rule: 'past' }]])
  await dueOn(last)
  const { body } = await extend({ months: 2 })
  expect(body.data).toMatchObject({ dueOn: addMonths(today(new Date(), zone), 3), extension: 'Muchos documentos' })
  expect((await extend({ months: 1 })).status).toBe(409)
})

test('an objection and a restriction block alike', async () => {
  await end()
  const personKey = await keyOf()
  const { items } = (await post('object', { personKey, askedBy: 'person', what: 'Publicidad' })).body.data
  expect(items.length).toBeGreaterThan(3)
  await app.world.outbox.drain()
  expect(await tracesIn(app)).toEqual([])
  expect((await post('restrict', { personKey, ...request })).body.data.items[0]).toMatchObject({ because: 'blocked_already' })
})

test('a sale to a person who was erased before is a sale like any other', async () => {
  await end()
  await post('erase', { personKey: await keyOf(), ...request })
  expect(
    (await app.ask('/api/people', { body: { by: 'document', search: xenia.docNumber, as: 'traveller' }, headers: seller.headers })).body
      .data.people,
  ).toEqual([])
  const sold = await sellAs(seller, { users: [xenia, leo] })
  expect(sold.status).toBe(200)
  expect((await found(document))[0].where.length).toBeGreaterThan(1)
})

/** Ends the policy and closes its tickets, as time does. */
async function end(): Promise<void> {
  const { kysely } = app.world.database
  await kysely.updateTable('tickets').set({ status: 'closed' }).execute()
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', left.sold).execute()
}
