import { intlTag, languageOf, type Locale } from '#common/kit/locales.ts'
import type { Coverage } from './catalogue.ts'

/** The reader's language, and the currency of limits, which is that of the selling unit. */
export type Reader = { locale: Locale; currency: string }

/** Returns a limit as money, without zero cents, or its text. */
export const coverageValue = (coverage: Coverage, reader: Reader): string =>
  'limit' in coverage ? roundMoney(coverage.limit, reader) : coverage.value[languageOf(reader.locale)]

export function roundMoney(cents: number, { locale, currency }: Reader): string {
  const name = `${locale} ${currency} ${cents % 100 === 0}`
  const format = formats.get(name) ?? makeFormat(locale, currency, cents % 100 === 0)
  formats.set(name, format)
  return format.format(cents / 100)
}

/** Creating a format costs a hundred times its use. */
const formats = new Map<string, Intl.NumberFormat>()

const makeFormat = (locale: Locale, currency: string, whole: boolean): Intl.NumberFormat =>
  new Intl.NumberFormat(intlTag(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
    useGrouping: 'always',
  })
