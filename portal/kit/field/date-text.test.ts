import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tidyDate, typedDate } from './date-text.ts'

/** Returns the field's text after these keys, each typed at the end. */
const typing = (keys: string): string => Array.from(keys).reduce((text, key) => typedDate(text, text + key), '')

test.each([
  ['05112026', '05/11/2026'],
  ['05/11/2026', '05/11/2026'],
  ['5/11/2026', '05/11/2026'],
  ['5/1/2026', '05/01/2026'],
  ['5.1.2026', '05/01/2026'],
  ['05-11-2026', '05/11/2026'],
  ['0511', '05/11/'],
  ['05', '05/'],
  ['0', '0'],
  ['//5', '5'],
  ['051120269', '05/11/2026'],
  ['31022026', '31/02/2026'],
])('typing %s at the end gives %s', (keys, text) => {
  expect(typing(keys)).toBe(text)
})

test.each([
  ['2026-11-05', '05/11/2026'],
  [' 05/11/2026 ', '05/11/2026'],
  ['05/11/2026', '05/11/2026'],
  ['05112026', '05/11/2026'],
  ['5.11.2026', '05/11/2026'],
])('pasting %s into an empty field gives %s', (text, date) => {
  expect(typedDate('', text)).toBe(date)
})

test('a deleted slash stays deleted, and digits in the middle can be corrected', () => {
  expect(typedDate('05/', '05')).toBe('05')
  expect(typedDate('05/11/2026', '0/11/2026')).toBe('0/11/2026')
  expect(typedDate('0/11/2026', '07/11/2026')).toBe('07/11/2026')
})

test('typed letters stay, so that a rule can refuse them', () => {
  expect(typing('ab')).toBe('ab')
})

test.each([
  ['5/1/2026', '05/01/2026'],
  ['2026-01-05', '05/01/2026'],
  [' 05012026 ', '05/01/2026'],
  ['5 1 2026', '05/01/2026'],
  ['31/02/2026', '31/02/2026'],
  ['31022026', '31022026'],
  ['5/1/26', '5/1/26'],
  ['mañana', 'mañana'],
  ['', ''],
])('leaving the field with %s gives %s', (text, date) => {
  expect(tidyDate(text)).toBe(date)
})

test('typing and leaving the field never changes the eight typed digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{8}$/), digits => {
      expect(tidyDate(typing(digits)).replaceAll('/', '')).toBe(digits)
    }),
  )
})
