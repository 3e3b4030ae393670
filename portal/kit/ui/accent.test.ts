import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readColour } from '#common/kit/contrast.ts'
import { accentColours } from './accent.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
const of = (text: string) => readColour(text) ?? [0, 0, 0]
const light = ['#ffffff', '#f8f8f7', '#f3f3f2']
const dark = ['#121314', '#191a1c', '#212225', '#222427']

test('whatever the colour, what is written on it and with it can be read', () => {
  fc.assert(
    fc.property(hex, accent => {
      const { onAccent, inkLight, inkDark } = accentColours(accent)
      expect(contrast(of(accent), of(onAccent))).toBeGreaterThanOrEqual(4.5)
      for (const paper of light) expect(contrast(of(inkLight), of(paper))).toBeGreaterThanOrEqual(4.5)
      for (const paper of dark) expect(contrast(of(inkDark), of(paper))).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 500 },
  )
})

test('a colour that can be read already stays what it is', () => {
  expect(accentColours('#1f5f8b')).toMatchObject({ accent: '#1f5f8b', onAccent: '#ffffff', inkLight: '#1f5f8b' })
})

test('a light colour gets dark text', () => {
  expect(accentColours('#ffd400').onAccent).toBe('#141414')
})

test('what is no colour gives the portal’s own', () => {
  for (const text of ['', 'red', '#12', '#1234567', 'url(x)']) expect(accentColours(text).accent).toBe('#1f5f8b')
})
