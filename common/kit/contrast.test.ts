import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, textOn } from './contrast.ts'

test('black on white is as much as there is, a colour on itself nothing', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#b4532a', '#b4532a')).toBe(1)
  // W3C's own example of a grey that is just enough on white
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('whatever the colour, its text can be read', () => {
  const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(fc.property(colour, background => contrast(background, textOn(background)) >= 4.5))
  expect(textOn('#f2e34b')).toBe('#000000')
  expect(textOn('#1f6f8b')).toBe('#ffffff')
})
