import { parseDate } from '#common/kit/dates.ts'
import { isGiven } from '#common/quotes/paste-people/given-names.ts'
import { dateText, holdsKinds } from './values.ts'
import { type Heading, headingOf } from './headers.ts'

/** A traveller's fields, in the order of the template. */
export const importFields = ['name', 'middleName', 'lastName', 'birthDate', 'docNumber', 'documentKind'] as const

export type ImportField = (typeof importFields)[number]

/** The column index of each field; -1 for none. */
export type Columns = Record<ImportField, number>

/** Returns the template's columns, with or without a second surname. */
export const fieldsOf = (second: boolean): ImportField[] => importFields.filter(field => second || field !== 'lastName')

/**
 * Recognises columns by the names in the first row, in any language, else by their contents. Fields that share a column share its text: both
 * surnames, or a whole name.
 */
export function recognised(table: readonly (readonly string[])[], second: boolean): { columns: Columns; byName: boolean } {
  const row = table[0] ?? []
  const headings = isPerson(row) ? [] : row.map(headingOf)
  const byName = headings.some(heading => heading !== undefined)
  const found = byName ? columnsOf(headings) : columnsByContent(table, second)
  return { columns: shared(found, headings, second), byName }
}

function columnsOf(headings: readonly (Heading | undefined)[]): Columns {
  const first = (...kinds: Heading['kind'][]) => headings.findIndex(heading => heading && kinds.includes(heading.kind))
  const columns = {
    name: first('name', 'first'),
    // A second given name is also called a middle name, beside the first.
    middleName: first('first') < 0 ? first('surname', 'middle') : first('surname'),
    lastName: first('second'),
    birthDate: first('birthDate'),
    docNumber: first('docNumber'),
    documentKind: first('documentKind'),
  }
  // "Last name" is a second surname only beside a first, and "Nom" a given name only beside a surname.
  const [last, nom] = [first('last'), first('nom')]
  if (columns.middleName < 0 && nom >= 0) columns.middleName = nom
  else if (columns.name < 0) columns.name = nom
  if (columns.middleName < 0) columns.middleName = last
  else if (columns.lastName < 0) columns.lastName = last
  return columns
}

/** Lets several fields share the only column for them. */
function shared(columns: Columns, headings: readonly (Heading | undefined)[], second: boolean): Columns {
  const whole = headings.findIndex(heading => heading?.kind === 'full')
  const name = firstOf(columns.name, columns.middleName, whole)
  const middleName = firstOf(columns.middleName, columns.name, whole)
  return { ...columns, name, middleName, lastName: second ? firstOf(columns.lastName, middleName) : columns.lastName }
}

const firstOf = (...columns: number[]): number => columns.find(column => column >= 0) ?? -1

/**
 * Finds the only column of dates, of documents and of their kinds. The others are names in the template's order, unless given names show another
 * order.
 */
function columnsByContent(table: readonly (readonly string[])[], second: boolean): Columns {
  // The first row may contain unknown column names.
  const rows = table.length > 1 && !isPerson(table[0] ?? []) ? table.slice(1) : table
  const indexes = (table[0] ?? []).map((_, index) => index)
  const cells = (index: number) => rows.flatMap(row => row[index] || [])
  const only = (fits: (text: string) => boolean) => {
    const columns = indexes.filter(index => cells(index).length > 0 && cells(index).every(fits))
    return columns.length === 1 ? (columns[0] ?? -1) : -1
  }
  const birthDate = only(text => isDay(text))
  const docNumber = only(text => isNumber(text) && !isDay(text))
  const documentKind = indexes.find(index => holdsKinds(cells(index))) ?? -1
  const names = indexes.filter(index => ![birthDate, docNumber, documentKind].includes(index))
  const givens = (index: number | undefined) =>
    index === undefined ? 0 : cells(index).filter(text => isGiven(text.split(' ')[0] ?? '')).length
  const [one, two] = names
  if (one !== undefined && two !== undefined && givens(two) > givens(one)) [names[0], names[1]] = [two, one]
  const columns: Columns = { name: -1, middleName: -1, lastName: -1, birthDate, docNumber, documentKind }
  const others = fieldsOf(second).filter(field => columns[field] < 0)
  return { ...columns, ...Object.fromEntries(others.map((field, place) => [field, names[place] ?? -1])) }
}

/** True for a row with a date or a document number, which column names never have. "DNI" in a cell is a kind of document. */
export const isPerson = (row: readonly string[]): boolean => row.some(cell => isDay(cell) || isNumber(cell))

const isNumber = (text: string): boolean => /^(?=(?:.*\d){5})[A-Z\d. -]{6,20}$/i.test(text)

/** The century of a two-digit year does not matter here. */
const isDay = (text: string): boolean => parseDate(dateText(text, '9999-12-31')) !== undefined
