import { parseDate } from '#common/kit/dates.ts'
import type { SheetProblem } from '#common/kit/sheet/file.ts'
import { composed, searchable } from '#common/kit/text.ts'
import { nationalNumber } from '#common/quotes/paste-people/documents.ts'
import { type Columns, type ImportField, isPerson } from './columns.ts'
import { dateText, documentKindOf } from './values.ts'
import { hasHeadings } from './headers.ts'
import { type NameParts, type NameReading, surnamesOf, wholeName } from './names.ts'

/** The maximum number of travellers in a list (docs/decisions/0017). */
export const mostRows = 200

/** A listed traveller as a form row: texts, with valid dates as DD/MM/YYYY. */
export type ImportedRow = Record<ImportField, string>

/** Returns a cell as text: a formula's result, and a text unchanged whatever its first character. */
export function cellText(value: unknown): string {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString().slice(0, 10) : ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'string' ? tidy(value) : ''
}

/** Returns one line without invisible characters, cut at a length that every rule still refuses. */
const tidy = (text: string): string =>
  composed(text.slice(0, 1000))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300)
    .replaceAll(/\p{Cs}/gu, '')
    .trim()

/** Returns the rows that are not empty, padded to the longest. */
export function tableOf(rows: readonly (readonly unknown[])[]): string[][] | SheetProblem {
  const filled = rows.map(row => row.map(cellText)).filter(row => row.some(cell => cell !== ''))
  if (filled.length === 0) return 'empty'
  const table = filled.slice(headerOf(filled)).filter((row, index) => index === 0 || !isTotal(row))
  // The first row contains the column names.
  if (table.length > mostRows + 1) return 'too_many'
  const width = Math.max(...table.map(row => row.findLastIndex(cell => cell !== '') + 1))
  return table.map(row => Array.from({ length: width }, (_, index) => row[index] ?? ''))
}

const mostTitles = 8

/** Returns the index of the row of column names: the one below a title, if two names in it are known. */
const headerOf = (rows: readonly (readonly string[])[]): number =>
  Math.max(
    0,
    rows.slice(0, mostTitles).findIndex(row => hasHeadings(row) && !isPerson(row)),
  )

/** True for a row with the sum of the others: `Total: 4`. A traveller's row also has a name or a birth date. */
function isTotal(row: readonly string[]): boolean {
  const [first = '', ...others] = row.filter(cell => cell !== '')
  return (
    /^(?:sub)?tota(?:l|le|les|is|ux|li)(?![a-z,])/.test(searchable(first)) &&
    others.every(cell => !/^\p{L}/u.test(cell) && !parseDate(dateText(cell)))
  )
}

/** Returns the travellers of a table by its recognised or chosen columns. */
export const travellersOf = (rows: readonly (readonly string[])[], columns: Columns, reading: NameReading, today?: string): ImportedRow[] =>
  rows.map(row => {
    const cell = (field: ImportField) => fieldText(field, row[columns[field]] ?? '', today)
    return {
      ...namesOf(row, columns, reading),
      birthDate: cell('birthDate'),
      docNumber: cell('docNumber'),
      documentKind: cell('documentKind'),
    }
  })

/** Reads the fields of a name. Fields that share a column share its text. A unit with one surname gets both in that field. */
function namesOf(row: readonly string[], columns: Columns, reading: NameReading): NameParts {
  const cell = (field: ImportField) => row[columns[field]] ?? ''
  const isShared = columns.middleName === columns.lastName
  const own = isShared ? '' : cell('lastName')
  const isWhole = columns.name >= 0 && columns.name === columns.middleName
  const split = isShared && reading.second
  const read = isWhole
    ? wholeName(cell('name'), { ...reading, second: split })
    : { name: cell('name'), ...surnamesOf(cell('middleName'), split) }
  if (reading.second) return { ...read, lastName: read.lastName || own }
  return { ...read, middleName: [read.middleName, own].filter(Boolean).join(' ') }
}

export function fieldText(field: ImportField, text: string, today?: string): string {
  if (field === 'birthDate') return dateText(text, today)
  if (field === 'docNumber') return nationalNumber(text) ?? text
  return field === 'documentKind' ? kindText(text) : text
}

/** Converts the kind of a document as lists write it. An empty one means national; any other text is kept for the rule to refuse. */
const kindText = (text: string): string => (text === '' ? 'national' : (documentKindOf(text) ?? text))
