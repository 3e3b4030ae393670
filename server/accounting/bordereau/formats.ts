import { type BordereauColumn, bordereauColumns, type BordereauRow } from '#common/accounting/bordereau/row.ts'
import { csvText } from '#common/kit/csv/write.ts'
import type { Column, Row } from '#server/kit/workbook/workbook.ts'

// Safe: these are its keys.
const names = Object.keys(bordereauColumns) as BordereauColumn[]

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : csvText(value)
}

/** Starts a file that spreadsheets read as UTF-8. */
const utf8 = '\uFEFF'

export const csvHead = `${utf8}${csvLine(names)}`

/** A million rows have forty million cells, so a line grows cell by cell. */
export function csvOf(rows: readonly BordereauRow[]): string {
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const name of names) {
      text += separator + csvCell(row[name])
      separator = ','
    }
    text += '\r\n'
  }
  return text
}

export function jsonOf(rows: readonly BordereauRow[], isFirst: boolean): string {
  let text = ''
  for (const row of rows) text += (isFirst && text === '' ? '[\n' : ',\n') + JSON.stringify(row)
  return text
}

export const jsonEnd = (isEmpty: boolean): string => (isEmpty ? '[]\n' : '\n]\n')

export const sheetColumns: Column[] = names.map(name => ({
  header: name,
  width: Math.max(12, name.length + 2),
  kind: bordereauColumns[name],
}))

/** The cells of a workbook, whose amounts are in cents. */
export const sheetRow = (row: BordereauRow): Row =>
  names.map(name => {
    const value = row[name]
    if (value === null) return ''
    return bordereauColumns[name] === 'amount' ? Math.round(Number(value) * 100) : value
  })
