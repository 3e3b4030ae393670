import { intlTag, type Locale } from '#common/kit/locales.ts'

/**
 * A number as people of a language write it: `1.234,5` in Spanish, `1,234.5` in English. One sign that can only be the decimal's is taken as
 * such in any language (`12.5`, `12,50`); what could be either is read as the language has it. Anything else is no number.
 */
export function readNumber(text: string, locale: Locale): number | undefined {
  const bare = text.replaceAll(/[\s€']/g, '').replace(/^[−–]/, '-')
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(bare)) return undefined
  const plain = withPoint(bare, decimalSign(locale))
  const number = plain === undefined ? Number.NaN : Number(plain)
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

/** The same number with a point and no groups, or undefined when its signs do not stand as in a number. */
function withPoint(text: string, decimal: string): string | undefined {
  const [points, commas] = [text.split('.').length - 1, text.split(',').length - 1]
  if (points && commas) return ungrouped(text, text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',')
  const sign = points ? '.' : ','
  if (points + commas === 0) return text
  const groups = points + commas > 1 || (sign !== decimal && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text))
  return ungrouped(text, groups ? (sign === '.' ? ',' : '.') : sign)
}

function ungrouped(text: string, decimal: string): string | undefined {
  const [whole = '', fraction, ...more] = text.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined
  if (/[.,]/.test(whole) && !/^-?\d{1,3}([.,]\d{3})+$/.test(whole)) return undefined
  return `${whole.replaceAll(/[.,]/g, '') || '0'}${fraction ? `.${fraction}` : ''}`
}

/** As it is shown once it is not being typed. `decimals` are always written for money, at most as many for other numbers. */
export function writeNumber(value: number, locale: Locale, decimals: { least: number; most: number }): string {
  const format = new Intl.NumberFormat(intlTag(locale), {
    minimumFractionDigits: decimals.least,
    maximumFractionDigits: decimals.most,
    useGrouping: 'always',
  })
  return format.format(value)
}

const decimalSign = (locale: Locale): '.' | ',' => (locale === 'en-EN' ? '.' : ',')

/** Whether the language writes the currency before the amount. */
export const signFirst = (locale: Locale): boolean => locale === 'en-EN'

/** The sign of a currency: €, or its name where there is none. */
export const currencySign = (locale: Locale, currency: string): string =>
  new Intl.NumberFormat(intlTag(locale), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(part => part.type === 'currency')?.value ?? currency
