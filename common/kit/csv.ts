import type { Locale } from './locales.ts'

/** Returns the rows of CSV text, quoted or not. An unclosed quote is plain text, so that no row is lost. */
export function splitRows(text: string, separator: string, quotes = true): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (quotes && letter === '"' && cell === '') quoted = true
    else if (letter === separator) endCell()
    else if (letter === '\n' || (letter === '\r' && text[at + 1] !== '\n')) endRow()
    else if (letter !== '\r') cell += letter
  }
  if (quoted) return splitRows(text, separator, false)
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** A spreadsheet runs a text that begins like a formula, so it gets an apostrophe in front. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const quotable = /["',;\r\n]/
/** Matches most texts, which need no escaping. A file may have tens of millions of them. */
const simple = /^[A-Za-z0-9][^"',;\r\n]*$/

/** Returns a text as a CSV cell (RFC 4180), for both commas and semicolons as separators. */
export function csvText(text: string): string {
  if (text === '' || simple.test(text)) return text
  const plain = formula.test(text) ? `'${text}` : text
  return quotable.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The separators of cells and decimals. A spreadsheet expects those of its language. */
export type Dialect = { separator: ',' | ';'; decimal: '.' | ',' }

/** Returns the dialect of a file that people open (decision 63). */
export const dialectOf = (locale: Locale): Dialect =>
  locale === 'en-EN' ? { separator: ',', decimal: '.' } : { separator: ';', decimal: ',' }

/** Writes rows as CSV that a spreadsheet opens without an import dialog. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[], { separator, decimal }: Dialect): string =>
  rows.map(row => row.map(cell => cellOf(cell, decimal)).join(separator)).join('\r\n')

function cellOf(cell: string | number | null, decimal: string): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? csvNumber(String(cell), decimal) : csvText(cell)
}

/** Returns a number with the decimal sign of a language. */
export const csvNumber = (figure: string, decimal: string): string => figure.replace('.', decimal)
