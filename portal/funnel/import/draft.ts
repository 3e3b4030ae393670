import { fieldText, type ImportedRow, travellersOf } from '#common/policies/import/cells.ts'
import { type Columns, type ImportField, isPerson, recognised } from '#common/policies/import/columns.ts'
import { headingOf, holdsPassports } from '#common/policies/import/headers.ts'

/** A list before its import: the meaning of its columns, and its travellers with the user's corrections. */
export type Draft = {
  table: readonly string[][]
  hasSecondLastName: boolean
  /** Today at the business unit. */
  today: string
  columns: Columns
  /** True if the columns were recognised by their names. */
  byName: boolean
  /** True if the first row is dropped (spec 4). The user can say that it is a traveller. */
  hasHeader: boolean
  items: readonly Item[]
  isEdited: boolean
  /** The index of the row that is the form's first traveller. The others become the following rows. */
  firstRow: number | undefined
}

/** A traveller of the list. `key` changes when a field must show the list's own text again; `sourceRow` is its row in the list. */
export type Item = { key: string; sourceRow: number; row: ImportedRow; edited: readonly ImportField[] }

export type Change = (change: (draft: Draft | undefined) => Draft | undefined) => void

/** Says if a list is added to the travellers in the form, or replaces them. */
export type ImportMode = 'after' | 'instead'

export function newDraft(table: readonly string[][], hasSecondLastName: boolean, today = ''): Draft {
  const { columns, byName } = recognised(table, hasSecondLastName)
  // Copied cells rarely include the header.
  const hasHeader = byName || !isPerson(table[0] ?? [])
  const draft = { table, hasSecondLastName, today, columns, byName, hasHeader, items: [], isEdited: false, firstRow: undefined }
  return { ...draft, items: itemsOf(draft).slice(hasHeader ? 1 : 0) }
}

/** A column named after passports decides the kind of its documents. */
function itemsOf({ table, columns, hasSecondLastName, today, hasHeader }: Draft): Item[] {
  const nameOf = (column: number) => (hasHeader && table[0]?.[column]) || ''
  const kind = columns.documentKind < 0 && holdsPassports(nameOf(columns.docNumber)) ? { documentKind: 'passport' } : {}
  const reading = { second: hasSecondLastName, order: headingOf(nameOf(columns.name))?.order }
  return travellersOf(table, columns, reading, today).map((row, sourceRow) => ({
    key: `${sourceRow}`,
    sourceRow,
    row: { ...row, ...kind },
    edited: [],
  }))
}

const names: readonly ImportField[] = ['name', 'middleName', 'lastName']

/** Returns the draft with another column for one field. The other name fields follow, as fields may share a column; their corrections are kept. */
export function withColumn(draft: Draft, field: ImportField, column: number): Draft {
  const changed = { ...draft, columns: { ...draft.columns, [field]: column } }
  const rows = itemsOf(changed)
  const items = draft.items.map(({ key, sourceRow, row, edited }): Item => {
    const kept = edited.filter(each => each !== field)
    const read = [field, ...(names.includes(field) ? names.filter(name => !kept.includes(name)) : [])]
    const fresh = Object.fromEntries(read.map(name => [name, rows[sourceRow]?.row[name] ?? '']))
    return { key: `${key}.${field}${column}`, sourceRow, row: { ...row, ...fresh }, edited: kept }
  })
  return { ...changed, items }
}

export function withHeader(draft: Draft, hasHeader: boolean): Draft {
  const others = draft.items.filter(({ sourceRow }) => sourceRow > 0)
  const changed = { ...draft, hasHeader }
  const items = hasHeader ? others : [...itemsOf(changed).slice(0, 1), ...others]
  // The list's first row may be another one now.
  const wasFirst = draft.firstRow !== undefined && draft.firstRow === draft.items[0]?.sourceRow
  return { ...changed, items, firstRow: wasFirst ? items[0]?.sourceRow : draft.firstRow }
}

export const withFirstRow = (draft: Draft, firstRow: number | undefined): Draft => ({ ...draft, firstRow })

export const edit = (draft: Draft, sourceRow: number, field: ImportField, text: string): Draft => ({
  ...draft,
  isEdited: true,
  items: draft.items.map(item =>
    item.sourceRow === sourceRow
      ? { ...item, row: { ...item.row, [field]: fieldText(field, text.trim(), draft.today) }, edited: [...item.edited, field] }
      : item,
  ),
})

export const without = (draft: Draft, sourceRow: number): Draft => ({
  ...draft,
  isEdited: true,
  items: draft.items.filter(item => item.sourceRow !== sourceRow),
  firstRow: draft.firstRow === sourceRow ? undefined : draft.firstRow,
})
