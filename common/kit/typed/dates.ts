import { addDays, daysBetween, daysInMonth, displayDate, isDate } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { searchable } from '#common/kit/text.ts'

/**
 * How a short date is completed. The days of a `trip` lie ahead, those of the `past` do not, and those of a `list` are the nearest on either side. A
 * `birth` has a year, which is never in the future.
 */
export type DateKind = 'trip' | 'past' | 'list' | 'birth'

export type DateContext = {
  kind?: DateKind | undefined
  /** Today at the business unit, as YYYY-MM-DD. Without it only complete dates are read. */
  today?: string | undefined
  /** The day from which `+7` and the next weekday count, as YYYY-MM-DD. The default is today. */
  from?: string | undefined
  locale: Locale
}

/**
 * Returns the date that a typed text means, as DD/MM/YYYY. Reads `1/2/2026`, `01022026`, `010226`, `1/2`, `15 jan`, `+7`, weekdays, and words
 * like today. Text
 * that is ambiguous or not a date stays as typed, so that a rule can refuse it.
 */
export function completeDate(text: string, context: DateContext): string {
  const typed = text.trim()
  const { today = '' } = context
  const day = isDate(today) ? (shiftedDay(typed, context, today) ?? namedDay(typed, context, today)) : undefined
  return displayDate(typed) ?? displayDate(day ?? writtenDay(typed, context)) ?? typed
}

const apart = /^(\d{1,2})[/.\-\s]+(\d{1,2})(?:[/.\-\s]+(\d{4}|\d{2})?)?$/
const together = /^(\d{2})(\d{2})(\d{4}|\d{2})?$/

function writtenDay(typed: string, context: DateContext): string | undefined {
  const figures = withoutName(typed, context.locale)
  const [, day, month, year] = apart.exec(figures) ?? together.exec(figures) ?? []
  if (!day || !month) return undefined
  if (year?.length === 4) return dayOf(year, month, day)
  return year ? dayOf(`20${year}`, month, day, context) : dayWithoutYear(month, day, context)
}

const named = /^(\d{1,2})[/.\-\s]*(?:de )?([a-z]{3,})\.?(?:[/.\-\s]+(?:de )?(\d{4}|\d{2})?)?$/

/** Turns the name of a month, or its unique beginning, into a figure: `15 ene` is 15/1. */
function withoutName(typed: string, locale: Locale): string {
  const [, day, name, year = ''] = named.exec(searchable(typed)) ?? []
  if (!name) return typed
  const format = new Intl.DateTimeFormat(intlTag(locale), { month: 'long', timeZone: 'UTC' })
  const found = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter(month =>
    searchable(format.format(Date.UTC(2000, month - 1))).startsWith(name),
  )
  return found.length === 1 ? `${day}/${found[0]}/${year}` : typed
}

/** Returns the day, or that of the previous century if a birth would lie in the future. */
function dayOf(year: string, month: string, day: string, { kind, today = '' }: Partial<DateContext> = {}): string | undefined {
  if (kind === 'birth' && !isDate(today)) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (kind === 'birth' && date > today) return dayOf(String(Number(year) - 100), month, day)
  return isDate(date) ? date : undefined
}

/** The longest trip in days whose end is completed. `1/12` after a start on 28 December is a mistake, not a trip of 11 months. */
const longestTrip = 183

/** Returns the next such day for a trip, the last one in the past, or the nearest. 29 February can be eight years away. */
function dayWithoutYear(month: string, day: string, context: DateContext): string | undefined {
  const { kind, today = '', from } = context
  if (kind === 'list') {
    const days = (['trip', 'past'] as const).flatMap(kind => dayWithoutYear(month, day, { ...context, kind, from: undefined }) ?? [])
    return days.toSorted((one, other) => Math.abs(daysBetween(today, one)) - Math.abs(daysBetween(today, other)))[0]
  }
  if (!isDate(today) || (kind !== 'trip' && kind !== 'past')) return undefined
  if (Number(day) > daysInMonth(2000, Number(month))) return undefined
  const [start, step] = kind === 'trip' ? [from ?? today, 1] : [today, -1]
  const years = Array.from({ length: 9 }, (_, index) => String(Number(start.slice(0, 4)) + index * step))
  const found = years.map(year => dayOf(year, month, day)).find(date => date && (kind === 'trip' ? date >= start : date <= start))
  const isTooFar = found !== undefined && kind === 'trip' && from !== undefined && daysBetween(from, found) > longestTrip
  return isTooFar ? undefined : found
}

/** Reads `+7` and `-7` as days from the given day. A trip accepts none before it, the past none after. */
function shiftedDay(typed: string, { kind, from }: DateContext, today: string): string | undefined {
  const [, sign, days] = /^([+-])\s?(\d{1,3})$/.exec(typed) ?? []
  if (!days || kind === 'birth' || kind === (sign === '+' ? 'past' : 'trip')) return undefined
  return addDays(kind === 'trip' && isDate(from) ? from : today, Number(`${sign}${days}`))
}

/**
 * Reads the language's own words: weekdays, and days like tomorrow. A unique beginning is enough, and so are the first three letters of a weekday:
 * `dom` is domenica, not domani.
 */
function namedDay(typed: string, { kind, from, locale }: DateContext, today: string): string | undefined {
  const word = searchable(typed)
  if (word.length < 2 || kind === 'birth' || /\d/.test(word)) return undefined
  const start = kind === 'trip' && isDate(from) ? from : today
  const ofWeek = weekdays(kind, locale, start).filter(({ name }) => name.startsWith(word))
  const found = [...nearDays(kind, locale, today).filter(({ name }) => name.startsWith(word)), ...ofWeek]
  const short = word.length === 3 && ofWeek.length === 1 ? ofWeek[0] : undefined
  return (found.find(({ name }) => name === word) ?? short ?? (found.length === 1 ? found[0] : undefined))?.date
}

type NamedDay = { name: string; date: string }

function nearDays(kind: DateKind | undefined, locale: Locale, today: string): NamedDay[] {
  const format = new Intl.RelativeTimeFormat(intlTag(locale), { numeric: 'auto' })
  const nearest = [-2, -1, 0, 1, 2].filter(days => (kind !== 'trip' || days >= 0) && (kind !== 'past' || days <= 0))
  // Some languages have no word for the day after tomorrow, and write the number.
  return nearest
    .map(days => ({ name: searchable(format.format(days, 'day')), date: addDays(today, days) }))
    .filter(({ name }) => !/\d/.test(name))
}

/** Returns the next seven days by weekday, or the last seven for the past. */
function weekdays(kind: DateKind | undefined, locale: Locale, start: string): NamedDay[] {
  if (kind === undefined || kind === 'birth') return []
  const format = new Intl.DateTimeFormat(intlTag(locale), { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, index) => addDays(start, kind === 'past' ? -index - 1 : index + 1))
    .filter(isDate)
    .map(date => ({ name: searchable(format.format(new Date(`${date}T00:00:00Z`))), date }))
}
