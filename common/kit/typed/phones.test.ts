import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { dialledAfter, splitPhone } from './phones.ts'

it.each([
  ['+34 600 111 222', '+34', '600111222'],
  ['0034600111222', '+34', '600111222'],
  ['0034 600-11.12/22', '+34', '600111222'],
  ['34600111222', '+34', '600111222'],
  ['600111222', '', '600111222'],
  [' 600 11 12 22 ', '', '600 11 12 22'],
  ['+33 6 12 34 56 78', '+33', '612345678'],
  ['+44 (0)20 7946 0958', '+44', '2079460958'],
  ['+1 (202) 555-0143', '+1', '2025550143'],
  ['+351912345678', '+351', '912345678'],
  ['+33 (0)6 12 34 56 78', '+33', '612345678'],
  ['+33 06 12 34 56 78', '+33', '612345678'],
  ['+39 06 1234567', '+39', '061234567'],
  ['+39 347 123 4567', '+39', '3471234567'],
  ['+7 912 345 67 89', '+7', '9123456789'],
  ['00', '', '00'],
  ['+34', '', '+34'],
  ['', '', ''],
  ['ext. 12', '', 'ext. 12'],
])('%s in Spain is %s and %s', (text, code, number) => expect(splitPhone(text, '+34')).toEqual({ code, number }))

it.each([
  ['34600111222', '', ''],
  ['34600111222', '+33', ''],
  ['33612345678', '+33', '+33'],
  ['335551234', '+33', ''],
  ['3912345678', '+39', ''],
])('%s, typed in the country of %s without a plus, has the code %s', (text, own, code) => expect(splitPhone(text, own).code).toBe(code))

it.each([
  ['+33', '06 12 34 56 78', '6 12 34 56 78'],
  ['0044', '020 7946 0958', '20 7946 0958'],
  ['+39', '06 1234567', '06 1234567'],
  ['', '0612345678', '0612345678'],
])('after the code %s the number %s is dialled as %s', (code, number, dialled) => expect(dialledAfter(code, number)).toBe(dialled))

it('a split phone is the same however it was written, and when split again', () => {
  const code = fc.constantFrom('+34', '+1', '+351', '+44', '+7')
  const number = fc.stringMatching(/^[1-9][0-9]{8}$/)
  const gaps = fc.constantFrom('', ' ', '-', '.')
  fc.assert(
    fc.property(code, number, gaps, (code, number, gap) => {
      const groups = number.match(/.{3}/g)?.join(gap) ?? ''
      expect(splitPhone(`${code}${gap}${groups}`)).toEqual({ code, number })
      expect(splitPhone(`00${code.slice(1)}${gap}${groups}`)).toEqual({ code, number })
      expect(splitPhone(number)).toEqual({ code: '', number })
    }),
  )
})
