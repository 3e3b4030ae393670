import { type Locale, languageOf } from '#common/kit/locales.ts'
import type { Taxes } from '#common/products/tariff.ts'

/** Returns a tax's name in the reader's language; undefined if the edition has none. */
export const taxName = (taxes: Taxes, code: string | null, locale: Locale): string | undefined =>
  Object.values(taxes)
    .flat()
    .find(line => line.code === code)?.name?.[languageOf(locale)]
