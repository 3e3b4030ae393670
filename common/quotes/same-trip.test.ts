import { expect, test } from 'vitest'
import { isSameTrip, type ProductTrip } from './same-trip.ts'

const saved: ProductTrip = {
  productUUID: '0a',
  startDate: '2026-12-01',
  endDate: '2026-12-08',
  countryOriginId: 724,
  countriesDestinationId: '380,250',
  paxNumber: 2,
  insurancedAmount: 1200.5,
  reservationDate: '2026-11-19',
  birthDates: ['1990-05-05', null],
}

test.each<[string, Partial<ProductTrip>]>([
  ['unchanged', {}],
  ['with its destinations in another order', { countriesDestinationId: '250,380,250' }],
  ['with a birth date that was unknown', { birthDates: ['1990-05-05', '1988-01-01'] }],
  ['with its product in capitals', { productUUID: '0A' }],
])('a trip is the same %s', (_, change) => expect(isSameTrip(saved, { ...saved, ...change })).toBe(true))

test.each<[string, Partial<ProductTrip>]>([
  ['product', { productUUID: '0b' }],
  ['first day', { startDate: '2026-12-02' }],
  ['last day', { endDate: '2026-12-09' }],
  ['origin', { countryOriginId: 620 }],
  ['destination more', { countriesDestinationId: '380,250,392' }],
  ['destination less', { countriesDestinationId: '380' }],
  ['number of travellers', { paxNumber: 3, birthDates: ['1990-05-05', null, null] }],
  ['price', { insurancedAmount: 1200 }],
  ['day of booking', { reservationDate: '2026-11-20' }],
  ['known birth date', { birthDates: ['1990-05-06', null] }],
  ['known birth date left out', { birthDates: [null, null] }],
])('a trip with another %s is another trip', (_, change) => expect(isSameTrip(saved, { ...saved, ...change })).toBe(false))

test('a trip that was saved without cancellation is the same, whatever is sent of it', () => {
  const without = { ...saved, insurancedAmount: null, reservationDate: null }
  expect(isSameTrip(without, saved)).toBe(true)
})
