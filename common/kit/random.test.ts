import { expect, test } from 'vitest'
import { openRandom } from './random.ts'

const drawn = (seed: number) => {
  const random = openRandom(seed)
  return Array.from({ length: 50 }, () => [
    random.fraction(),
    random.below(1000),
    random.oneOf(['a', 'b', 'c']),
    random.oneOfCommon(['a', 'b', 'c']),
    random.shuffled([1, 2, 3, 4]),
    random.id(1_700_000_000_000),
  ])
}

test('the same seed gives the same values, and another seed others', () => {
  expect(drawn(3)).toEqual(drawn(3))
  expect(drawn(3)).not.toEqual(drawn(4))
})

test('fractions lie between 0 and 1 and hardly repeat', () => {
  const random = openRandom(7)
  const fractions = Array.from({ length: 1000 }, () => random.fraction())
  expect(fractions.every(fraction => fraction >= 0 && fraction < 1)).toBe(true)
  expect(new Set(fractions).size).toBeGreaterThan(990)
})

test('a shuffled list keeps its values, and ids are unique UUIDs of their time', () => {
  const random = openRandom(5)
  for (let time = 0; time < 20; time++) expect(new Set(random.shuffled([1, 2, 3, 4]))).toEqual(new Set([1, 2, 3, 4]))
  const ids = Array.from({ length: 50 }, () => random.id(1_700_000_000_000))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
