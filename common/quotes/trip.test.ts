import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import { missingInTrip, newTrip, type Trip, tripProblems, type TripSettings } from './trip.ts'

const today = '2026-11-20'
const trip: Trip = {
  startDate: '01/12/2026',
  endDate: '2026-12-10',
  coverageScope: ['724'],
  travelers: 2,
  mainDestination: [{ id: '380' }],
  priceTravel: 500,
  reservationDate: '01/11/2026',
}
const cancellation: TripSettings = { hasAmountCancellation: true }
const problemsOf = (changes: Partial<Trip>, settings: TripSettings = {}) =>
  tripProblems({ ...trip, ...changes }, settings, today).map(({ path, rule, key }) => [path, rule, key])

describe('tripProblems', () => {
  it('accepts a complete trip', { tags: 'S4.3' }, () => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({}, cancellation)).toEqual([])
  })

  it('reports each missing field of a new sale once', { tags: 'S4.3' }, () => {
    expect(tripProblems(newTrip, cancellation, today).map(({ path }) => path)).toEqual([
      'startDate',
      'endDate',
      'coverageScope',
      'mainDestination',
      'priceTravel',
      'reservationDate',
    ])
    expect(missingInTrip(newTrip, {}).map(({ path }) => path)).toEqual(['startDate', 'endDate', 'coverageScope', 'mainDestination'])
  })

  it.each([
    [{ startDate: '19/11/2026' }, {}, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: '2026-11-22', endDate: '2026-12-10' }, { startDayOffset: 3 }, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: '2026-12-01' }, { maxStartDate: 10 }, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: '31/11/2026' }, {}, ['startDate', 'parseDate', 'validation.invalidDate']],
    [{ endDate: '30/11/2026' }, {}, ['endDate', 'endDateMin', 'validation.endDateMin']],
    [{ endDate: '21/11/2027' }, {}, ['endDate', 'endDateMax', 'validation.dateUntil']],
    [{ endDate: '2026-12-10' }, { maxEndDate: 10 }, ['endDate', 'endDateMax', 'validation.dateUntil']],
    [{ travelers: 0 }, {}, ['travelers', 'required', 'validation.travelers']],
    [{ priceTravel: 0 }, cancellation, ['priceTravel', 'greaterThan', 'validation.priceTravel']],
    [{ priceTravel: 0.001 }, cancellation, ['priceTravel', 'invalidNumber', 'validation.invalidAmount']],
    [{ priceTravel: 1e308 }, cancellation, ['priceTravel', 'invalidNumber', 'validation.invalidAmount']],
    [{ reservationDate: '21/11/2026' }, cancellation, ['reservationDate', 'reservationDate', 'validation.dateUntil']],
  ] as const)('reports the problem of %j with settings %j', { tags: ['S4.3', 'S5.4', 'S5.5'] }, (changes, settings, problem) =>
    expect(problemsOf(changes, settings)).toEqual([problem]),
  )

  it('checks price and booking date only for cancellation cover', { tags: 'S3.5' }, () =>
    expect(problemsOf({ priceTravel: -1, reservationDate: 'x' })).toEqual([]),
  )

  it('accepts a trip that starts and ends today', () => expect(problemsOf({ startDate: today, endDate: today })).toEqual([]))

  it('accepts dates exactly within all bounds', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 400 }),
        fc.integer({ min: -5, max: 400 }),
        fc.nat(10),
        fc.nat(400),
        (from, to, startDayOffset, maxStartDate) => {
          const right = from >= startDayOffset && from <= maxStartDate && to >= from && to <= 365
          const dates = { startDate: addDays(today, from), endDate: addDays(today, to) }
          expect(problemsOf(dates, { startDayOffset, maxStartDate }).length === 0).toBe(right)
        },
      ),
    ))

  it('accepts any input', () =>
    fc.assert(
      fc.property(fc.oneof(anyValue, anyRecord(Object.keys(newTrip))), input => {
        // Safe: a wrong type is the test.
        expect(tripProblems(input as Trip, cancellation, today).length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    ))
})
