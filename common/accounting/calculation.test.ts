import { expect, test } from 'vitest'
import { calculationOf } from './calculation.ts'

const before = { account: 10_000, commission: 2000 }
const moved = { account: 13_472, commission: 17_132 }

test('with netting, account and commission make one amount due', () => {
  const steps = calculationOf({ before, moved, duty: 343, netting: 2000, after: { account: 16_472, commission: 16_789 }, netted: true })
  expect(steps.map(({ name, account, commission }) => [name, account, commission])).toEqual([
    ['before', 10_000, 2000],
    ['deeds', 13_472, 17_132],
    ['stamp_duty', 0, -343],
    ['netted_before', -2000, -2000],
    ['paid', -5000, 0],
    ['balance', 16_472, 16_789],
    ['netted', -16_789, -16_789],
    ['due', -317, 0],
  ])
})

test('without netting or commission, the balance is the amount due', () => {
  const after = { account: 18_472, commission: 19_132 }
  const steps = calculationOf({ before, moved, duty: 0, netting: 0, after, netted: false })
  expect(steps.map(({ name }) => name)).toEqual(['before', 'deeds', 'paid', 'due'])
  expect(steps.at(-1)).toEqual({ name: 'due', ...after })
  const nothing = { account: 0, commission: 0 }
  const owed = calculationOf({ before: nothing, moved: nothing, duty: 0, netting: 0, after: nothing, netted: true })
  expect(owed.map(({ name }) => name)).toEqual(['before', 'deeds', 'due'])
})
