import { addDays, displayDate, parseDate } from '#common/kit/dates.ts'
import { searchable } from '#common/kit/text.ts'
import { completeDate } from '#common/kit/typed/dates.ts'

/** Returns the kind of a document as lists and the form's labels write it, in any language; undefined for other text. */
export function documentKindOf(text: string): 'passport' | 'national' | undefined {
  const kind = searchable(text).replaceAll(/[^a-z]/g, '')
  if (passport.has(kind)) return 'passport'
  return national.has(kind) ? 'national' : undefined
}

/** True for a column in which most cells are kinds of documents. A single letter may mean something else. */
export const holdsKinds = (cells: readonly string[]): boolean =>
  cells.filter(text => text.length > 1 && documentKindOf(text)).length * 2 > cells.length

const passport = new Set('p pas pp passport pasaporte passeport passaporto passaporte'.split(' '))
const national = new Set(
  (
    'n id idcard dni nie nif dninie dnionie cni cc ci documento piece national nacional nationale nazionale cartaodecidadao cartadidentita ' +
    'cartedidentite identitycard documentonacional codicefiscale codfiscale'
  ).split(' '),
)

/**
 * Converts the date formats of spreadsheets to DD/MM/YYYY: ISO with or without time, other separators or none, and Excel's day count. With `today`, a
 * two-digit year lies in the past, as when it is typed. Any other text is kept for the rule to refuse.
 */
export function dateText(text: string, today = ''): string {
  const iso = displayDate(text.replace(/[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/, ''))
  if (iso) return iso
  const [, day, month, year] =
    /^(\d{1,2})[/.\- ]+(\d{1,2})[/.\- ]+(\d{4})$/.exec(text) ?? /^(\d{2})(\d{2})((?:19|20)\d{2})$/.exec(text) ?? []
  const date = `${day?.padStart(2, '0')}/${month?.padStart(2, '0')}/${year}`
  if (parseDate(date)) return date
  if (/^\d{1,2}[/.\- ]+\d{1,2}[/.\- ]+\d{2}$/.test(text)) return completeDate(text, { kind: 'birth', today, locale: 'en-EN' })
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  return displayDate(parts.join('-')) ?? displayDate(daysSince1900(text)) ?? text
}

/** Converts Excel's day count, which includes a 29 February 1900. Five digits cover the years 1927 to 2173. */
const daysSince1900 = (text: string): string => (/^\d{5}(?:\.\d+)?$/.test(text) ? addDays('1899-12-30', Math.floor(Number(text))) : '')
