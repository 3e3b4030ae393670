import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { admin } from '#server/administration/testing.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { copiedName, personFields } from '#common/people/person.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { readZip, unzip } from '#server/kit/upload/zip.ts'
import { everyFact, leo, other as anyone, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, demoScope } from '#server/session/testing.ts'
import { openStore } from '#server/documents/open-store.ts'
import type { Files } from '#server/documents/public.ts'
import { NoSuchContent } from '#server/documents/store.ts'
import { runRetention } from '../retention/run.ts'
import { leaveTraces, tracesIn, xenia } from '../testing.ts'
import { openCopy } from './link.ts'
import { makeCopy } from './make.ts'
import { copyDocument } from './document.ts'
import { copyAsked, copyIdOf } from './request.ts'
import { copiedFields, copiedLines, copySchema, type Copy } from './schema.ts'

let ahead = 0
let app: TestApp
let seller: Seller
let operator: { headers: Record<string, string> }
/** A plain policy of Xenia. */
let policyUuid: string
beforeEach(async () => {
  ahead = 0
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
  operator = await admin(app)
  policyUuid = (await sellAs(seller, { users: [xenia, leo] })).body.data.policyData.policyUuid
})
afterEach(() => app.stop())

const post = (path: string, body: object, by = operator): Promise<TestReply> =>
  app.ask(`/api/privacy/${path}`, { body, headers: by.headers })
const document = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
const keyOf = async (facts: object = document): Promise<string> => (await post('find', facts)).body.data.persons[0].personKey
/** Eva has the agency's address and Xenia's birthday, too. */
const eva = { ...xenia, name: 'Eva', middleName: 'Sol', lastName: 'Mar', docNumber: '99887766P' }
const companion = { ...anyone(5), email: 'leo.propio@correo.example' }
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }

let networks = 0
const open = (token: string): Promise<TestReply> =>
  app.ask('/api/privacy/copy', { body: { token }, remoteAddress: `10.7.0.${(networks += 1)}` })

async function export_(personKey: string, email = xenia.email): Promise<{ requestUuid: string; token: string }> {
  const { status, body, text } = await post('export', { personKey, ...asked, email })
  expect(status, text).toBe(200)
  const { requestUuid } = body.data
  await app.world.outbox.drain()
  const mail = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', requestUuid).executeTakeFirst()
  expect(mail).toMatchObject({ template: 'privacy_copy', recipient_address: email.toLowerCase() })
  return { requestUuid, token: /\/my-data#([\w-]{22})$/m.exec(mail?.text_body ?? '')?.[1] ?? '' }
}

async function unzipped(reply: TestReply): Promise<Map<string, Buffer>> {
  expect([reply.status, reply.headers['content-type']], reply.status === 200 ? '' : reply.text).toEqual([200, 'application/zip'])
  const bytes = reply.bytes
  const entries = readZip(bytes)
  if (!entries) throw new Error('no archive')
  return new Map(await Promise.all(entries.map(async entry => [entry.name, (await unzip(bytes, entry)) ?? Buffer.alloc(0)] as const)))
}

const documentOf = async (copy: Copy): Promise<string> => {
  const unit = await app.world.database.inScope(demoScope('azahar'), unitSettings)
  return JSON.stringify(copyDocument(copy, { unit, locale: 'es-ES', words: app.world.words('es-ES'), at: new Date() }))
}

test('a copy has all data about the person with a schema, a document and the files', async () => {
  const left = await leaveTraces(app, seller)
  const { token, requestUuid } = await export_(await keyOf())
  const entries = await unzipped(await open(token))
  const text = entries.get('data.json')?.toString() ?? ''
  const copy: Copy = JSON.parse(text)
  expect(z.safeParse(copySchema, copy).error).toBeUndefined()
  expect(JSON.parse(entries.get('schema.json')?.toString() ?? '')).toMatchObject({
    type: 'object',
    properties: { policies: { type: 'array' } },
  })
  expect(copy.person).toMatchObject({
    names: ['Xenia Quintanilla Zubizarreta'],
    documents: [xenia.docNumber],
    emails: [xenia.email],
    phones: ['+34 677889900'],
  })
  expect(copy.person.addresses.join()).toContain('77, 2º')
  const sold = copy.policies.find(({ uuid }) => uuid === left.sold)
  expect(sold).toMatchObject({ kind: 'policy', otherPeople: 1, withdrawals: [{ name: 'Xenia Quintanilla', confirmedTo: xenia.email }] })
  expect(sold?.you.map(({ version }) => version)).toEqual(expect.arrayContaining([1, 2]))
  expect(sold?.changes.map(({ kind }) => kind)).toContain('change')
  expect(copy.policies.find(({ uuid }) => uuid === left.budget)).toMatchObject({ kind: 'quote', number: null })
  expect(copy.tickets.find(({ uuid }) => uuid === left.claim)).toMatchObject({
    subject: 'La maleta de Xenia',
    contact: { email: xenia.email },
  })
  expect(copy.emails.length).toBeGreaterThan(3)
  expect(copy.files.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['certificate', 'receipt', 'offer', 'upload', 'ticket']))
  for (const { path, lost } of copy.files) {
    expect([path, lost]).toEqual([path, false])
    expect(entries.get(path)?.subarray(0, 5).toString()).toBe('%PDF-')
  }
  expect(entries.get('data.pdf')?.subarray(0, 5).toString()).toBe('%PDF-')
  // The documents of her own policies name everyone insured, and the copy says so.
  expect(await documentOf(copy)).toContain(app.world.words('es-ES')('privacy.copy_papers'))
  // It says how many travel along, and nothing else of them.
  for (const fact of [leo.name, leo.lastName, leo.birthDate]) expect(text).not.toContain(fact)
  expect((await post('requests', {})).body.data.requests[0]).toMatchObject({
    uuid: requestUuid,
    kind: 'export',
    doneAt: expect.any(String),
    copy: { spentAt: expect.any(String) },
  })
  expect(await auditRows(app, 'privacy.copy_opened')).toMatchObject([{ object: requestUuid, user_id: null }])
})

test('a copy has every fact of a person, and the policyholder’s country of residence', async () => {
  const person = everyFact(xenia)
  await sellAs(seller, { users: [person, leo] })
  const { token } = await export_(await keyOf())
  const copy: Copy = JSON.parse((await unzipped(await open(token))).get('data.json')?.toString() ?? '')
  expect(copy.person.countriesOfResidence).toEqual([724])
  expect(copy.policies.flatMap(({ you }) => you.map(row => row.countryOfResidence))).toEqual(expect.arrayContaining([724, null]))
  const self = copy.policies.flatMap(({ you }) => you).find(({ countryOfResidence }) => countryOfResidence !== null)
  const copied = copiedFields.filter(field => person[field] !== '')
  expect(self).toMatchObject(
    Object.fromEntries(copied.map(field => [copiedName(field), field === 'phoneNumber' ? '+34 677889900' : person[field]])),
  )
  for (const field of copied)
    expect(JSON.stringify(copy.person[copiedLines[personFields[field].line].list]).toLowerCase()).toContain(
      String(person[field]).toLowerCase(),
    )
  expect(await documentOf(copy)).toMatch(/País de residencia.{1,30}España/)
})

test('a copy for another traveller has nothing of the policyholder', async () => {
  const sold = await sellAs(seller, { users: [{ ...xenia, name: 'Yolanda', docNumber: '11223344B' }, companion] })
  const clientToken = await tokenFor(app, sold.body.data.policyData.policyUuid, xenia.email)
  expect((await askClient(app, 'request', { token: clientToken, description: 'Asunto de Yolanda' })).status).toBe(200)
  const { token } = await export_(await keyOf({ email: companion.email, birthDate: companion.birthDate }), companion.email)
  const entries = await unzipped(await open(token))
  const text = entries.get('data.json')?.toString() ?? ''
  expect(JSON.parse(text)).toMatchObject({
    policies: [{ price: null, otherPeople: 1, you: [{ policyholder: false }] }],
    tickets: [],
    files: [],
  })
  expect(await documentOf(JSON.parse(text))).not.toContain(app.world.words('es-ES')('privacy.copy_papers'))
  expect([...entries.keys()].toSorted()).toEqual(['data.json', 'data.pdf', 'schema.json'])
  for (const fact of ['Yolanda', 'Quintanilla', '11223344', xenia.email]) expect(text).not.toContain(fact)
})

test('a copy leaves out other clients whom the agency stores under the same address', async () => {
  const sold = (await sellAs(seller, { users: [eva, leo] })).body.data.policyData
  await askClient(app, 'request', { token: await tokenFor(app, sold.policyUuid, eva.email), description: 'Asunto de otra' })
  const { token } = await export_(await keyOf())
  const text = (await unzipped(await open(token))).get('data.json')?.toString() ?? ''
  for (const fact of [sold.policyNumber, 'Asunto de otra', 'Eva', '99887766']) expect(text).not.toContain(fact)
})

describe('the link of a copy', () => {
  test('is spent by a download, not by a view, and serves one of two downloads at once', async () => {
    const { token } = await export_(await keyOf())
    expect((await app.ask('/api/privacy/copy')).status).toBe(405)
    const both = await Promise.all([open(token), open(token)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect((await open(token)).body.error).toBe('request.not_found')
  })

  test('returns 404 if the file goes meanwhile, but reports a file that is lost', async () => {
    const { token, requestUuid } = await export_(await keyOf())
    const { kysely } = app.world.database
    const opening = (before: () => Promise<unknown>) => {
      const files: Files = {
        ...app.files,
        async open() {
          await before()
          throw new Refusal('file.lost')
        },
      }
      // Safe: the handler reads no more of its input.
      const input = {
        ask: { token },
        caller: undefined,
        locale: 'es-ES',
        ip: '10.9.0.1',
        userAgent: '',
        requestId: crypto.randomUUID(),
      } as never
      return openCopy(app.world, files)(input)
    }
    await expect(opening(() => Promise.resolve())).rejects.toMatchObject({ code: 'file.lost' })
    const spend = kysely.updateTable('person_copies').set({ spent_at: new Date() }).where('request_id', '=', requestUuid)
    await expect(opening(() => spend.execute())).rejects.toMatchObject({ code: 'request.not_found' })
  })

  test('is stored as a hash, and gets the same refusal whatever is wrong with it', async () => {
    const { token, requestUuid } = await export_(await keyOf())
    const [row] = await app.world.database.kysely.selectFrom('person_copies').selectAll().where('request_id', '=', requestUuid).execute()
    expect(JSON.stringify(row)).not.toContain(token)
    const stored = app.world.database.kysely.selectFrom('files').select('sealed_by')
    expect(await stored.where('id', '=', row?.id ?? '').execute()).toEqual([{ sealed_by: app.world.secrets.sealedBy }])
    const wrong = await Promise.all(['', 'x', 'A'.repeat(22), `${token}x`, token.toLowerCase(), 'x'.repeat(9000)].map(open))
    expect(new Set(wrong.map(({ status, body }) => JSON.stringify([status, { ...body, requestId: null }]))).size).toBe(1)
    ahead = 7 * 86_400_000 + 1000
    expect((await open(token)).status).toBe(404)
  })

  test('is refused beyond ten tries a minute from one network', async () => {
    const from = (remoteAddress: string) => app.ask('/api/privacy/copy', { body: { token: 'x' }, remoteAddress })
    const statuses = []
    for (let round = 0; round < 11; round++) statuses.push((await from('10.8.0.1')).status)
    expect(statuses.slice(-2)).toEqual([404, 429])
  })

  test('does not open the file through the files call, and neither does its id', async () => {
    const { requestUuid } = await export_(await keyOf())
    const [{ id } = { id: '' }] = await app.world.database.kysely
      .selectFrom('person_copies')
      .select('id')
      .where('request_id', '=', requestUuid)
      .execute()
    expect((await app.ask(`/api/files/${id}`, { headers: seller.headers })).status).toBe(404)
  })
})

test('a copy goes to a known address of the person alone', async () => {
  const personKey = await keyOf()
  for (const email of ['thief@evil.example', 'leo@example.com', 'x']) {
    const { status, body } = await post('export', { personKey, ...asked, email })
    expect([status, body.fields?.[0]]).toMatchObject([422, { path: 'email', rule: 'known' }])
  }
  expect((await post('export', { personKey, ...asked, email: ' XENIA.Q@correo.example ' })).status).toBe(200)
  expect((await post('export', { personKey, ...asked, email: xenia.email }, seller)).status).toBe(403)
  expect((await post('export', { personKey: 'x', ...asked, email: xenia.email })).status).toBe(404)
})

test('neither the job nor the request has the person in clear', async () => {
  await leaveTraces(app, seller)
  await export_(await keyOf())
  const places = await tracesIn(app)
  expect(places.filter(place => /^(?:jobs|person_|retention)/.test(place))).toEqual([])
})

test('a copy that an older version requested, without its row, is made, too', async () => {
  const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data
  const { kysely } = app.world.database
  await kysely.deleteFrom('person_copies').where('request_id', '=', requestUuid).execute()
  await app.world.outbox.drain()
  expect(await kysely.selectFrom('person_copies').select('id').where('request_id', '=', requestUuid).execute()).toHaveLength(1)
  expect(await kysely.selectFrom('mails').select('template').where('about', '=', requestUuid).execute()).toEqual([
    { template: 'privacy_copy' },
  ])
})

test('a copy is deleted the night after it was opened, and after seven days', async () => {
  const { token } = await export_(await keyOf())
  const unopened = await export_(await keyOf())
  await open(token)
  const copies = async () => {
    await app.world.outbox.drain()
    const rows = await app.world.database.kysely.selectFrom('files').select('id').where('kind', '=', 'copy').execute()
    const kept = await app.world.database.kysely.selectFrom('person_copies').select('request_id').execute()
    expect(rows.length).toBe(kept.length)
    return kept.map(({ request_id: id }) => id)
  }
  const night = async (days: number) => {
    ahead = days * 86_400_000
    await runRetention(app.world, app.world.clock.now().toISOString().slice(0, 10))
  }
  await night(1)
  expect(await copies()).toContain(unopened.requestUuid)
  const counted = await app.world.database.kysely.selectFrom('retention_counts').select('what').where('class', '=', 'copy').execute()
  expect(counted).toEqual([{ what: 'erased' }])
  await night(9)
  expect(await copies()).toEqual([])
  const mails = app.world.database.kysely.selectFrom('mails').select('id').where('template', '=', 'privacy_copy')
  expect(await mails.execute()).toEqual([])
})

test('a request for a copy that is closed before it is made gets none', async () => {
  const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data
  expect((await post('requests/close', { uuid: requestUuid, reason: 'Ya no la quiere' })).status).toBe(200)
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  expect(await kysely.selectFrom('mails').select('id').where('about', '=', requestUuid).execute()).toEqual([])
  expect(await kysely.selectFrom('person_copies').select('id').where('request_id', '=', requestUuid).execute()).toEqual([])
})

describe('an erasure', () => {
  /** Erases at least a saved quote, since an erasure that erases nothing keeps the copy. */
  const erase = async () => {
    expect((await registerAs(seller, { users: [xenia, leo], saveBudget: true })).status).toBe(200)
    expect((await post('erase', { personKey: await keyOf(), ...asked })).status).toBe(200)
  }
  const waiting = async () => {
    await app.world.outbox.drain()
    const { kysely } = app.world.database
    const copies = await kysely.selectFrom('person_copies').select('request_id').orderBy('request_id').execute()
    expect(await kysely.selectFrom('files').select('id').where('kind', '=', 'copy').execute()).toHaveLength(copies.length)
    expect(await kysely.selectFrom('jobs').select('subscriber').where('last_error', 'is not', null).execute()).toEqual([])
    return copies.map(({ request_id: id }) => id)
  }

  test('recalls the copies that wait for the person, and no one else’s', async () => {
    await sellAs(seller, { users: [eva, leo] })
    const theirs = await export_(await keyOf({ docNumber: eva.docNumber, birthDate: eva.birthDate }))
    const { token, requestUuid } = await export_(await keyOf())
    expect(await waiting()).toEqual([theirs.requestUuid, requestUuid])
    await erase()
    expect(await waiting()).toEqual([theirs.requestUuid])
    expect((await open(token)).body.error).toBe('request.not_found')
    expect((await open(theirs.token)).status).toBe(200)
    expect(await auditRows(app, 'privacy.copy_recalled')).toMatchObject([{ object: requestUuid, outcome: 'done' }])
  })

  test('previews the copies that it will recall, not one that was downloaded', async () => {
    expect((await registerAs(seller, { users: [xenia, leo], saveBudget: true })).status).toBe(200)
    const copies = async () => (await post('erase/preview', { personKey: await keyOf() })).body.data.copies
    const { token } = await export_(await keyOf())
    expect(await copies()).toBe(1)
    expect((await open(token)).status).toBe(200)
    expect(await copies()).toBe(0)
  })

  test('recalls a copy while it is made', async () => {
    const { kysely } = app.world.database
    const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data
    const row = await kysely
      .selectFrom('jobs')
      .selectAll()
      .where('topic', '=', copyAsked)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    const job = { ...row, businessUnitId: row.business_unit_id ?? '', createdAt: row.created_at }
    const making = (files: Files) => makeCopy(app.world, { files, render: () => Promise.resolve(Buffer.from('%PDF-')) })(job)
    const erased: Files = {
      ...app.files,
      async put(...file) {
        const stored = await app.files.put(...file)
        await erase()
        return stored
      },
    }
    const mails = () => kysely.selectFrom('mails').select('state').where('about', '=', requestUuid).execute()
    await making(erased)
    // Another attempt does not make it either.
    await making(app.files)
    expect(await mails()).toEqual([])
    expect(await waiting()).not.toContain(requestUuid)
  })

  test('leaves no bytes of a copy stored after the recall, or whose job ended just then', async () => {
    const { kysely } = app.world.database
    for (const isStopped of [false, true]) {
      const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data
      const row = await kysely
        .selectFrom('jobs')
        .selectAll()
        .where('topic', '=', copyAsked)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      const job = { ...row, businessUnitId: row.business_unit_id ?? '', createdAt: row.created_at }
      const making = (files: Files) => makeCopy(app.world, { files, render: () => Promise.resolve(Buffer.from('%PDF-')) })(job)
      const slow: Files = {
        ...app.files,
        async put(...file) {
          await erase()
          await app.world.outbox.drain()
          const stored = await app.files.put(...file)
          if (isStopped) throw new Error('stopped')
          return stored
        },
      }
      await making(slow).catch(() => making(app.files))
      expect(await waiting()).not.toContain(requestUuid)
      const content = openStore(app.world.config).read(`${demoScope('azahar').businessUnitId}/${copyIdOf(requestUuid)}`)
      await expect(content).rejects.toThrow(NoSuchContent)
    }
  })

  test('recalls a copy before it is made, and closes its request', async () => {
    const { requestUuid } = (await post('export', { personKey: await keyOf(), ...asked, email: xenia.email })).body.data
    const request = async () => (await post('requests', {})).body.data.requests.find(({ uuid }: { uuid: string }) => uuid === requestUuid)
    expect(await request()).toMatchObject({ doneAt: null, copy: null })
    await erase()
    expect(await waiting()).not.toContain(requestUuid)
    expect(await request()).toMatchObject({ doneAt: expect.any(String), copy: null })
    expect((await auditRows(app, 'privacy.copy_recalled')).map(({ object }) => object)).toContain(requestUuid)
    const { kysely } = app.world.database
    expect(await kysely.selectFrom('mails').select('id').where('about', '=', requestUuid).execute()).toEqual([])
  })
})

test('blocked data is in the copy, with an audit entry of its decryption', async () => {
  const left = await leaveTraces(app, seller)
  const { kysely } = app.world.database
  await kysely.updateTable('tickets').set({ status: 'closed' }).execute()
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', left.sold).execute()
  await post('erase', { personKey: await keyOf(), ...asked })
  const personKey = await keyOf()
  const stranger = await post('export', { personKey, ...asked, email: 'leo@example.com' })
  expect(stranger.body.fields).toMatchObject([{ path: 'email' }])
  const { token, requestUuid } = await export_(personKey)
  const copy: Copy = JSON.parse((await unzipped(await open(token))).get('data.json')?.toString() ?? '')
  expect(copy.policies.filter(({ uuid }) => uuid !== policyUuid)).toMatchObject([
    { uuid: left.sold, blocked: { because: 'erasure' }, you: expect.arrayContaining([expect.objectContaining({ name: 'Xenia' })]) },
  ])
  expect(copy.tickets).toContainEqual(
    expect.objectContaining({ uuid: left.claim, description: 'Xenia, con la rodilla operada, la perdió' }),
  )
  expect(copy.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['Informe Xenia.pdf', 'DNI Xenia.pdf']))
  expect(await auditRows(app, 'privacy.opened')).toContainEqual(expect.objectContaining({ object: left.sold, reason: asked.reason }))
  expect(requestUuid).toBeTruthy()
})
