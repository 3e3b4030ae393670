import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { allTextsOf } from './catalogue-texts.ts'

type Rule = readonly [wrong: RegExp, instead: string]

const inEveryLanguage: readonly Rule[] = [
  [/['"]/, '’ or the language’s quotation marks'],
  [/\.\.\./, '…'],
  [/ {2}|^ | $/, 'one space, and only between words'],
]

/** The rules of each language. No-break spaces are part of a text, so that no line begins with a punctuation mark. */
const inLanguage: Record<Locale, readonly Rule[]> = {
  'en-EN': [
    [/[«»]/, '“ ”'],
    [/[\d}][ \u00a0]%/, 'no space before %'],
  ],
  'es-ES': [
    [/[“”]/, '« »'],
    [/[\d}] ?%|\} (MB|kB|\{currency)/, 'U+00A0 between number and %, MB, kB or currency'],
    [/« | »/, 'no space within « »'],
  ],
  'fr-FR': [
    [/[“”]/, '« »'],
    [/[^\u202f;!?][;!?]/, 'U+202F before ; ! ?'],
    [/[^\u00a0]:(?!\d)/, 'U+00A0 before :'],
    [/[\d}] ?%|[^\u00a0]»|«(?!\u00a0)/, 'U+00A0 before % and within « »'],
    [/[\d}] (h|j|Mo|ko)\b|n° |\} \{currency/i, 'U+00A0 before h, j, Mo, ko and currency, and after n°'],
    [/\b\d{1,3} \d{3}\b/, 'U+202F between thousands'],
  ],
  'it-IT': [
    [/[“”]/, '« »'],
    [/« | »/, 'no space within « »'],
    [/[\d}][ \u00a0]%/, 'no space before %'],
  ],
  'pt-PT': [
    [/[“”]/, '« »'],
    [/« | »/, 'no space within « »'],
    [/[\d}] ?%/, 'U+00A0 before %'],
    [/\b\d{1,3} \d{3}\b|\d{4}(\u00a0€| \/)/, 'U+00A0 between thousands'],
  ],
}

const count = (text: string, mark: string): number => text.split(mark).length

describe.each(locales)('%s', locale => {
  const texts = [...allTextsOf(locale)]

  test('texts have the language’s punctuation', () => {
    const found = texts.flatMap(([id, text]) =>
      [...inEveryLanguage, ...inLanguage[locale]].flatMap(([wrong, instead]) => (wrong.test(text) ? `${id}: ${text} -> ${instead}` : [])),
    )
    expect(found).toEqual([])
  })
})

test('a word agrees with what it stands beside, in any number and gender', () => {
  // A verb before a plural or a list is right for one of them only, as is an adjective beside any label.
  const wrong = /\b(falta[nm]?|manca(no)?)\b[^{}.]*\{(fields\}|\w+, plural)|\bfacultati/i
  const found = locales.flatMap(locale => [...allTextsOf(locale)].filter(([, text]) => wrong.test(text)).map(([id]) => `${locale} ${id}`))
  expect(found).toEqual([])
})

test('Spanish opens each question and exclamation', () => {
  // A mark between spaces is a character to be typed.
  const sentences = [...allTextsOf('es-ES')].map(([id, text]): [string, string] => [id, text.replaceAll(' ? ', ' ')])
  const open = sentences.filter(([, text]) => count(text, '¿') !== count(text, '?') || count(text, '¡') !== count(text, '!'))
  expect(open).toEqual([])
})
