import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAges } from './travellers.ts'
import { showAges, writeAges } from './written-ages.ts'

it.each([
  ['34, 36, 8', [34, 36, 8]],
  ['34 36 8', [34, 36, 8]],
  ['34;36+8', [34, 36, 8]],
  ['34.36.8', [34, 36, 8]],
  [' 34,, 36 ,', [34, 36]],
  ['0', [0]],
  ['34, ?, 8', [34, null, 8]],
  ['', []],
  ['3x16, 40', [16, 16, 16, 40]],
  ['2 × 34 8', [34, 34, 8]],
])('%s is a list of ages', (text, ages) => expect(readAges(text)).toEqual(ages))

it.each(['34 años', '15/03/1985', '-4', '1985', '34?', '17x', 'x16', '2x3x4', '1000x5', '3x?'])('%s is not a list of ages', text =>
  expect(readAges(text)).toBeUndefined(),
)

it('unknown ages at the end are left out', () => {
  expect(writeAges([34, null, 8, null, undefined])).toBe('34, ?, 8')
  expect(writeAges([null, undefined])).toBe('')
})

it('five or more travellers of one age are written as a number and an age', () => {
  expect(writeAges([40, 8, 8, 8, 8])).toBe('40, 8, 8, 8, 8')
  expect(writeAges([40, 8, 8, 8, 8, 8, null, 40])).toBe('40, 5x8, ?, 40')
})

it('written ages are read back', () => {
  const ages = fc.array(fc.option(fc.constantFrom(0, 8, 34, 150)), { maxLength: 20 }).filter(list => list.at(-1) !== null)
  fc.assert(
    fc.property(ages, list => {
      expect(readAges(writeAges(list))).toEqual(list)
    }),
  )
})

it('unknown ages are shown as question marks, and groups with a times sign', () => {
  expect(showAges([44, 42, 12, 9], 5)).toBe('44, 42, 12, 9, ?')
  expect(showAges([44, 42, 12, 9, null], 5)).toBe('44, 42, 12, 9, ?')
  expect(showAges([40, ...Array<number>(12).fill(36)], 13)).toBe('40, 12\u00A0×\u00A036')
  expect(showAges([40], 9)).toBe('40, 8\u00A0×\u00A0?')
  expect(showAges([null], 3)).toBe('')
})
