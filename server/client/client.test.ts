import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addYears, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, type Seller, sellerOf } from '#server/policies/testing.ts'
import { purgeClientRows } from './serve.ts'
import { taxLabel } from './price-lines.ts'
import { askClient, sellTo, type Sold, tokenFor } from './testing.ts'

let app: TestApp
let seller: Seller
let ahead = 0
let log = ''
beforeAll(async () => {
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  app = await testApp({ LOG_LEVEL: 'debug' }, { clock: { now: () => new Date(Date.now() + ahead) }, logTo })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const view = (token: string, headers?: Record<string, string>) => askClient(app, 'policy', { token }, headers)

describe('the link of a policy', () => {
  it('is in the mail of the sale, with 128 random bits, and stored as a hash alone', async () => {
    const { token, policyUuid } = await sellTo(app, seller)
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    const rows = await app.world.database.kysely.selectFrom('client_tokens').selectAll().where('policy_id', '=', policyUuid).execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('shows the policy in plain terms, without commission, and needs no session', async () => {
    const { token, number } = await sellTo(app, seller)
    const { status, body, headers, text } = await view(token, { 'accept-language': 'fr-FR' })
    expect(status, text).toBe(200)
    expect(body.data).toMatchObject({
      brand: { name: 'Viajes Azahar' },
      locale: 'es-ES',
      status: 'upcoming',
      startsIn: 11,
      number,
      version: 1,
      destinations: ['Italie'],
      holder: 'Ana García López',
      people: ['Ana García López', 'Leo García Gil'],
      price: { total: 33.76, currency: 'EUR' },
      can: { change_request: true },
      holderOnly: false,
      withdrawal: null,
    })
    expect(body.data.can.emergency).toMatch(/^\+/)
    expect(text.toLowerCase()).not.toContain('commission')
    expect(text).not.toContain(ana.docNumber.toUpperCase())
    expect([headers['cache-control'], headers['referrer-policy'], headers['set-cookie']]).toEqual(['no-store', 'no-referrer', undefined])
  })

  it('says since when the cancellation is insured: from the sale, or from each booking of a term', async () => {
    const of = (code: string) => ({ productUUID: seller.products.find(product => product.code === code).uuid })
    const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
    const trip = { ...of('TOT'), startDate: start, insurancedAmount: 900, reservationDate: addDays(start, -12) }
    const soldAt = async (changes: Record<string, unknown>) => {
      const { token, policyUuid } = await sellTo(app, seller, changes)
      const detail = await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })
      return { from: (await view(token)).body.data.cancellationFrom, at: detail.body.data.purchasedAt }
    }
    const insured = await soldAt(trip)
    expect(insured.from).toBe(insured.at)
    expect((await soldAt({ ...of('ANN'), startDate: start, endDate: addDays(addYears(start, 1), -1) })).from).toBe('each')
    expect((await soldAt({})).from).toBeNull()
  })

  it('names taxes in the language of the page, else as the edition that was sold does', async () => {
    const { token } = await sellTo(app, seller)
    const taxes = async (language: string) =>
      (await askClient(app, 'policy', { token }, { 'accept-language': language })).body.data.price.lines
        .filter(({ kind }: { kind: string }) => kind === 'tax')
        .map(({ label, translated }: { label: string; translated: boolean }) => [label, translated])
    expect((await taxes('fr-FR'))[0]).toEqual(['Taxe espagnole sur les primes d’assurance', true])
    expect((await taxes('pt-PT'))[0]).toEqual(['Imposto espanhol sobre os prémios de seguro', true])
    const own = { code: 'IPS', label: 'Impuesto sobre Primas de Seguros' }
    expect(taxLabel({}, own, 'fr-FR')).toEqual({ label: own.label, translated: false })
  })

  it('opens the documents of its policy, and no other file', async () => {
    const [one, other] = [await sellTo(app, seller), await sellTo(app, seller)]
    const [file] = (await view(one.token)).body.data.can.documents
    const opened = await askClient(app, 'file', { token: one.token, fileUuid: file.uuid })
    expect([opened.status, opened.headers['content-type'], opened.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    expect((await askClient(app, 'file', { token: other.token, fileUuid: file.uuid })).status).toBe(404)
  })

  it('is refused with one and the same 404, whatever is wrong with it', async () => {
    const { token } = await sellTo(app, seller)
    const wrong = ['', 'x', 'A'.repeat(22), `${token}x`, token.toLowerCase() + token, "' or 1=1; --", 'x'.repeat(9000)]
    const replies = await Promise.all(wrong.map(each => view(each)))
    const bodies = replies.map(({ status, body }) => JSON.stringify([status, { ...body, requestId: null }]))
    expect(new Set(bodies).size).toBe(1)
    expect(replies[0]?.body).toMatchObject({ code: 404, error: 'request.not_found' })
    const fields = {
      file: { fileUuid: '0190b5a2-0000-7000-8000-000000000000' },
      withdraw: { name: 'A', confirmTo: 'a@b.example', version: 1 },
      request: { description: 'x' },
    }
    for (const [path, rest] of Object.entries(fields))
      expect((await askClient(app, path, { token: wrong[2], ...rest })).body.error).toBe('request.not_found')
  })

  it('ends 400 days after the policy, and is then deleted', async () => {
    const { token, policyUuid } = await sellTo(app, seller)
    const kept = async () => {
      await purgeClientRows(app.world)
      return app.world.database.kysely.selectFrom('client_tokens').select('policy_id').where('policy_id', '=', policyUuid).execute()
    }
    const days = 86_400_000
    ahead = 415 * days
    expect(await kept()).toHaveLength(1)
    expect((await view(token)).body.data.status).toBe('ended')
    ahead = 422 * days
    expect((await view(token)).status).toBe(404)
    expect(await kept()).toEqual([])
    ahead = 0
  })

  it('to another address than the policyholder’s shows the policy, without withdrawal', async () => {
    const { policyUuid } = await sellTo(app, seller, distance)
    await app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: ['leo@example.com'], files: [] }, headers: seller.headers })
    const token = await tokenFor(app, policyUuid, 'leo@example.com')
    expect((await view(token)).body.data).toMatchObject({ holderOnly: true, can: { withdraw: null } })
    const { status, body } = await askClient(app, 'withdraw', { token, name: 'Leo', confirmTo: 'leo@example.com', version: 1 })
    expect([status, body.error]).toEqual([403, 'withdraw.not_holder'])
  })

  it('reads at most 16 kB', async () => {
    expect((await view('x'.repeat(17_000))).status).toBe(413)
  })
})

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
/** A trip of six weeks, sold at a distance: the right EU14 applies. */
const distance = { channel: 'distance', endDate: addDays(start, 41) }

describe('a request for a change', () => {
  it('becomes a request that the seller of the policy sees, once per key', async () => {
    const { token, number } = await sellTo(app, seller)
    const send = (description: string) => askClient(app, 'request', { token, description }, { 'idempotency-key': 'one' })
    const [first, again] = [await send('Un día más, por favor'), await send('Un día más, por favor')]
    expect([first.status, again.body]).toEqual([200, first.body])
    expect((await send('Otra cosa')).body.error).toBe('idempotency.mismatch')
    const found = await app.ask('/api/tickets/list', { body: { page: 1, perPage: 10, searchData: number }, headers: seller.headers })
    expect(found.body.data.tickets).toMatchObject([{ kind: 'request', policyNumber: number, ticketUuid: first.body.data.ticketUuid }])
  })

  it('is refused at its field if it is empty, too long or holds a card number', async () => {
    const { token } = await sellTo(app, seller)
    const refusals = await Promise.all(
      [' ', 'x'.repeat(2001), 'Paguen a la 4242 4242 4242 4242'].map(description => askClient(app, 'request', { token, description })),
    )
    expect(refusals.map(({ status, body }) => [status, body.fields?.[0]?.path, body.fields?.[0]?.rule])).toEqual([
      [422, 'description', 'required'],
      [422, 'description', 'maxLength'],
      [422, 'description', 'cardNumber'],
    ])
  })

  it('is refused after five in a day', async () => {
    const { token } = await sellTo(app, seller)
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await askClient(app, 'request', { token, description: `Nº ${round}` })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('finding a policy without its link', () => {
  const find = (fields: object, network: number) => askClient(app, 'find', fields, {}, `10.2.0.${network}`)
  const mailsTo = async ({ policyUuid }: Sold) => {
    await app.world.outbox.drain()
    const rows = await app.world.database.kysely
      .selectFrom('mails')
      .select(['recipient_address', 'template'])
      .where('about', '=', policyUuid)
      .execute()
    return rows.filter(({ template }) => template === 'policy_found').map(row => row.recipient_address)
  }
  const right = { docNumber: ' 12345678-Z', birthDate: ana.birthDate }

  it('mails the link to the known address, and a miss gets the same response', async () => {
    const sold = await sellTo(app, seller)
    const other = await sellTo(app, seller)
    const replies = [
      await find({ ...right, number: sold.number.toLowerCase() }, 1),
      await find({ ...right, number: other.number, birthDate: '1990-05-06' }, 1),
      await find({ ...right, number: '9999999-A' }, 1),
      await find({ number: '', docNumber: '', birthDate: '' }, 1),
    ]
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { code: 200, data: { sent: true } }])
    expect([await mailsTo(sold), await mailsTo(other)]).toEqual([['ana@example.es'], []])
    expect((await view(await tokenFor(app, sold.policyUuid))).body.data.number).toBe(sold.number)
  })

  it('leaves one job for a hit or a miss, with payloads that differ only in the policy', async () => {
    const { number, policyUuid } = await sellTo(app, seller)
    const jobs = () =>
      app.world.database.kysely.selectFrom('jobs').select('payload').where('subscriber', '=', 'client.find').orderBy('id').execute()
    const before = (await jobs()).length
    await find({ ...right, number }, 10)
    await find({ ...right, number, birthDate: '1990-05-06' }, 11)
    await find({ ...right, number: '9999999-A' }, 12)
    const payloads = (await jobs()).slice(before).map(({ payload }) => payload)
    expect(payloads).toMatchObject([{ policyId: policyUuid }, { policyId: null }, { policyId: null }])
    expect(new Set(payloads.map(payload => Object.keys(payload).join(','))).size).toBe(1)
  })

  it('is refused after five tries of a number in a day, and after twenty of a network', async () => {
    const { number } = await sellTo(app, seller)
    const statuses: number[] = []
    for (let network = 2; network < 8; network++) statuses.push((await find({ ...right, number }, network)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const byNetwork: number[] = []
    for (let tried = 0; tried < 21; tried++) byNetwork.push((await find({ ...right, number: `X${tried}` }, 100)).status)
    expect(byNetwork.filter(status => status === 429)).toHaveLength(1)
  })
})

describe('the log', () => {
  it('holds neither a token nor a name', async () => {
    const { token } = await sellTo(app, seller, distance)
    await view(token)
    await view('AAAAAAAAAAAAAAAAAAAAAA')
    await askClient(app, 'withdraw', { token, name: 'Ana García López', confirmTo: 'ana@example.es', version: 1 })
    await app.world.outbox.drain()
    expect(log).toContain('/api/client/withdraw')
    for (const secret of [token, 'AAAAAAAAAAAAAAAAAAAAAA', 'García', 'ana@example.es', ana.docNumber]) expect(log).not.toContain(secret)
  })
})
