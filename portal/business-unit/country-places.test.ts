import { expect, test } from 'vitest'
import { intlTag, locales } from '#common/kit/locales.ts'
import { search } from '#portal/kit/combobox/options.ts'
import { isCruise, placesOf } from './country-places.ts'

const codes = 'AL AR AU BR CA CN CU DE EG ES FR GB GR ID IE IN IT JP MA MX MY NP PE PT RO SM TH TW US ZA'.split(' ')

/** The codes of the countries that a text finds in a language, and `?` if it means none of them. */
function found(text: string, locale: string): string {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const options = codes.map(alpha2 => ({ value: alpha2, label: names.of(alpha2) ?? '', ...placesOf(alpha2) }))
  const { found, isMeant } = search(options, text)
  return [...found.map(({ value }) => value), ...(isMeant ? [] : ['?'])].join(' ')
}

test.each([
  ['es', 'nueva york', 'US'],
  ['es', 'Bali', 'ID'],
  ['es', 'canarias', 'ES'],
  ['es', 'Tailandia', 'TH'],
  ['es', 'tai', 'TH TW'],
  ['es', 'inglaterra', 'GB'],
  ['it', 'uk', 'GB'],
  ['en', 'canary', 'ES'],
  ['fr', 'Sicile', 'IT'],
  ['it', 'londra', 'GB'],
  ['it', 'L’Avana', 'CU'],
  ['pt', 'sardenha', 'IT'],
  ['pt', 'magreb', 'MA ?'],
  ['fr', 'amérique du sud', 'AR BR PE ?'],
  ['es', 'centroamérica', '?'],
])('%s: %s finds %s', (locale, text, expected) => {
  expect(found(text, locale)).toBe(expected)
})

test.each(locales)('%s: a country is meant by its own name', locale => {
  const names = new Intl.DisplayNames([intlTag(locale)], { type: 'region' })
  for (const alpha2 of codes) expect(found(names.of(alpha2) ?? '', intlTag(locale)).split(' ')[0]).toBe(alpha2)
})

test('a cruise is no destination in any language', () => {
  for (const text of ['crucero', 'cruceros', 'cruise', 'croisiere', 'crociera', 'cruzeiro']) expect(isCruise(text)).toBe(true)
  for (const text of ['cru', 'cruz', 'croacia', 'croazia']) expect(isCruise(text)).toBe(false)
})
