import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { existing } from '#common/kit/testing.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import { numberIn } from '#server/kit/sealed/document-numbers.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { giveRoles, signIn } from '#server/session/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import {
  ana,
  deleteAs,
  leo,
  other,
  purchaseAs,
  reach,
  registerAs,
  sellAs,
  type Seller,
  sellerOf,
  tripOf,
} from '#server/policies/testing.ts'

let app: TestApp
let seller: Seller
let rival: Seller

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  rival = await sellerOf(app, 'agent@rotta.example')
})
afterEach(async () => expect(await brokenInvariants(app.world.database)).toEqual([]))
afterAll(() => app.stop())

const count = async (table: 'policies' | 'payments' | 'money_book' | 'mails') =>
  Number(
    (
      await app.world.database.kysely
        .selectFrom(table)
        .select(eb => eb.fn.countAll().as('many'))
        .executeTakeFirstOrThrow()
    ).many,
  )

describe('a sale on the agency’s account', () => {
  it('is registered, purchased and emailed once', { tags: ['S3.10', 'S4.9', 'S7.8', 'S7.9'] }, async () => {
    await app.world.outbox.drain()
    const registered = await registerAs(seller, { expectedTotal: 33.76, insuranceType: 1 })
    expect(registered.body).toEqual({
      code: 200,
      data: {
        purchaseUUID: expect.any(String),
        policyUuid: expect.any(String),
        version: 1,
        clientSecret: null,
        publishableKey: null,
        status: 'pending',
        total: 33.76,
        currency: 'EUR',
      },
    })
    const { purchaseUUID, policyUuid } = registered.body.data
    const bought = await purchaseAs(seller, { purchaseUUID })
    expect(bought.body.data.policyData).toMatchObject({ policyUuid, status: 'purchased', policyTaker: 'Ana García López', total: 33.76 })
    expect(readPolicyNumber(bought.body.data.policyData.policyNumber)).toBe(bought.body.data.policyData.policyNumber)
    expect(bought.body.data.files.map(({ label }: { label: string }) => label)).toEqual([
      'Certificado de seguro',
      'Recibo de prima',
      'Documento de información sobre el producto de seguro (IPID)',
      'Condiciones generales',
    ])
    await app.world.outbox.drain()
    expect((await purchaseAs(seller, { purchaseUUID })).text).toBe(bought.text)
    await app.world.outbox.drain()
    const sent = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).execute()
    expect(sent).toHaveLength(1)
    const { content, text_body, html_body } = existing(sent[0])
    expect(content.params).toMatchObject({ name: 'Ana García López' })
    // The phone number on the certificate.
    expect(text_body).toContain('Asistencia las 24 horas: +34 900 000 000.')
    expect(html_body).toContain('href="tel:+34900000000"')
  })

  it('is refused with the insurance type of another product, and nothing is stored', async () => {
    const before = await count('policies')
    const { status, body } = await registerAs(seller, { insuranceType: 4 })
    expect([status, body.fields]).toEqual([422, [{ path: 'insuranceType', rule: 'insuranceType', message: expect.stringContaining('1') }]])
    expect(await count('policies')).toBe(before)
  })

  it('stores everything it was sold with, document numbers in upper case', { tags: ['S7.8', 'S7.19'] }, async () => {
    const contact = { ...reach, city: 'Alcorcón' }
    const { body } = await sellAs(seller, { users: [{ ...ana, ...contact }, leo] })
    const { policyUuid } = body.data.policyData
    const { kysely } = app.world.database
    const people = await kysely.selectFrom('policy_people').selectAll().where('policy_id', '=', policyUuid).orderBy('position').execute()
    const { secrets } = app.world
    expect(people.map(({ holder, traveller, ...stored }) => [numberIn(secrets, policyUuid, stored), holder, traveller])).toEqual([
      ['12345678Z', true, true],
      ['X1234567L', false, true],
    ])
    const { email, phonePrefix, phoneNumber, zipCode, ...place } = contact
    expect(people[0]).toMatchObject({
      name: ana.name,
      middle_name: ana.middleName,
      last_name: ana.lastName,
      birth_date: ana.birthDate,
      identification_type_id: 3,
      email,
      phone_prefix: phonePrefix,
      phone_number: phoneNumber,
      zip_code: zipCode,
      ...place,
    })
    const lines = await kysely.selectFrom('policy_price_lines').selectAll().where('policy_id', '=', policyUuid).execute()
    const sum = lines.filter(({ kind }) => kind !== 'commission').reduce((cents, line) => cents + line.amount_cents, 0)
    expect(sum).toBe(3376)
    const policy = await kysely.selectFrom('policies').selectAll().where('id', '=', policyUuid).executeTakeFirstOrThrow()
    const commission = lines.find(({ kind }) => kind === 'commission')?.amount_cents ?? 0
    expect([policy.commission_cents, Math.round(body.data.policyData.commission * 100)]).toEqual([commission, commission])
    expect(commission).toBeGreaterThan(0)
    expect(policy.search).toContain('expediente n-7')
    expect(policy.search).toContain('leo garcia gil')
    expect(policy.search.startsWith(body.data.policyData.policyNumber.toLowerCase())).toBe(true)
  })

  it('stores the company, the amount to insure and the reservation', { tags: ['S7.8', 'S7.19'] }, async () => {
    const company = { ...reach, companyName: 'Azahar, S.L.', docNumber: 'B12345674', identificationTypeId: 4 }
    const cover = { insurancedAmount: 1000, reservationDate: today(new Date(), 'Europe/Madrid') }
    const productUUID = seller.products.find(({ code }) => code === 'TOT').uuid
    const { body } = await registerAs(seller, { ...cover, productUUID, roleFirstUser: 3, users: [company, ana, leo] })
    const detail = await app.ask('/api/policy/detail', { body: { policyUuid: body.data.policyUuid }, headers: seller.headers })
    expect(detail.body.data).toMatchObject({
      policy: { policyTaker: 'Azahar, S.L.' },
      trip: cover,
      users: [company, { name: 'Ana' }, { name: 'Leo' }],
    })
  })

  it('is sold once for concurrent purchases', { tags: 'S7.9' }, async () => {
    const { body } = await registerAs(seller)
    const ledger = await count('money_book')
    const { purchaseUUID } = body.data
    // Each waits until all have found it unsold: the embedded database would complete the first before it reads for the second.
    const spend = app.world.spend.bind(app.world)
    const [many, allFound] = [50, Promise.withResolvers<void>()]
    let found = 0
    vi.spyOn(app.world, 'spend').mockImplementation(async (...spending) => {
      const giveBack = await spend(...spending)
      if (spending[1] !== 'mails') return giveBack
      found += 1
      if (found === many) allFound.resolve()
      await allFound.promise
      return giveBack
    })
    const replies = await Promise.all(Array.from({ length: many }, () => purchaseAs(seller, { purchaseUUID })))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.body).toMatchObject({ code: 200, data: { policyData: { status: 'purchased' } } })
    expect(replies[0]?.body.data.files).toContainEqual({
      uuid: expect.any(String),
      name: expect.stringMatching(/\.pdf$/),
      label: expect.any(String),
      file: expect.stringMatching(/^\/api\/files\//),
      version: 1,
    })
    expect(await count('money_book')).toBe(ledger + 1)
  })

  it('is either deleted or purchased, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { purchaseUUID, policyUuid } = (await registerAs(seller)).body.data
      const pair =
        round % 2
          ? [() => purchaseAs(seller, { purchaseUUID }), () => deleteAs(seller, policyUuid)]
          : [() => deleteAs(seller, policyUuid), () => purchaseAs(seller, { purchaseUUID })]
      const statuses = (await Promise.all(pair.map(each => each()))).map(({ status }) => status)
      expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409])
    }
  })
})

describe('a registration', () => {
  const uuidsOf = (product: { files: { file: string }[] }) => product.files.map(({ file }) => file.slice('/api/files/'.length))
  const productOf = (code: string) => seller.products.find((product: { code: string }) => product.code === code)
  const demandsAndNeeds = 'El cliente necesita cobertura para 2 viajeros.'

  it('keeps the documents shown to the client, and when', async () => {
    const shown = { demandsAndNeeds, files: uuidsOf(productOf('ESS')) }
    const { body } = await registerAs(seller, { shown })
    const { policyUuid } = body.data
    const detail = async (uuid: string) =>
      (await app.ask('/api/policy/detail', { body: { policyUuid: uuid }, headers: seller.headers })).body.data
    await purchaseAs(seller, { purchaseUUID: body.data.purchaseUUID })
    const details = await detail(policyUuid)
    const { at } = details.history.find(({ what }: { what: string }) => what === 'registered')
    expect(details.shown).toEqual({ ...shown, at, byChange: false })
    expect(details.trip.shown).toBeUndefined()
    const change = { policyUuid, version: 1, change: { buReference: 'later' }, expectedDifference: 0 }
    expect((await app.ask('/api/policy/change', { body: change, headers: seller.headers })).status).toBe(200)
    expect((await detail(policyUuid)).shown).toEqual(details.shown)
    expect((await detail((await sellAs(seller)).body.data.policyData.policyUuid)).shown).toBe(null)
  })

  it('is refused with documents of another product', async () => {
    const files = [...uuidsOf(productOf('ESS')), ...uuidsOf(productOf('ANN'))]
    const { status, body } = await registerAs(seller, { shown: { demandsAndNeeds, files } })
    expect([status, body.fields.map(({ path }: { path: string }) => path)]).toEqual([422, ['shown.files[2]', 'shown.files[3]']])
  })

  it('happens once per key, and a key with another body is refused', async () => {
    const policies = await count('policies')
    const key = { 'idempotency-key': 'one-sale' }
    const first = await registerAs(seller, {}, key)
    expect((await registerAs(seller, {}, key)).text).toBe(first.text)
    expect((await registerAs(seller, { buReference: 'other' }, key)).body.error).toBe('idempotency.mismatch')
    // Simulates another node, or a lock lost with its node.
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    expect((await registerAs(seller, {}, key)).text).toBe(first.text)
    expect(await count('policies')).toBe(policies + 1)
  })

  it('is refused at another price than shown, with the new quote', { tags: 'S7.8' }, async () => {
    const policies = await count('policies')
    const { status, body } = await registerAs(seller, { expectedTotal: 33.75 })
    expect([status, body.error, body.data.total]).toEqual([409, 'quote.price_changed', 33.76])
    expect(await count('policies')).toBe(policies)
  })

  it.each([
    ['price', 1],
    ['total', 1],
    ['premium', 1],
    ['commission', 99],
    ['status', 'purchased'],
    ['businessUnitUuid', 'x'],
    ['createdAt', '2020-01-01'],
    ['policyNumber', '1'],
    ['paid', true],
  ])('is refused with a field %s', async (field, value) => {
    const { status, body } = await registerAs(seller, { [field]: value })
    expect([status, body.fields[0].path]).toEqual([422, field])
    const inUser = await registerAs(seller, { users: [{ ...ana, ...reach, [field]: value }, leo] })
    expect([inUser.status, inUser.body.fields[0].path]).toEqual([422, `users[0].${field}`])
  })

  it.each([
    ['a foreign gateway', () => ({ paymentGatewayUUID: rival.gateway('Deferred') }), 'paymentGatewayUUID'],
    ['no gateway', () => ({ paymentGatewayUUID: null }), 'paymentGatewayUUID'],
    ['too few users', () => ({ users: [{ ...ana, ...reach }] }), 'users'],
    ['an unknown role', () => ({ roleFirstUser: 9 }), 'roleFirstUser'],
    ['a card number', () => ({ buReference: 'Visa 4242 4242 4242 4242' }), 'buReference'],
    ['a NUL', () => ({ buReference: 'a\u0000b' }), 'buReference'],
    ['half a traveller', () => ({ paxNumber: 1.5 }), 'paxNumber'],
    ['a day that does not exist', () => ({ startDate: '2027-02-29' }), 'startDate'],
  ])('is refused with %s', { tags: 'S7.8' }, async (_, changes, path) => {
    const { status, body } = await registerAs(seller, changes())
    expect([status, body.fields?.[0]?.path]).toEqual([422, path])
  })

  it('accepts the customer types 10, 11 and 12 as 2, 1 and 3', { tags: 'S3.8' }, async () => {
    const company = { ...reach, companyName: 'Azahar, S.L.', docNumber: 'B12345674', identificationTypeId: 4 }
    const holder = { ...ana, ...reach }
    const stored = async (changes: Record<string, unknown>) => {
      const { body } = await registerAs(seller, changes)
      const version = await app.world.database.kysely
        .selectFrom('policy_versions')
        .selectAll()
        .where('policy_id', '=', body.data.policyUuid)
        .executeTakeFirstOrThrow()
      return version.role_first_user
    }
    expect(await stored({ roleFirstUser: 10, users: [holder, other(1), leo] })).toBe(2)
    expect(await stored({ roleFirstUser: 11 })).toBe(1)
    expect(await stored({ roleFirstUser: 12, users: [company, ana, leo] })).toBe(3)
  })

  it('requires the permission to sell', async () => {
    const viewer = { ...seller, ...(await signIn(app, 'viewer@azahar.example')) }
    const replies = [
      await registerAs(viewer),
      await purchaseAs(viewer, { purchaseUUID: crypto.randomUUID() }),
      await deleteAs(viewer, crypto.randomUUID()),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

describe('a saved quote', () => {
  it('may be incomplete, and is purchased once replaced by a complete one', { tags: 'S4.10' }, async () => {
    const draft = await registerAs(seller, { saveBudget: true, users: [{ name: 'Ana' }], paymentGatewayUUID: null })
    expect([draft.status, draft.body.data?.status]).toEqual([200, 'budgeted'])
    const { policyUuid, purchaseUUID } = draft.body.data
    expect((await purchaseAs(seller, { purchaseUUID })).body.error).toBe('policy.incomplete')
    const completed = (await registerAs(seller, { policyUuid })).body.data
    expect([completed.policyUuid, completed.status]).toEqual([policyUuid, 'pending'])
    expect(completed.purchaseUUID).not.toBe(purchaseUUID)
    expect((await purchaseAs(seller, { purchaseUUID })).body.error).toBe('policy.not_purchasable')
    expect((await purchaseAs(seller, { purchaseUUID: completed.purchaseUUID })).status).toBe(200)
    expect((await registerAs(seller, { policyUuid })).body.error).toBe('policy.not_replaceable')
  })

  it('replaces a saved quote only as the caller has read it', async () => {
    const { policyUuid, version } = (await registerAs(seller, { saveBudget: true, buReference: 'read' })).body.data
    const again = await registerAs(seller, { saveBudget: true, buReference: 'again', policyUuid, version })
    expect([version, again.body.data.version]).toEqual([1, 2])
    for (const saveBudget of [true, false])
      expect((await registerAs(seller, { saveBudget, policyUuid, version })).body.error).toBe('request.conflict')
    const bought = await registerAs(seller, { policyUuid, version: 2 })
    expect([bought.status, bought.body.data.version]).toEqual([200, 3])
  })

  it('keeps the given ages and their price, while a sale uses its birth dates', async () => {
    const ages = [70, null]
    const draft = (await registerAs(seller, { saveBudget: true, users: [{ name: 'Ana' }], ages })).body.data
    const unknown = (await registerAs(seller, { saveBudget: true, users: [{ name: 'Ana' }] })).body.data
    expect(draft.total).toBeGreaterThan(unknown.total)
    const { body } = await app.ask('/api/policy/detail', { headers: seller.headers, body: { policyUuid: draft.policyUuid } })
    expect(body.data.trip).toMatchObject({ ages })
    const [sale, young] = [await registerAs(seller), await registerAs(seller, { ages: [70, 70] })]
    expect(young.body.data.total).toBe(sale.body.data.total)
  })

  it('that is complete can be purchased while its price holds', async () => {
    const { purchaseUUID } = (await registerAs(seller, { saveBudget: true })).body.data
    const { kysely } = app.world.database
    const valid = (text: string) =>
      kysely.updateTable('policies').set({ price_valid_until: text }).where('status', '=', 'budgeted').execute()
    await valid('2020-01-01T00:00:00Z')
    expect((await purchaseAs(seller, { purchaseUUID })).body.error).toBe('policy.price_expired')
    await valid('2100-01-01T00:00:00Z')
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
  })

  it('is deleted for good', { tags: ['S4.13', 'S7.13'] }, async () => {
    const { policyUuid, purchaseUUID } = (await registerAs(seller, { saveBudget: true })).body.data
    expect((await deleteAs(seller, policyUuid)).body.data).toEqual({ deleted: true })
    expect((await deleteAs(seller, policyUuid)).body.data).toEqual({ deleted: true })
    expect((await purchaseAs(seller, { purchaseUUID })).body.error).toBe('policy.not_purchasable')
    expect((await registerAs(seller, { policyUuid })).status).toBe(404)
  })

  it('is unknown to a colleague who sees only own sales', { tags: 'S7.13' }, async () => {
    await giveRoles(app, 'manager@azahar.example', ['freelancer'])
    const freelancer = await sellerOf(app, 'manager@azahar.example')
    const saved = async (by: Seller) => (await registerAs(by, { saveBudget: true })).body.data.policyUuid
    const [colleagues, own] = [await saved(seller), await saved(freelancer)]
    expect((await deleteAs(freelancer, colleagues)).status).toBe(404)
    expect((await deleteAs(freelancer, own)).status).toBe(200)
    expect((await deleteAs(seller, colleagues)).status).toBe(200)
  })
})

describe('a sold policy', () => {
  it('cannot be deleted, and stays sold', { tags: ['S4.13', 'S7.13'] }, async () => {
    const { policyUuid } = (await sellAs(seller)).body.data.policyData
    const { status, body } = await deleteAs(seller, policyUuid)
    expect([status, body.error, body.data]).toEqual([409, 'policy.not_deletable', undefined])
    const { kysely } = app.world.database
    expect(await kysely.selectFrom('policies').select('status').where('id', '=', policyUuid).execute()).toEqual([{ status: 'purchased' }])
  })
})

describe('another unit', () => {
  it('cannot see or change a sale', async () => {
    const { policyUuid, purchaseUUID } = (await registerAs(seller, { saveBudget: true })).body.data
    for (const id of [policyUuid, crypto.randomUUID()]) {
      expect((await deleteAs(rival, id)).status).toBe(404)
      const italian = { users: [{ name: 'Ada' }], saveBudget: true, policyUuid: id }
      expect((await registerAs(rival, italian)).status).toBe(404)
    }
    for (const id of [purchaseUUID, crypto.randomUUID()]) expect((await purchaseAs(rival, { purchaseUUID: id })).status).toBe(404)
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
    expect((await deleteAs(seller, policyUuid)).body.error).toBe('policy.not_deletable')
  })
})

it('every sale has exactly the price of its quote', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 20 }),
      fc.constantFrom('380', '840', '380,250'),
      async (paxNumber, days, countriesDestinationId) => {
        const users = Array.from({ length: paxNumber }, (_, index) => (index === 0 ? { ...ana, ...reach } : other(index)))
        const trip = tripOf(seller)
        const changes = { paxNumber, users, countriesDestinationId, endDate: addDays(String(trip['startDate']), days) }
        const { productUUID, insuranceType, startDate, countryOriginId } = trip
        const { users: _, ...asked } = { productUUID, insuranceType, startDate, countryOriginId, ...changes }
        const birthDates = users.map(({ birthDate }) => birthDate)
        const quote = await app.ask('/api/quotes', { body: { ...asked, birthDates }, headers: seller.headers })
        const { total, premium, taxes } = quote.body.data
        const registered = await registerAs(seller, { ...changes, expectedTotal: total })
        const bought = await purchaseAs(seller, { purchaseUUID: registered.body.data.purchaseUUID })
        expect([registered.body.data.total, bought.body.data.policyData.total]).toEqual([total, total])
        const lines = await app.world.database.kysely
          .selectFrom('policy_price_lines')
          .selectAll()
          .where('policy_id', '=', bought.body.data.policyData.policyUuid)
          .execute()
        const sum = (...kinds: string[]) =>
          lines.filter(({ kind }) => kinds.includes(kind)).reduce((cents, line) => cents + line.amount_cents, 0)
        expect(sum('travel', 'cancellation')).toBe(Math.round(premium * 100))
        expect(sum('tax')).toBe(Math.round(taxes.reduce((all: number, { amount }: { amount: number }) => all + amount, 0) * 100))
        expect(sum('travel', 'cancellation', 'tax')).toBe(Math.round(total * 100))
      },
    ),
    { numRuns: 15 },
  ))
