import { expect, test } from 'vitest'
import { isSameTrip } from './same-trip.ts'
import type { TripDraft } from './trip.ts'

const trip: TripDraft = {
  startDate: '2026-12-01',
  endDate: '2026-12-08',
  origin: 724,
  destinations: [380, 250],
  travellers: 2,
  amountCents: 120_050,
  reservationDate: '2026-11-19',
  birthDates: ['1990-05-05', null],
}
const isSame = (change: TripDraft, productUuid = '0a', saved = trip) =>
  isSameTrip({ productUuid: '0a', trip: saved }, { productUuid, trip: { ...trip, ...change } })

test.each<[string, TripDraft, string?]>([
  ['unchanged', {}],
  ['with its destinations in another order', { destinations: [250, 380] }],
  ['with a birth date that was unknown', { birthDates: ['1990-05-05', '1988-01-01'] }],
  ['with its product in capitals', {}, '0A'],
])('a trip is the same %s', (_, change, productUuid) => expect(isSame(change, productUuid)).toBe(true))

test.each<[string, TripDraft, string?]>([
  ['product', {}, '0b'],
  ['first day', { startDate: '2026-12-02' }],
  ['last day', { endDate: '2026-12-09' }],
  ['origin', { origin: 620 }],
  ['destination more', { destinations: [380, 250, 392] }],
  ['destination less', { destinations: [380] }],
  ['number of travellers', { travellers: 3, birthDates: ['1990-05-05', null, null] }],
  ['price', { amountCents: 120_000 }],
  ['day of booking', { reservationDate: '2026-11-20' }],
  ['known birth date', { birthDates: ['1990-05-06', null] }],
  ['known birth date left out', { birthDates: [null, null] }],
  ['list of birth dates left out', { birthDates: undefined }],
])('a trip with another %s is another trip', (_, change, productUuid) => expect(isSame(change, productUuid)).toBe(false))

test('a trip saved without cancellation stays the same whatever is sent about it', () =>
  expect(isSame({}, '0a', { ...trip, amountCents: undefined, reservationDate: undefined })).toBe(true))
