/** The five languages on offer (spec 1). `en-EN` is the product's own name; libraries are given `en-GB`. */
export const locales = ['en-EN', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT'] as const

export type Locale = (typeof locales)[number]

export const isLocale = (value: unknown): value is Locale => locales.includes(value as Locale)

/** The tag that Intl and other libraries know: `en-EN` is no real region. */
export const intlTag = (locale: Locale): string => (locale === 'en-EN' ? 'en-GB' : locale)

/** `es-ES` → `es`: how the catalogue names its translations. */
export const languageOf = (locale: Locale): Language => locale.slice(0, 2) as Language

export type Language = 'en' | 'es' | 'fr' | 'it' | 'pt'

/** The best of the five for an Accept-Language header, or undefined when it names none of them. */
export function bestLocale(acceptLanguage: string | undefined): Locale | undefined {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map(readRange)
    .filter(range => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { language } of wanted) {
    const found = locales.find(locale => languageOf(locale) === language)
    if (found) return found
  }
  return undefined
}

function readRange(text: string): { language: string; quality: number } {
  const [tag = '', ...parameters] = text.trim().toLowerCase().split(';')
  const given = parameters.map(parameter => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return { language: tag.trim().split('-')[0] ?? '', quality: given === undefined ? 1 : Number(given) }
}
