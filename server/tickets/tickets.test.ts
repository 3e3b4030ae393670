import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { existing } from '#common/kit/testing.ts'
import { type TestApp, type TestReply, testApp } from '#server/kit/testing.ts'
import { italian, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { loadCatalogue, openCatalogue } from '#server/products/public.ts'
import type { Permission } from '#common/kit/permissions.ts'
import { demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { removeAbandonedFiles } from './file.ts'
import { takersFor } from './read.ts'
import { aPdf, aPicture, sendForm } from './testing.ts'

let app: TestApp
let seller: Seller
let rotta: Seller
let admin: SignedIn
let policyNumbers: { own: string; foreign: string }
let types: { uuid: string; name: string; kind: string }[]

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  rotta = await sellerOf(app, 'agent@rotta.example')
  admin = await signIn(app, 'admin@portolan.example', 'Viajes Azahar')
  const own = (await sellAs(seller)).body.data.policyData.policyNumber
  const foreign = (await sellAs(rotta, italian)).body.data.policyData.policyNumber
  policyNumbers = { own, foreign }
  types = (await get('/api/tickets/types')).body.data
})
afterAll(() => app.stop())

const get = (path: string, user: SignedIn = seller) => app.ask(path, { headers: user.headers })
const post = (path: string, body: unknown, user: SignedIn = seller, headers = {}) =>
  app.ask(path, { body, headers: { ...user.headers, ...headers } })
const typeOf = (name: string) => types.find(type => type.name === name)?.uuid ?? ''
const claimBody = (changes: object = {}) => ({
  typeUuid: typeOf('Equipaje'),
  policyNumber: policyNumbers.own,
  incidentDate: '2026-01-15',
  subject: 'Maleta perdida en Roma',
  description: 'No llegó con el vuelo.\nEl mostrador estaba cerrado.',
  contactEmail: 'ana@example.es',
  contactPhone: '+34 612 345 678',
  ...changes,
})
const requestBody = (changes: object = {}) => {
  const {
    policyNumber: _,
    incidentDate: __,
    ...rest
  } = claimBody({ typeUuid: typeOf('Consulta sobre coberturas'), subject: '¿Cubre el esquí?', ...changes })
  return { ...rest, ...changes }
}
const claim = async (changes: object = {}, user?: SignedIn): Promise<TestReply> => post('/api/tickets/claims', claimBody(changes), user)
const list = async (body: object = {}, user?: SignedIn) => (await post('/api/tickets/list', body, user)).body.data
const detail = async (ticketUuid: string, user?: SignedIn) => (await post('/api/tickets/detail', { ticketUuid }, user)).body.data
const problems = ({ body }: TestReply) => body.fields.map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`)
async function mails(about: string): Promise<{ to: string; subject: string; text: string; attachments: { filename: string }[] }[]> {
  await app.world.outbox.drain()
  const rows = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', about).orderBy('id').execute()
  return rows.map(row => ({
    to: row.recipient_address,
    subject: row.subject ?? '',
    text: row.text_body ?? '',
    attachments: row.attachments,
  }))
}

/** Returns the mails to the contact, then those to support. Mails of one call may have ids of one millisecond, in either order. */
const bySide = <Mail extends { to: string }>(all: Mail[]): [Mail[], Mail[]] => [
  all.filter(({ to }) => to === 'ana@example.es'),
  all.filter(({ to }) => to !== 'ana@example.es'),
]

describe('the kinds of ticket', () => {
  it('have names in the caller’s language', { tags: 'S7.17' }, async () => {
    expect(types.length).toBeGreaterThan(10)
    expect(new Set(types.map(({ kind }) => kind))).toEqual(new Set(['claim', 'request']))
    expect(types.find(({ name }) => name === 'Equipaje')).toEqual({ uuid: expect.any(String), name: 'Equipaje', kind: 'claim' })
    const french = await app.ask('/api/tickets/types', { headers: { ...seller.headers, 'accept-language': 'fr-FR' } })
    expect(french.body.data.map(({ name }: { name: string }) => name)).toContain('Bagages')
  })

  it('describe their forms', async () => {
    const { data } = (await get('/api/tickets/forms')).body
    const luggage = data.find(({ key }: { key: string }) => key === 'luggage')
    expect(luggage).toMatchObject({ uuid: typeOf('Equipaje'), kind: 'claim', policy: 'needed', icon: 'suitcase' })
    expect(luggage.fields.find(({ name }: { name: string }) => name === 'carrier').when).toEqual({
      field: 'event',
      is: ['lost', 'damaged', 'late'],
    })
    const coveredBy = (name: string) => data.find(({ key }: { key: string }) => key === name).coveredBy
    expect(coveredBy('luggage').toSorted()).toEqual(['ANN', 'ESS', 'GRP', 'HOM', 'SNO', 'STU', 'TOT'])
    expect(coveredBy('cancellation').toSorted()).toEqual(['ANN', 'CAN', 'TOT'])
    expect(coveredBy('delay').toSorted()).toEqual(['ANN', 'ESS', 'HOM', 'TOT'])
    expect(coveredBy('interruption').toSorted()).toEqual(['ESS', 'HOM', 'TOT'])
    expect(coveredBy('question')).toBeNull()
    expect(luggage.papers[0]).toEqual({ name: expect.any(String), needed: true })
    const called = data.filter(({ calls }: { calls: boolean }) => calls).map(({ key }: { key: string }) => key)
    expect(called.toSorted()).toEqual(['interruption', 'liability', 'medical'])
  })
})

describe('a claim', () => {
  it('needs a telephone only if support calls the contact', async () => {
    const { contactPhone: _, ...body } = claimBody()
    const filed = await post('/api/tickets/claims', body)
    expect(filed.status, filed.text).toBe(200)
    const { ticketUuid } = filed.body.data
    expect((await detail(ticketUuid)).contactPhone).toBe('')
    const [, [forwarded]] = bySide(await mails(ticketUuid))
    expect(forwarded?.text).toContain('ana@example.es.')
    expect(forwarded?.text).not.toContain('none')
    const medical = await post('/api/tickets/claims', { ...body, typeUuid: typeOf('Gastos médicos') })
    expect(problems(medical)).toEqual(['contactPhone required'])
  })

  it('is filed with files, confirmed to its contact and forwarded to support', { tags: 'S7.15' }, async () => {
    const answers = {
      insuredPerson: 'Ana García',
      incidentCountry: 380,
      event: 'stolen',
      policeReport: 'Roma 12/26',
      items: 'Maleta, cámara',
      claimedAmount: 450.5,
    }
    const filed = await sendForm(app, seller, '/api/tickets/claims', claimBody({ answers: JSON.stringify(answers) }), [aPdf, aPicture])
    expect(filed).toMatchObject({ status: 200, body: { code: 200, data: { reference: expect.stringMatching(/^C\d{6}-[A-Y]$/) } } })
    const { ticketUuid, reference } = filed.body.data
    const shown = await detail(ticketUuid)
    expect(shown).toMatchObject({
      ticket: { reference, kind: 'claim', type: 'Equipaje', status: 'open', policyNumber: policyNumbers.own, messages: 0, unread: 0 },
      incidentDate: '2026-01-15',
      createdBy: 'Lucía Ferrer',
      files: [
        { name: 'Factura Ñ.pdf', mediaType: 'application/pdf', size: aPdf.content.length },
        { name: 'maleta.png', mediaType: 'image/png' },
      ],
      thread: [],
      statuses: ['closed'],
    })
    expect(shown.answers.map(({ text }: { text: string }) => text)).toEqual([
      'Ana García',
      'Italia',
      'Robo',
      'Roma 12/26',
      'Maleta, cámara',
      '450,50\u00a0€',
    ])
    const [[confirmed], [forwarded]] = bySide(await mails(ticketUuid))
    expect(confirmed).toMatchObject({ to: 'ana@example.es', subject: expect.stringContaining(reference), attachments: [] })
    expect(confirmed?.text).toContain('Maleta perdida en Roma')
    expect(forwarded).toMatchObject({
      subject: expect.stringContaining(reference),
      attachments: [{ filename: 'Factura Ñ.pdf' }, { filename: 'maleta.png' }],
    })
    expect(forwarded?.to).not.toBe('ana@example.es')
    expect(forwarded?.text).toMatch(/Italia[\s\S]*> No llegó con el vuelo\.\n> El mostrador estaba cerrado\./)
    const file = await app.context.http.inject({ url: `/api/files/${shown.files[0].uuid}`, headers: seller.headers })
    expect(file.rawPayload).toEqual(aPdf.content)
    expect(file.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(file.headers['content-disposition']).toMatch(/^attachment;/)
  })

  it('outside the cover is questioned on request, else filed and marked for support', { tags: 'S7.15' }, async () => {
    const cancellation = { typeUuid: typeOf('Cancelación del viaje') }
    const questioned = await claim({ ...cancellation, refuseOutsideCover: true })
    expect([questioned.status, problems(questioned)]).toEqual([422, ['typeUuid cover', 'incidentDate cover']])
    const filed = await claim(cancellation)
    expect(filed.status).toBe(200)
    const { ticketUuid } = filed.body.data
    const reasons = questioned.body.fields.map(({ message }: { message: string }) => message)
    expect(reasons[0]).toBe('Este producto no cubre este tipo de siniestro.')
    expect((await detail(ticketUuid)).outsideCover).toEqual(reasons)
    const [[confirmed], [forwarded]] = bySide(await mails(ticketUuid))
    for (const reason of reasons) expect(forwarded?.text).toContain(`¿Fuera de cobertura? ${reason}`)
    expect(confirmed?.text).not.toContain('cobertura?')
  })

  it('is questioned by the covers of the version that was sold', async () => {
    const { database } = app.world
    const catalogue = existing(openCatalogue(join(import.meta.dirname, '../../catalogue')).catalogue)
    const products = catalogue.products.map(product =>
      product.code === 'ESS' ? { ...product, coverages: product.coverages.filter(({ code }) => !code?.startsWith('luggage')) } : product,
    )
    const questions = async () => problems(await claim({ refuseOutsideCover: true }))
    await database.asService(tx => loadCatalogue(tx, { ...catalogue, products }, app.world.clock.now()))
    expect(await questions()).toEqual(['incidentDate cover'])
    // The sold version has no codes, so those of the next version tell what it covers.
    await database.asService(tx =>
      tx
        .updateTable('product_versions')
        .set({ content: sql`content #- '{coverages,0,code}'` })
        .where('product_id', '=', stableId('product', 'ESS'))
        .where('version', '=', 1)
        .execute(),
    )
    expect(await questions()).toEqual(['typeUuid cover', 'incidentDate cover'])
    await database.asService(tx => loadCatalogue(tx, catalogue, app.world.clock.now()))
  })

  it('may have only a description instead of a filled form', async () => {
    expect((await claim()).status).toBe(200)
  })

  it.each<[object, string[]]>([
    [{ answers: {} }, ['answers.insuredPerson required']],
    [{ typeUuid: crypto.randomUUID() }, ['typeUuid known']],
    [{ policyNumber: '' }, ['policyNumber required']],
    [{ policyNumber: '9999999-Z' }, ['policyNumber known']],
    [{ incidentDate: '2100-01-01' }, ['incidentDate notAfterToday']],
    [{ incidentDate: '31/12/2025' }, ['incidentDate date']],
    [{ subject: 'x\u0000' }, ['subject format']],
    [{ contactEmail: 'ana@example.es\r\nBcc: e@e.test' }, ['contactEmail format']],
    [{ contactEmail: 'ana@example' }, ['contactEmail email']],
    [{ description: 'Tarjeta 4242 4242 4242 4242' }, ['description cardNumber']],
    [{ status: 'closed' }, ['status unknown']],
    [{ answers: '{' }, ['answers format']],
    [{ fileUuids: [crypto.randomUUID()] }, ['fileUuids[0] known']],
  ])('is refused with %j', async (changes, expected) => {
    const reply = await claim(changes)
    expect(reply.status).toBe(422)
    expect(problems(reply)).toEqual(expect.arrayContaining(expected))
  })

  it('does not accept a request’s type, nor a request a claim’s', { tags: ['S7.15', 'S7.16'] }, async () => {
    expect(problems(await claim({ typeUuid: typeOf('Consulta sobre coberturas') }))).toEqual(['typeUuid known'])
    const request = await post('/api/tickets/requests', requestBody({ typeUuid: typeOf('Equipaje') }))
    expect(problems(request)).toEqual(['typeUuid known'])
  })

  it('about another unit’s policy gets the response for an unknown one (A16)', async () => {
    const [theirs, none] = [await claim({ policyNumber: policyNumbers.foreign }), await claim({ policyNumber: '9999999-Z' })]
    expect({ ...theirs.body, requestId: '' }).toEqual({ ...none.body, requestId: '' })
    const request = await post('/api/tickets/requests', requestBody({ policyNumber: policyNumbers.foreign }))
    expect(problems(request)).toEqual(['policyNumber known'])
  })

  it('is filed once, with its files, when repeated with its key', async () => {
    const user = { headers: { ...seller.headers, 'idempotency-key': crypto.randomUUID() } }
    const send = (files = [aPdf]) => sendForm(app, user, '/api/tickets/claims', claimBody({ subject: 'Una vez' }), files)
    const before = await countFiles()
    const [first, second] = [await send(), await send()]
    expect(second.text).toBe(first.text)
    expect((await send([aPicture])).body.error).toBe('idempotency.mismatch')
    expect((await list({ searchData: 'una vez' })).total).toBe(1)
    expect(await countFiles()).toBe(before + 1)
  })
})

async function countFiles(): Promise<number> {
  const { many } = await app.world.database.kysely
    .selectFrom('files')
    .where('kind', '=', 'ticket')
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return many
}

describe('files uploaded before their ticket', () => {
  const upload = (user: Pick<SignedIn, 'headers'> = seller, file = aPdf) => sendForm(app, user, '/api/tickets/files', {}, [file])

  it('belong to the first ticket that names them, and to no second', async () => {
    const { body } = await upload()
    expect(body.data).toEqual({ uuid: expect.any(String), name: 'Factura Ñ.pdf', mediaType: 'application/pdf', size: aPdf.content.length })
    const filed = await claim({ fileUuids: [body.data.uuid] })
    expect((await detail(filed.body.data.ticketUuid)).files).toMatchObject([{ uuid: body.data.uuid }])
    expect(problems(await claim({ fileUuids: [body.data.uuid] }))).toEqual(['fileUuids[0] known'])
    const dropped = await app.ask('/api/tickets/files', { method: 'DELETE', body: { fileUuid: body.data.uuid }, headers: seller.headers })
    expect(dropped.body.data).toEqual({ deleted: false })
  })

  it('are only for the user who uploaded them', async () => {
    const manager = await signIn(app, 'manager@azahar.example')
    for (const other of [manager, rotta]) {
      const { body } = await upload(other)
      expect(problems(await claim({ fileUuids: [body.data.uuid] }))).toEqual(['fileUuids[0] known'])
      const gone = await app.ask('/api/tickets/files', { method: 'DELETE', body: { fileUuid: body.data.uuid }, headers: seller.headers })
      expect(gone.body.data).toEqual({ deleted: false })
      expect((await get(`/api/files/${body.data.uuid}`, other)).status).toBe(200)
    }
  })

  it('are deleted on request', async () => {
    const { uuid } = (await upload()).body.data
    expect((await get(`/api/files/${uuid}`)).status).toBe(200)
    const dropped = await app.ask('/api/tickets/files', { method: 'DELETE', body: { fileUuid: uuid }, headers: seller.headers })
    expect(dropped.body.data).toEqual({ deleted: true })
    expect((await get(`/api/files/${uuid}`)).status).toBe(404)
  })

  it('need one file in the request', async () => {
    expect(problems(await sendForm(app, seller, '/api/tickets/files', {}, []))).toEqual(['files required'])
  })
})

describe('a request', () => {
  it('has the key of its type, by which the portal leads to the desk', async () => {
    const changed = { typeUuid: typeOf('Modificación de una póliza'), policyNumber: policyNumbers.own, answers: { what: 'other' } }
    const filed = await post('/api/tickets/requests', requestBody(changed))
    expect(filed.body.fields).toBeUndefined()
    expect(await detail(filed.body.data.ticketUuid)).toMatchObject({ typeKey: 'change' })
  })

  it('needs no policy, and gets support’s reply in its thread', { tags: 'S7.16' }, async () => {
    const filed = await post('/api/tickets/requests', requestBody())
    expect(filed.body.data.reference).toMatch(/^R\d{6}-[A-Y]$/)
    const { ticketUuid } = filed.body.data
    const write = (text: string, user: SignedIn) => post(`/api/tickets/${ticketUuid}/messages`, { text }, user)
    const rowFor = async (user: SignedIn) =>
      (await list({ kind: 'request' }, user)).tickets.find((row: { ticketUuid: string }) => row.ticketUuid === ticketUuid)

    const unread = async (user: SignedIn) => (await get('/api/tickets/unread', user)).body.data
    const before = { seller: await unread(seller), admin: await unread(admin) }
    expect(await rowFor(seller)).toMatchObject({
      status: 'open',
      messages: 0,
      unread: 0,
      policyNumber: null,
      type: 'Consulta sobre coberturas',
    })
    expect(await rowFor(admin)).toMatchObject({ unread: 1 })
    const answer = await write('Sí, con el suplemento.\n\nUn saludo', admin)
    expect(answer.body.data).toEqual({ messageUuid: expect.any(String), status: 'answered' })
    expect(await rowFor(admin)).toMatchObject({ unread: 0, messages: 1 })
    expect(await unread(admin)).toEqual({ ...before.admin, request: before.admin.request - 1 })
    expect(await unread(seller)).toEqual({ ...before.seller, request: before.seller.request + 1 })
    expect(await unread(rotta)).toEqual({ claim: 0, request: 0 })
    expect(await rowFor(seller)).toMatchObject({ status: 'answered', unread: 1 })
    const manager = await signIn(app, 'manager@azahar.example')
    expect((await detail(ticketUuid)).thread).toMatchObject([
      { author: 'Portolan Admin', support: true, text: 'Sí, con el suplemento.\n\nUn saludo', files: [] },
    ])
    expect(await rowFor(seller)).toMatchObject({ unread: 0 })
    expect(await unread(seller)).toEqual(before.seller)
    // Each user has their own unread count.
    expect(await rowFor(manager)).toMatchObject({ unread: 1 })

    const reply = await sendForm(app, manager, `/api/tickets/${ticketUuid}/messages`, { text: 'Gracias, adjunto la reserva.' }, [aPdf])
    expect(reply.body.data.status).toBe('open')
    expect(await rowFor(admin)).toMatchObject({ unread: 1, messages: 2, status: 'open' })
    expect((await detail(ticketUuid, admin)).thread[1]).toMatchObject({
      support: false,
      author: 'Andrés Molina',
      files: [{ name: 'Factura Ñ.pdf' }],
    })

    const [toContact, toSupport] = bySide(await mails(ticketUuid))
    expect([toContact.length, toSupport.length]).toEqual([2, 2])
    expect(toContact[1]?.text).toContain('> Sí, con el suplemento.')
    expect(toSupport[1]).toMatchObject({ attachments: [{ filename: 'Factura Ñ.pdf' }] })
  })

  it('is closed and reopened by either side, with other states for support only', async () => {
    const { ticketUuid } = (await post('/api/tickets/requests', requestBody())).body.data
    const set = (status: string, user: SignedIn = seller) =>
      app.ask(`/api/tickets/${ticketUuid}/status`, { method: 'PUT', body: { status }, headers: user.headers })
    expect((await set('in_progress')).status).toBe(409)
    expect((await set('in_progress', admin)).body.data).toEqual({ status: 'in_progress' })
    expect((await set('closed')).body.data).toEqual({ status: 'closed' })
    expect((await set('closed')).status).toBe(200)
    expect((await detail(ticketUuid)).statuses).toEqual(['open'])
    await post(`/api/tickets/${ticketUuid}/messages`, { text: 'Aún no' })
    expect((await detail(ticketUuid)).ticket.status).toBe('open')
    expect(problems(await post(`/api/tickets/${ticketUuid}/messages`, { text: ' \n ' }))).toEqual(['text required'])
  })
})

describe('the list of tickets', () => {
  it.each([
    ['roma', true],
    ['ROMÁ', true],
    ['%', false],
    ["' or 1=1--", false],
    ['ana@example', true],
    ['example roma ana', true],
    ['example zzq', false],
    ['example roma zzq', false],
  ])('searched for %j has a match: %s', async (searchData, found) => {
    await claim()
    expect((await list({ searchData, kind: 'claim' })).total > 0).toBe(found)
  })

  it('names the policyholder to users who see that policy, and to no others', async () => {
    const { ticketUuid } = (await claim()).body.data
    const rowFor = async (user: SignedIn) =>
      (await list({ perPage: 100 }, user)).tickets.find((row: { ticketUuid: string }) => row.ticketUuid === ticketUuid)
    expect(await rowFor(seller)).toMatchObject({ policyNumber: policyNumbers.own, policyholder: 'Ana García López' })
    const { policy_id } = await app.world.database.kysely
      .selectFrom('tickets')
      .select('policy_id')
      .where('id', '=', ticketUuid)
      .executeTakeFirstOrThrow()
    const seenWith = (permissions: Permission[]) =>
      app.world.database.inScope(demoScope('azahar'), tx =>
        takersFor(tx, { userId: crypto.randomUUID(), unit: { permissions } }, [{ policy_id }]),
      )
    expect((await seenWith(['b2b-access', 'b2b-policies-sold-view'])).size).toBe(1)
    expect((await seenWith(['b2b-access', 'b2b-policies-draft-view'])).size).toBe(0)
    // The policy was sold by another than a user who sees only own sales.
    expect((await seenWith(['b2b-access', 'b2b-policies-sold-view', 'b2b-policies-own-only'])).size).toBe(0)
    const request = (await post('/api/tickets/requests', requestBody())).body.data
    const { tickets } = await list({ searchData: request.reference })
    expect(tickets).toMatchObject([{ policyNumber: null }])
    expect(tickets[0]).not.toHaveProperty('policyholder')
  })

  it('has pages, and refuses invalid ones', async () => {
    const all = await list({ perPage: 100 })
    const pages = await Promise.all(Array.from({ length: Math.ceil(all.total / 3) }, (_, index) => list({ page: index + 1, perPage: 3 })))
    expect(pages.flatMap(({ tickets }) => tickets)).toEqual(all.tickets)
    expect((await post('/api/tickets/list', { page: 0 })).status).toBe(422)
    expect((await post('/api/tickets/list', { perPage: 1e6 })).status).toBe(422)
    expect((await post('/api/tickets/list', { kind: 'x' })).status).toBe(422)
  })
})

describe('tickets', () => {
  it('return 404 on every call of another unit, as unknown ones do', async () => {
    const { ticketUuid } = (await claim()).body.data
    const status = (uuid: string) =>
      app.ask(`/api/tickets/${uuid}/status`, { method: 'PUT', body: { status: 'closed' }, headers: rotta.headers })
    const calls = [
      (uuid: string) => post('/api/tickets/detail', { ticketUuid: uuid }, rotta),
      (uuid: string) => post(`/api/tickets/${uuid}/messages`, { text: 'x' }, rotta),
      status,
    ]
    for (const ask of calls) {
      const [theirs, none] = [await ask(ticketUuid), await ask(crypto.randomUUID())]
      expect(theirs.status).toBe(404)
      expect({ ...theirs.body, requestId: '' }).toEqual({ ...none.body, requestId: '' })
    }
    const listed = await list({ perPage: 100 }, rotta)
    expect(listed.tickets.map((row: { ticketUuid: string }) => row.ticketUuid)).not.toContain(ticketUuid)
    const { files } = await detail((await sendForm(app, seller, '/api/tickets/claims', claimBody(), [aPdf])).body.data.ticketUuid)
    expect((await get(`/api/files/${files[0].uuid}`, rotta)).status).toBe(404)
    expect((await app.ask('/api/tickets/list', { body: {} })).status).toBe(401)
  })

  it('show only their own to a freelancer, and need policies of their own', async () => {
    await giveRoles(app, 'multi@portolan.example', ['freelancer'])
    const freelancer = await signIn(app, 'multi@portolan.example', 'Viajes Azahar')
    const { ticketUuid } = (await claim()).body.data
    expect((await list({}, freelancer)).total).toBe(0)
    expect((await post('/api/tickets/detail', { ticketUuid }, freelancer)).status).toBe(404)
    expect(problems(await claim({}, freelancer))).toEqual(['policyNumber known'])
    expect((await post('/api/tickets/requests', requestBody(), freelancer)).status).toBe(200)
    expect((await list({}, freelancer)).total).toBe(1)
  })

  it('are audited when listed, without the search text', async () => {
    const { reference } = (await claim()).body.data
    const views = () =>
      app.world.database.kysely
        .selectFrom('audit')
        .select(['user_id', 'business_unit_id', 'details'])
        .where('action', '=', 'tickets.listed')
        .orderBy('id')
        .execute()
    const before = (await views()).length
    await list({ searchData: reference, kind: 'claim' })
    await list({ searchData: 'no such words' })
    expect((await views()).slice(before)).toEqual([
      {
        user_id: seller.user.uuid,
        business_unit_id: seller.user.businessUnits[0].uuid,
        details: { kind: 'claim', searched: true, page: 1, shown: 1 },
      },
    ])
  })

  it('are audited when opened', async () => {
    const { ticketUuid } = (await claim()).body.data
    await detail(ticketUuid)
    const rows = await app.world.database.kysely
      .selectFrom('audit')
      .select(['action', 'user_id'])
      .where('object', '=', ticketUuid)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { action: 'ticket.filed', user_id: seller.user.uuid },
      { action: 'ticket.seen', user_id: seller.user.uuid },
    ])
  })
})

it('unused files are deleted after two days', async () => {
  const { clock } = app.world
  const loose: string = (await sendForm(app, seller, '/api/tickets/files', {}, [aPdf])).body.data.uuid
  const used: string = (await sendForm(app, seller, '/api/tickets/files', {}, [aPdf])).body.data.uuid
  await claim({ fileUuids: [used] })
  const status = async (uuid: string) => (await get(`/api/files/${uuid}`)).status
  await removeAbandonedFiles(app.world, app.files)
  expect([await status(loose), await status(used)]).toEqual([200, 200])
  await removeAbandonedFiles({ ...app.world, clock: { now: () => new Date(clock.now().getTime() + 49 * 3_600_000) } }, app.files)
  expect([await status(loose), await status(used)]).toEqual([404, 200])
})

it('a user files at most a hundred tickets and messages an hour', async () => {
  const { database, clock } = app.world
  // No other test files as this user.
  const busy = await signIn(app, 'admin2@portolan.example', 'Viajes Azahar')
  const { ticketUuid } = (await claim({}, busy)).body.data
  const ticket = { business_unit_id: seller.user.businessUnits[0].uuid, ticket_id: ticketUuid, user_id: busy.user.uuid }
  const written = Array.from({ length: 100 }, (_, index) => ({
    ...ticket,
    position: 100 + index,
    id: crypto.randomUUID(),
    at: clock.now(),
    from_support: false,
    author: 'x',
    body: 'x',
  }))
  await database.kysely.insertInto('ticket_messages').values(written).execute()
  const refused = await claim({}, busy)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600'])
})
