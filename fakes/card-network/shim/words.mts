import { bestLocale, languageOf, type Locale } from '#common/kit/locales.ts'
import texts from './words.json' with { type: 'json' }

export type TextKey = keyof (typeof texts)['en']

export type Texts = {
  locale: Locale
  text: (key: TextKey) => string
  ruleMessage: (key: string, params?: Record<string, string | number>) => string
}

/** The portal's messages for invalid cards by language and key, inserted by shim-script.ts. */
declare const ruleMessages: Record<string, Record<string, string>>

/** Returns the texts for `elements({ locale })`: a portal locale, a language, or `auto` for the browser's language. */
export function textsFor(requested: string | undefined): Texts {
  const locale = bestLocale(requested && requested !== 'auto' ? requested : navigator.language) ?? 'en-EN'
  const language = languageOf(locale)
  return {
    locale,
    text: key => texts[language][key],
    ruleMessage: (key, params = {}) =>
      Object.entries(params).reduce(
        (text, [name, value]) => text.replace(`{${name}}`, String(value)),
        ruleMessages[language]?.[key] ?? key,
      ),
  }
}
