import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths } from '#common/kit/dates.ts'
import { basisPointsOf, partOf, readPercent, type Share, sharedOut, shareIn, shareProblems } from './shares.ts'

const monthAt = (index: number): string => addMonths('2026-01-01', index).slice(0, 7)

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
/** The second half of these values often gives half a cent. */
const points = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(2500, 5000, 7500))
const months = fc.array(cents, { minLength: 1, maxLength: 36 }).map(all => all.map((earned, index) => ({ month: monthAt(index), earned })))
const history: fc.Arbitrary<Share[]> = fc.uniqueArray(
  fc.record({ from: fc.integer({ min: 0, max: 35 }).map(monthAt), basisPoints: fc.option(points) }),
  { selector: ({ from }) => from },
)

test('a seller’s months add up to the cent to any period that they make up', () => {
  fc.assert(
    fc.property(months, history, fc.nat(36), (all, shares, at) => {
      const centsOf = (some: typeof all) => sharedOut(some, shares)?.cents ?? 0
      expect(centsOf(all.slice(0, at)) + centsOf(all.slice(at))).toBe(centsOf(all))
      expect(all.reduce((sum, month) => sum + centsOf([month]), 0)).toBe(centsOf(all))
    }),
  )
})

test('a month is its exact part within half a cent, and negative amounts round alike', () => {
  fc.assert(
    fc.property(cents, points, (earned, basisPoints) => {
      const part = partOf(earned, basisPoints)
      // Compares integers: a quotient may turn half a cent into more than half.
      expect(Math.abs(part * 10_000 - earned * basisPoints)).toBeLessThanOrEqual(5000)
      expect(Math.abs(part)).toBeLessThanOrEqual(Math.abs(earned))
      expect(partOf(-earned, basisPoints) + part).toBe(0)
      expect([partOf(earned, 0), partOf(earned, 10_000)]).toEqual([0, earned])
    }),
  )
})

test('the order in which shares were read does not matter', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 35 }).map(monthAt), (shares, month) => {
      const latest = shares.filter(({ from }) => from <= month).toSorted((one, other) => one.from.localeCompare(other.from))
      expect(shareIn(shares, month)).toBe(latest.at(-1)?.basisPoints ?? null)
    }),
  )
})

test.each([
  // 30 % of 171.32, computed by hand.
  [17_132, 3000, 5140],
  [1, 5000, 1],
  [-1, 5000, -1],
  [3, 5000, 2],
  [-3, 5000, -2],
  [874, 3333, 291],
])('%d cents at %d basis points are %d', (earned, basisPoints, part) => {
  expect(partOf(earned, basisPoints)).toBe(part)
})

test('a period has a percentage if it is the same in all its months', () => {
  const shares = [
    { from: '2026-03', basisPoints: 2000 },
    { from: '2026-05', basisPoints: null },
  ]
  const out = (...all: string[]) =>
    sharedOut(
      all.map(month => ({ month, earned: 1000 })),
      shares,
    )
  expect(out('2026-02')).toBeUndefined()
  expect(out('2026-05', '2026-06')).toBeUndefined()
  expect(out()).toBeUndefined()
  expect(out('2026-03', '2026-04')).toEqual({ basisPoints: 2000, cents: 400 })
  expect(out('2026-02', '2026-03')).toEqual({ basisPoints: null, cents: 200 })
  expect(sharedOut([{ month: '2026-03', earned: 5 }], [{ from: '2026-03', basisPoints: 0 }])).toEqual({ basisPoints: 0, cents: 0 })
})

test.each([
  [0, 0],
  [100, 10_000],
  [33.33, 3333],
  [0.01, 1],
  [100.01, undefined],
  [-0.01, undefined],
  [12.345, undefined],
  ['30', undefined],
  [Number.NaN, undefined],
])('%s %% are %s basis points', (percent, points) => {
  expect(basisPointsOf(percent)).toBe(points)
  expect(shareProblems('commissionShare', percent)).toHaveLength(points === undefined ? 1 : 0)
})

test.each([
  ['', null],
  ['  ', null],
  ['32,5', 32.5],
  [' 32.50 ', 32.5],
  ['0', 0],
  ['100', 100],
  ['1.000', 1],
  ['30 %', Number.NaN],
  ['-1', Number.NaN],
  ['1e1', Number.NaN],
  ['1,2,3', Number.NaN],
])('%j is read as %s', (text, percent) => {
  expect(readPercent(text)).toBe(percent)
})

test('an empty share is valid', () => {
  expect(shareProblems('commissionShare', null)).toEqual([])
})
