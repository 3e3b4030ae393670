import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import { type Trip, type TripDraft, tripForm, tripProblems, tripSent } from './trip.ts'
import { sentOf, tripIn, tripInForm, tripKept } from './trip-codecs.ts'

const trip = {
  startDate: '2026-12-01',
  endDate: '2026-12-10',
  origin: 724,
  destinations: [380, 250],
  travellers: 2,
  amountCents: 50_050,
  reservationDate: '2026-11-01',
}
const sent = {
  startDate: '2026-12-01',
  endDate: '2026-12-10',
  countryOriginId: 724,
  countriesDestinationId: '380,250',
  paxNumber: 2,
  insurancedAmount: 500.5,
  reservationDate: '2026-11-01',
}
const typed = {
  startDate: '01/12/2026',
  endDate: '2026-12-10',
  coverageScope: 724,
  mainDestination: [380, 250],
  travelers: 2,
  priceTravel: 500.5,
  reservationDate: '01/11/2026',
}
/** Removes unknown values, and the list of unreadable ones. */
const known = (draft: TripDraft) =>
  Object.fromEntries(Object.entries(draft).filter(([name, value]) => value !== undefined && name !== 'unreadable'))

describe('a trip of a call', () => {
  it('a call’s trip is read completely', () => expect(known(tripIn(sent))).toEqual(trip))

  it('a call’s trip has each destination once', () =>
    expect(tripIn({ countriesDestinationId: '380,250,380' }).destinations).toEqual([380, 250]))

  it('a call’s trip has a birth date and an age for each traveller, null where unknown', () =>
    expect(known(tripIn({ birthDates: ['1990-05-05', null, '1990-02-30'], ages: [34, null] }))).toEqual({
      birthDates: ['1990-05-05', null, '1990-02-30'],
      ages: [34, null],
    }))

  it.each([
    [{ startDate: '2026-02-30' }, ['startDate']],
    [{ insurancedAmount: 0.001 }, ['amountCents']],
    [{ insurancedAmount: 1e308, reservationDate: 'x' }, ['reservationDate', 'amountCents']],
    [{ startDate: '', endDate: null, insurancedAmount: -0.001 }, []],
  ])('distinguishes an unreadable value from a missing one: %j', (change, unreadable) =>
    expect(tripIn(change)).toMatchObject({ startDate: undefined, amountCents: undefined, unreadable }),
  )

  it.each(['', '380,', 'IT', '3800', 380, null])('a call’s trip has no destinations in %j', countriesDestinationId =>
    expect(tripIn({ countriesDestinationId }).destinations).toBeUndefined(),
  )

  it('a call’s trip is sent as it was read', () => {
    const { paxNumber: _, ...stay } = sent
    expect(sentOf(tripKept(sent))).toEqual(stay)
    const plain: Trip = { startDate: '2026-12-01', endDate: '2026-12-10', origin: 724, destinations: [380] }
    expect(sentOf(plain)).toMatchObject({ insurancedAmount: null, reservationDate: null })
  })

  it('a call’s trip is stored completely, or not at all', () => {
    expect(tripKept(sent)).toEqual(trip)
    expect(() => tripKept({ ...sent, countriesDestinationId: '' })).toThrow('without its trip')
  })
})

describe('a trip of the form', () => {
  it('the form’s trip is read completely', () => expect(known(tripInForm(typed))).toEqual(trip))

  it.each([
    [724, 724],
    [[724], 724],
    [['724'], 724],
    [[{ id: '724' }, { id: 250 }], 724],
    [[], undefined],
    [null, undefined],
    [[''], undefined],
    [[{ id: null }], undefined],
    [[724, 'x'], undefined],
  ])('has the origin of %j: %s', (coverageScope, origin) => expect(tripInForm({ coverageScope }).origin).toBe(origin))

  it.each(['12a', 1.5, null])('the form’s trip has no number of travellers in %j', travelers =>
    expect(tripInForm({ travelers }).travellers).toBeUndefined(),
  )
})

it('any values are read, and reported as incomplete', () => {
  const isIncomplete = (draft: TripDraft) =>
    expect(tripProblems(draft, { hasAmountCancellation: true }, '2026-11-20').length).toBeGreaterThan(0)
  const anyOf = (names: string[]) => fc.oneof(anyValue, anyRecord(names)).map(value => Object(value))
  fc.assert(
    fc.property(anyOf(Object.values(tripSent)), anyOf(Object.values(tripForm)), (call, form) => {
      isIncomplete(tripIn(call))
      isIncomplete(tripInForm(form))
    }),
    { numRuns: 1000 },
  )
})
