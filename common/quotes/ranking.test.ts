import { expect, test } from 'vitest'
import type { Standing } from './comparison.ts'
import { keyCover, keyGroups, ranked } from './ranking.ts'

const product = (uuid: string, ...codes: string[]) => ({ uuid, coverages: codes.map(code => ({ code })), settings: { minPax: 1 } })
// Safe: the ranking reads nothing else of a quote.
const priced = (total: number, amount: number) => ({ state: 'priced', quote: { total, commission: { amount } } }) as Standing
const asks: Standing = { state: 'asks', problems: [] }
const no: Standing = { state: 'refused', reasons: [] }

const products = [
  product('ESS', 'medical.world', 'luggage.loss'),
  product('TOT', 'medical.world', 'cancellation.trip', 'luggage.loss'),
  product('CAN', 'cancellation.trip'),
  product('ANN', 'medical.world', 'cancellation.trip', 'luggage.loss'),
  { ...product('GRP', 'medical.world'), settings: { minPax: 10 } },
]
const groups = ['medical', 'cancellation', 'luggage'] as const
const standings = new Map<string, Standing>([
  ['ESS', priced(20, 5)],
  ['TOT', asks],
  ['CAN', priced(60, 9)],
  ['ANN', priced(90, 7)],
  ['GRP', no],
])

test('the most suitable product has most of the covers, whatever it costs', () => {
  expect(ranked(products, standings, 'fit', groups)).toEqual(['TOT', 'ANN', 'ESS', 'CAN'])
  expect(ranked(products, new Map(standings).set('TOT', priced(500, 1)), 'fit', groups)).toEqual(['TOT', 'ANN', 'ESS', 'CAN'])
})

test('a product for more than this trip comes after those for this trip, whatever it covers', () => {
  const term = { startDate: '2026-12-01', endDate: '2027-11-30' }
  // Safe: the ranking reads nothing else of it.
  const annual = { ...priced(90, 7), term } as Standing
  expect(ranked(products, new Map(standings).set('ANN', annual), 'fit', groups)).toEqual(['TOT', 'ESS', 'CAN', 'ANN'])
})

test('a product for groups is the most suitable for a group’s trip', () => {
  expect(ranked(products, new Map(standings).set('GRP', priced(30, 6)), 'fit', groups)).toEqual(['GRP', 'TOT', 'ANN', 'ESS', 'CAN'])
})

test('products are ranked by price, or by commission; those without a price come last', () => {
  expect(ranked(products, standings, 'price', groups)).toEqual(['ESS', 'CAN', 'ANN', 'TOT'])
  expect(ranked(products, standings, 'commission', groups)).toEqual(['CAN', 'ANN', 'ESS', 'TOT'])
})

test('a refused or unknown product is not ranked', () => {
  expect(ranked(products, new Map(), 'fit', groups)).toEqual([])
  expect(ranked(products, new Map([['GRP', no]]), 'price', groups)).toEqual([])
})

const having = (...codes: string[]) => ({ coverages: codes.map(code => ({ code, value: `value of ${code}` })) })

test('medical, cancellation and luggage cover are shown if any product has them', () => {
  expect(keyGroups([having('luggage.loss'), having('cancellation.trip'), having('medical.world')])).toEqual([
    'medical',
    'cancellation',
    'luggage',
  ])
  expect(keyGroups([having('medical.world', 'luggage.loss', 'liability.private')])).toEqual(['medical', 'luggage', 'liability'])
  expect(keyGroups([having('medical.world', 'luggage.equipment', 'liability.private')])).toEqual(['medical', 'cancellation', 'liability'])
  expect(keyGroups([])).toEqual(['medical', 'cancellation', 'luggage'])
})

test('medical expenses are those of the trip’s zone', () => {
  const { coverages } = having('medical.home', 'medical.europe', 'medical.world')
  expect(keyCover('medical', coverages, 'Z1')?.value).toBe('value of medical.home')
  expect(keyCover('medical', coverages, 'Z2')?.value).toBe('value of medical.europe')
  expect(keyCover('medical', coverages, 'Z4')?.value).toBe('value of medical.world')
  expect(keyCover('medical', coverages, undefined)?.value).toBe('value of medical.world')
  expect(keyCover('medical', having('medical.spain-andorra').coverages, 'Z1')?.value).toBe('value of medical.spain-andorra')
})

test('a missing cover differs from one that is unknown', () => {
  expect(keyCover('cancellation', having('medical.world').coverages, 'Z3')).toBeNull()
  expect(keyCover('cancellation', [{ code: null, value: 'something' }], 'Z3')).toBeUndefined()
  expect(keyCover('cancellation', having('cancellation.excess').coverages, 'Z3')).toBeNull()
  // Equipment of a sport is no luggage.
  expect(keyCover('luggage', having('luggage.equipment', 'luggage.equipment-delay').coverages, 'Z2')).toBeNull()
})
