import { type BordereauColumn, bordereauColumns, type BordereauRow } from '#common/accounting/bordereau/row.ts'
import { csvText } from '#common/kit/csv.ts'
import { cellOf, type Column } from '#server/kit/workbook/cells.ts'

// Safe: the object has exactly these keys.
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

export const jsonEnd = (isEmpty: boolean): string => (isEmpty ? '[]\n' : '\n]\n')

export const sheetColumns: Column[] = names.map(name => ({
  header: name,
  width: Math.max(12, name.length + 2),
  kind: bordereauColumns[name],
}))

type Value = string | number | null

/** A value in each format, after its separator and key. */
type Texts = { csv: string; json: string; cell: string }

/** The most texts that are cached for a column. Most columns have few values; the others would fill the memory. */
const mostKept = 2000

/** Columns whose values seldom repeat, so that they are not cached. */
const unlike: ReadonlySet<BordereauColumn> = new Set(['rowId', 'certificate', 'insuredName'])

/** A row in three formats. */
export type Line = { csv: string; json: string; cells: string }

/**
 * Returns the function that writes a row in all formats. Most of the fifty million values of a million rows repeat, so their texts are cached.
 */
export function openLines(): (row: BordereauRow) => Line {
  const columns = names.map((name, index) => ({ name, textsOf: columnWriter(name, index === 0) }))
  return row => {
    let [csv, json, cells] = ['', '', '']
    for (const { name, textsOf } of columns) {
      const texts = textsOf(row[name])
      csv += texts.csv
      json += texts.json
      cells += texts.cell
    }
    return { csv: `${csv}\r\n`, json: `{${json}}`, cells }
  }
}

function columnWriter(name: BordereauColumn, isFirst: boolean): (value: Value) => Texts {
  const kind = bordereauColumns[name]
  const [separator, key] = isFirst ? ['', `"${name}":`] : [',', `,"${name}":`]
  const write = (value: Value): Texts => ({
    csv: separator + csvCell(value),
    json: key + JSON.stringify(value),
    // A workbook's cells take amounts in cents.
    cell: cellOf(kind, value === null ? '' : kind === 'amount' ? Math.round(Number(value) * 100) : value),
  })
  if (unlike.has(name)) return write
  const known = new Map<Value, Texts>()
  let [last, texts]: [Value | undefined, Texts] = [undefined, write(null)]
  return value => {
    if (value === last) return texts
    const before = known.get(value)
    texts = before ?? write(value)
    last = value
    if (before) return texts
    if (known.size >= mostKept) known.clear()
    known.set(value, texts)
    return texts
  }
}
