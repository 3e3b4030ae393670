import { expect, it } from 'vitest'
import { composed, searchable } from './text.ts'

it('composes letters and their marks', () => expect(composed('Jose\u0301')).toBe('José'))

it('leaves alone what only an attacker stacks', () => {
  const stacked = `a${'\u0316\u0301'.repeat(16)}`
  expect(composed(stacked)).toBe(stacked)
  expect(composed(stacked.slice(0, 31))).toBe(stacked.slice(0, 31).normalize('NFC'))
})

it.each([
  ['Müßig  Ø', 'mussig o'],
  ['GARCÍA\u00a0Ñandú ', 'garcia nandu'],
  ['Łódź Œuvre', 'lodz oeuvre'],
  ['', ''],
])('finds %j as %j', (text, found) => expect(searchable(text)).toBe(found))
