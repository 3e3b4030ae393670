import { parseDate } from '#common/kit/dates.ts'
import { completeDate } from '#common/kit/typed/dates.ts'
import { fieldText, tableOf } from '#common/policies/import/cells.ts'
import { fieldsOf, type ImportField } from '#common/policies/import/columns.ts'
import { holdsKinds } from '#common/policies/import/values.ts'
import { rowsOfText } from '#common/policies/import/headers.ts'
import { documentKinds } from '#common/people/person.ts'
import { emptyRow, type PeopleForm, type Row } from '../people-form.ts'
import { newDraft, withHeader } from './draft.ts'
import type { Imported } from './target.ts'

/** Cells of a spreadsheet, pasted into a column of the traveller at an index. */
type Pasted = { text: string; place: number; column: string }

/**
 * A note about a pasted row, on cells that were converted or skipped. Examples: an invalid date, a number of days, a kind of document, surplus cells.
 */
export type PasteNote = { what: 'no_date' | 'day_count' | 'kind' | 'unused'; texts: readonly string[] }

/** The travellers after a paste, and the notes on their rows, by index. */
export type PastedInto = Imported & { notes: ReadonlyMap<number, readonly PasteNote[]> }

/**
 * Returns the travellers with the pasted cells from an index on, in the format of an import; undefined if the text is not a list. Cells pasted into
 * the first column are read as a list of travellers. In another column, they fill it and the next ones.
 */
export function pastedInto(
  form: PeopleForm,
  { text, place, column }: Pasted,
  hasSecondLastName: boolean,
  today: string,
): PastedInto | undefined {
  const table = tableOf(rowsOfText(text))
  if (typeof table === 'string') return undefined
  // Safe: the sheet's columns have the form's names, and the document's number has the first traveller's.
  const field = column === 'documentNumber' ? 'docNumber' : (column as ImportField)
  const isList = field === 'name' && table[0]?.length !== 1
  const read = (isList ? readAsList(table, hasSecondLastName, today) : readFrom(table, field, hasSecondLastName, today)).map(noted)
  const listed = read.map(({ row }) => filled(row))
  const notes = new Map(read.flatMap(({ notes }, index) => (notes.length > 0 ? [[place + index, notes] as const] : [])))
  const before: Partial<Row>[] = [{}, ...form.extraTravellers]
  const [first = {}, ...rows] = Array.from({ length: Math.max(before.length, place + listed.length) }, (_, index): Partial<Row> => {
    const put = listed[index - place]
    return index === 0 ? (put ?? {}) : { ...emptyRow, ...before[index], ...put }
  })
  // Safe: all rows but the first are complete.
  return { first, rows: rows as Row[], count: listed.length, notes }
}

function readAsList(table: string[][], hasSecondLastName: boolean, today: string): Read[] {
  const draft = newDraft(table, hasSecondLastName, today)
  const used = new Set(Object.values(draft.columns))
  // Copied rows rarely have a header. Only one that is recognised is skipped.
  return (draft.byName ? draft : withHeader(draft, false)).items.map(({ row, sourceRow }) => {
    const cells = table[sourceRow] ?? []
    return { cells: { birthDate: cells[draft.columns.birthDate] ?? '' }, row, unused: cells.filter((_, column) => !used.has(column)) }
  })
}

/** Reads columns in the order of the sheet. Few lists have the kind of document before its number. */
function readFrom(table: string[][], first: ImportField, hasSecondLastName: boolean, today: string): Read[] {
  const order = fieldsOf(hasSecondLastName).filter(field => field !== 'documentKind')
  const fields: ImportField[] = first === 'documentKind' ? ['docNumber'] : order.slice(order.indexOf(first))
  const number = fields.indexOf('docNumber')
  const hasKinds = number >= 0 && holdsKinds(table.flatMap(cells => cells[number] || []))
  if (first === 'documentKind' || hasKinds) fields.splice(number, 0, 'documentKind')
  /** A birth date has a column of its own, so `120484` there is a date, too. */
  const textOf = (field: ImportField, cell: string) => {
    const text = fieldText(field, cell, today)
    return field === 'birthDate' ? completeDate(text, { kind: 'birth', today, locale: 'en-EN' }) : text
  }
  return table.map(cells => ({
    cells: Object.fromEntries(fields.map((field, index) => [field, cells[index] ?? ''])),
    row: Object.fromEntries(fields.map((field, index) => [field, textOf(field, cells[index] ?? '')])),
    unused: cells.slice(fields.length),
  }))
}

/** An empty cell replaces nothing. */
const filled = (row: Partial<Row>): Partial<Row> => Object.fromEntries(Object.entries(row).filter(([, text]) => text !== ''))

/** A pasted row: its cells, the values read from them, and surplus cells. */
type Read = { cells: Partial<Row>; row: Partial<Row>; unused: readonly string[] }

/** Returns the values for the form, and the notes on the row. */
function noted({ cells, row, unused }: Read): { row: Partial<Row>; notes: PasteNote[] } {
  const [born, read] = [cells.birthDate ?? '', row.birthDate ?? '']
  const notes: PasteNote[] = []
  if (read !== '' && !parseDate(read)) notes.push({ what: 'no_date', texts: [read] })
  else if (/^\d{5}(\.\d+)?$/.test(born)) notes.push({ what: 'day_count', texts: [born, read] })
  const { documentKind = '', ...others } = row
  const isKind = documentKinds.some(kind => kind === documentKind)
  if (documentKind !== '' && !isKind) notes.push({ what: 'kind', texts: [documentKind] })
  const left = unused.filter(text => text !== '')
  if (left.length > 0) notes.push({ what: 'unused', texts: left })
  return { row: isKind ? row : others, notes }
}
