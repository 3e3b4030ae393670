import { parseDate } from '#common/kit/dates.ts'
import { completeDate } from '#common/kit/typed/dates.ts'
import { fieldText, tableOf } from '#common/policies/import/cells.ts'
import { fieldsOf, type ImportField } from '#common/policies/import/columns.ts'
import { holdsKinds } from '#common/policies/import/document-kinds.ts'
import { rowsOfText } from '#common/policies/import/text.ts'
import { documentKinds } from '#common/people/person.ts'
import { emptyRow, type PeopleForm, type Row } from '../people-form.ts'
import { newDraft, withHeader } from './draft.ts'
import type { Imported } from './target.ts'

/** Cells of a spreadsheet that are pasted into a column of the traveller at a place, from 0. */
type Pasted = { text: string; place: number; column: string }

/** A note on a pasted row, of what was read differently or left out: a date that is none or was a number of days, a kind of document, further cells. */
export type PasteNote = { what: 'no_date' | 'day_count' | 'kind' | 'unused'; texts: readonly string[] }

/** The travellers after a paste, and what their rows are to say of it, by their places. */
export type PastedInto = Imported & { notes: ReadonlyMap<number, readonly PasteNote[]> }

/**
 * Returns the travellers with the pasted cells in them, from that place on, as an import has them; undefined for what is no list. Pasted into the
 * first column, cells are read as a list of travellers. Pasted into another one, they fill it and those after it.
 */
export function pastedInto(
  form: PeopleForm,
  { text, place, column }: Pasted,
  hasSecondLastName: boolean,
  today: string,
): PastedInto | undefined {
  const table = tableOf(rowsOfText(text))
  if (typeof table === 'string') return undefined
  // Safe: the sheet names its columns as the form does, and a document's number as its first traveller does.
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
  // Safe: all but the first are whole rows.
  return { first, rows: rows as Row[], count: listed.length, notes }
}

function readAsList(table: string[][], hasSecondLastName: boolean, today: string): Read[] {
  const draft = newDraft(table, hasSecondLastName, today)
  const used = new Set(Object.values(draft.columns))
  // Copied rows seldom have a header: only one that is recognised is left out.
  return (draft.byName ? draft : withHeader(draft, false)).items.map(({ row, sourceRow }) => {
    const cells = table[sourceRow] ?? []
    return { cells: { birthDate: cells[draft.columns.birthDate] ?? '' }, row, unused: cells.filter((_, column) => !used.has(column)) }
  })
}

/** Reads columns in their order in the sheet. Few lists have the kind of a document before its number. */
function readFrom(table: string[][], first: ImportField, hasSecondLastName: boolean, today: string): Read[] {
  const order = fieldsOf(hasSecondLastName).filter(field => field !== 'documentKind')
  const fields: ImportField[] = first === 'documentKind' ? ['docNumber'] : order.slice(order.indexOf(first))
  const number = fields.indexOf('docNumber')
  const hasKinds = number >= 0 && holdsKinds(table.flatMap(cells => cells[number] || []))
  if (first === 'documentKind' || hasKinds) fields.splice(number, 0, 'documentKind')
  /** A birth date has a column of its own, so that `120484` is one too. */
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

/** A pasted row: what its cells say, what was read of them, and the cells of no field. */
type Read = { cells: Partial<Row>; row: Partial<Row>; unused: readonly string[] }

/** Returns what goes into the form, and what its row is to say of it. */
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
