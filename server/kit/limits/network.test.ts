import { expect, test } from 'vitest'
import { networkOf, RequestCounts } from './network.ts'

test('all addresses of one home count as one network', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
  for (const written of ['203.0.113.9:1', '203.0.113.9:65535', '[::ffff:203.0.113.9]:80']) expect(networkOf(written)).toBe('203.0.113.9')
  const spellings = [
    '[2001:db8:0:1::2]:443',
    '[2001:db8:0:1::3]',
    '2001:db8:0:1::1',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8::1:0:0:0:9',
  ]
  expect(new Set(spellings.map(networkOf))).toEqual(new Set(['2001:db8:0:1']))
  for (const written of ['client-1', 'client-2:80', '203.0.113.999', '::1::2', '203.0.113.9, 10.0.0.1'])
    expect(networkOf(written)).toBe('unknown')
})

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
