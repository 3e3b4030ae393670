import { csvText } from '#common/kit/csv/write.ts'
import type { Column, Row } from './workbook.ts'

/**
 * Writes rows as CSV (RFC 4180) while they are sent, in UTF-8 with a mark, which spreadsheets need to see it. Amounts have a decimal point, and days and
 * moments are those of ISO 8601, whatever the language, as programs read them.
 */
export async function* csv({ columns, rows }: { columns: Column[]; rows: AsyncIterable<Row[]> }): AsyncGenerator<string> {
  yield `\ufeff${lineOf(columns.map(({ header }) => csvText(header)))}`
  // Safe: every row has a value for each column.
  for await (const batch of rows) yield batch.map(row => lineOf(columns.map(({ kind }, index) => cell(kind, row[index] ?? '')))).join('')
}

const lineOf = (cells: string[]): string => `${cells.join(',')}\r\n`

function cell(kind: Column['kind'], value: string | number): string {
  if (value === '') return ''
  if (kind === 'amount') return (Number(value) / 100).toFixed(2)
  if (kind === 'moment') return new Date(Number(value)).toISOString()
  return csvText(String(value))
}
