import { bestLocale, languageOf, type Locale } from '#common/kit/locales.ts'
import texts from './words.json' with { type: 'json' }

export type Word = keyof (typeof texts)['en']

export type Speech = {
  locale: Locale
  word: (word: Word) => string
  finding: (key: string, params?: Record<string, string | number>) => string
}

/** The portal's own messages for faults of a card, put in by shim-script.ts: language, then key. */
declare const ruleMessages: Record<string, Record<string, string>>

/** What `elements({ locale })` asked for: one of the portal's locales, a language alone, or `auto`, the browser's own. */
export function speak(wanted: string | undefined): Speech {
  const locale = bestLocale(wanted && wanted !== 'auto' ? wanted : navigator.language) ?? 'en-EN'
  const language = languageOf(locale)
  return {
    locale,
    word: word => texts[language][word],
    finding: (key, params = {}) =>
      Object.entries(params).reduce(
        (text, [name, value]) => text.replace(`{${name}}`, String(value)),
        ruleMessages[language]?.[key] ?? key,
      ),
  }
}
