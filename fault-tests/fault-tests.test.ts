import { expect, test } from 'vitest'
import { faultTests } from './fault-tests.ts'
import { namesOf } from '#testing/only.ts'
import { table } from '#testing/table.ts'

test('every fault test has a unique name and an invariant', () => {
  expect(new Set(faultTests.map(({ id }) => id)).size).toBe(faultTests.length)
  for (const { title, invariant } of faultTests) expect([title.length > 5, invariant.length > 20]).toEqual([true, true])
})

test('a misspelt name after --only is refused instead of passing without a test', () => {
  expect(namesOf(undefined, ['kill-service'])).toBeUndefined()
  expect(namesOf('kill-service', ['kill-service', 'tls'])).toEqual(['kill-service'])
  expect(() => namesOf('tls,kil-service', ['kill-service', 'tls'])).toThrow('kil-service. There are: kill-service, tls')
})

test('table columns are as wide as their content, with figures aligned right', () => {
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
