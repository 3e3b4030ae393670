import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, displayDate, startOfDay, today } from '#common/kit/dates.ts'
import { formatMoney, fromCents, toCents } from '#common/kit/money.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { ana, leo, purchaseAs, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { askClient, sellTo, type Sold, tokenFor } from '../testing.ts'

let app: TestApp
let seller: Seller
let at = 0
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => (at ? new Date(at) : new Date()) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 40)
/** A trip of six weeks: longer than a month, so EU14 applies at a distance. */
const long = { startDate: start, endDate: addDays(start, 41) }
const distance = { ...long, channel: 'distance' }
const view = async (token: string) => (await askClient(app, 'policy', { token })).body.data
const statement = { name: 'Ana García López', confirmTo: 'ana@example.es', version: 1 }
const withdraw = ({ token }: Sold, changes: object = {}, headers = {}) =>
  askClient(app, 'withdraw', { token, ...statement, ...changes }, headers)
const detail = async (policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data
const rows = (policyUuid: string) =>
  app.world.database.kysely.selectFrom('withdrawals').selectAll().where('policy_id', '=', policyUuid).execute()
const mails = async (policyUuid: string) =>
  (
    await app.world.database.kysely
      .selectFrom('mails')
      .selectAll()
      .where('about', '=', policyUuid)
      .where('template', '=', 'withdrawal_received')
      .execute()
  ).map(({ recipient_address: to, text_body: text }) => ({ to, text }))
const mailsAfterSale = (policyUuid: string) =>
  app.world.database.kysely
    .selectFrom('mails')
    .selectAll()
    .where('about', '=', policyUuid)
    .where('template', '!=', 'policy_purchased')
    .orderBy('id')
    .execute()
const claim = (policyUuid: string) =>
  sql`insert into tickets (business_unit_id, id, reference, kind, type_key, form, status, subject, description, policy_id, policy_number,
      incident_date, contact_name, contact_email, contact_phone, locale, user_id, user_name, created_at, updated_at, search)
    select business_unit_id, gen_random_uuid(), number, 'claim', 'other', '{}', 'open', 'A claim', '', id, number,
      start_date, '', '', '', locale, seller_id, seller_name, created_at, created_at, ''
    from policies where id = ${policyUuid}`.execute(app.world.database.kysely)
const isSound = async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
}

it('the seller gets a notice of the withdrawal until that user opens the policy', async () => {
  const sold = await sellTo(app, seller, distance)
  const notices = async () =>
    (await app.ask('/api/policy/day', { headers: seller.headers })).body.data.tasks.items.filter(
      ({ policyUuid }: { policyUuid: string }) => policyUuid === sold.policyUuid,
    )
  expect(await notices()).toEqual([])
  const withdrawn = await withdraw(sold)
  expect(withdrawn.status).toBe(200)
  expect(await notices()).toMatchObject([{ kind: 'withdrawn', amount: withdrawn.body.data.refund.amount }])
  expect(withdrawn.body.data.refund.amount).toBeGreaterThan(0)
  const settings = await app.ask('/api/business-unit/settings', { headers: seller.headers })
  const statusTypeUuid = settings.body.data.policyStatusTypes.cancelled.uuid
  const found = await app.ask('/api/policy/list', { body: { statusTypeUuid }, headers: seller.headers })
  expect(found.body.data.policies).toContainEqual(expect.objectContaining({ policyUuid: sold.policyUuid, withdrawn: true }))
  await detail(sold.policyUuid)
  expect(await notices()).toEqual([])
})

describe('a client’s withdrawal', () => {
  it('is named in the mail of the sale where the page offers it, and there alone', async () => {
    const linkOf = async (changes: Record<string, unknown>) => {
      const { policyUuid, token } = await sellTo(app, seller, changes)
      const { text_body: text } = await app.world.database.kysely
        .selectFrom('mails')
        .select('text_body')
        .where('about', '=', policyUuid)
        .where('template', '=', 'policy_purchased')
        .executeTakeFirstOrThrow()
      return [(await view(token)).can.withdraw !== null, text?.includes('Abrir mi póliza (también para desistir)')]
    }
    expect(await linkOf(distance)).toEqual([true, true])
    expect(await linkOf({})).toEqual([false, false])
  })

  it('is offered until the end of the trip, where the right would last longer', async () => {
    const soon = addDays(start, -30)
    const end = addDays(soon, 3)
    const users = [{ ...ana, ...reach, residenceCountryId: 250 }, leo]
    const { token } = await sellTo(app, seller, { startDate: soon, endDate: end, countryOriginId: 250, users })
    expect((await view(token)).can.withdraw).toMatchObject({ right: 'FR30', until: end })
  })

  it('ends the policy by the client, gives all back, and confirms with day and time', async () => {
    const sold = await sellTo(app, seller, distance)
    const { can, price } = await view(sold.token)
    expect(can.withdraw).toMatchObject({ refund: price.total, right: 'EU14', basis: 'EU14', way: 'agency', confirmTo: 'ana@example.es' })
    const before = Date.now()
    const { status, body, text } = await withdraw(sold, { confirmTo: 'ana.otra@example.es' }, { 'idempotency-key': 'k1' })
    expect(status, text).toBe(200)
    expect(Date.parse(body.data.receivedAt)).toBeGreaterThanOrEqual(before)
    expect(body.data.refund).toEqual({
      amount: price.total,
      currency: 'EUR',
      way: 'agency',
      by: addDays(today(new Date(), 'Europe/Madrid'), 14),
    })
    expect(body.data.receipt.text).toMatch(/Recibido: .*\d\d:\d\d:\d\d/)
    expect(await detail(sold.policyUuid)).toMatchObject({ policy: { status: 'cancelled' } })
    const [movement] = await app.world.database.kysely
      .selectFrom('policy_deeds')
      .selectAll()
      .where('policy_id', '=', sold.policyUuid)
      .execute()
    expect(movement).toMatchObject({
      kind: 'withdrawal',
      user_id: null,
      user_name: statement.name,
      withdrawal_id: body.data.withdrawalUuid,
      basis: 'EU14',
    })
    const day = today(new Date(), 'Europe/Madrid')
    const { headers } = await signIn(app, 'accounts@azahar.example')
    const booked = await app.ask('/api/accounting/entries', { headers, body: { from: day, to: day, policyUuid: sold.policyUuid } })
    expect(booked.body.data.entries[0]).toMatchObject({ kind: 'withdrawal', why: { basis: 'EU14', reason: null, byClient: true } })
    await isSound()
    const sent = await mails(sold.policyUuid)
    expect(sent.map(({ to }) => to).toSorted()).toEqual(['ana.otra@example.es', 'ana@example.es'])
    expect(sent[0]?.text).toContain('desisto de este contrato')
    expect(await view(sold.token)).toMatchObject({
      status: 'withdrawn',
      can: { change_request: false, withdraw: null },
      withdrawal: { withdrawalUuid: body.data.withdrawalUuid, refund: body.data.refund },
    })
  })

  it('is mailed as a receipt, then as an end with a PDF, with one amount and one day', async () => {
    const sold = await sellTo(app, seller, distance)
    const { refund, receipt } = (await withdraw(sold)).body.data
    const { withdrawal, can } = await view(sold.token)
    expect([withdrawal.refund, can.withdraw]).toEqual([refund, null])
    expect(can.documents.map(({ label }: { label: string }) => label)).toEqual([
      'Acuse de recibo del desistimiento, versión 2',
      'Recibo de extorno, versión 2',
    ])
    const payload = { token: sold.token, fileUuid: can.documents[0].uuid }
    const { rawPayload } = await app.context.http.inject({ method: 'POST', url: '/api/client/file', payload })
    const pdf = await readPdf(rawPayload)
    await isSound()
    const sent = (await mailsAfterSale(sold.policyUuid)).map(mail => ({ ...mail, files: mail.attachments.map(({ filename }) => filename) }))
    expect(sent.map(({ template, state, files }) => [template, state, files.length])).toEqual([
      ['withdrawal_received', 'sent', 0],
      ['withdrawal_done', 'sent', 2],
    ])
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(2)
    const amount = formatMoney(toCents(refund.amount) ?? 0, 'es-ES', refund.currency)
    for (const text of [receipt.text, pdf.text, ...sent.map(({ text_body: body }) => body ?? '')]) {
      const plain = text.replaceAll(/\s+/g, ' ')
      expect(plain).toContain(amount.replaceAll(/\s+/g, ' '))
      expect(plain).toContain(displayDate(refund.by))
    }
  })

  it('is received once: any repetition, by key or link, gets the first receipt', async () => {
    const sold = await sellTo(app, seller, distance)
    const key = { 'idempotency-key': 'twice' }
    const [first, again] = [await withdraw(sold, {}, key), await withdraw(sold, {}, key)]
    expect([first.status, again.text]).toEqual([200, first.text])
    expect((await withdraw(sold, { name: 'Ana G.' }, key)).body.error).toBe('idempotency.mismatch')
    const token = await tokenFor(app, sold.policyUuid)
    expect((await withdraw({ ...sold, token }, {}, { 'idempotency-key': 'other' })).text).toBe(first.text)
    expect(await rows(sold.policyUuid)).toHaveLength(1)
    await isSound()
  })

  it('ends the policy once for ten clicks at once', async () => {
    const sold = await sellTo(app, seller, distance)
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => withdraw(sold, {}, { 'idempotency-key': `k${index}` })))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await mails(sold.policyUuid)).toHaveLength(1)
    await isSound()
  })

  it('ends the present version if the policy was changed in between', async () => {
    const sold = await sellTo(app, seller, distance)
    const change = { change: { endDate: addDays(long.endDate, 1) }, policyUuid: sold.policyUuid, version: 1 }
    const preview = await app.ask('/api/policy/change/preview', { body: change, headers: seller.headers })
    const expectedDifference = preview.body.data.difference.total
    const changed = await app.ask('/api/policy/change', { body: { ...change, expectedDifference }, headers: seller.headers })
    expect(changed.status, changed.text).toBe(200)
    const total = (await view(sold.token)).price.total
    const { body } = await withdraw(sold)
    expect(body.data.refund.amount).toBe(total)
    await isSound()
  })

  it('refuses an invalid name or address, and unknown fields', async () => {
    const sold = await sellTo(app, seller, distance)
    const fields = async (changes: object) => (await withdraw(sold, changes)).body.fields.map(({ path }: { path: string }) => path)
    expect(await fields({ name: ' ', confirmTo: 'nowhere', version: 7 })).toEqual(['name', 'confirmTo', 'version'])
    expect((await withdraw(sold, { refund: 1000 })).status).toBe(422)
    expect(await rows(sold.policyUuid)).toEqual([])
  })
})

describe('a statement that cannot be carried out at once', () => {
  it('is received nevertheless, and a job carries it out as of the click', async () => {
    const sold = await sellTo(app, seller, distance)
    const { database } = app.world
    await sql`alter table policy_deeds add constraint down check (false) not valid`.execute(database.kysely)
    const { status, body } = await withdraw(sold)
    expect([status, (await detail(sold.policyUuid)).policy.status]).toEqual([200, 'purchased'])
    expect(await rows(sold.policyUuid)).toHaveLength(1)
    await sql`alter table policy_deeds drop constraint down`.execute(database.kysely)
    at = Date.now() + 3 * 3_600_000
    await app.world.outbox.drain()
    at = 0
    const [movement] = await database.kysely.selectFrom('policy_deeds').selectAll().where('policy_id', '=', sold.policyUuid).execute()
    expect([movement?.at.toISOString(), (await detail(sold.policyUuid)).policy.status]).toEqual([body.data.receivedAt, 'cancelled'])
    await isSound()
  })

  it('after a claim is stored, confirmed, and sent to the desk', async () => {
    const sold = await sellTo(app, seller, distance)
    await claim(sold.policyUuid)
    expect((await view(sold.token)).can.withdraw).toMatchObject({ refund: null, right: 'EU14' })
    const replies = [await withdraw(sold, {}, { 'idempotency-key': 'c' }), await withdraw(sold, {}, { 'idempotency-key': 'c' })]
    for (const { status, body } of replies) {
      expect([status, body.error, body.data.refund]).toEqual([409, 'withdraw.claimed', null])
      expect(body.data.receipt.text).toContain('aseguradora')
    }
    await app.world.outbox.drain()
    const found = await app.ask('/api/tickets/list', {
      body: { page: 1, perPage: 10, kind: 'request', searchData: sold.number },
      headers: seller.headers,
    })
    expect(found.body.data.tickets).toMatchObject([{ ticketUuid: replies[0]?.body.data.withdrawalUuid, policyNumber: sold.number }])
    expect(await mails(sold.policyUuid)).toHaveLength(1)
    expect((await detail(sold.policyUuid)).policy.status).toBe('purchased')
  })
})

describe('the right of withdrawal', () => {
  it('applies at a distance and not at the counter, by the policyholder’s residence', async () => {
    const rightOf = async (changes: Record<string, unknown>) =>
      (await view((await sellTo(app, seller, changes)).token)).can.withdraw?.right ?? null
    expect(await rightOf(distance)).toBe('EU14')
    expect(await rightOf(long)).toBeNull()
    const french = {
      ...ana,
      ...reach,
      residenceCountryId: 250,
      zipCode: '75001',
      documentKind: 'passport',
      docNumber: 'AB123456',
      phonePrefix: '+33',
      phoneNumber: '612345678',
    }
    expect(await rightOf({ ...long, countryOriginId: 250, users: [french, leo] })).toBe('FR30')
  })

  it('does not apply to a company or a short trip', async () => {
    const company = { ...reach, companyName: 'Viajes de Empresa SL', docNumber: 'B12345674', identificationTypeId: 4 }
    const sold = await sellTo(app, seller, { ...distance, roleFirstUser: 3, users: [company, ana, leo] })
    expect(await view(sold.token)).toMatchObject({ can: { withdraw: null }, cancelling: { why: 'company' } })
    expect((await withdraw(sold)).body.error).toBe('withdraw.none')
    const short = await sellTo(app, seller, { channel: 'distance' })
    expect(await view(short.token)).toMatchObject({ can: { withdraw: null }, cancelling: { why: 'short', refund: 33.76 } })
    expect(await rows(short.policyUuid)).toEqual([])
  })

  it('lasts to the last millisecond of its last day in the unit’s zone', async () => {
    const [one, other] = [await sellTo(app, seller, distance), await sellTo(app, seller, distance)]
    const { until } = (await view(one.token)).can.withdraw
    const end = startOfDay(addDays(until, 1), 'Europe/Madrid')
    at = end - 1
    const last = await withdraw(one)
    at = end
    const late = await withdraw(other)
    const { can, cancelling } = await view(other.token)
    at = 0
    expect([last.status, last.body.data?.receivedAt]).toEqual([200, new Date(end - 1).toISOString()])
    expect([late.status, late.body.error, late.body.data]).toEqual([409, 'withdraw.none', { why: 'late' }])
    expect([can.withdraw, cancelling.why]).toEqual([null, 'late'])
    expect(cancelling.refund).toBeGreaterThan(0)
  })
})

describe('a policy sold by card', () => {
  it('is paid back to the card at once', async () => {
    const cards = await cardApp()
    const by = await sellerOf(cards)
    const paymentGatewayUUID = by.gateway('StripeV2')
    const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(by, { ...distance, paymentGatewayUUID })).body.data
    await payBy(cards, clientSecret)
    await purchaseAs(by, { paymentGatewayUUID, purchaseUUID })
    const { body } = await askClient(cards, 'withdraw', { token: await tokenFor(cards, policyUuid), ...statement })
    expect(body.data.refund.way).toBe('card')
    await reconcileLater(cards, 0)
    expect(fromCents(intentOf(cards, clientSecret)?.refunded ?? 0)).toBe(body.data.refund.amount)
    await cards.stop()
  })
})

describe('another agency', () => {
  it('neither sees nor ends the policy of a link', async () => {
    const sold = await sellTo(app, seller, distance)
    const rotta = await sellerOf(app, 'agent@rotta.example')
    const seen = await app.ask('/api/policy/detail', { body: { policyUuid: sold.policyUuid }, headers: rotta.headers })
    expect(seen.status).toBe(404)
    const withBoth = await askClient(app, 'withdraw', { token: sold.token, ...statement }, rotta.headers)
    expect(withBoth.status).toBe(200)
    const { database } = app.world
    const units = await database.kysely
      .selectFrom('withdrawals')
      .innerJoin('policies', 'policies.id', 'withdrawals.policy_id')
      .where('policies.id', '=', sold.policyUuid)
      .select(['withdrawals.business_unit_id as one', 'policies.business_unit_id as other'])
      .execute()
    expect(units.every(({ one, other }) => one === other)).toBe(true)
  })
})
