import { intlTag, type Locale } from '#common/kit/locales.ts'

/**
 * Reads a number as people write it in a language: `1.234,5` in Spanish, `1,234.5` in English. In any language, a character that can only be the
 * decimal sign counts as that (`12.5`, `12,50`). An ambiguous one counts as in the language. Returns undefined for anything else.
 */
export function readNumber(text: string, locale: Locale): number | undefined {
  const bare = text.replaceAll(/[\s€']/g, '').replace(/^[−–]/, '-')
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(bare)) return undefined
  const plain = withPoint(bare, decimalSign(locale))
  const number = plain === undefined ? Number.NaN : Number(plain)
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

/** Returns the number with a decimal point and without groups; undefined if a sign is misplaced. */
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

/** Formats a number for the language, with a minimum and maximum of decimals. */
export function writeNumber(value: number, locale: Locale, decimals: { least: number; most: number }): string {
  const format = new Intl.NumberFormat(intlTag(locale), {
    minimumFractionDigits: decimals.least,
    maximumFractionDigits: decimals.most,
    useGrouping: 'always',
  })
  return format.format(value)
}

const decimalSign = (locale: Locale): '.' | ',' => (locale === 'en-EN' ? '.' : ',')

/** True if the language writes the currency before the amount. */
export const isSignFirst = (locale: Locale): boolean => locale === 'en-EN'
