import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { countryName } from '#common/geography/countries.ts'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'
import { personFieldNames, personFields, type PersonKind } from '#common/people/person.ts'
import { readPdf as read } from '#server/documents/movements/testing.ts'
import { openApp } from '#server/app.ts'
import { inProcess, type TestApp, testApp, testConfig } from '#server/kit/testing.ts'
import { ana, everyFact, leo, other, reach, registerAs, sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { demoScope, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
/** A clock that stands still within a test, so that no rush begins or ends by itself. */
let elapsed = 0
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'https://portal.example' }, { elapsed: () => elapsed })
  seller = await sellerOf(app)
})
afterEach(() => {
  elapsed += 1_000
  app.world.config.DOCUMENTS_WAIT_MS = 0
})
afterAll(() => app.stop())

type FileReply = { uuid: string; name: string; label: string; file: string; state: string }
type Sold = { policyUuid: string; policyNumber: string; files: FileReply[] }

async function sell(changes: Record<string, unknown> = {}): Promise<Sold> {
  const { policyData, files } = (await sellAs(seller, changes)).body.data
  return { ...policyData, files }
}
const detail = async (policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data

type SentMail = { to: string; attachments: { filename: string; size: number }[] }
const sentMails = async (): Promise<SentMail[]> => (await app.ask('/dev/mail.json')).body

async function bytesOf(path = '', headers = seller.headers): Promise<Buffer> {
  const reply = await app.context.http.inject({ url: path, headers })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
  return reply.rawPayload
}

describe.each([
  ['en-EN', 'Certificate of insurance', 'Essential Trip', 'Repatriation of remains'],
  ['es-ES', 'Certificado de seguro', 'Viaje Esencial', 'Repatriación de restos mortales'],
  ['fr-FR', 'Attestation d’assurance', 'Voyage Essentiel', 'Rapatriement du corps'],
  ['it-IT', 'Certificato di assicurazione', 'Viaggio Essenziale', 'Rimpatrio della salma'],
  ['pt-PT', 'Certificado de seguro', 'Viagem Essencial', 'Repatriamento de restos mortais'],
] as const)('in %s', (locale, title, product, cover) => {
  test('a certificate names the insured and the cover, and is tagged for screen readers', async () => {
    const { policyNumber, files } = await sell({ locale })
    expect(files[0]).toEqual({
      uuid: expect.any(String),
      name: `${title} ${policyNumber}.pdf`,
      label: title,
      file: `/api/files/${files[0]?.uuid}`,
      version: 1,
    })
    // The certificate is not made yet; the request makes it.
    const document = await read(await bytesOf(files[0]?.file))
    for (const said of [
      title,
      product,
      cover,
      policyNumber,
      'Ana García López',
      'Leo García Gil',
      '05/05/1990',
      '12345678Z',
      '28001 Madrid',
    ])
      expect(document.text).toContain(said)
    expect(document.text).toContain('Viajes Azahar')
    expect(document.pages[1]).toContain(`${title} · ${policyNumber}`)
    expect(document.text).toMatch(/portal\.example\/verify.* [0-9A-Z]{5}-[0-9A-Z]{5}/)
    expect(document).toMatchObject({ language: intlTag(locale), isTagged: true, isForAll: true })
    expect(document.tags).toContain('"TH"')
  })
})

test('a certificate states the residence under the name of its field', async () => {
  for (const locale of locales) {
    const words = app.world.words(locale)
    expect(words('documents.residence')).toBe(words('funnel.residence'))
  }
  const users = [
    { ...ana, ...reach, residenceCountryId: 250, documentKind: 'passport', docNumber: 'AB123456', zipCode: '75001', city: 'Paris' },
    leo,
  ]
  const abroad = await sell({ users, countryOriginId: 250, locale: 'fr-FR' })
  expect((await read(await bytesOf(abroad.files[0]?.file))).text).toMatch(/75001 Paris, Madrid\s+Pays de résidence\s+France/)
  const home = await sell({ locale: 'fr-FR' })
  expect((await read(await bytesOf(home.files[0]?.file))).text).not.toContain('Pays de résidence')
})

test('a certificate shows every fact whose row says so', async () => {
  const person = everyFact({ ...ana, ...reach, city: 'Getafe' })
  const shown = personFieldNames.filter(field => personFields[field].shown !== 'nowhere')
  const countries = shown.filter(field => personFields[field].is === 'country')
  const textOf = async (holder: object) => (await read(await bytesOf((await sell({ users: [holder, leo] })).files[0]?.file))).text
  const text = await textOf(person)
  const shownAs: Record<PersonKind, (value: unknown) => string> = {
    text: String,
    documentNumber: number => String(number).toUpperCase(),
    day: date => displayDate(date) ?? 'no date',
    country: id => countryName(Number(id), 'es-ES') ?? 'no country',
    documentKind: () => '',
  }
  for (const field of shown) expect(text).toContain(shownAs[personFields[field].is](person[field]))
  // The country of origin is on every certificate.
  const withoutCountries = await textOf({ ...person, ...Object.fromEntries(countries.map(field => [field, null])) })
  expect(text.split('España').length - withoutCountries.split('España').length).toBe(countries.length)
})

test('a receipt lists each tax and adds up to the amount paid', async () => {
  const { files } = await sell()
  const { text, isForAll } = await read(await bytesOf(files[1]?.file))
  expect(text).toContain('Recibo de prima')
  for (const line of [
    /Prima, coberturas de viaje 31,20/,
    /Impuesto sobre Primas de Seguros \(8 %\) 2,50/,
    /Total 33,76/,
    /Pago a la agencia/,
  ])
    expect(text).toMatch(line)
  expect(isForAll).toBe(true)
})

test('a sale’s documents are made once, after it, and attached to its email', async () => {
  const { policyUuid, files } = await sell()
  expect((await detail(policyUuid)).files).toEqual(files.map(file => ({ ...file, state: 'pending', current: true })))
  await app.world.outbox.drain()
  const after = await detail(policyUuid)
  expect(after.files).toEqual(files.map(file => ({ ...file, state: 'ready', current: true })))
  const mail = (await sentMails()).find(({ attachments }) => attachments[0]?.filename === files[0]?.name)
  expect(mail?.attachments.map(({ filename }) => filename)).toEqual(files.map(({ name }) => name))
  const [one, other] = [await bytesOf(files[0]?.file), await bytesOf(files[0]?.file)]
  expect(mail?.attachments[0]?.size).toBe(one.length)
  expect(one.equals(other)).toBe(true)
})

test('documents made again from the same policy have the same bytes', async () => {
  const { policyUuid, files } = await sell()
  const before = await Promise.all(files.map(({ file }) => bytesOf(file)))
  await app.world.database.kysely.deleteFrom('files').where('policy_id', '=', policyUuid).execute()
  expect((await app.ask(files[0]?.file ?? '', { headers: seller.headers })).status).toBe(404)
  app.world.config.DOCUMENTS_WAIT_MS = 10_000
  // Viewing the policy makes its missing documents.
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['ready', 'ready', 'ready', 'ready'])
  const after = await Promise.all(files.map(({ file }) => bytesOf(file)))
  expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual([true, true, true, true])
})

test('viewing a policy without documents makes them', async () => {
  const { database } = app.world
  await seedPolicies(app.world, [{ scope: demoScope('azahar'), many: 5 }], {
    seed: 5,
    now: new Date(),
    show: () => undefined,
  })
  const old = await database.kysely
    .selectFrom('policies')
    .leftJoin('files', 'files.policy_id', 'policies.id')
    .where('files.id', 'is', null)
    .where('status', '=', 'purchased')
    .select(['policies.id', 'number', 'taker'])
    .executeTakeFirstOrThrow()
  app.world.config.DOCUMENTS_WAIT_MS = 10_000
  const { files } = await detail(old.id)
  expect(files.map(({ state }: FileReply) => state)).toEqual(['ready', 'ready', 'ready', 'ready'])
  const { text } = await read(await bytesOf(files[0].file))
  expect(text).toContain(old.number)
})

test('the response to a purchase waits for its documents up to the limit', async () => {
  app.world.config.DOCUMENTS_WAIT_MS = 10_000
  const { policyUuid } = await sell()
  app.world.config.DOCUMENTS_WAIT_MS = 0
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['ready', 'ready', 'ready', 'ready'])
})

test('in a rush neither a purchase nor a view of the policy waits for documents', async () => {
  app.world.config.DOCUMENTS_WAIT_MS = 10_000
  app.world.outbox.wake({ 'policies.purchased': 30 })
  const { policyUuid } = await sell()
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['pending', 'pending', 'pending', 'pending'])
})

test('a name with markup is printed as plain text', async () => {
  const names = ['<script>alert(a)</script>', '#read("/etc/passwd")', '$ x $ *b* _i_ `c` @r <l>', '\\u{AB} // /* "', '= Head - item']
  const users = names.map((name, index) => ({ ...(index === 0 ? { ...ana, ...reach } : other(index)), name }))
  const { files } = await sell({ users, paxNumber: users.length })
  const { text, isForAll } = await read(await bytesOf(files[0]?.file))
  for (const name of names) expect(text).toContain(name)
  expect(text).not.toContain('root:')
  expect(isForAll).toBe(true)
})

test('letters missing in the font are accepted, and direction marks are removed', async () => {
  const { files } = await sell({ users: [{ ...ana, ...reach, name: '李小龍 👍', middleName: 'Gar\u202ecía' }, leo] })
  const { text, isTagged } = await read(await bytesOf(files[0]?.file))
  expect(text).toContain('García López')
  expect(isTagged).toBe(true)
})

async function withSettings<T>(changes: object, work: () => Promise<T>): Promise<T> {
  const { kysely } = app.world.database
  const { id, settings } = await kysely
    .selectFrom('business_units')
    .select(['id', 'settings'])
    .where('key', '=', 'azahar')
    .executeTakeFirstOrThrow()
  const set = (its: unknown) =>
    kysely
      .updateTable('business_units')
      .set({ settings: JSON.stringify(its) })
      .where('id', '=', id)
      .execute()
  await set(Object.assign({}, settings, changes))
  try {
    return await work()
  } finally {
    await set(settings)
  }
}

test('documents that failed are marked failed, and made once the cause is gone', async () => {
  const { policyUuid, files } = await sell()
  await withSettings({ accent: 'no colour' }, () => app.world.outbox.drain())
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect((await read(await bytesOf(files[0]?.file))).isForAll).toBe(true)
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['ready', 'ready', 'ready', 'ready'])
})

test('a PNG logo is drawn, and an invalid one is left out', async () => {
  const withLogo = (logo?: string) =>
    withSettings(logo ? { logo } : {}, async () => {
      const bytes = await bytesOf((await sell()).files[0]?.file)
      return { ...(await read(bytes)), pictures: bytes.toString('latin1').match(/\/Subtype ?\/Image/g)?.length ?? 0 }
    })
  const plain = await withLogo()
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const drawn = await withLogo(`data:image/png;base64,${dot}`)
  const broken = await withLogo('data:image/png;base64,AAAA')
  expect([plain.isForAll, drawn.isForAll, broken.isForAll]).toEqual([true, true, true])
  expect([plain.pictures, drawn.pictures > 0, broken.pictures]).toEqual([0, true, 0])
})

test('a quote is emailed with the information document and the conditions', async () => {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  const sent = await app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: ['c@example.com'] }, headers: seller.headers })
  expect(sent.body.data).toEqual({ queued: 1 })
  await app.world.outbox.drain()
  const offer = (await sentMails()).find(({ to }) => to === 'c@example.com')
  expect(offer).toMatchObject({ text: expect.stringContaining('Precio total: 33,76 €.\n') })
  expect(offer?.attachments.map(({ filename }) => filename)).toEqual([
    'Su presupuesto.pdf',
    'Documento de información sobre el producto de seguro (IPID).pdf',
    'Condiciones generales.pdf',
  ])
  expect((await read(await offerOf(policyUuid))).text).toMatch(/33,76 € .* 8 días · 2 viajeros/)
})

test('a saved quote’s documents are made when opened, from its current state', async () => {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  const { files } = await detail(policyUuid)
  expect(files.map(({ label, state }: FileReply) => [label, state])).toEqual([
    ['Su presupuesto', 'pending'],
    ['Documento de información sobre el producto de seguro (IPID)', 'pending'],
    ['Condiciones generales', 'pending'],
  ])
  // Viewing writes nothing, so it never waits for a transaction that locks the quote.
  const ofBudget = app.world.database.kysely.selectFrom('files').select('id').where('policy_id', '=', policyUuid)
  expect(await ofBudget.execute()).toEqual([])
  expect((await app.ask(`/api/files/${crypto.randomUUID()}?policy=${policyUuid}`, { headers: seller.headers })).status).toBe(404)
  expect(await ofBudget.execute()).toEqual([])
  const other = await sellerOf(app, 'agent@rotta.example')
  expect((await app.ask(files[0].file, { headers: other.headers })).status).toBe(404)
  expect((await read(await bytesOf(files[0].file))).text).toMatch(/33,76 € .* 2 viajeros/)
  expect((await detail(policyUuid)).files.map(({ state }: FileReply) => state)).toEqual(['ready', 'ready', 'ready'])
  await registerAs(seller, { policyUuid, saveBudget: true, users: [ana], paxNumber: 1 })
  const [offer] = (await detail(policyUuid)).files
  const { text } = await read(await bytesOf(offer.file))
  expect(text).toMatch(/1 viajero/)
  // The reader may be elsewhere, so the zone is named.
  expect(text).toMatch(/Precio válido hasta el \d\d\/\d\d\/\d{4}, \d\d:\d\d CES?T/)
  expect((await app.ask(offer.file, { headers: other.headers })).status).toBe(404)
  await app.world.database.kysely
    .updateTable('policies')
    .set({ price_valid_until: new Date(0) })
    .where('id', '=', policyUuid)
    .execute()
  expect((await detail(policyUuid)).files).toEqual([])
})

test('a quote without names gives the number of travellers and a provisional price', async () => {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true, users: [{ identificationTypeId: 3 }] })).body.data
  await app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: ['d@example.com'] }, headers: seller.headers })
  await app.world.outbox.drain()
  expect((await read(await offerOf(policyUuid))).text).toMatch(/2 viajeros.*El precio puede cambiar cuando se conozca la edad/)
  const text = /^Buenos días:.*Precio total: 33,76 €\. El precio puede cambiar cuando se conozca la edad de todos los viajeros\./s
  expect((await sentMails()).find(({ to }) => to === 'd@example.com')).toMatchObject({ text: expect.stringMatching(text) })
})

async function offerOf(policyUuid: string): Promise<Buffer> {
  const { id } = await app.world.database.kysely
    .selectFrom('files')
    .select('id')
    .where('policy_id', '=', policyUuid)
    .where('kind', '=', 'offer')
    .executeTakeFirstOrThrow()
  return bytesOf(`/api/files/${id}`)
}

describe('a product’s documents', () => {
  const linksIn = async (locale: string, headers = seller.headers, product = 'TOT'): Promise<FileReply[]> => {
    const reply = await app.ask('/api/products', { body: {}, headers: { ...headers, 'accept-language': locale } })
    return reply.body.data.find(({ code }: { code: string }) => code === product).files
  }

  test.each<[Locale, string, string]>([
    ['en-EN', 'What is insured?', 'Policy wording'],
    ['es-ES', '¿Qué se asegura?', 'Condiciones generales'],
    ['fr-FR', 'Qu’est-ce qui est assuré ?', 'Conditions générales'],
    ['it-IT', 'Che cosa è assicurato?', 'Condizioni generali'],
    ['pt-PT', 'Que riscos são segurados?', 'Condições gerais'],
  ])('in %s are available before any sale', async (locale, question, title) => {
    const [information, conditions] = await linksIn(locale)
    const document = await read(await bytesOf(information?.file))
    expect(document).toMatchObject({ language: intlTag(locale), isTagged: true, isForAll: true })
    expect(document.text).toContain(question)
    expect((await read(await bytesOf(conditions?.file))).text).toContain(title)
  })

  test('are the same bytes that the client gets with the policy', async () => {
    const [information, conditions] = await linksIn('pt-PT', seller.headers, 'ESS')
    const { files } = await sell({ locale: 'pt-PT' })
    const before = [await bytesOf(information?.file), await bytesOf(conditions?.file)]
    const sold = [await bytesOf(files[2]?.file), await bytesOf(files[3]?.file)]
    expect(before.map((bytes, index) => sold[index]?.equals(bytes))).toEqual([true, true])
  })

  test('bear the insurer’s name, and are shown to the unit’s own users alone', async () => {
    const rotta = await signIn(app, 'agent@rotta.example')
    const [own] = await linksIn('it-IT', rotta.headers)
    const { text } = await read(await bytesOf(own?.file, rotta.headers))
    expect([text.startsWith('Meridia'), text.includes('Rotta Viaggi')]).toEqual([true, false])
    expect((await app.ask(own?.file ?? '', { headers: seller.headers })).status).toBe(404)
  })
})

test('documents that two processes make at once come whole', async () => {
  const { database } = app.world
  const scope = demoScope('azahar')
  const { files, policyUuid } = await sell()
  const beside = inProcess(await openApp(testConfig({ PUBLIC_URL: 'https://other-portal.example' }), database))
  const inScope = database.inScope.bind(database)
  // The other process has read that the documents are missing, and makes them once these are saved.
  vi.spyOn(database, 'inScope').mockImplementationOnce(async (...of) => {
    const found = await inScope(...of)
    await app.documents.make(scope, policyUuid)
    return found
  })
  await beside.documents.make(scope, policyUuid)
  for (const { file } of files) {
    const { rawPayload, headers } = await app.context.http.inject({ url: file, headers: seller.headers })
    expect([headers['content-length'], rawPayload.subarray(-6).toString().trim()]).toEqual([String(rawPayload.length), '%%EOF'])
  }
})

test('another unit’s documents return 404', async () => {
  const { files, policyUuid } = await sell()
  await app.documents.make(demoScope('azahar'), policyUuid)
  const rotta = await signIn(app, 'agent@rotta.example')
  for (const { file } of files) expect((await app.ask(file, { headers: rotta.headers })).status).toBe(404)
})
