import { expect, test } from 'vitest'
import { compareCovers, tellingApart } from './compare.ts'

const essential = {
  coverages: [
    { code: 'medical.europe', name: 'Medical expenses, Europe', value: '€60,000' },
    { code: 'repatriation.medical', name: 'Medical repatriation', value: 'unlimited' },
    { code: 'luggage.delay', name: 'Luggage delay over 12 hours', value: '€300' },
  ],
}
const total = {
  coverages: [
    { code: 'cancellation.trip', name: 'Cancellation, 32 insured reasons', value: 'sum insured' },
    { code: 'luggage.delay', name: 'Luggage delay over 8 hours', value: '€300' },
    { code: 'medical.europe', name: 'Medical expenses, Europe', value: '€100,000' },
    { code: 'repatriation.medical', name: 'Medical repatriation', value: 'unlimited' },
  ],
}
const uncoded = { coverages: [{ code: null, name: 'Medical', value: '€10,000' }] }

test('covers are compared by group, in the order of groups, not of products', () => {
  const rows = compareCovers([essential, total])
  expect(rows.map(({ group }) => group)).toEqual(['cancellation', 'medical', 'repatriation', 'luggage'])
  expect(rows[1]?.cells.map(({ covers }) => covers.map(({ value }) => value))).toEqual([['€60,000'], ['€100,000']])
})

test('a cover is equal only if each product has it in the same words', () => {
  const rows = compareCovers([essential, total])
  expect(rows.map(({ group, isDifferent }) => [group, isDifferent])).toEqual([
    ['cancellation', true],
    ['medical', true],
    ['repatriation', false],
    ['luggage', true],
  ])
})

test('a product without a group makes the row differ, but not the others’ covers', () => {
  const repatriation = compareCovers([essential, total, { coverages: [] }]).find(({ group }) => group === 'repatriation')
  expect(repatriation?.isDifferent).toBe(true)
  expect(repatriation?.cells.map(({ covers }) => covers.map(({ isDifferent }) => isDifferent))).toEqual([[false], [false], []])
})

test('covers of every product are not distinctive, unless a product has no others', () => {
  const visit = { code: 'repatriation.remains', name: 'Remains', value: 'unlimited' }
  const rows = compareCovers([essential, { coverages: [...total.coverages, visit] }])
  const namesIn = (group: string) =>
    rows.filter(row => row.group === group).flatMap(row => tellingApart(row).map(({ covers }) => covers.map(({ name }) => name)))
  expect(namesIn('repatriation')).toEqual([[], ['Remains']])
  expect(namesIn('cancellation')).toEqual([[], ['Cancellation, 32 insured reasons']])
})

test('a group that a product lacks is an empty cell; one that all lack has no row', () => {
  const [cancellation] = compareCovers([essential, total])
  expect(cancellation?.cells[0]).toEqual({ covers: [], isUnknown: false })
  expect(compareCovers([essential, total]).map(({ group }) => group)).not.toContain('sports')
})

test('covers without codes have their own row; their product’s groups are unknown', () => {
  const rows = compareCovers([essential, uncoded])
  expect(rows.at(-1)).toEqual({
    group: undefined,
    cells: [
      { covers: [], isUnknown: false },
      { covers: [{ name: 'Medical', value: '€10,000', isDifferent: false }], isUnknown: false },
    ],
    isDifferent: true,
  })
  expect(rows.slice(0, -1).map(({ cells }) => cells[1]?.isUnknown)).toEqual([true, true, true])
})

test('covers of an unknown group are in the row without a group', () => {
  const newer = { coverages: [{ code: 'space.walk', name: 'Space walk', value: '€1' }] }
  const cell = { covers: [{ name: 'Space walk', value: '€1', isDifferent: false }], isUnknown: false }
  expect(compareCovers([newer, newer])).toEqual([{ group: undefined, cells: [cell, cell], isDifferent: false }])
})
