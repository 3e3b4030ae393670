import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isIban } from './accounts.ts'

test.each([
  ['ES9121000418450200051332', true],
  ['ES91 2100 0418 4502 0005 1332', true],
  ['es91 2100 0418 4502 0005 1332', true],
  ['IT60X0542811101000000123456', true],
  ['GB82 WEST 1234 5698 7654 32', true],
  ['DE89370400440532013000', true],
  ['FR1420041010050500013M02606', true],
  ['PT50000201231234567890154', true],
  ['NO9386011117947', true],
  ['DE8937040044053201300', false],
  ['ES9121000418450200051333', false],
  ['ES91\n2100 0418 4502 0005 1332', false],
  ['ES91', false],
  ['', false],
])('IBAN %j: %s', (iban, good) => expect(isIban(iban)).toBe(good))

test('an IBAN of the wrong length for its country is invalid', () => {
  // Its check digits are right; only its length is wrong for Spain.
  expect(isIban('ES3321000418401234567')).toBe(false)
})

test('an IBAN with one wrong digit is invalid', () => {
  const digits = 'ES9121000418450200051332'
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 23 }), fc.integer({ min: 1, max: 9 }), (index, more) => {
      const wrong = digits.slice(0, index) + ((Number(digits[index]) + more) % 10) + digits.slice(index + 1)
      expect(isIban(wrong)).toBe(false)
    }),
  )
})
