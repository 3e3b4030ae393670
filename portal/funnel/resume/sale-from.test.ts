import { describe, expect, test } from 'vitest'
import type { Product } from '#portal/products/store.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { saleFrom } from './sale-from.ts'

const today = '2026-11-20'
const product = (uuid: string, settings: Partial<Product['settings']> = {}): Product =>
  // Safe: only these fields are read.
  ({
    uuid,
    settings: { defaultOriginRegion: { id: 724 }, lockOriginRegion: false, lockDestinationCountry: false, ...settings },
  }) as unknown as Product
const ana = { holder: true, traveller: true, name: 'Ana', middleName: 'García', birthDate: '1990-05-04', docNumber: '12345678Z' }
const leo = { holder: false, traveller: true, name: 'Leo', middleName: 'García', birthDate: null, docNumber: '' }
const trip = {
  countryOriginId: 724,
  countriesDestinationId: '392,410',
  paxNumber: 2,
  insurancedAmount: 640.5,
  reservationDate: '2026-11-01',
  ages: [null, 38],
}
const budget = (change: Record<string, unknown> = {}, row: Record<string, unknown> = {}): PolicyDetail =>
  // Safe: only these fields are read.
  ({
    policy: {
      policyUuid: 'p1',
      productUuid: 'basic',
      productName: 'Basic',
      policyTaker: 'Ana García',
      startDate: '2026-12-01',
      endDate: '2026-12-08',
      status: 'budgeted',
      buReference: 'EXP-7',
      ...row,
    },
    trip,
    roleFirstUser: 1,
    locale: 'fr-FR',
    users: [ana, leo],
    quotedTo: null,
    price: { total: 45.5, currency: 'EUR' },
    ...change,
  }) as unknown as PolicyDetail

const form = {
  startDate: '01/12/2026',
  endDate: '08/12/2026',
  coverageScope: 724,
  mainDestination: [392, 410],
  travelers: 2,
  priceTravel: 640.5,
  reservationDate: '01/11/2026',
  ages: '?, 38',
  birthDates: [{ date: '04/05/1990' }, { date: '' }],
}

describe('a resumed quote', () => {
  test('a resumed quote offers the newest address it was sent to, unless one is known', () => {
    const quotedTo = 'ana@example.com'
    const emailOf = (change: Record<string, unknown>, mode: 'resume' | 'copy' = 'resume') =>
      saleFrom(budget({ quotedTo, ...change }), mode, [product('basic')], today).people.email
    expect(emailOf({})).toBe('ana@example.com')
    expect(emailOf({ users: [{ ...ana, email: 'own@example.com' }, leo] })).toBe('own@example.com')
    expect(emailOf({}, 'copy')).toBe('')
    expect(emailOf({ quotedTo: null })).toBe('')
  })

  test('a resumed quote restores the trip, the people and the agreed price', () =>
    expect(saleFrom(budget(), 'resume', [product('basic')], today)).toMatchObject({
      productUuid: 'basic',
      trip: form,
      people: { name: 'Ana', birthDate: '04/05/1990', insuranceData: 'EXP-7', extraTravellers: [{ name: 'Leo', birthDate: '' }] },
      policyUuid: 'p1',
      clientLocale: 'fr-FR',
      channel: 'counter',
      asksToBegin: false,
      agreedTotal: 4550,
      takenUp: { mode: 'resume', taker: 'Ana García', productGone: undefined },
    }))

  test('a resumed quote restores the client’s place and language, a copy does not', () => {
    const remote = budget({ trip: { ...budget().trip, channel: 'distance', askedToBegin: true } })
    expect(saleFrom(remote, 'resume', [product('basic')], today)).toMatchObject({ channel: 'distance', asksToBegin: true })
    expect(saleFrom(remote, 'copy', [product('basic')], today)).toMatchObject({ channel: 'counter', asksToBegin: false })
  })

  test('a resumed quote restores passports and the country of residence', () => {
    const users = [
      { ...ana, documentKind: 'passport', residenceCountryId: 250 },
      { ...leo, documentKind: 'passport' },
    ]
    expect(saleFrom(budget({ users }), 'resume', [product('basic')], today).people).toMatchObject({
      documentKind: 'passport',
      residenceCountryId: 250,
      extraTravellers: [{ documentKind: 'passport' }],
    })
  })

  test('a resumed quote restores the policyholder’s document; a copy has none', () => {
    const uploadFile = { uuid: crypto.randomUUID(), name: 'Pasaporte.pdf', mediaType: 'application/pdf', size: 9 }
    const documentOf = (mode: 'resume' | 'copy') => saleFrom(budget({ uploadFile }), mode, [product('basic')], today).people.uploadFile
    expect([documentOf('resume'), documentOf('copy')]).toEqual([uploadFile, null])
  })

  test('a resumed quote keeps dates in the past, so that the notice can warn', () =>
    expect(saleFrom(budget({}, { startDate: '2026-01-01' }), 'resume', [product('basic')], today).trip.startDate).toBe('01/01/2026'))

  test('a quote of a product no longer sold takes the first product and its countries', () =>
    expect(
      saleFrom(
        budget(),
        'resume',
        [product('other', { lockDestinationCountry: true, defaultDestinationCountry: { id: 250, name: '' } })],
        today,
      ),
    ).toMatchObject({ productUuid: 'other', trip: { mainDestination: [250] }, takenUp: { productGone: 'Basic' } }))

  test('a resumed quote keeps the readable values of a trip in another format', () =>
    expect(saleFrom(budget({ trip: { countriesDestinationId: 'x', paxNumber: 'y' } }), 'resume', [], today).trip).toMatchObject({
      startDate: '01/12/2026',
      coverageScope: null,
      mainDestination: [],
      travelers: 1,
      priceTravel: null,
      ages: '',
    }))
})

describe('a copied policy', () => {
  test('a copied policy starts a separate sale without an agreed price', () =>
    expect(saleFrom(budget(), 'copy', [product('basic')], today)).toMatchObject({
      trip: form,
      policyUuid: undefined,
      clientLocale: undefined,
      agreedTotal: undefined,
    }))

  test('a copied policy has no dates if its trip is in the past', () =>
    expect(saleFrom(budget({}, { startDate: '2026-11-19' }), 'copy', [product('basic')], today).trip).toEqual({
      ...form,
      startDate: '',
      endDate: '',
      reservationDate: '',
      ages: '',
    }))
})
