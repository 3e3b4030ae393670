import { expect, test } from 'vitest'
import { counted, type Listed } from './use-policies.ts'

const listed: Listed = { total: 26, totalPages: 3, totalIsExact: false, page: 2, perPage: 25, policies: [], sums: null }
const totals = { matches: 12_345, policies: 12_000, total: 1, commission: null }

test('the count that follows a page completes its total and its pages', () => {
  expect(counted(listed, totals)).toEqual({ ...listed, total: 12_345, totalPages: 494, totalIsExact: true })
})

test.each([
  ['without a count', listed, undefined],
  ['that is exact', { ...listed, total: 12_346, totalIsExact: true }, totals],
])('a page %s stays as it is', (_, page, found) => {
  expect(counted(page, found)).toEqual(page)
})
