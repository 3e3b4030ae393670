import { describe, expect, test } from 'vitest'
import { calculationOf, equationsOf } from './calculation.ts'

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

describe('a month as sold − paid by card − commission = due', () => {
  const november = [
    { kind: 'sale', gross: 72_996, account: 16_848 },
    { kind: 'change', gross: -2555, account: 1708 },
    { kind: 'cancellation', gross: -5084, account: -5084 },
  ]
  const nothing = { account: 0, commission: 0 }
  const closed = { before: nothing, moved, duty: 0, netting: 0, after: moved, netted: true }
  const inShort = (month: Parameters<typeof equationsOf>[0]) =>
    equationsOf(month, november).map(({ terms, due }) => [...terms.map(({ name, cents }) => [name, cents]), due])

  test('the worked November: the insurer pays 36.60', () => {
    expect(equationsOf(closed, november)).toEqual([
      {
        terms: [
          {
            name: 'sold',
            cents: 65_357,
            parts: [
              { name: 'sales', cents: 72_996 },
              { name: 'changes', cents: -2555 },
              { name: 'ends', cents: -5084 },
            ],
          },
          {
            name: 'card',
            cents: -51_885,
            parts: [
              { name: 'sales', cents: 56_148 },
              { name: 'returned', cents: -4263 },
            ],
          },
          { name: 'commission', cents: -17_132, parts: [] },
        ],
        due: -3660,
      },
    ])
  })

  test('without netting, the agency pays 134.72 and gets 171.32', () => {
    expect(inShort({ ...closed, netted: false })).toEqual([
      [['sold', 65_357], ['card', -51_885], 13_472],
      [['commission', 17_132], -17_132],
    ])
  })

  test('amounts carried over, withheld and paid have terms of their own, and all add up', () => {
    const after = { account: 16_472, commission: 16_789 }
    const month = { before, moved, duty: 343, netting: 2000, after, netted: true }
    expect(inShort(month)).toEqual([
      [['before', 8000], ['sold', 65_357], ['card', -51_885], ['commission', -17_132], ['stamp_duty', 343], ['paid', -5000], -317],
    ])
    expect(inShort({ ...month, netted: false })).toEqual([
      [['before', 10_000], ['sold', 65_357], ['card', -51_885], ['netted_before', -2000], ['paid', -5000], 16_472],
      [['before', 2000], ['commission', 17_132], ['stamp_duty', -343], ['netted_before', -2000], -16_789],
    ])
    for (const netted of [true, false])
      for (const { terms, due } of equationsOf({ ...month, netted }, november))
        expect(Math.abs(terms.reduce((sum, { cents }) => sum + cents, 0))).toBe(Math.abs(due))
  })
})
