import { parseDate } from '#common/kit/dates.ts'
import { fieldText, type ImportedRow, travellersOf } from '#common/policies/import/cells.ts'
import { type Columns, type ImportField, recognised } from '#common/policies/import/columns.ts'

/** A list between being read and being taken: what its columns mean, and its travellers as they were mended. */
export type Draft = {
  table: readonly string[][]
  columns: Columns
  /** Whether the columns were known by their names. */
  byName: boolean
  /** spec 4: the first row is dropped; unless somebody says that it is a traveller. */
  hasHeader: boolean
  items: readonly Item[]
  mended: boolean
}

/** `key` changes where the list's own text is shown anew; `line` is its row in the list. */
export type Item = { key: string; line: number; row: ImportedRow }

export type Change = (change: (draft: Draft | undefined) => Draft | undefined) => void

/** Beside what is typed already, or in its place. */
export type How = 'after' | 'instead'

export function newDraft(table: readonly string[][], second: boolean): Draft {
  const first = table[0] ?? []
  const { columns, byName } = recognised(first, second)
  // Who copies cells seldom copies their names: what is born on a day is a traveller.
  const hasHeader = byName || !first.some(cell => parseDate(fieldText('birthDate', cell)))
  return { table, columns, byName, hasHeader, items: itemsOf(table, columns).slice(hasHeader ? 1 : 0), mended: false }
}

const itemsOf = (table: readonly string[][], columns: Columns): Item[] =>
  travellersOf(table, columns).map((row, line) => ({ key: `${line}`, line, row }))

/** Another column for one field: what was mended in the others stays. */
export function withColumn(draft: Draft, field: ImportField, column: number): Draft {
  const items = draft.items.map(({ key, line, row }) => ({
    key: `${key}.${field}${column}`,
    line,
    row: { ...row, [field]: fieldText(field, draft.table[line]?.[column] ?? '') },
  }))
  return { ...draft, columns: { ...draft.columns, [field]: column }, items }
}

export function withHeader(draft: Draft, hasHeader: boolean): Draft {
  const others = draft.items.filter(({ line }) => line > 0)
  return { ...draft, hasHeader, items: hasHeader ? others : [...itemsOf(draft.table.slice(0, 1), draft.columns), ...others] }
}

export const mend = (draft: Draft, line: number, field: ImportField, text: string): Draft => ({
  ...draft,
  mended: true,
  items: draft.items.map(item => (item.line === line ? { ...item, row: { ...item.row, [field]: fieldText(field, text.trim()) } } : item)),
})

export const without = (draft: Draft, line: number): Draft => ({
  ...draft,
  mended: true,
  items: draft.items.filter(item => item.line !== line),
})
