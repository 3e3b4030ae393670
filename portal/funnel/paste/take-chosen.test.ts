import { expect, test } from 'vitest'
import { type PastedField, recognise } from '#common/quotes/paste/paste.ts'
import type { Product } from '#portal/products/store.ts'
import { sameRows } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { piecesOf } from './marked-text.tsx'
import { agesFit, agesWith, filledBy, fitting, isOffered } from './take-chosen.ts'

const found = { at: [0, 1] as const, isSure: true }
const pasted: PastedField[] = [
  { field: 'startDate', value: '2027-08-03', ...found },
  { field: 'endDate', value: '2027-08-17', ...found },
  { field: 'coverageScope', value: 724, ...found },
  { field: 'travelers', value: 2, ...found },
  { field: 'mainDestination', value: 380, ...found },
  { field: 'mainDestination', value: 250, ...found },
  { field: 'priceTravel', value: 640.5, ...found },
  { field: 'reservationDate', value: '2026-11-12', ...found },
  { field: 'age', value: 7, ...found },
]
const product = (settings: Partial<Product['settings']>): Product =>
  // Safe: these functions read only these settings.
  ({
    settings: { countries: [], hasAmountCancellation: true, lockOriginRegion: false, lockDestinationCountry: false, ...settings },
  }) as unknown as Product
const fieldsFor = (settings: Partial<Product['settings']>) => new Set(fitting(pasted, product(settings)).map(({ field }) => field))

test('pasted fields fill the form in the format of typed values', () => {
  expect(filledBy(pasted)).toEqual({
    startDate: '03/08/2027',
    endDate: '17/08/2027',
    coverageScope: 724,
    travelers: 2,
    mainDestination: [380, 250],
    priceTravel: 640.5,
    reservationDate: '12/11/2026',
  })
})

test('a pasted field that is left out keeps the value of the form', () => {
  expect(filledBy(pasted.filter(({ field }) => field === 'travelers'))).toEqual({ travelers: 2 })
})

test('a product fills only pasted fields that its form has unlocked', () => {
  expect(fieldsFor({})).toEqual(new Set(pasted.map(({ field }) => field).filter(field => field !== 'age')))
  expect(fieldsFor({ hasAmountCancellation: false }).has('priceTravel')).toBe(false)
  expect(fieldsFor({ hasAmountCancellation: false }).has('reservationDate')).toBe(false)
  expect(fieldsFor({ lockOriginRegion: true }).has('coverageScope')).toBe(false)
  expect(fieldsFor({ lockDestinationCountry: true }).has('mainDestination')).toBe(false)
})

test('a destination that the product does not offer cannot be filled in', () => {
  expect(pasted.filter(each => !isOffered(each, product({ countries: [380] }))).map(({ value }) => value)).toEqual([250])
  expect(pasted.every(each => isOffered(each, product({})))).toBe(true)
})

test('birth dates without a row in the other list are emptied', () => {
  expect(sameRows([{ date: '04/05/1990' }], [{ date: 'x' }, { date: 'y' }])).toEqual([{ date: '04/05/1990' }, { date: '' }])
  expect(sameRows([], [{ date: 'x' }])).toEqual([{ date: '' }])
})

test('ages of a text go to the last travellers whose birth dates are unknown', () => {
  const trip = (changes: Partial<TripForm>): TripForm =>
    // Safe: ages are placed by these fields alone.
    ({ startDate: '03/08/2027', travelers: 3, birthDates: [], ages: '', ...changes }) as unknown as TripForm
  const filled = (ages: number[], changes: Partial<TripForm> = {}) => agesWith(ages, trip(changes), '2026-11-30')
  expect(filled([7])).toEqual({ travelers: 3, ages: '?, ?, 7' })
  expect(filled([34, 36, 7])).toEqual({ travelers: 3, ages: '34, 36, 7' })
  expect(filled([7], { ages: '34, 36' })).toEqual({ travelers: 3, ages: '34, 36, 7' })
  expect(filled([34, 36, 8, 7])).toEqual({ travelers: 4, ages: '34, 36, 8, 7' })
  // The second traveller is 41 today and 42 on the first day, and the text repeats either.
  const known = [{ date: '' }, { date: '12/03/1985' }, { date: '' }]
  expect(filled([42, 7], { birthDates: known })).toEqual({ travelers: 3, ages: '?, ?, 7' })
  expect(filled([41, 7], { birthDates: known })).toEqual({ travelers: 3, ages: '?, ?, 7' })
  expect(filled([8, 7], { birthDates: known })).toEqual({ travelers: 3, ages: '8, ?, 7' })
  // Birth dates beyond the number of travellers belong to no traveller.
  expect(filled([34], { birthDates: known, travelers: 1 })).toEqual({ travelers: 1, ages: '34' })
})

test('ages are sure if the travellers have room for them, and none belongs to one named person', () => {
  const today = '2026-11-30'
  const fit = (travelers: number, text: string) =>
    agesFit(travelers, recognise(text, { today, locale: 'es-ES', countries: [], currency: 'EUR', earliestBirthDate: '1900-01-01' }), today)
  const couple = '1. Ana García López 12/03/1990\n2. Carlos Ruiz Sanz 10/03/1985'
  expect(fit(3, 'Pasajeros: 2 adultos y 1 niño (7 años)')).toBe(true)
  expect(fit(2, `Pasajeros: 2 adultos (36 y 41 años)\n${couple}`)).toBe(true)
  expect(fit(2, `Pasajeros: 2 adultos (30 y 31 años)\n${couple}`)).toBe(false)
  expect(fit(3, 'Pasajeros:\n1. Leo García López, edad 7\n2. Ana García López\n3. Carlos Ruiz Sanz')).toBe(false)
})

test('a text is cut wherever a fact begins or ends, and facts may overlap', () => {
  const facts = [
    { key: 'count', at: [2, 9] as const },
    { key: 'age', at: [5, 6] as const },
  ]
  expect(piecesOf('0123456789', facts)).toEqual([
    { at: [0, 2], keys: [] },
    { at: [2, 5], keys: ['count'] },
    { at: [5, 6], keys: ['count', 'age'] },
    { at: [6, 9], keys: ['count'] },
    { at: [9, 10], keys: [] },
  ])
  expect(piecesOf('', [])).toEqual([])
})
