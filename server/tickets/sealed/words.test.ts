import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import type { World } from '#server/kit/app-context.ts'
import { openSecrets, SecretsKeyError } from '#server/kit/store/secrets.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { sendForm } from '../testing.ts'
import { checkWords, sealWords } from './seal-words.ts'
import { wordsOf } from './words.ts'

let app: TestApp
let seller: Seller
let support: SignedIn
let policyNumber: string
beforeEach(async () => {
  app = await testApp({ INBOUND_MAIL_ADDRESS: 'tickets@in.example', INBOUND_MAIL_SECRET: 'a secret of some length' })
  seller = await sellerOf(app)
  support = await signIn(app, 'admin@portolan.example', 'Viajes Azahar')
  policyNumber = (await sellAs(seller)).body.data.policyData.policyNumber
})
afterEach(() => app.stop())

const secret = 'fractura de tibia'
const kysely = () => app.world.database.kysely
const keyed = (...keys: string[]): World => ({ ...app.world, secrets: openSecrets({ SECRETS_KEY: keys, DATA_DIR: '' }) })
const aKey = () => randomBytes(32).toString('base64')
const ownKey = () => existing(app.world.config.SECRETS_KEY?.[0])

async function fileClaim(): Promise<string> {
  const { data: types } = (await app.ask('/api/tickets/types', { headers: seller.headers })).body
  const claim = {
    typeUuid: types.find(({ name }: { name: string }) => name === 'Equipaje').uuid,
    policyNumber,
    incidentDate: '2026-01-15',
    subject: 'Maleta perdida',
    description: `Con ${secret} no pude seguir la maleta.`,
    contactEmail: 'ana@example.es',
    contactPhone: '+34 612 345 678',
    answers: JSON.stringify({
      insuredPerson: 'Ana',
      incidentCountry: 380,
      event: 'stolen',
      policeReport: 'Roma 12',
      items: `Muletas por ${secret}`,
      claimedAmount: 450,
    }),
  }
  const { ticketUuid } = (await sendForm(app, seller, '/api/tickets/claims', claim, [])).body.data
  for (const [user, text] of [
    [seller, `Adjuntaré el informe de ${secret}`],
    [support, `Lamentamos la ${secret}`],
  ] as const)
    expect((await app.ask(`/api/tickets/${ticketUuid}/messages`, { body: { text }, headers: user.headers })).status).toBe(200)
  return ticketUuid
}

const detail = async (ticketUuid: string) => {
  const { data } = (await app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: seller.headers })).body
  return { description: data.description, answers: data.answers, texts: data.thread.map(({ text }: { text: string }) => text) }
}

/** True if a row of these tables has the texts, or the answers, in clear. */
async function areReadable(): Promise<boolean> {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(each)::text as row from tickets as each union all select to_jsonb(each)::text from ticket_messages as each`.execute(
    kysely(),
  )
  expect(rows.length).toBeGreaterThan(2)
  return rows.some(({ row }) => {
    const text = row.replaceAll(/\\\\x([\da-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
    return text.includes(secret) || text.includes('Muletas')
  })
}

/** Leaves every ticket and message as an older version stored them. */
async function storeOpenly(): Promise<void> {
  for (const ticket of await kysely().selectFrom('tickets').selectAll().execute()) {
    const { description, answers } = wordsOf(app.world.secrets, ticket)
    await kysely()
      .updateTable('tickets')
      .set({ description, form: JSON.stringify({ ...ticket.form, answers }), sealed: null, sealed_by: null })
      .where('id', '=', ticket.id)
      .execute()
  }
  for (const { id, sealed, sealed_by } of await kysely().selectFrom('ticket_messages').selectAll().execute()) {
    const body: string = JSON.parse(
      app.world.secrets.open(`message ${id}`, { secret: existing(sealed ?? undefined), sealedBy: sealed_by }).toString(),
    )
    await kysely().updateTable('ticket_messages').set({ body, sealed: null, sealed_by: null }).where('id', '=', id).execute()
  }
}

const sealedBy = async () => {
  const { rows } = await sql<{ by: string | null }>`
    select sealed_by as by from tickets union select sealed_by from ticket_messages`.execute(kysely())
  return rows.map(({ by }) => by)
}

test('a claim’s texts are encrypted in the database, but shown and emailed as written', async () => {
  const ticketUuid = await fileClaim()
  expect(await areReadable()).toBe(false)
  expect(await sealedBy()).toEqual([app.world.secrets.sealedBy])
  const shown = await detail(ticketUuid)
  expect(shown).toMatchObject({
    description: `Con ${secret} no pude seguir la maleta.`,
    texts: [`Adjuntaré el informe de ${secret}`, `Lamentamos la ${secret}`],
  })
  expect(shown.answers.map(({ text }: { text: string }) => text)).toContain(`Muletas por ${secret}`)
  const mails = await kysely()
    .selectFrom('mails')
    .select(['template', sql<string>`content::text`.as('content')])
    .execute()
  const withWords = mails.filter(({ content }) => content.includes(secret)).map(({ template }) => template)
  expect(withWords.toSorted()).toEqual(['ticket_answered', 'ticket_forwarded', 'ticket_written'])
})

test('a ticket is found by its subject, and not by its text', async () => {
  await fileClaim()
  const found = async (searchData: string) =>
    (await app.ask('/api/tickets/list', { body: { page: 1, perPage: 10, searchData }, headers: seller.headers })).body.data.total
  expect([await found('maleta perdida'), await found(policyNumber), await found('tibia'), await found('muletas')]).toEqual([1, 1, 0, 0])
})

test('texts of an older version are read as they are, and encrypted once by two nodes', async () => {
  const ticketUuid = await fileClaim()
  const shown = await detail(ticketUuid)
  await storeOpenly()
  expect(await areReadable()).toBe(true)
  expect(await detail(ticketUuid)).toEqual(shown)
  await checkWords(app.world)
  const sealed = await Promise.all([sealWords(app.world), sealWords(app.world)])
  expect(sealed[0] + sealed[1]).toBe(3)
  expect(await areReadable()).toBe(false)
  expect(await detail(ticketUuid)).toEqual(shown)
  expect(await sealWords(app.world)).toBe(0)
})

test('a change of the key encrypts all texts anew, and needs the former key until then', async () => {
  const ticketUuid = await fileClaim()
  const shown = await detail(ticketUuid)
  const present = aKey()
  await expect(checkWords(keyed(present))).rejects.toThrow(SecretsKeyError)
  const both = keyed(present, ownKey())
  await checkWords(both)
  expect(await sealWords(both)).toBe(3)
  await checkWords(keyed(present))
  expect(await sealedBy()).toEqual([both.secrets.sealedBy])
  await expect(checkWords(app.world)).rejects.toThrow(SecretsKeyError)
  expect(await sealWords(keyed(ownKey(), present))).toBe(3)
  expect(await detail(ticketUuid)).toEqual(shown)
})

test('encryption stops with the service, and continues at the next start', async () => {
  await fileClaim()
  await storeOpenly()
  expect([await sealWords(app.world, () => true), await areReadable()]).toEqual([0, true])
  expect([await sealWords(app.world), await areReadable()]).toEqual([3, false])
})

test('texts can be decrypted for their own ticket alone', async () => {
  const [one, other] = [await fileClaim(), await fileClaim()]
  await sql`update tickets set sealed = (select sealed from tickets where id = ${one}) where id = ${other}`.execute(kysely())
  const reply = await app.ask('/api/tickets/detail', { body: { ticketUuid: other }, headers: seller.headers })
  expect(reply.status).toBe(500)
})
