import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { sealedRows } from '#server/app.ts'
import { policyStatusTypes } from '#server/business-unit/public.ts'
import { stepIn } from '#server/changes/payment/open.ts'
import { openedSource } from '#server/documents/sealed/content.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import type { World } from '#server/kit/app-context.ts'
import { replyIn } from '#server/kit/sealed/replies.ts'
import { numberIn, numberSought } from '#server/kit/sealed/document-numbers.ts'
import { checkSealedRows, resealRows } from '#server/kit/sealed/reseal.ts'
import { openSecrets, SecretsKeyError } from '#server/kit/store/secrets.ts'
import { peopleNumbered } from '#server/policies/people/queries.ts'
import { demoScope } from '#server/session/testing.ts'
import { admin } from '#server/administration/testing.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type CardApp, cardApp } from '#server/policies/testing-cards.ts'
import { leo, purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { leaveTraces, xenia } from './testing.ts'
import { digits, placesWithNumbers, storeNumbersOpenly } from './testing-numbers.ts'

const lupe = { ...leo, name: 'Lupe', docNumber: '48765431A' }
const noor = { ...leo, name: 'Noor', docNumber: '48765433M', birthDate: '1991-04-04' }

let app: CardApp
let seller: Seller
const logTo = new PassThrough()
const logged: Buffer[] = []
logTo.on('data', (piece: Buffer) => logged.push(piece))
beforeAll(async () => {
  app = await cardApp({ logTo, environment: { LOG_LEVEL: 'trace' } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.ask(`/api/${path}`, { body, headers: { ...seller.headers, ...headers } })

const kysely = () => app.world.database.kysely
const keyed = (...keys: string[]): World => ({ ...app.world, secrets: openSecrets({ SECRETS_KEY: keys, DATA_DIR: '' }) })
const aKey = () => randomBytes(32).toString('base64')
const ownKey = () => existing(app.world.config.SECRETS_KEY?.[0])

const aPage = { page: 1, perPage: 10, statusTypeUuid: policyStatusTypes.purchased.uuid }
const made = { policyUuid: '', refused: { body: {}, text: '' } }

/** Plays every call that sends a document number, also refused ones. */
async function leaveNumbers(): Promise<void> {
  const { sold } = await leaveTraces(app, seller)
  const { policyUuid, startDate, endDate } = (await sellAs(seller, { users: [xenia, lupe] })).body.data.policyData
  const terms = async () => (await post('policy/change/terms', { policyUuid })).body.data.policy
  const people = async () => (await terms()).people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
  const ask = async (users: object[], more: object, headers = {}) =>
    post(
      'policy/change',
      { policyUuid, version: (await terms()).version, change: { users }, expectedDifference: 0, reason: 'client', ...more },
      headers,
    )
  // Corrects a number, and adds a person at a wrong price and then at the right one.
  const mended = await ask([(await people())[0], { ...(await people())[1], docNumber: '48765434Y' }], {}, { 'idempotency-key': 'mends-it' })
  expect(mended.status, mended.text).toBe(200)
  const joining = [...(await people()), noor]
  const wrong = { policyUuid, version: 2, change: { users: joining }, expectedDifference: 1, reason: 'client' }
  const refused = await post('policy/change', wrong, { 'idempotency-key': 'wrong-price' })
  expect([refused.status, refused.body.error]).toEqual([409, 'change.price_changed'])
  Object.assign(made, { policyUuid, refused: { body: wrong, text: refused.text } })
  const preview = await post('policy/change/preview', { policyUuid, version: 2, change: { users: joining } })
  const right = { expectedDifference: preview.body.data.difference.total }
  const offered = await ask(joining, { ...right, settle: { offer: { email: xenia.email } } }, { 'idempotency-key': 'offers-it' })
  expect(offered.body.data, offered.text).toMatchObject({ state: 'offered' })
  await tokenFor(app, policyUuid)
  // Refused at a field, and sent again with a request key.
  const bad = { users: [{ ...xenia, docNumber: '48765436G' }, lupe] }
  for (const status of [422, 422]) expect((await registerAs(seller, bad, { 'idempotency-key': 'refused' })).status).toBe(status)
  const again = { users: [xenia, lupe] }
  const kept = (await registerAs(seller, again, { 'idempotency-key': 'sold' })).body.data
  expect((await purchaseAs(seller, { purchaseUUID: kept.purchaseUUID }, { 'idempotency-key': 'sold-2' })).status).toBe(200)
  await registerAs(seller, { ...again, saveBudget: true }, { 'idempotency-key': 'saved' })
  // Searches for the number.
  await post('people', { by: 'document', search: xenia.docNumber, as: 'policyholder' })
  await post('people/companions', { docNumber: xenia.docNumber })
  const days = { startDate, endDate, productUUID: seller.products.find(({ code }) => code === 'ESS').uuid }
  await post('policy/insured', { ...days, people: [{ docNumber: xenia.docNumber }] })
  await post('policy/list', { ...aPage, searchData: xenia.docNumber })
  const number = (await post('policy/detail', { policyUuid: sold })).body.data.policy.policyNumber
  await askClient(app, 'find', { number, docNumber: xenia.docNumber, birthDate: xenia.birthDate })
  const { headers } = await admin(app)
  const facts = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
  const [person] = (await app.ask('/api/privacy/find', { body: facts, headers })).body.data.persons
  expect(person).toMatchObject({ docNumber: xenia.docNumber })
  const copied = await app.ask('/api/privacy/export', {
    body: { personKey: person.personKey, email: xenia.email, askedBy: 'person', reason: 'Lo pide por carta' },
    headers,
  })
  expect(copied.status, copied.text).toBe(200)
  await openClosing(app.world)()
  await app.world.outbox.drain()
}

describe('after quotes, sales, changes, offers, claims and searches', () => {
  beforeAll(leaveNumbers, 60_000)

  test('no table shows a document number', async () => {
    expect(await placesWithNumbers(app)).toEqual([])
  })

  test('no line of the log shows one', () => {
    const text = Buffer.concat(logged).toString()
    expect(text.length).toBeGreaterThan(1000)
    expect(text.split('\n').filter(line => digits.test(line))).toEqual([])
  })

  test('every number is decrypted where it is read', async () => {
    expect(await shown()).toEqual(asSold)
  })

  test('rows of an older version are read and found, and encrypted once by two nodes', async () => {
    await storeOpenly()
    expect(await placesWithNumbers(app)).toEqual([
      'idempotency.reply',
      'open_changes.step',
      'paper_sources.source',
      'policy_people.document_number',
    ])
    expect(await shown()).toEqual(asSold)
    for (const rows of sealedRows) {
      const sealed = await Promise.all([resealRows(app.world, rows), resealRows(app.world, rows)])
      expect(sealed[0] + sealed[1], rows.table).toBe(await countSealed(rows.table))
      expect(await resealRows(app.world, rows)).toBe(0)
    }
    expect(await placesWithNumbers(app)).toEqual([])
    expect(await shown()).toEqual(asSold)
  })

  test('encryption stops with the service, and continues at the next start', async () => {
    await storeOpenly()
    for (const rows of sealedRows) expect(await resealRows(app.world, rows, () => true)).toBe(0)
    expect(await placesWithNumbers(app)).toHaveLength(4)
    for (const rows of sealedRows) await resealRows(app.world, rows)
    expect(await placesWithNumbers(app)).toEqual([])
  })

  test('a change of the key finds people throughout, and needs the former key to the end', async () => {
    const [present, own] = [aKey(), ownKey()]
    await expect(checkSealedRows(keyed(present), sealedRows)).rejects.toThrow(SecretsKeyError)
    const both = keyed(present, own)
    await checkSealedRows(both, sealedRows)
    const found = async (world: World) => {
      const { businessUnitId } = demoScope('azahar')
      const sought = numberSought(world.secrets, businessUnitId, ' 48765432-g')
      const rows = await world.database.inScope(
        demoScope('azahar'),
        async tx => (await peopleNumbered(businessUnitId, [sought]).execute(tx)).rows,
      )
      return rows.map(row => numberIn(world.secrets, row.policy_id, row))
    }
    const before = await found(app.world)
    expect([before.length > 4, new Set(before)]).toEqual([true, new Set(['48765432G'])])
    expect(await found(both)).toEqual(before)
    for (const rows of sealedRows) expect(await resealRows(both, rows), rows.table).toBe(await countSealed(rows.table))
    expect(await found(both)).toEqual(before)
    await checkSealedRows(keyed(present), sealedRows)
    expect(await found(keyed(present))).toEqual(before)
    await expect(checkSealedRows(app.world, sealedRows)).rejects.toThrow(SecretsKeyError)
    // Restores the key for the tests that follow.
    for (const rows of sealedRows) await resealRows(keyed(own, present), rows)
    expect(await shown()).toEqual(asSold)
  })

  test('a number can be decrypted for its own policy alone', async () => {
    const people = await kysely().selectFrom('policy_people').selectAll().where('sealed', 'is not', null).execute()
    const one = existing(people[0])
    const other = existing(people.find(({ policy_id: id }) => id !== one.policy_id))
    expect(() => numberIn(app.world.secrets, other.policy_id, one)).toThrow(/authenticate/)
  })
})

/** Returns the numbers at each place that shows them, and the people found by them. */
async function shown() {
  const { policyUuid } = made
  const detail = (await post('policy/detail', { policyUuid })).body.data
  const terms = (await post('policy/change/terms', { policyUuid })).body.data
  const versions = (await post('policy/versions', { policyUuid })).body.data
  const days = { startDate: detail.policy.startDate, endDate: detail.policy.endDate, productUUID: detail.policy.productUuid }
  const list = async (searchData: string) => (await post('policy/list', { ...aPage, searchData })).body.data.total
  const numbers = (people: { docNumber: string }[]) => people.map(({ docNumber }) => docNumber)
  const offer = existing(await kysely().selectFrom('open_changes').selectAll().where('state', '=', 'offered').executeTakeFirst())
  const repeated = await post('policy/change', made.refused.body, { 'idempotency-key': 'wrong-price' })
  const { headers } = await admin(app)
  const facts = { docNumber: '48765432-g', birthDate: xenia.birthDate }
  const persons = (await app.ask('/api/privacy/find', { body: facts, headers })).body.data.persons
  return {
    detail: numbers(detail.users),
    versions: versions.map(({ users }: { users: { docNumber: string }[] }) => numbers(users)),
    twin: terms.policy.twin,
    offer: existing(stepIn(app.world.secrets, offer)).contents.people.map(({ docNumber }) => docNumber),
    repeated: [repeated.status, repeated.text === made.refused.text],
    people: numbers((await post('people', { by: 'document', search: '48765432-g', as: 'policyholder' })).body.data.people),
    part: (await post('people', { by: 'document', search: '4876543', as: 'policyholder' })).body.data.people,
    companions: numbers((await post('people/companions', { docNumber: xenia.docNumber })).body.data.people).toSorted(),
    insured: (await post('policy/insured', { ...days, people: [{ docNumber: '48765434y' }] })).body.data.policies.length,
    listed: [await list('48765434y'), await list('4876543')],
    persons: persons.map(({ docNumber, where }: { docNumber: string; where: unknown[] }) => [docNumber, where.length > 2]),
    certificate: (await readPdf((await app.ask(detail.files[0].file, { headers: seller.headers })).bytes)).text.match(/4876543\d[A-Z]/g),
  }
}

const asSold = {
  detail: ['48765432G', '48765434Y'],
  versions: [
    ['48765432G', '48765431A'],
    ['48765432G', '48765434Y'],
  ],
  twin: true,
  offer: ['48765432G', '48765434Y', '48765433M'],
  repeated: [409, true],
  people: ['48765432G'],
  part: [],
  companions: ['48765431A', 'X1234567L'],
  insured: 1,
  listed: [1, 0],
  persons: [['48765432G', true]],
  certificate: ['48765432G', '48765431A', '48765434Y'],
}

/** Leaves every row as an older version stored it. */
async function storeOpenly(): Promise<void> {
  const { secrets } = app.world
  await storeNumbersOpenly(app)
  for (const open of await kysely().selectFrom('open_changes').selectAll().where('sealed', 'is not', null).execute())
    await kysely()
      .updateTable('open_changes')
      .set({ step: JSON.stringify(stepIn(secrets, open)), sealed: null, sealed_by: null })
      .where('id', '=', open.id)
      .execute()
  for (const row of await kysely().selectFrom('idempotency').selectAll().where('sealed', 'is not', null).execute())
    await kysely()
      .updateTable('idempotency')
      .set({ reply: replyIn(secrets, row, row), sealed: null, sealed_by: null })
      .where(eb => eb.and({ user_id: row.user_id, key: row.key }))
      .execute()
  for (const { content_id: id, source, sealed_by: sealedBy } of await kysely().selectFrom('paper_sources').selectAll().execute())
    await kysely()
      .updateTable('paper_sources')
      .set({ source: openedSource(secrets, id, { secret: source, sealedBy }), sealed_by: null })
      .where('content_id', '=', id)
      .execute()
}

async function countSealed(table: string): Promise<number> {
  const { rows } = await sql<{
    many: number
  }>`select count(*)::bigint as many from ${sql.table(table)} where sealed_by is not null`.execute(kysely())
  return rows[0]?.many ?? 0
}
