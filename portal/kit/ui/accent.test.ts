import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readColour } from '#common/kit/contrast.ts'
import { accentColours } from './accent.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
const rgb = (text: string) => readColour(text) ?? [0, 0, 0]
const light = ['#ffffff', '#f8f8f7', '#f3f3f2']
const dark = ['#121314', '#191a1c', '#212225', '#222427']

test('any colour has readable text on it, and is readable as text itself', () => {
  fc.assert(
    fc.property(hex, accent => {
      const { onAccent, inkLight, inkDark } = accentColours(accent)
      expect(contrast(rgb(accent), rgb(onAccent))).toBeGreaterThanOrEqual(4.5)
      for (const background of light) expect(contrast(rgb(inkLight), rgb(background))).toBeGreaterThanOrEqual(4.5)
      for (const background of dark) expect(contrast(rgb(inkDark), rgb(background))).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 500 },
  )
})

test('a colour that is already readable does not change', () => {
  expect(accentColours('#1f5f8b')).toMatchObject({ accent: '#1f5f8b', onAccent: '#ffffff', inkLight: '#1f5f8b' })
})

test('a light colour gets dark text', () => {
  expect(accentColours('#ffd400').onAccent).toBe('#141414')
})

test('text that is not a colour gives the portal’s own colour', () => {
  for (const text of ['', 'red', '#12', '#1234567', 'url(x)']) expect(accentColours(text).accent).toBe('#1f5f8b')
})
