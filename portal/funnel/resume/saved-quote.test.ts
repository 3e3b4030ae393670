import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import { followService } from '#portal/kit/time.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { isKept, keptPriceOf } from './saved-quote.ts'

const until = '2026-11-23T10:00:00.000Z'
const detail = (change: Record<string, unknown> = {}): PolicyDetail =>
  // Safe: only these fields are read.
  ({
    policy: { productUuid: 'basic' },
    trip: {
      productUUID: 'BASIC',
      startDate: '2026-12-01',
      endDate: '2026-12-08',
      countryOriginId: 724,
      countriesDestinationId: '392',
      paxNumber: 2,
      insurancedAmount: null,
      reservationDate: null,
    },
    users: [
      { traveller: false, birthDate: '1960-01-01' },
      { traveller: true, birthDate: '1990-05-04' },
      { traveller: true, birthDate: null },
    ],
    priceValidUntil: until,
    files: [{ uuid: 'offer' }],
    terms: { basis: { country: 724 }, files: ['ipid', 'wording'] },
    ...change,
  }) as unknown as PolicyDetail
const trip: TripDraft = {
  startDate: '2026-12-01',
  endDate: '2026-12-08',
  origin: 724,
  destinations: [392],
  travellers: 2,
  birthDates: ['1990-05-04', null],
}
const asked = { productUuid: 'basic', trip }
const kept = existing(keptPriceOf(detail()))

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') }))
afterEach(() => void vi.useRealTimers())

test('a quote with today’s terms keeps no other price', () => {
  expect(keptPriceOf(detail({ terms: null }))).toBeUndefined()
  expect(keptPriceOf(undefined)).toBeUndefined()
})

test('a kept price has its figures and its documents', () =>
  expect(kept).toMatchObject({ basis: { country: 724 }, shown: ['ipid', 'wording'], documents: [{ uuid: 'offer' }] }))

test.each<[string, TripDraft, boolean, string?]>([
  ['as it was saved', {}, true],
  ['with a birth date that was unknown', { birthDates: ['1990-05-04', '2000-02-01'] }, true],
  ['with another day', { endDate: '2026-12-09' }, false],
  ['with another age', { birthDates: ['1990-05-05', null] }, false],
  ['without the ages', { birthDates: [null, null] }, false],
  ['half typed', { startDate: undefined, destinations: undefined }, false],
  ['of another product', {}, false, 'other'],
])('a trip %s has the kept price: %s', (_, change, has, productUuid = 'basic') =>
  expect(isKept(kept, { productUuid, trip: { ...trip, ...change } })).toBe(has),
)

test('a kept price ends', () => {
  vi.setSystemTime(Date.parse(until))
  expect(isKept(kept, asked)).toBe(true)
  vi.setSystemTime(Date.parse(until) + 1)
  expect(isKept(kept, asked)).toBe(false)
})

test('a kept price ends by the service’s clock, whatever the browser’s says', () => {
  followService(Date.parse(until) + 1)
  expect(isKept(kept, asked)).toBe(false)
  followService(Date.now())
  expect(isKept(kept, asked)).toBe(true)
})
