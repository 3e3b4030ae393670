import { expect, test } from 'vitest'
import { daysOf, monthsOf, periods } from './period.ts'

test.each([
  [
    '2026-11-25',
    [
      ['2026-11', '2026-11'],
      ['2026-10', '2026-10'],
      ['2026-09', '2026-11'],
      ['2026-01', '2026-11'],
      ['2025-12', '2026-11'],
    ],
  ],
  [
    '2027-01-31',
    [
      ['2027-01', '2027-01'],
      ['2026-12', '2026-12'],
      ['2026-11', '2027-01'],
      ['2027-01', '2027-01'],
      ['2026-02', '2027-01'],
    ],
  ],
])('the periods on %s are whole months', (today, expected) =>
  expect(periods.map(period => Object.values(monthsOf(period, today)))).toEqual(expected),
)

test('months begin on their first day and end on their last', () => {
  expect(daysOf({ from: '2027-12', to: '2028-02' })).toEqual({ from: '2027-12-01', to: '2028-02-29' })
})
