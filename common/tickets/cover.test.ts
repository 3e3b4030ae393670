import { expect, test } from 'vitest'
import { type Insured, outsideCover } from './cover.ts'

const insured: Insured = { groups: ['medical', 'luggage'], soldOn: '2026-10-01', startDate: '2026-11-10', endDate: '2026-11-20' }
const dates = { path: 'incidentDate', rule: 'cover', key: 'tickets.outside_dates' }

test.each([
  ['2026-11-10', true],
  ['2026-11-20', true],
  ['2026-11-09', false],
  ['2026-11-21', false],
])('an incident on %s is within the trip: %s', (incidentDate, isWithin) => {
  const period = { ...dates, params: { from: '10/11/2026', to: '20/11/2026' } }
  expect(outsideCover({}, incidentDate, insured)).toEqual(isWithin ? [] : [period])
})

test.each([
  ['2026-10-01', true],
  ['2026-09-30', false],
  ['2026-11-21', false],
])('a cause to cancel on %s is covered, from the sale on: %s', (incidentDate, isWithin) => {
  const period = { ...dates, params: { from: '01/10/2026', to: '20/11/2026' } }
  expect(outsideCover({ beforeTrip: true }, incidentDate, insured)).toEqual(isWithin ? [] : [period])
})

test('a claim of a kind that the policy does not cover is outside the cover', () => {
  expect(outsideCover({ covers: ['cancellation'] }, '2026-11-10', insured)).toEqual([
    { path: 'typeUuid', rule: 'cover', key: 'tickets.outside_kind' },
  ])
  expect(outsideCover({ covers: ['delay', 'luggage'] }, '2026-11-10', insured)).toEqual([])
})

test('a claim’s kind is accepted if covers have no codes', () => {
  expect(outsideCover({ covers: ['cancellation'] }, '2026-11-10', { ...insured, groups: undefined })).toEqual([])
})
