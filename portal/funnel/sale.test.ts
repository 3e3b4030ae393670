import { expect, test } from 'vitest'
import { agesProblems, agesShown } from './sale.ts'
import type { TripForm } from './store.ts'

const trip = (changes: Partial<TripForm>): TripForm => ({
  startDate: '01/12/2026',
  endDate: '08/12/2026',
  coverageScope: 724,
  mainDestination: [380],
  travelers: 3,
  priceTravel: 0,
  reservationDate: '',
  ages: '',
  birthDates: [],
  ...changes,
})

test.each([
  ['34 36', [], '34, 36'],
  ['', ['05/05/1990'], '36'],
  ['34, 36, 8', ['', '05/05/1990'], '34, 36, 8'],
  ['34, 99, 8', ['', '05/05/1990'], '34, 36, 8'],
  ['', ['', '', '05/05/2018'], '?, ?, 8'],
  ['34, 36, 8, 2', [], '34, 36, 8'],
  ['', ['05/05/1990', '', '', '05/05/2018'], '36'],
  ['thirty', ['05/05/1990'], 'thirty'],
  [undefined, [], ''],
])('the typed ages %j and the birth dates %j are shown as %j', (ages, dates, shown) => {
  const { ages: _, ...without } = trip({ birthDates: dates.map(date => ({ date })) })
  expect(agesShown(ages === undefined ? without : { ...without, ages })).toBe(shown)
})

test('birth dates give no age before the start date is known', () => {
  expect(agesShown(trip({ startDate: '1/', birthDates: [{ date: '05/05/1990' }] }))).toBe('')
})

test('a text that is not a list of ages is refused', () => {
  const problems = (changes: Partial<TripForm>) => agesProblems(trip(changes)).map(({ key, params }) => [key, params])
  expect(problems({ ages: '34, 36, 8' })).toEqual([])
  expect(problems({ ages: '34' })).toEqual([])
  expect(problems({ ages: 'x', travelers: 1 })).toEqual([['validation.ages', undefined]])
  expect(problems({ ages: '34, 36', travelers: 1 })).toEqual([])
  expect(problems({ ages: '34, 36', travelers: null })).toEqual([])
})
