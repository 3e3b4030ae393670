import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { missingInTrip, type TripDraft, tripProblems, type TripSettings } from './trip.ts'

const today = '2026-11-20'
const trip: TripDraft = {
  startDate: '2026-12-01',
  endDate: '2026-12-10',
  origin: 724,
  travellers: 2,
  destinations: [380],
  amountCents: 50_000,
  reservationDate: '2026-11-01',
}
const cancellation: TripSettings = { hasAmountCancellation: true }
const problemsOf = (changes: TripDraft, settings: TripSettings = {}) =>
  tripProblems({ ...trip, ...changes }, settings, today).map(({ path, rule, key }) => [path, rule, key])

describe('tripProblems', () => {
  it('tripProblems accepts a complete trip', { tags: 'S4.3' }, () => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({}, cancellation)).toEqual([])
  })

  it('tripProblems reports each missing field of a new sale once', { tags: 'S4.3' }, () => {
    expect(tripProblems({ travellers: 1 }, cancellation, today).map(({ path }) => path)).toEqual([
      'startDate',
      'endDate',
      'countryOriginId',
      'countriesDestinationId',
      'insurancedAmount',
      'reservationDate',
    ])
    expect(missingInTrip({ travellers: 1 }, {}).map(({ path }) => path)).toEqual([
      'startDate',
      'endDate',
      'countryOriginId',
      'countriesDestinationId',
    ])
  })

  it.each([
    [{ startDate: '2026-11-19' }, {}, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: '2026-11-22', endDate: '2026-12-10' }, { startDayOffset: 3 }, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: '2026-12-01' }, { maxStartDate: 10 }, ['startDate', 'startDateRange', 'validation.dateBetween']],
    [{ startDate: undefined, unreadable: ['startDate'] }, {}, ['startDate', 'parseDate', 'validation.invalidDate']],
    [{ endDate: '2026-11-30' }, {}, ['endDate', 'endDateMin', 'validation.endDateMin']],
    [{ endDate: '2027-11-21' }, {}, ['endDate', 'endDateMax', 'validation.dateUntil']],
    [{ endDate: '2026-12-10' }, { maxEndDate: 10 }, ['endDate', 'endDateMax', 'validation.dateUntil']],
    [{ travellers: 0 }, {}, ['paxNumber', 'required', 'validation.travelers']],
    [{ amountCents: 0 }, cancellation, ['insurancedAmount', 'greaterThan', 'validation.priceTravel']],
    [
      { amountCents: undefined, unreadable: ['amountCents'] },
      cancellation,
      ['insurancedAmount', 'invalidNumber', 'validation.invalidAmount'],
    ],
    [{ reservationDate: '2026-11-21' }, cancellation, ['reservationDate', 'reservationDate', 'validation.dateUntil']],
  ] as const)('reports the problem of %j with settings %j', { tags: ['S4.3', 'S5.4', 'S5.5'] }, (changes, settings, problem) =>
    expect(problemsOf(changes, settings)).toEqual([problem]),
  )

  it('an end before a start that is out of range proposes no date', () => {
    const [start, end, ...others] = tripProblems({ ...trip, startDate: '2028-01-01' }, {}, today)
    expect([start?.path, end, others]).toEqual(['startDate', { path: 'endDate', rule: 'endDateMin', key: 'validation.endDateMin' }, []])
  })

  it('price and booking date are checked only for cancellation cover', { tags: 'S3.5' }, () =>
    expect(problemsOf({ amountCents: -1, reservationDate: undefined, unreadable: ['reservationDate'] })).toEqual([]),
  )

  it('a trip may start and end today', () => expect(problemsOf({ startDate: today, endDate: today })).toEqual([]))

  it('dates exactly at all limits are accepted', () =>
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
})
