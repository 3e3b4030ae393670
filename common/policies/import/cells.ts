import { addDays, displayDate, parseDate } from '#common/kit/dates.ts'
import { composed } from '#common/kit/text.ts'
import { type Columns, importFields, type ImportField } from './columns.ts'
import { type ImportFault, mostRows } from './file.ts'

/** A traveller of the list, as the form's row holds him: texts, a date as DD/MM/YYYY where it is one. */
export type ImportedRow = Record<ImportField, string>

/** What a cell says. A formula says what it came to; a text stays a text, whatever it begins with. */
export function cellText(value: unknown): string {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString().slice(0, 10) : ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'string' ? tidy(value) : ''
}

/** One line, without what nobody sees; far more than any rule allows is cut, and still refused by it. */
const tidy = (text: string): string =>
  composed(text.slice(0, 1000))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300)
    .replaceAll(/\p{Cs}/gu, '')
    .trim()

/** The rows that say anything, each as long as the longest. */
export function tableOf(rows: readonly (readonly unknown[])[]): string[][] | ImportFault {
  const said = rows.map(row => row.map(cellText)).filter(row => row.some(cell => cell !== ''))
  if (said.length === 0) return 'empty'
  // The first holds the names of the columns.
  if (said.length > mostRows + 1) return 'too_many'
  const width = Math.max(...said.map(row => row.findLastIndex(cell => cell !== '') + 1))
  return said.map(row => Array.from({ length: width }, (_, place) => row[place] ?? ''))
}

/** The travellers of a table, under the columns that were recognised or chosen. */
export const travellersOf = (rows: readonly (readonly string[])[], columns: Columns): ImportedRow[] =>
  rows.map(row => Object.fromEntries(importFields.map(field => [field, fieldText(field, row[columns[field]] ?? '')])) as ImportedRow)

export const fieldText = (field: ImportField, text: string): string => (field === 'birthDate' ? dateText(text) : text)

/**
 * DD/MM/YYYY out of what spreadsheets make of a date: ISO, with a time or without, other signs between, none at all, and the number of days
 * that Excel counts. Anything else stays as it is, for the rule to refuse.
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

/** Excel's day 1 is 1 January 1900, and it believes in a 29 February of that year. Five digits are the years 1927 to 2173. */
const daysSince1900 = (text: string): string => (/^\d{5}(?:\.\d+)?$/.test(text) ? addDays('1899-12-30', Math.floor(Number(text))) : '')
