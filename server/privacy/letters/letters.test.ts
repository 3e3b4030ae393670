import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { locales } from '#common/kit/locales.ts'
import { admin } from '#server/administration/testing.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { type Seller, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { leaveTraces, tracesIn, xenia } from '../testing.ts'
import { type Answer, letterOf } from './letter.ts'

const folder = mkdtempSync(join(tmpdir(), 'letters-'))
let app: TestApp
let mailbox: Mailbox
let seller: Seller
let operator: { headers: Record<string, string> }
let sold: string
let requestUuid: string
beforeAll(async () => {
  mailbox = await openMailbox()
  app = await testApp({ SMTP_URL: mailbox.url, SUPPRESSION_FILE: join(folder, 'suppressed.jsonl') })
  seller = await sellerOf(app)
  operator = await admin(app)
  sold = (await leaveTraces(app, seller)).sold
  const { kysely } = app.world.database
  await kysely.updateTable('tickets').set({ status: 'closed' }).execute()
  await kysely.updateTable('policies').set({ start_date: '2026-01-01', end_date: '2026-02-01' }).where('id', '=', sold).execute()
  requestUuid = (await post('erase', { personKey: await keyOf(), ...asked })).body.data.requestUuid
  await app.world.outbox.drain()
})
afterAll(async () => {
  await app.stop()
  await mailbox.close()
  rmSync(folder, { recursive: true })
})

const post = (path: string, body: object, by = operator): Promise<TestReply> =>
  app.ask(`/api/privacy/${path}`, { body, headers: by.headers })
const keyOf = async (): Promise<string> =>
  (await post('find', { docNumber: xenia.docNumber, birthDate: xenia.birthDate })).body.data.persons[0].personKey
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }
const letters = () => mailbox.received.filter(({ raw }) => raw.includes('respuesta a su solicitud'))

test('the letter of an erasure goes to the erased address, and its email forgets it', async () => {
  expect(letters().map(({ to }) => to)).toEqual([[xenia.email]])
  expect(letters()[0]?.raw).toMatch(/Content-Type: application\/pdf/i)
  expect(await tracesIn(app)).toEqual([])
  const kept = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', requestUuid).execute()
  expect(kept).toMatchObject([
    { template: 'privacy_answer', state: 'sent', recipient_name: '', recipient_address: '', text_body: null, attachments: [] },
  ])
  // Another erasure keeps a letter that is on its way, and has no address to write to.
  expect((await post('erase', { personKey: await keyOf(), ...asked })).status).toBe(200)
  await app.world.outbox.drain()
  expect(letters()).toHaveLength(1)
})

test('a letter is a file of its request for the administration alone', async () => {
  const uuid = requestUuid
  expect((await post('requests', {})).body.data.requests).toContainEqual(expect.objectContaining({ uuid, letter: true }))
  const open = (by = operator) => post('requests/letter', { uuid }, by)
  const [first, again] = [await open(), await open()]
  expect([first.status, first.headers['content-type'], first.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(again.bytes.equals(first.bytes)).toBe(true)
  expect((await open(seller)).status).toBe(403)
  expect((await app.ask(`/api/files/${uuid}`, { headers: seller.headers })).status).toBe(404)
  expect((await post('requests/letter', { uuid: sold })).status).toBe(404)
})

const answer: Answer = {
  id: '0190b5a2-0000-7000-8000-000000000000',
  kind: 'erase',
  at: new Date('2026-11-26T12:00:00Z'),
  receivedOn: '2026-11-03',
  outcome: {
    mails: 2,
    items: [
      {
        kind: 'policy',
        uuid: uuidOf(1),
        number: '1-A',
        until: '2026-02-01',
        blocked: false,
        outcome: 'blocked',
        erasedOn: '2032-02-02',
        because: 'law',
        note: null,
      },
      {
        kind: 'ticket',
        uuid: uuidOf(2),
        number: 'R1',
        until: null,
        blocked: false,
        outcome: 'refused',
        erasedOn: null,
        because: 'held',
        note: 'Juicio de Xenia',
      },
    ],
  },
}
function uuidOf(index: number): string {
  return `0190b5a2-0000-7000-8000-00000000000${index}`
}

test.each(locales)('a letter in %s says item by item what was done, and where to complain', async locale => {
  const unit = { ...(await app.world.database.inScope(demoScope('azahar'), unitSettings)), distributionRole: 'agent' as const }
  const words = app.world.words(locale)
  const textOf = (more: object) =>
    JSON.stringify(letterOf(answer, { unit: { ...unit, ...more }, insurer: 'Aseguradora SA', locale, words }))
  const text = textOf({})
  // The day of the letter, and the one on which the request came.
  for (const said of [
    '26/11/2026',
    '03/11/2026',
    '02/02/2032',
    words('privacy.because', { because: 'law' }),
    words('privacy.because', { because: 'held' }),
  ])
    expect(text).toContain(said)
  // The reason of a hold may name a person.
  expect(text).not.toContain('Xenia')
  expect(text).toContain('Aseguradora SA')
  const sites = { 724: 'www.aepd.es', 250: 'www.cnil.fr', 380: 'www.garanteprivacy.it', 620: 'www.cnpd.pt', 826: 'ico.org.uk' }
  for (const [country, site] of Object.entries(sites)) expect(textOf({ country: Number(country) })).toContain(site)
  expect(textOf({ country: 276 })).toContain(words('privacy.letter_any_authority'))
  // A broker decides in its own name.
  expect(textOf({ distributionRole: 'broker' })).not.toContain('Aseguradora SA')
})

test('the agency’s role, agent or broker, is set by the administration for its letters', async () => {
  const scope = demoScope('azahar')
  const path = `/api/administration/units/${scope.businessUnitId}`
  const { facts, version } = (await app.ask(path, { headers: operator.headers })).body.data
  expect(facts.distributionRole).toBe('agent')
  const change = (distributionRole: string) =>
    app.ask(path, { method: 'PUT', body: { ...facts, version, distributionRole }, headers: operator.headers })
  expect((await change('insurer')).status).toBe(422)
  const textNow = async () => {
    const unit = await app.world.database.inScope(scope, unitSettings)
    return JSON.stringify(letterOf(answer, { unit, insurer: 'Aseguradora SA', locale: 'es-ES', words: app.world.words('es-ES') }))
  }
  expect(await textNow()).toContain('como agente de Aseguradora SA')
  expect((await change('broker')).body.data.facts.distributionRole).toBe('broker')
  expect(await textNow()).not.toContain('Aseguradora SA')
})
