import { type BordereauColumn, bordereauColumns, type BordereauRow } from '#common/accounting/bordereau-row.ts'
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

export const csvOf = (rows: readonly BordereauRow[]): string => rows.map(row => csvLine(names.map(name => row[name]))).join('')

export const jsonOf = (rows: readonly BordereauRow[], isFirst: boolean): string =>
  rows.map((row, index) => `${isFirst && index === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`).join('')

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
