import { expect, test } from 'vitest'
import { rateOf } from '#server/accounting/rates/rates.ts'

test.each([
  [3, 4, 0.75],
  [9347, 74_704, 0.1251],
  [1, 20_000, 0.0001],
  [1, 20_001, 0],
  [0, 7, 0],
  [7, 7, 1],
  [0, 0, null],
])('%d of %d is %s', (part, whole, rate) => {
  expect(rateOf(part, whole)).toBe(rate)
})
