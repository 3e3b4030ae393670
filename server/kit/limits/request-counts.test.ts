import { expect, test } from 'vitest'
import { RequestCounts } from './request-counts.ts'

const countsOf = (counts: RequestCounts, key: string, many: number) =>
  Array.from({ length: many }, () => {
    const results: { current: number; ttl: number }[] = []
    counts.incr(key, (_error, result) => void results.push(result), 60_000)
    return results
  }).flat()

test('concurrent requests keep their own counts', () => {
  expect(countsOf(new RequestCounts(() => 0), 'a', 3).map(({ current }) => current)).toEqual([1, 2, 3])
})

test('each network and route has its own window, which starts with its first request', () => {
  let now = 0
  const counts = new RequestCounts(() => now)
  const of = (key: string, from = counts) => countsOf(from, key, 1)[0]
  expect(of('a')).toEqual({ current: 1, ttl: 60_000 })
  now = 40_000
  expect([of('a'), of('b'), of('a', counts.child())]).toEqual([
    { current: 2, ttl: 20_000 },
    { current: 1, ttl: 60_000 },
    { current: 1, ttl: 60_000 },
  ])
  now = 60_000
  expect(of('a')).toEqual({ current: 1, ttl: 60_000 })
})

test('among very many networks, those that began first are forgotten', () => {
  const counts = new RequestCounts(() => 0)
  for (let network = 0; network < 5_001; network++) countsOf(counts, `n${network}`, 1)
  expect(['n5000', 'n1', 'n0'].map(key => countsOf(counts, key, 1)[0]?.current)).toEqual([2, 2, 1])
})
