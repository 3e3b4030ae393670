import { expect, test } from 'vitest'
import { faultTests } from './fault-tests.ts'
import { table } from './harness/table.ts'

test('every fault test has its own name and states an invariant', () => {
  expect(new Set(faultTests.map(({ id }) => id)).size).toBe(faultTests.length)
  for (const { title, invariant } of faultTests) expect([title.length > 5, invariant.length > 20]).toEqual([true, true])
})

test('a table has columns as wide as what stands in them, figures to the right', () => {
  expect(
    table(
      ['what', 'n'],
      [
        ['é', '7'],
        ['long', '12'],
      ],
    ).split('\n'),
  ).toEqual(['what   n', '────  ──', 'é      7', 'long  12'])
})
