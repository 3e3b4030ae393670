import { csvNumber, csvText, dialectOf } from '#common/kit/csv.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Column, Row } from './cells.ts'

/**
 * Writes rows as CSV (RFC 4180) while they are sent, in UTF-8 with a byte order mark, by which spreadsheets recognise it. Cells and decimals are
 * separated as spreadsheets of the language expect it, and days and moments are those of ISO 8601.
 */
export async function* csv({
  columns,
  rows,
  locale,
}: {
  columns: Column[]
  rows: AsyncIterable<Row[]>
  locale: Locale
}): AsyncGenerator<string> {
  const { separator, decimal } = dialectOf(locale)
  const lineOf = (cells: string[]): string => `${cells.join(separator)}\r\n`
  yield `\ufeff${lineOf(columns.map(({ header }) => csvText(header)))}`
  for await (const batch of rows)
    yield batch.map(row => lineOf(columns.map(({ kind }, index) => cell(kind, row[index] ?? '', decimal)))).join('')
}

function cell(kind: Column['kind'], value: string | number, decimal: string): string {
  if (value === '') return ''
  if (kind === 'amount') return csvNumber((Number(value) / 100).toFixed(2), decimal)
  if (kind === 'number') return csvNumber(String(value), decimal)
  if (kind === 'moment') return new Date(Number(value)).toISOString()
  return csvText(String(value))
}
