import { addDays, displayDate, parseDate } from '#common/kit/dates.ts'
import { composed, searchable } from '#common/kit/text.ts'
import { type Columns, importFields, type ImportField } from './columns.ts'
import { type ImportProblem, mostRows } from './file.ts'

/** A listed traveller as a form row: texts, with valid dates as DD/MM/YYYY. */
export type ImportedRow = Record<ImportField, string>

/** Returns a cell as text: a formula's result, and text unchanged whatever it begins with. */
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
export function tableOf(rows: readonly (readonly unknown[])[]): string[][] | ImportProblem {
  const filled = rows.map(row => row.map(cellText)).filter(row => row.some(cell => cell !== ''))
  if (filled.length === 0) return 'empty'
  // The first row holds the column names.
  if (filled.length > mostRows + 1) return 'too_many'
  const width = Math.max(...filled.map(row => row.findLastIndex(cell => cell !== '') + 1))
  return filled.map(row => Array.from({ length: width }, (_, index) => row[index] ?? ''))
}

/** Returns the travellers of a table by its recognised or chosen columns. */
export const travellersOf = (rows: readonly (readonly string[])[], columns: Columns): ImportedRow[] =>
  // Safe: the keys are the fields of a row.
  rows.map(row => Object.fromEntries(importFields.map(field => [field, fieldText(field, row[columns[field]] ?? '')])) as ImportedRow)

export function fieldText(field: ImportField, text: string): string {
  if (field === 'birthDate') return dateText(text)
  return field === 'documentKind' ? kindText(text) : text
}

/** Converts how lists write the kind of a document, in any of the languages. Any other text stays as it is, for the rule to refuse. */
function kindText(text: string): string {
  const kind = searchable(text).replaceAll(/[^a-z]/g, '')
  if (passport.has(kind)) return 'passport'
  return national.has(kind) ? 'national' : text
}

const passport = new Set('p pas pp passport pasaporte passeport passaporto passaporte'.split(' '))
const national = new Set([
  '',
  ...'n id idcard dni nie nif dninie cni cc ci national nacional nationale nazionale cartaodecidadao cartadidentita codicefiscale'.split(
    ' ',
  ),
])

/**
 * Converts the date formats of spreadsheets to DD/MM/YYYY. These are ISO with or without time, other separators or none, and
 * Excel's day count. Anything else stays as it is, for the rule to refuse.
 */
export function dateText(text: string): string {
  const iso = displayDate(text.replace(/[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/, ''))
  if (iso) return iso
  const [, day, month, year] =
    /^(\d{1,2})[/.\- ]+(\d{1,2})[/.\- ]+(\d{4})$/.exec(text) ?? /^(\d{2})(\d{2})((?:19|20)\d{2})$/.exec(text) ?? []
  const date = `${day?.padStart(2, '0')}/${month?.padStart(2, '0')}/${year}`
  if (parseDate(date)) return date
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  return displayDate(parts.join('-')) ?? displayDate(daysSince1900(text)) ?? text
}

/** Converts Excel's day count, which includes a 29 February 1900. Five digits are the years 1927 to 2173. */
const daysSince1900 = (text: string): string => (/^\d{5}(?:\.\d+)?$/.test(text) ? addDays('1899-12-30', Math.floor(Number(text))) : '')
