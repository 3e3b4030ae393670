import { parseDate } from '#common/kit/dates.ts'
import { fieldText, type ImportedRow, travellersOf } from '#common/policies/import/cells.ts'
import { type Columns, holdsPassports, type ImportField, recognised } from '#common/policies/import/columns.ts'

/** A list before its import: the meaning of its columns, and its travellers as the user corrected them. */
export type Draft = {
  table: readonly string[][]
  columns: Columns
  /** True if the columns were recognised by their names. */
  byName: boolean
  /** True if the first row is dropped (spec 4). The user can say that it is a traveller. */
  hasHeader: boolean
  items: readonly Item[]
  isEdited: boolean
}

/** A traveller of the list. `key` changes when the field must show the list's own text again; `sourceRow` is its row in the list. */
export type Item = { key: string; sourceRow: number; row: ImportedRow }

export type Change = (change: (draft: Draft | undefined) => Draft | undefined) => void

/** Whether a list is added to the travellers in the form, or replaces them. */
export type ImportMode = 'after' | 'instead'

export function newDraft(table: readonly string[][], hasSecondLastName: boolean): Draft {
  const first = table[0] ?? []
  const { columns, byName } = recognised(first, hasSecondLastName)
  // Copied cells seldom include the header, and a row with a birth date is a traveller.
  const hasHeader = byName || !first.some(cell => parseDate(fieldText('birthDate', cell)))
  return { table, columns, byName, hasHeader, items: itemsOf(table, columns).slice(hasHeader ? 1 : 0), isEdited: false }
}

/** A column named after passports says what kind its documents are. */
function itemsOf(table: readonly string[][], columns: Columns): Item[] {
  const kind = columns.documentKind < 0 && holdsPassports(table[0]?.[columns.docNumber] ?? '') ? { documentKind: 'passport' } : {}
  return travellersOf(table, columns).map((row, sourceRow) => ({ key: `${sourceRow}`, sourceRow, row: { ...row, ...kind } }))
}

/** Returns the draft with another column for one field. Corrections to other fields stay. */
export function withColumn(draft: Draft, field: ImportField, column: number): Draft {
  const items = draft.items.map(({ key, sourceRow, row }) => ({
    key: `${key}.${field}${column}`,
    sourceRow,
    row: { ...row, [field]: fieldText(field, draft.table[sourceRow]?.[column] ?? '') },
  }))
  return { ...draft, columns: { ...draft.columns, [field]: column }, items }
}

export function withHeader(draft: Draft, hasHeader: boolean): Draft {
  const others = draft.items.filter(({ sourceRow }) => sourceRow > 0)
  return { ...draft, hasHeader, items: hasHeader ? others : [...itemsOf(draft.table.slice(0, 1), draft.columns), ...others] }
}

export const edit = (draft: Draft, sourceRow: number, field: ImportField, text: string): Draft => ({
  ...draft,
  isEdited: true,
  items: draft.items.map(item =>
    item.sourceRow === sourceRow ? { ...item, row: { ...item.row, [field]: fieldText(field, text.trim()) } } : item,
  ),
})

export const without = (draft: Draft, sourceRow: number): Draft => ({
  ...draft,
  isEdited: true,
  items: draft.items.filter(item => item.sourceRow !== sourceRow),
})
