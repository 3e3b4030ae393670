import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { readZip, unzip } from '#server/kit/upload/zip.ts'
import { leo, other as anyone, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { xenia } from '../testing.ts'
import type { Copy } from './schema.ts'

// Copies of people who are alike, or who took another's place.

let app: TestApp
let seller: Seller
let operator: { headers: Record<string, string> }
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  operator = await admin(app)
})
afterAll(() => app.stop())

const post = (path: string, body: object): Promise<TestReply> => app.ask(`/api/privacy/${path}`, { body, headers: operator.headers })
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }
const keyOf = async (facts: object): Promise<string> => (await post('find', facts)).body.data.persons[0].personKey

async function ask(personKey: string, email: string): Promise<string> {
  const { requestUuid } = (await post('export', { personKey, ...asked, email })).body.data
  await app.world.outbox.drain()
  return requestUuid
}

async function copyFor(personKey: string, email: string): Promise<{ text: string; copy: Copy }> {
  const requestUuid = await ask(personKey, email)
  const { kysely } = app.world.database
  const mail = await kysely.selectFrom('mails').select('text_body').where('about', '=', requestUuid).executeTakeFirstOrThrow()
  const token = /\/my-data#([\w-]{22})$/m.exec(mail.text_body ?? '')?.[1]
  const { bytes } = await app.ask('/api/privacy/copy', { body: { token } })
  const entry = readZip(bytes)?.find(({ name }) => name === 'data.json')
  const text = entry ? ((await unzip(bytes, entry))?.toString() ?? '') : ''
  return { text, copy: JSON.parse(text) }
}

test('a copy finds a person without document or second surname, by the name alone', async () => {
  const child = {
    ...anyone(5),
    name: 'Nico',
    middleName: 'Prado',
    lastName: '-',
    birthDate: '2018-04-04',
    docNumber: '',
    email: 'nico@correo.example',
  }
  await sellAs(seller, { users: [xenia, child] })
  const { copy } = await copyFor(await keyOf({ name: 'Nico Prado', birthDate: child.birthDate }), child.email)
  expect(copy.policies).toHaveLength(1)
  expect(copy.person.names).toEqual(['Nico Prado'])
})

test('a letter greets a person without the dash of a second surname', async () => {
  const person = { ...xenia, lastName: '-', docNumber: '55667788Z', email: 'guion@correo.example' }
  await registerAs(seller, { users: [person, leo], saveBudget: true })
  const { requestUuid } = (
    await post('restrict', { personKey: await keyOf({ docNumber: person.docNumber, birthDate: person.birthDate }), ...asked })
  ).body.data
  const mails = await app.world.database.kysely.selectFrom('mails').select('recipient_name').where('about', '=', requestUuid).execute()
  expect(mails).toEqual([{ recipient_name: 'Xenia Quintanilla' }])
})

test('a former policyholder gets their own documents, and nothing of the next one', async () => {
  const person = { ...xenia, docNumber: '75395126E', email: 'antes@correo.example' }
  const start = addDays(today(app.world.clock.now(), 'Europe/Madrid'), 11)
  const trip = { startDate: start, endDate: addDays(start, 40), channel: 'distance' }
  const { policyUuid } = (await sellAs(seller, { ...trip, users: [person, leo] })).body.data.policyData
  const sell = async (path: string, body: object) =>
    (await app.ask(`/api/policy/${path}`, { body: { policyUuid, ...body }, headers: seller.headers })).body.data
  const { people } = (await sell('change/terms', {})).policy
  const { identificationTypeId: _, ...facts } = xenia
  const next = { ...facts, name: 'Yolanda', docNumber: '11223344B', email: 'despues@correo.example', address: 'Calle Secreta 9' }
  const change = { users: [next, { personUuid: people[1].personUuid }] }
  const { difference } = await sell('change/preview', { version: 1, change })
  await sell('change', { version: 1, change, expectedDifference: difference.total })
  const token = await tokenFor(app, policyUuid, next.email)
  const withdrawal = { token, version: 2, name: 'Yolanda Quintanilla', confirmTo: next.email }
  expect((await askClient(app, 'withdraw', withdrawal, { 'idempotency-key': 'k1' })).status).toBe(200)
  const { text, copy } = await copyFor(await keyOf({ docNumber: person.docNumber, birthDate: person.birthDate }), person.email)
  expect(copy.policies).toMatchObject([{ price: null, you: [{ version: 1, policyholder: true }], withdrawals: [] }])
  expect(copy.files.map(({ kind }) => kind).toSorted()).toEqual(['certificate', 'receipt'])
  for (const fact of ['Yolanda', 'despues', 'Secreta', '11223344']) expect(text).not.toContain(fact)
})

test('an erasure recalls no copy of a twin who has no document and the same address', async () => {
  const email = 'familia@correo.example'
  const twin = (name: string) => ({ name, middleName: 'Gemela', lastName: 'Sanz', birthDate: '2018-04-04', email })
  const save = async (name: string) => registerAs(seller, { users: [{ ...xenia, docNumber: '11223344B' }, twin(name)], saveBudget: true })
  await save('Uno')
  await save('Dos')
  const key = (name: string) => keyOf({ name: `${name} Gemela`, birthDate: '2018-04-04' })
  const requests = [await ask(await key('Uno'), email), await ask(await key('Dos'), email)]
  expect((await post('erase', { personKey: await key('Dos'), ...asked })).status).toBe(200)
  const { kysely } = app.world.database
  const left = await kysely.selectFrom('person_copies').select('request_id').where('request_id', 'in', requests).execute()
  expect(left).toEqual([{ request_id: requests[0] }])
})

test('a refused erasure keeps copy and emails, and a preview counts recalled copies', async () => {
  const person = { ...xenia, docNumber: '31415926L', email: 'espera@correo.example' }
  const { policyUuid } = (await sellAs(seller, { users: [person, leo] })).body.data.policyData
  const { kysely } = app.world.database
  await app.world.outbox.drain()
  const until = addDays(today(new Date(), 'UTC'), 90)
  const hold = (await post('hold', { kind: 'policy', uuid: policyUuid, until, reason: 'Juicio 12/26' })).body.data
  const personKey = await keyOf({ docNumber: person.docNumber, birthDate: person.birthDate })
  const requestUuid = await ask(personKey, person.email)
  // The email of an earlier answer, which is about none of the person's policies.
  await post('restrict', { personKey, ...asked })
  await app.world.outbox.drain()
  const left = async () => ({
    copies: (await kysely.selectFrom('person_copies').select('id').where('request_id', '=', requestUuid).execute()).length,
    mails: (await kysely.selectFrom('mails').select('id').where('recipient_address', '=', person.email).execute()).length,
  })
  const before = await left()
  const preview = async () => (await post('erase/preview', { personKey })).body.data
  expect(await preview()).toMatchObject({ items: [{ outcome: 'refused' }], mails: 0, copies: 0 })
  const refused = (await post('erase', { personKey, ...asked })).body.data
  expect(refused).toMatchObject({ items: [{ outcome: 'refused' }], mails: 0 })
  await app.world.outbox.drain()
  expect(await left()).toEqual(before)
  expect(before).toMatchObject({ copies: 1 })
  const listed = (await post('requests', {})).body.data.requests
  expect(listed.find(({ uuid }: { uuid: string }) => uuid === refused.requestUuid)).toMatchObject({
    doneAt: expect.any(String),
    letter: true,
  })
  // The policy is in force, so nothing is erased and the copy stays.
  await post('holds/lift', { uuid: hold.uuid, reason: 'Sentencia firme' })
  expect(await preview()).toMatchObject({ items: [{ outcome: 'kept' }], mails: 0, copies: 0 })
  await post('erase', { personKey, ...asked })
  expect(await left()).toMatchObject({ copies: 1 })
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', policyUuid).execute()
  expect(await preview()).toMatchObject({ items: [{ outcome: 'blocked' }], copies: 1 })
  await post('erase', { personKey, ...asked })
  expect(await left()).toMatchObject({ copies: 0 })
})
