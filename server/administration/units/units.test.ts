import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { brisa } from '#common/administration/testing.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'
import { begin, signIn } from '#server/session/testing.ts'
import { admin, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
beforeEach(async () => {
  app = await testApp()
  ask = await admin(app)
})
afterEach(() => app.stop())

const azahar = stableId('business-unit', 'azahar')
const rotta = stableId('business-unit', 'rotta')
const view = async (uuid = azahar) => (await ask.get(`units/${uuid}`)).body.data
const facts = { ...brisa, country: 724, showSecondLastName: '1', earliestBirthDate: null, quoteHours: null, twoFactorRequired: false }
const sold = async (email: string): Promise<{ code: string; productBuCommission: number; paymentGateways: { name: string }[] }[]> => {
  const { headers } = await signIn(app, email)
  const { data } = (await app.ask('/api/products', { body: {}, headers })).body
  return data
}

describe('the list of units', () => {
  test('filters by part of a name and by suspension', async () => {
    const names = async (body: object) => (await ask.post('units/list', body)).body.data.units.map((unit: { key: string }) => unit.key)
    expect(await names({})).toEqual(['rotta', 'azahar'])
    expect(await names({ searchData: 'AZAH' })).toEqual(['azahar'])
    expect(await names({ searchData: '%' })).toEqual([])
    expect(await names({ state: 'suspended' })).toEqual([])
    const { data } = (await ask.post('units/list', { perPage: 1, page: 2 })).body
    expect(data).toMatchObject({ total: 2, totalPages: 2, page: 2, perPage: 1, units: [{ key: 'azahar', products: 8, users: 7 }] })
  })
})

describe('a new unit', () => {
  test('has a logo of its own, and its user can sell', async () => {
    const made = await ask.post('units', { key: 'brisa', ...facts })
    expect(made.status).toBe(200)
    expect(made.body.data).toMatchObject({ key: 'brisa', suspended: false, users: 0, facts, gateways: [] })
    expect(made.body.data.logo).toMatch(/^data:image\/svg\+xml;base64,/)
    const { uuid, version, products } = made.body.data
    const [ess] = products
    await ask.put(`units/${uuid}/offer`, {
      version,
      products: [{ uuid: ess.uuid, enabled: true, commissionPercent: 31 }],
      gateways: ['Deferred'],
    })
    const giulia = await userId('agent@rotta.example')
    await ask.put(`users/${giulia}`, {
      version: (await ask.get(`users/${giulia}`)).body.data.version,
      name: 'Giulia Parodi',
      active: true,
      administrator: false,
      businessUnits: [{ uuid, roles: ['seller'], active: true }],
    })
    expect(await sold('agent@rotta.example')).toMatchObject([
      { code: ess.code, productBuCommission: 31, paymentGateways: [{ name: 'Deferred' }] },
    ])
    const { headers } = await signIn(app, 'agent@rotta.example')
    const { data } = (await app.ask('/api/business-unit/settings', { headers })).body
    expect(data).toMatchObject({ brandName: 'Brisa', configuration: { timeZone: 'Atlantic/Canary', locale: 'es-ES' } })
    expect(await auditOf(app, 'unit_created')).toMatchObject([{ object: uuid, business_unit_id: uuid, details: { key: 'brisa' } }])
  })

  test('needs an unused key and valid fields', async () => {
    expect((await ask.post('units', { key: 'azahar', ...facts })).body.fields).toMatchObject([{ path: 'key', rule: 'unique' }])
    const wrong = { ...facts, key: 'No', taxId: 'X', accent: 'red', country: 998, address: { ...facts.address, zipCode: '99999' } }
    const reply = await ask.post('units', wrong)
    expect(reply.status).toBe(422)
    expect(reply.body.fields.map(({ path }: { path: string }) => path)).toEqual(['key', 'taxId', 'accent', 'address.zipCode', 'country'])
    expect((await ask.post('units', { key: 'brisa', ...facts, suspended: false })).status).toBe(422)
    expect(await auditOf(app, 'unit_created')).toEqual([])
  })
})

const userId = async (email: string) =>
  (await app.world.database.kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

describe('changing a unit', () => {
  test('is audited, and an outdated change returns 409', async () => {
    const { facts: before, version } = await view()
    const changed = { ...before, brandName: 'Azahar Viajes', accent: '#123456' }
    const reply = await ask.put(`units/${azahar}`, { version, ...changed })
    expect(reply.body.data.facts).toEqual(changed)
    expect(await auditOf(app, 'unit_changed')).toMatchObject([
      { details: { brandName: { before: 'Viajes Azahar', after: 'Azahar Viajes' }, accent: { before: '#b4532a', after: '#123456' } } },
    ])
    const late = await ask.put(`units/${azahar}`, { version, ...before, brandName: 'Something else' })
    expect([late.status, late.body.error]).toEqual([409, 'administration.changed_meanwhile'])
    expect((await view()).facts.brandName).toBe('Azahar Viajes')
  })

  test('adds to the agency’s history and outdates the manager’s own change', async () => {
    const manager = await signIn(app, 'manager@azahar.example')
    const agency = async () => (await app.ask('/api/agency', { headers: manager.headers })).body.data
    const [stale, { facts: before, version }] = [await agency(), await view()]
    const contactInfo = { email: 'new@azahar.example', phone: ' +34 960 000 999 ' }
    const billingInfo = { ...before.billingInfo, iban: 'es91 2100 0418 4502 0005 1332' }
    expect((await ask.put(`units/${azahar}`, { version, ...before, contactInfo, billingInfo })).status).toBe(200)
    expect((await agency()).contactInfo.phone).toBe('+34 960 000 999')
    const { changes } = (await app.ask('/api/agency/changes', { headers: manager.headers })).body.data
    expect(changes[0]).toMatchObject({ who: 'Portolan Admin', fields: [{ field: 'contactInfo.email' }, { field: 'contactInfo.phone' }] })
    const late = await app.ask('/api/agency', {
      method: 'PUT',
      headers: manager.headers,
      body: { version: stale.version, contactInfo: { ...stale.contactInfo, email: 'other@azahar.example' } },
    })
    expect([late.status, late.body.error]).toEqual([409, 'agency.changed'])
  })

  test('returns 409 to the second of two concurrent saves', async () => {
    const { facts: before, version } = await view()
    const change = (brandName: string) => ask.put(`units/${azahar}`, { version, ...before, brandName })
    const replies = await Promise.all([change('One'), change('Other')])
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('creates no version if nothing differs', async () => {
    const { facts: before, version } = await view()
    const entries = (await auditOf(app, 'unit_changed')).length
    expect((await ask.put(`units/${azahar}`, { version, ...before })).body.data.version).toBe(version)
    expect(await auditOf(app, 'unit_changed')).toHaveLength(entries)
  })

  test('may set the currency only while there is no policy', async () => {
    const { facts: before, version } = await view(rotta)
    expect((await ask.put(`units/${rotta}`, { version, ...before, currency: 'CHF' })).status).toBe(200)
    const { headers } = await signIn(app, 'agent@azahar.example')
    const budget = {
      productUUID: stableId('product', 'ESS'),
      saveBudget: true,
      users: [{ name: 'Ana', identificationTypeId: 3 }],
      startDate: '2099-01-01',
      endDate: '2099-01-05',
      paxNumber: 1,
      paymentGatewayUUID: stableId('gateway', 'azahar', 'Deferred'),
      countryOriginId: 724,
      countriesDestinationId: '380',
      insuranceType: 1,
      roleFirstUser: 1,
    }
    const today = await app.ask('/api/policy/register', { body: { ...budget, ...soon() }, headers })
    expect(today.body).toMatchObject({ code: 200 })
    const own = await view()
    const reply = await ask.put(`units/${azahar}`, { version: own.version, ...own.facts, currency: 'CHF' })
    expect([reply.status, reply.body.fields?.[0]?.rule]).toEqual([422, 'fixed'])
  })

  test('returns 404 for an unknown unit', async () => {
    const { facts: before, version } = await view()
    const unknown = stableId('business-unit', 'unknown')
    expect((await ask.get(`units/${unknown}`)).status).toBe(404)
    expect((await ask.put(`units/${unknown}`, { version, ...before })).status).toBe(404)
    expect((await ask.put(`units/${unknown}/offer`, { version, products: [], gateways: [] })).status).toBe(404)
    expect((await ask.post(`units/${unknown}/suspend`, { reason: 'not there' })).status).toBe(404)
  })
})

const soon = () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  return { startDate: day(10), endDate: day(14) }
}

describe('the products of a unit', () => {
  test('sell with the new commissions and gateways from the next call on', async () => {
    const { products, version } = await view()
    const [ess, ...others] = products
    const reply = await ask.put(`units/${azahar}/offer`, {
      version,
      products: [
        { uuid: ess.uuid, enabled: true, commissionPercent: 12 },
        { uuid: others[0].uuid, enabled: false, commissionPercent: 0 },
      ],
      gateways: ['StripeV2'],
    })
    expect(reply.status).toBe(200)
    const shown = await sold('agent@azahar.example')
    expect(shown).toHaveLength(7)
    expect(shown[0]).toMatchObject({ code: ess.code, productBuCommission: 12, paymentGateways: [{ name: 'StripeV2' }] })
    expect(await auditOf(app, 'offer_changed')).toMatchObject([
      { details: { [ess.code]: { before: ess.commissionPercent, after: 12 }, Deferred: { before: true, after: false } } },
    ])
    expect(await sold('agent@rotta.example')).toHaveLength(8)
  })

  test('refuse commissions outside 0 to 100 and unknown products', async () => {
    const { products, version } = await view()
    const offer = (uuid: string, commissionPercent: number) =>
      ask.put(`units/${azahar}/offer`, { version, products: [{ uuid, enabled: true, commissionPercent }], gateways: ['Deferred'] })
    for (const percent of [-1, 101, 1.5]) expect((await offer(products[0].uuid, percent)).status).toBe(422)
    expect((await offer(stableId('product', 'NONE'), 10)).body.fields).toMatchObject([{ path: 'products[0].uuid', rule: 'known' }])
  })

  test('keep the administration’s settings at the next load of the catalogue', async () => {
    const { products, version, facts: before } = await view()
    const [ess, ...others] = products
    const offered = await ask.put(`units/${azahar}/offer`, {
      version,
      products: [
        { uuid: ess.uuid, enabled: true, commissionPercent: 12 },
        { uuid: others[0].uuid, enabled: false, commissionPercent: 0 },
      ],
      gateways: ['Deferred'],
    })
    await ask.put(`units/${azahar}`, { version: offered.body.data.version, ...before, managementGroup: 'Another', sessionDays: 3 })
    const { catalogue } = openCatalogue(`${import.meta.dirname}/../../../catalogue`)
    if (!catalogue) throw new Error('no catalogue')
    const { changes } = await app.world.database.asService(tx => loadCatalogue(tx, catalogue, app.world.clock.now()))
    expect(changes).toEqual([])
    const after = await view()
    expect(after.facts).toMatchObject({ managementGroup: 'Another', sessionDays: 3 })
    expect(after.gateways).toEqual(['Deferred'])
    expect(after.products.slice(0, 2)).toMatchObject([{ enabled: true, commissionPercent: 12 }, { enabled: false }])
  })
})

describe('a suspended unit', () => {
  test('signs its users out, except at other units, until it resumes', async () => {
    const agent = await signIn(app, 'agent@azahar.example')
    const multi = await signIn(app, 'multi@portolan.example')
    const other = multi.user.businessUnits[1]
    const reply = await ask.post(`units/${azahar}/suspend`, { reason: 'unpaid invoices' })
    expect(reply.body.data).toEqual({ suspended: true, sessionsEnded: 1 })

    expect((await app.ask('/api/users/me', { headers: agent.headers })).status).toBe(401)
    expect((await begin(app, 'agent@azahar.example')).reply.body.error).toBe('session.bad_credentials')
    expect((await app.ask('/api/business-unit/settings', { headers: multi.headers })).body.error).toBe('session.unit_token')
    const there = await app.ask('/api/business-unit/settings', { headers: { ...multi.headers, 'x-bunit-token': other.token } })
    expect(there.body.data.brandName).toBe('Rotta Viaggi')
    expect((await begin(app, 'multi@portolan.example')).reply.status).toBe(200)

    expect(await auditOf(app, 'unit_suspended')).toMatchObject([
      { object: azahar, reason: 'unpaid invoices', details: { sessionsEnded: 1 } },
    ])
    expect((await ask.post(`units/${azahar}/suspend`, { reason: 'once more' })).body.error).toBe('administration.suspended_already')
    expect((await ask.post('units/list', { state: 'suspended' })).body.data.units).toMatchObject([{ key: 'azahar', suspended: true }])

    expect((await ask.post(`units/${azahar}/resume`, { reason: 'paid today' })).body.data).toEqual({ suspended: false })
    expect((await begin(app, 'agent@azahar.example')).reply.status).toBe(200)
    expect((await ask.post(`units/${azahar}/resume`, { reason: 'once more' })).body.error).toBe('administration.not_suspended')
  })

  test('sends no reset mail to users who cannot sign in', async () => {
    await ask.post(`units/${azahar}/suspend`, { reason: 'unpaid invoices' })
    await app.ask('/api/auth/password/forgot', { body: { email: 'agent@azahar.example' } })
    await app.world.outbox.drain()
    expect(await app.world.database.kysely.selectFrom('mails').select('id').execute()).toEqual([])
  })

  test('needs a reason for its suspension', async () => {
    for (const reason of [undefined, '', '    x   ']) expect((await ask.post(`units/${azahar}/suspend`, { reason })).status).toBe(422)
  })

  test('is never the last one of the administrator who suspends it', async () => {
    expect((await ask.post(`units/${rotta}/suspend`, { reason: 'unpaid invoices' })).status).toBe(200)
    const last = await ask.post(`units/${azahar}/suspend`, { reason: 'unpaid invoices' })
    expect([last.status, last.body.error]).toEqual([409, 'administration.own_access'])
    expect((await view()).suspended).toBe(false)
  })
})
