import type { Locale } from '#common/kit/locales.ts'

/** A spreadsheet would compute a text that begins like a formula, so it gets an apostrophe before it. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const quotable = /["',;\r\n]/
/** Matches most texts, which need no further look. A file may have tens of millions of them. */
const simple = /^[A-Za-z0-9][^"',;\r\n]*$/

/** Returns a text as a cell of CSV (RFC 4180), whether commas or semicolons separate the cells. */
export function csvText(text: string): string {
  if (text === '' || simple.test(text)) return text
  const plain = formula.test(text) ? `'${text}` : text
  return quotable.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The separators of cells and of decimals: a spreadsheet expects those of its language. */
export type Dialect = { separator: ',' | ';'; decimal: '.' | ',' }

/** Returns the dialect in which a file for people is written (decision 63). */
export const dialectOf = (locale: Locale): Dialect =>
  locale === 'en-EN' ? { separator: ',', decimal: '.' } : { separator: ';', decimal: ',' }

/** Writes rows as CSV that a spreadsheet opens as it is. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[], { separator, decimal }: Dialect): string =>
  rows.map(row => row.map(cell => cellOf(cell, decimal)).join(separator)).join('\r\n')

function cellOf(cell: string | number | null, decimal: string): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? csvNumber(String(cell), decimal) : csvText(cell)
}

/** Returns a figure with the decimals of a language. */
export const csvNumber = (figure: string, decimal: string): string => figure.replace('.', decimal)
