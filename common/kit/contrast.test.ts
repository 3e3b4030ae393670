import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readColour, textOn, writeColour } from './contrast.ts'

const colours = fc.integer({ min: 0, max: 0xff_ff_ff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
const of = (text: string) => readColour(text) ?? [0, 0, 0]

test('contrast ranges from 1 for equal colours to 21 for black on white', () => {
  expect(contrast(of('#000000'), of('#ffffff'))).toBeCloseTo(21)
  expect(contrast(of('#b4532a'), of('#b4532a'))).toBe(1)
  // W3C's example of a grey that is just dark enough on white.
  expect(contrast(of('#767676'), of('#ffffff'))).toBeCloseTo(4.54, 2)
})

test('text on any colour has a contrast of at least 4.5', () => {
  fc.assert(fc.property(colours, background => contrast(of(background), of(textOn(background))) >= 4.5))
  expect(textOn('#f2e34b')).toBe('#000000')
  expect(textOn('#1f6f8b')).toBe('#ffffff')
})

test('readColour and writeColour are inverse, and invalid colours are refused', () => {
  fc.assert(fc.property(colours, colour => writeColour(of(colour)) === colour))
  for (const text of ['', 'red', '#12', '#1234567', 'url(x)']) expect(readColour(text)).toBeUndefined()
})
