import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { readNumber, writeNumber } from './number-text.ts'

test.each([
  ['1.234,56', 1234.56],
  ['1234,56', 1234.56],
  ['1234.56', 1234.56],
  ['1.234', 1234],
  ['12.5', 12.5],
  ['0.123', 0.123],
  ['1.234.567', 1_234_567],
  ['1 234,5 €', 1234.5],
  ['1\u202f234,50\u00a0€', 1234.5],
  ['-3', -3],
  ['−3', -3],
  [',5', 0.5],
  ['007', 7],
])('in Spanish, %s is read as %d', (text, number) => {
  expect(readNumber(text, 'es-ES')).toBe(number)
})

test.each([
  ['1,234.56', 1234.56],
  ['1,234', 1234],
  ['1.234', 1.234],
  ['12,5', 12.5],
  ['€1,234', 1234],
])('in English, %s is read as %d', (text, number) => {
  expect(readNumber(text, 'en-EN')).toBe(number)
})

test.each([
  '',
  'a',
  '12a',
  '1e5',
  '1.2.3',
  '1,23,456',
  '1.234,5,6',
  '--1',
  '.',
  ',',
  '-',
  '0x10',
  'Infinity',
  '9'.repeat(400),
  '1.23.456,7',
])('%s is not a number in any language', text => {
  for (const locale of locales) expect(readNumber(text, locale)).toBeUndefined()
})

test('a formatted number is read back as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e11, max: 1e11 }), fc.constantFrom(...locales), (cents, locale) => {
      expect(readNumber(writeNumber(cents / 100, locale, { least: 2, most: 2 }), locale)).toBe(cents / 100 + 0)
    }),
  )
})

test('any text is read as a finite number or as none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...locales), (text, locale) => {
      const number = readNumber(text, locale)
      expect(number === undefined || Number.isFinite(number)).toBe(true)
    }),
  )
})
