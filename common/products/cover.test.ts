import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coverCodesOf, coverGroupOf, coverGroups, groupsCovered } from './cover.ts'

const catalogue = join(import.meta.dirname, '../../catalogue')

test('the group of a code is the part before its dot', () => {
  expect(coverGroupOf('medical.europe')).toBe('medical')
  expect(coverGroupOf('medicine.europe')).toBeUndefined()
  expect([coverGroupOf(''), coverGroupOf(null), coverGroupOf(undefined), coverGroupOf('constructor.x')]).toEqual(Array(4).fill(undefined))
})

test('a product covers the groups of its covers, but no group with only a restriction', () => {
  const coverages = [{ code: 'medical.europe' }, { code: 'medical.world' }, { code: 'cancellation.excess', restriction: true as const }]
  expect(groupsCovered(coverages)).toEqual(['medical'])
  expect(groupsCovered([{ code: 'medical.europe' }, {}])).toBeUndefined()
})

test('every code is used by a cover of the demo’s catalogue', () => {
  const used: string[] = readdirSync(join(catalogue, 'products')).flatMap(name =>
    JSON.parse(readFileSync(join(catalogue, 'products', name), 'utf8')).coverages.map(({ code }: { code: string }) => code),
  )
  expect(coverGroups.flatMap(coverCodesOf).toSorted()).toEqual([...new Set(used)].toSorted())
})

test('the catalogue’s README lists every code', () => {
  const rows = readFileSync(join(catalogue, 'README.md'), 'utf8').matchAll(/^\| `([a-z]+)` +\| (`.*`) +\|$/gm)
  const listed = [...rows].flatMap(([, group, names]) => (names ?? '').split(', ').map(name => `${group}.${name.replaceAll('`', '')}`))
  expect(listed).toEqual(coverGroups.flatMap(coverCodesOf))
})
