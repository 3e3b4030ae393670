import { expect, it } from 'vitest'
import { composed, joinNames, searchable } from './text.ts'

it('composed joins letters with their combining marks', () => expect(composed('Jose\u0301')).toBe('José'))

it('composed leaves an attacker’s stacked marks unchanged', () => {
  const stacked = `a${'\u0316\u0301'.repeat(16)}`
  expect(composed(stacked)).toBe(stacked)
  expect(composed(stacked.slice(0, 31))).toBe(stacked.slice(0, 31).normalize('NFC'))
})

it.each([
  ['Müßig  Ø', 'mussig o'],
  ['GARCÍA\u00a0Ñandú ', 'garcia nandu'],
  ['Łódź Œuvre', 'lodz oeuvre'],
  ['A\u200bn\u00ada\u2060 \u202eGil\u3164\ufeff', 'ana gil'],
  ['\u200b \u200d', ''],
  ['', ''],
])('searchable turns %j into %j', (text, expected) => expect(searchable(text)).toBe(expected))

it('joined names omit the dash that stands for a missing second surname', () => {
  expect(joinNames('Ana', 'García', '-')).toBe('Ana García')
  expect(joinNames('Ana', undefined, ' – ', null, 'Gil-Robles')).toBe('Ana Gil-Robles')
})
