import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeDate } from '#common/kit/typed/dates.ts'
import { typedDate } from './typed-date.ts'

/** Returns the field's text after typing these keys at the end. */
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
  ['1/12', '01/12/'],
  ['011226', '01/12/26'],
  ['+7', '+7'],
  ['-3', '-3'],
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

test('typing and leaving the field never changes eight typed digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{8}$/), digits => {
      expect(completeDate(typing(digits), { locale: 'es-ES' }).replaceAll('/', '')).toBe(digits)
    }),
  )
})
