import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { runRetention } from '#server/privacy/retention/run.ts'
import { askClient } from '../testing.ts'

let app: TestApp
let seller: Seller
let now: Date | undefined
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now ?? new Date() } })
  seller = await sellerOf(app)
})
afterEach(() => {
  now = undefined
})
afterAll(() => app.stop())

const post = async (path: string, body: object) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body.data
const linkIn = async (policyUuid: string) => (await post('detail', { policyUuid })).link
const save = async (changes: object = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid
const open = async (policyUuid: string, more: object = {}): Promise<string> =>
  (await post('quote-link', { policyUuid, ...more })).url.split('#')[1]
const fileOf = (uuid: string) => app.ask(`/api/files/${uuid}`, { headers: seller.headers })

it('a declined link leaves one proof, which names the quotes, their documents and the instant', async () => {
  const [one, two] = [await save({ buReference: 'R-77' }), await save({ buReference: 'B' })]
  const token = await open(one, { alternatives: [two] })
  const answer = () => askClient(app, 'quote/decline', { token, name: 'Berta Gil', reason: 'too_dear' })
  expect((await answer()).body.data).toEqual({ state: 'declined' })
  // Nothing is made within the request, and the job makes it later.
  expect(await linkIn(one)).toMatchObject({ decision: 'declined', proofSha256: null, proofUuid: null })
  await app.world.outbox.drain()
  await answer()
  await app.world.outbox.drain()
  const { proofSha256, proofUuid } = await linkIn(one)
  expect((await linkIn(two)).proofSha256).toBe(proofSha256)
  const reply = await fileOf(proofUuid)
  expect(reply.headers['content-type']).toBe('application/pdf')
  const content = reply.bytes
  expect(createHash('sha256').update(content).digest('hex')).toBe(proofSha256)
  const { text, isTagged, language } = await readPdf(content)
  expect([isTagged, language]).toEqual([true, 'es-ES'])
  for (const part of ['Ana García López', 'R-77', 'Demasiado caro', 'Berta Gil', '33,76', 'SHA-256', 'Viajes Azahar', 'CET'])
    expect(text).toContain(part)
  const rows = await app.world.database.kysely.selectFrom('files').selectAll().where('policy_id', 'in', [one, two]).execute()
  const hashes = rows.flatMap(({ kind, sha256 }) => (kind === 'information' || kind === 'conditions' ? [sha256 ?? ''] : []))
  expect(hashes).toHaveLength(4)
  const bare = text.replaceAll(/\s/g, '')
  // The reader takes one glyph of a font for a blank.
  const isIn = (hash: string) =>
    hash
      .split('')
      .concat('')
      .some(lost => bare.includes(lost === '' ? hash : hash.replaceAll(lost, '')))
  expect(hashes.filter(isIn)).toEqual(hashes)
  expect(rows.filter(({ kind }) => kind === 'proof')).toMatchObject([{ policy_id: one, sealed_by: expect.any(String) }])
  // The link opens no file that names its client.
  expect((await askClient(app, 'file', { token, fileUuid: proofUuid })).status).toBe(404)
  const { body } = await app.ask('/api/administration/audit/list', {
    body: { object: proofSha256, page: 1, perPage: 20 },
    headers: (await admin(app)).headers,
  })
  expect(body.data.entries).toMatchObject([{ action: 'client.quote_proved', details: { policyUuid: one } }])
})

const mailsOf = (policyUuid: string) =>
  app.world.database.kysely
    .selectFrom('mails')
    .selectAll()
    .where('about', '=', policyUuid)
    .where('template', '=', 'quote_answered')
    .orderBy('recipient_address')
    .execute()
const { email: _, ...unreached } = reach

it.each([
  ['the quote’s address', ['ana@example.es', 'hola@azahar.example'], reach, ['other@example.es']],
  ['the one that the link was mailed to', ['hola@azahar.example', 'other@example.es'], { ...unreached, email: '' }, ['other@example.es']],
  ['the agency alone if there is none', ['hola@azahar.example'], { ...unreached, email: '' }, []],
])('the proof is mailed to %s', async (_title, addresses, contact, emails) => {
  const policyUuid = await save({ users: [{ ...ana, ...contact }, leo] })
  if (emails.length > 0) await post('sendCertificates', { policyUuid, emails, files: [] })
  await app.world.outbox.drain()
  const [sent] = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).execute()
  const token = /#([\w-]{22})$/m.exec(sent?.text_body ?? '')?.[1] ?? (await open(policyUuid))
  await askClient(app, 'quote/decline', { token, name: 'Berta Gil' })
  await app.world.outbox.drain()
  const mails = await mailsOf(policyUuid)
  expect(mails.map(({ recipient_address: address }) => address)).toEqual(addresses)
  const { proofUuid } = await linkIn(policyUuid)
  for (const mail of mails) expect(mail).toMatchObject({ state: 'sent', attachments: [{ fileId: proofUuid }] })
  // The agency’s copy makes its address no client’s.
  const detail = await post('detail', { policyUuid })
  expect(detail.quotedTo).toBe(emails[0] ?? null)
  const text = (address: string) => mails.find(({ recipient_address: to }) => to === address)?.text_body
  expect(text('hola@azahar.example')).toContain('Berta Gil ha rechazado con su enlace el presupuesto de')
  if (addresses.length === 2)
    expect(text(addresses.find(to => to !== 'hola@azahar.example') ?? '')).toContain('Ha rechazado el presupuesto de')
})

/** Returns the token in the email about a quote to an address. */
async function mailedTo(policyUuid: string, address: string): Promise<string | undefined> {
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  const mails = kysely.selectFrom('mails').select('text_body').where('about', '=', policyUuid).where('recipient_address', '=', address)
  return /#([\w-]{22})$/m.exec((await mails.executeTakeFirstOrThrow()).text_body ?? '')?.[1]
}
const withoutAddress = { users: [{ ...ana, ...unreached, email: '' }, leo] }

it('the proof of a link that was mailed to several people goes to the one who answered', async () => {
  const policyUuid = await save(withoutAddress)
  await post('sendCertificates', { policyUuid, emails: ['first@example.es', 'second@example.es'], files: [] })
  await askClient(app, 'quote/decline', { token: await mailedTo(policyUuid, 'second@example.es'), name: 'Berta Gil' })
  await app.world.outbox.drain()
  expect((await mailsOf(policyUuid)).map(({ recipient_address: to }) => to)).toEqual(['hola@azahar.example', 'second@example.es'])
})

it('the proof of an acceptance names what was accepted, in the language of each reader', async () => {
  const { uuid: productUUID } = seller.products.find(({ code }) => code === 'TOT')
  const [one, two] = [
    await save({ locale: 'fr-FR' }),
    await save({ productUUID, insurancedAmount: 1000, reservationDate: today(new Date(), 'Europe/Madrid') }),
  ]
  const token = await open(one, { alternatives: [two] })
  const { policyUuid, version, price, files } = (await askClient(app, 'quote', { token })).body.data.quotes[0]
  const declared = { needs: true, files: files.map(({ uuid }: { uuid: string }) => uuid), beginNow: null }
  const answer = await askClient(app, 'quote/pay', { token, policyUuid, version, expectedTotal: price.total, declared })
  expect(answer.body.data?.state, answer.text).toBe('accepted')
  await app.world.outbox.drain()
  const mails = (await mailsOf(one)).map(({ recipient_address: to, text_body: body }) => [to, body])
  expect(mails).toEqual([
    ['ana@example.es', expect.stringMatching(/Vous avez accepté le devis pour Voyage \S+\. /)],
    ['hola@azahar.example', expect.stringContaining('Ana García López ha aceptado con su enlace el presupuesto de Viaje Esencial.')],
  ])
})

it('a proof is found for a link whose first quote is gone', async () => {
  const [one, two] = [await save(withoutAddress), await save(withoutAddress)]
  await post('sendCertificates', { policyUuid: one, alternatives: [two], emails: ['other@example.es'], files: [] })
  const token = await mailedTo(one, 'other@example.es')
  await app.ask('/api/policy', { method: 'DELETE', body: { policyUuid: one }, headers: seller.headers })
  await askClient(app, 'quote/decline', { token, name: 'Berta Gil' })
  await app.world.outbox.drain()
  expect((await mailsOf(two)).map(({ recipient_address: to }) => to)).toEqual(['hola@azahar.example', 'other@example.es'])
})

it.each(['before', 'after'])('no proof stays with a quote that is saved for another person %s it is made', async when => {
  const policyUuid = await save()
  await askClient(app, 'quote/decline', { token: await open(policyUuid), name: 'Berta Gil' })
  if (when === 'after') await app.world.outbox.drain()
  await save({ policyUuid, version: 1, users: [{ ...ana, ...reach, name: 'Bob', docNumber: '87654321X', email: 'bob@example.es' }, leo] })
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  expect(await kysely.selectFrom('files').select('id').where('policy_id', '=', policyUuid).where('kind', '=', 'proof').execute()).toEqual(
    [],
  )
  expect((await mailsOf(policyUuid)).map(({ recipient_address: to }) => to)).not.toContain('bob@example.es')
  const links = await kysely
    .selectFrom('quote_links')
    .selectAll()
    .where('decision', '=', 'declined')
    .where('answered_by', '=', 'Berta Gil')
    .execute()
  const own = await kysely.selectFrom('quote_link_policies').selectAll().where('policy_id', '=', policyUuid).execute()
  expect(links.filter(({ id }) => own.some(({ link_id: link }) => link === id))).toEqual([])
})

it('a decline needs a name, which is no card number', async () => {
  const token = await open(await save())
  const refusal = async (name: string) => (await askClient(app, 'quote/decline', { token, name })).body.fields
  for (const name of [' ', '\u200b', '.', '12345']) expect(await refusal(name)).toMatchObject([{ path: 'name', rule: 'required' }])
  expect(await refusal('4242 4242 4242 4242')).toMatchObject([{ path: 'name', rule: 'cardNumber' }])
})

it('the proof leaves with the people of its quote, and its hash stays with the answer', async () => {
  const policyUuid = await save({ buReference: 'R-78' })
  await askClient(app, 'quote/decline', { token: await open(policyUuid), name: 'Berta Gil' })
  await app.world.outbox.drain()
  const { proofSha256, proofUuid } = await linkIn(policyUuid)
  const { priceValidUntil } = await post('detail', { policyUuid })
  now = new Date(new Date(priceValidUntil).getTime() + 12 * 86_400_000)
  await runRetention(app.world, today(now, 'UTC'))
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  expect(await kysely.selectFrom('files').select('id').where('id', '=', proofUuid).execute()).toEqual([])
  const links = await kysely.selectFrom('quote_links').selectAll().where('proof_sha256', '=', proofSha256).execute()
  expect(links).toMatchObject([{ decision: 'declined', message: '', answered_by: '' }])
})
