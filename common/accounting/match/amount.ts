/** The character between the whole part of an amount and its decimals. */
export type DecimalSign = ',' | '.'

/** `unclear`: the only sign may be a decimal sign or group thousands. It is then read as grouping, which is more common. */
export type Amount = { cents: number; unclear: boolean }

/** `decimals`: not a whole number of cents, so it cannot be an amount in the currency. */
export type AmountFault = 'amount' | 'decimals'

type Written = { sign: 1 | -1; digits: string }

function written(text: string): Written {
  const bare = text.replaceAll(/[\s'’€$£]|[A-Z]{3}/g, '')
  // Removes one sign at one end. Any other sign makes the rest invalid.
  const negative = /^[-−](.*)$|^(.*)[-−]$|^\((.*)\)$/.exec(bare)
  if (!negative) return { sign: 1, digits: bare.replace(/^\+/, '') }
  return { sign: -1, digits: negative[1] ?? negative[2] ?? negative[3] ?? '' }
}

const other = (sign: DecimalSign): DecimalSign => (sign === ',' ? '.' : ',')
const asSign = (sign: string): DecimalSign => (sign === ',' ? ',' : '.')

/** Returns the decimal sign that an amount alone shows. A lone sign before exactly three digits shows none, as it may group them. */
function shownBy(text: string): DecimalSign | undefined {
  const { digits } = written(text)
  const [first = '', ...more] = digits.match(/[.,]/g) ?? []
  if (first === '' || !/^\d[\d.,]*\d$/.test(digits)) return undefined
  const last = more.at(-1)
  if (last !== undefined) return asSign(last) === asSign(first) ? other(asSign(first)) : asSign(last)
  // No group follows a leading 0 or four digits.
  return /^(?:0\d*|\d{4,}).\d{3}$|\D(?:\d{1,2}|\d{4,})$/.test(digits) ? asSign(first) : undefined
}

/** Returns a column's decimal sign, which any cell may show. None if no cell shows it, or if cells disagree. */
export function decimalSignOf(cells: Iterable<string>): DecimalSign | undefined {
  const shown = new Set<DecimalSign>()
  for (const cell of cells) {
    const sign = shownBy(cell)
    if (sign) shown.add(sign)
    if (shown.size > 1) return undefined
  }
  return [...shown][0]
}

/** True without a third decimal, or with one from a rounding error: programs write 33.760000000000005 or 33.7599999999999 for 33.76. */
const isWholeCents = (decimals: string): boolean => /^\d{0,2}$|^\d{2}(?:0{1,4}$|0{5}|9{5})/.test(decimals)

/**
 * Reads an amount as people and programs write it: `1.234,56`, `1,234.56`, `-50.84`, `50,84-`, `(50.84)`, `33,76 €`. `ofColumn` decides what its own
 * signs leave open: `38,710` is 38.71 if the column's decimal sign is a comma.
 */
export function amountIn(text: string, ofColumn?: DecimalSign): Amount | AmountFault {
  const { sign, digits } = written(text)
  const decimal = shownBy(text) ?? ofColumn
  const isUnclear = decimal === undefined && /[.,]/.test(digits)
  const [whole = '', decimals = '', ...more] = decimal === undefined ? [digits] : digits.split(decimal)
  if (more.length > 0 || !/^(?:\d{1,3}(?:[.,]\d{3})+|\d{1,11})$/.test(whole) || !/^\d{0,20}$/.test(decimals)) return 'amount'
  if (decimal !== undefined && digits.endsWith(decimal)) return 'amount'
  if (!isWholeCents(decimals)) return 'decimals'
  const cents = sign * (Number(whole.replaceAll(/[.,]/g, '')) * 100 + Math.round(Number(`0.${decimals || '0'}`) * 100)) + 0
  return { cents, unclear: isUnclear }
}

const signs = { '€': 'EUR', '£': 'GBP', $: 'USD' } as const
const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Returns the currency that a cell names, if it is another than the book's. A dollar sign may mean any currency except euro and pound. */
export function otherCurrencyIn(text: string, own: string): string | undefined {
  const [code = ''] = /(?<![A-Z])[A-Z]{3}(?![A-Z])/.exec(text) ?? []
  const sign = (['€', '£', '$'] as const).find(each => text.includes(each))
  const named = codes.has(code) ? code : sign && signs[sign]
  if (named === undefined || named === own) return undefined
  return code === '' && sign === '$' && own !== 'EUR' && own !== 'GBP' ? undefined : named
}
