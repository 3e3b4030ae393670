/** The five languages (spec 1). Libraries get `en-GB` for the product's own `en-EN`. */
export const locales = ['en-EN', 'es-ES', 'fr-FR', 'it-IT', 'pt-PT'] as const

export type Locale = (typeof locales)[number]

export const isLocale = (value: unknown): value is Locale => locales.some(locale => locale === value)

/** Returns the tag for Intl and other libraries, as `en-EN` does not exist. */
export const intlTag = (locale: Locale): string => (locale === 'en-EN' ? 'en-GB' : locale)

/** Returns the catalogue's key for a language: `es-ES` → `es`. */
export const languageOf = (locale: Locale): Language => locale.slice(0, 2) as Language

export type Language = 'en' | 'es' | 'fr' | 'it' | 'pt'

/** Returns the best of the five languages for an Accept-Language header, if it names one. */
export function bestLocale(acceptLanguage: string | undefined): Locale | undefined {
  if (acceptLanguage === undefined) return undefined
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map(readRange)
    .filter(range => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { language } of wanted) {
    const match = locales.find(locale => languageOf(locale) === language)
    if (match) return match
  }
  return undefined
}

function readRange(text: string): { language: string; quality: number } {
  const [tag = '', ...parameters] = text.trim().toLowerCase().split(';')
  const quality = parameters.map(parameter => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return { language: tag.trim().split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
}
