import { intlTag, type Locale } from '#common/kit/locales.ts'

/** Money is whole cents in code and a number in major units on the wire. Nothing here throws. */

/**
 * Converts 45.5 to 4550. Rounds a floating-point sum to its cent: 400 + 751.36 gives 1151.3600000000001. Returns nothing for non-numbers, more than
 * two decimals, or amounts too large for exact cents.
 */
export function toCents(amount: unknown): number | undefined {
  if (typeof amount !== 'number' || !(Math.abs(amount) <= largestAmount)) return undefined
  const cents = Math.round(amount * 100)
  return cents / 100 === amount || Math.abs(amount * 100 - cents) <= millionth ? cents + 0 : undefined
}

const largestAmount = 1_000_000_000_000
const millionth = 1e-6

export const fromCents = (cents: number): number => cents / 100

/** Divides two products with one rounding, half up (docs/rating.md). NaN unless all numbers are integers. */
export function roundedRatio(factors: readonly number[], divisors: readonly number[]): number {
  if (![...factors, ...divisors].every(Number.isSafeInteger) || divisors.includes(0)) return Number.NaN
  const above = factors.reduce((product, factor) => product * factor, 1)
  const below = divisors.reduce((product, divisor) => product * divisor, 1)
  if (Number.isSafeInteger(above * 2) && Number.isSafeInteger(below * 2) && Number.isSafeInteger(2 * Math.abs(above) + Math.abs(below))) {
    return halfUp(above, below)
  }
  return Number(halfUpBig(bigProduct(factors), bigProduct(divisors)))
}

/** floor(a / b + 1/2) = floor((2a + b) / 2b), by an exact remainder. */
function halfUp(above: number, below: number): number {
  const sign = Math.sign(below)
  const top = 2 * above * sign + below * sign
  const bottom = 2 * below * sign
  const rest = ((top % bottom) + bottom) % bottom
  return (top - rest) / bottom + 0
}

function halfUpBig(above: bigint, below: bigint): bigint {
  const sign = below < 0n ? -1n : 1n
  const top = 2n * above * sign + below * sign
  const bottom = 2n * below * sign
  const rest = ((top % bottom) + bottom) % bottom
  return (top - rest) / bottom
}

const bigProduct = (numbers: readonly number[]): bigint => numbers.reduce((product, number) => product * BigInt(number), 1n)

/** Formats 4550 as `45,50 €` in the language. An unknown currency follows the figure. */
export function formatMoney(cents: number, locale: Locale, currency: string): string {
  // Adding 0 turns -0 into 0.
  const amount = typeof cents === 'number' ? fromCents(cents) + 0 : Number.NaN
  const name = typeof currency === 'string' ? currency : ''
  const format = moneyFormat(locale, name)
  return withMinus(format ? format.format(amount) : `${amount.toFixed(2)} ${name}`)
}

/** Returns a currency's sign, such as €, or its code if it has no sign. The default is the euro (spec 9). */
export const currencySign = (locale: Locale, currency = 'EUR'): string =>
  new Intl.NumberFormat(intlTag(locale), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(part => part.type === 'currency')?.value ?? currency

/** Replaces the hyphen that browsers write in our languages by a minus, which is as wide as a digit. */
export const withMinus = (formatted: string): string => formatted.replace('-', '−')

function moneyFormat(locale: Locale, currency: string): Intl.NumberFormat | undefined {
  const name = `${locale} ${currency}`
  const known = moneyFormats.get(name)
  if (known) return known
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  const format = new Intl.NumberFormat(intlTag(locale), { style: 'currency', currency, useGrouping: 'always' })
  moneyFormats.set(name, format)
  return format
}

/** Creating a format costs a hundred times its use. */
const moneyFormats = new Map<string, Intl.NumberFormat>()
