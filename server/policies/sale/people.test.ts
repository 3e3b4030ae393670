import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { addDays, addYears, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, registerAs, type Seller, sellAs, sellerOf, tripOf } from '#server/policies/testing.ts'

// The people of a policy, from the call to the detail.

let app: TestApp
let seller: Seller
let elapsed = 0
beforeEach(async () => {
  app = await testApp({}, { elapsed: () => elapsed })
  seller = await sellerOf(app)
})
afterEach(() => app.stop())

const detailOf = async (policyUuid: string) =>
  (await app.ask('/api/policy/detail', { headers: seller.headers, body: { policyUuid } })).body.data
const refused = async (changes: Record<string, unknown>) => {
  const { status, body } = await registerAs(seller, changes)
  return [status, ...(body.fields ?? []).map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`)]
}

describe('a policyholder who lives abroad and has a passport', () => {
  const marie = {
    ...ana,
    ...reach,
    docNumber: 'ab1234567',
    documentKind: 'passport',
    residenceCountryId: 250,
    zipCode: '75001',
    phonePrefix: '',
    phoneNumber: '0612345678',
  }

  it('is insured, and found again with document and country', async () => {
    const sold = await sellAs(seller, { countryOriginId: 250, users: [marie, { ...leo, docNumber: '12AB34567' }] })
    expect(sold.status).toBe(200)
    const { users } = await detailOf(sold.body.data.policyData.policyUuid)
    expect(users).toMatchObject([
      { docNumber: 'AB1234567', documentKind: 'passport', residenceCountryId: 250 },
      { docNumber: '12AB34567', documentKind: 'national', residenceCountryId: null },
    ])
    const body = { search: 'ab1234567', by: 'document', as: 'policyholder' }
    expect((await app.ask('/api/people', { headers: seller.headers, body })).body.data.people).toMatchObject([
      { docNumber: 'AB1234567', documentKind: 'passport', residenceCountryId: 250, zipCode: '75001' },
    ])
  })

  it('is insured by a product for people of the country of origin only from there', async () => {
    const residence = [422, 'users[0].residenceCountryId residence']
    expect(await refused({ users: [marie, leo] })).toEqual(residence)
    expect(await refused({ users: [marie, leo], saveBudget: true })).toEqual(residence)
    expect(await refused({ users: [{ ...ana, ...reach, residenceCountryId: seller.country }, leo], countryOriginId: 250 })).toEqual(
      residence,
    )
    expect(await refused({ users: [{ ...marie, residenceCountryId: null, zipCode: '28001', phoneNumber: '612345678' }, leo] })).toEqual([
      200,
    ])
    const { uuid: productUUID } = seller.products.find(({ code }) => code === 'STU')
    const startDate = addDays(today(new Date(), 'Europe/Madrid'), 11)
    expect(await refused({ users: [marie], paxNumber: 1, productUUID, startDate, endDate: addDays(startDate, 40) })).toEqual([200])
  })

  it('is refused with a message in the language of the caller', async () => {
    const { body } = await registerAs(seller, { users: [marie, leo] }, { 'accept-language': 'en-EN' })
    expect(body.fields[0].message).toBe(
      'This product insures travellers who live in the country of origin: choose that country, or another product.',
    )
  })

  it('is refused with formats of the unit’s country, or an unknown country', async () => {
    expect(
      await refused({ users: [{ ...marie, zipCode: '00100', documentKind: 'national', docNumber: 'A-1' }, leo], countryOriginId: 250 }),
    ).toEqual([422, 'users[0].zipCode validCodPostal', 'users[0].docNumber validDocName'])
    expect((await refused({ users: [{ ...marie, residenceCountryId: 999 }, leo] }))[0]).toBe(422)
    expect((await refused({ users: [{ ...marie, documentKind: 'visa' }, leo] }))[0]).toBe(422)
  })
})

it('a traveller under 14 at the start of the trip needs no document', { tags: 'S5.14' }, async () => {
  const startDate = addDays(today(new Date(), 'Europe/Madrid'), 11)
  const bornOn = (birthDate: string) => ({
    users: [
      { ...ana, ...reach },
      { ...leo, birthDate, docNumber: null },
    ],
  })
  const { status, body } = await sellAs(seller, bornOn(addDays(addYears(startDate, -14), 1)))
  expect(status).toBe(200)
  expect((await detailOf(body.data.policyData.policyUuid)).users[1].docNumber).toBe('')
  expect(await refused(bornOn(addYears(startDate, -14)))).toEqual([422, 'users[1].docNumber requiredIfAgeOver14'])
})

describe('the unit’s earliest birth date', () => {
  const bornIn = (year: number) => ({ users: [{ ...ana, ...reach, birthDate: `${year}-06-15` }, leo] })
  const quoteFor = async (year: number) => {
    const { startDate, endDate, countryOriginId, countriesDestinationId, productUUID, insuranceType } = tripOf(seller)
    const trip = { startDate, endDate, countryOriginId, countriesDestinationId, productUUID, insuranceType }
    const body = { ...trip, paxNumber: 1, birthDates: [`${year}-06-15`] }
    const reply = await app.ask('/api/quotes', { headers: seller.headers, body })
    return [reply.status, reply.body.error, ...(reply.body.fields ?? []).map(({ path }: { path: string }) => path)]
  }

  it('is 1 January 1945 in quote and sale alike', { tags: ['S5.3', 'S9.3'] }, async () => {
    expect(await quoteFor(1944)).toEqual([422, 'validation.failed', 'birthDates[0]'])
    expect(await refused(bornIn(1944))).toEqual([422, 'users[0].birthDate birthDateRange'])
    expect((await quoteFor(1945))[0]).toBe(200)
    expect((await refused(bornIn(1945)))[0]).toBe(200)
  })

  it('can be set by the unit, for quote and sale alike', async () => {
    expect((await quoteFor(1949))[0]).toBe(200)
    const settings = sql`jsonb_set(settings, '{earliestBirthDate}', '"1950-01-01"')`
    await app.world.database.asService(tx =>
      sql`update business_units set settings = ${settings}, version = version + 1 where key = 'azahar'`.execute(tx),
    )
    const shown = await app.ask('/api/business-unit/settings', { headers: seller.headers })
    expect(shown.body.data.configuration.earliestBirthDate).toBe('1950-01-01')
    expect((await quoteFor(1949))[0]).toBe(200)
    elapsed += 1_000
    expect(await quoteFor(1949)).toEqual([422, 'validation.failed', 'birthDates[0]'])
    expect(await refused(bornIn(1949))).toEqual([422, 'users[0].birthDate birthDateRange'])
    expect((await refused(bornIn(1950)))[0]).toBe(200)
  })
})

it('the same person twice, or one document for two people, is refused at the field', async () => {
  const holder = { ...ana, ...reach }
  expect(await refused({ users: [holder, ana] })).toEqual([422, 'users[1].docNumber samePerson'])
  expect(await refused({ users: [holder, { ...leo, docNumber: ana.docNumber }], saveBudget: true })).toEqual([
    422,
    'users[1].docNumber sameDocument',
  ])
  const child = { ...leo, birthDate: '2020-01-01', docNumber: null }
  expect(await refused({ users: [holder, child, child], paxNumber: 3 })).toEqual([422, 'users[2].name samePerson'])
})
