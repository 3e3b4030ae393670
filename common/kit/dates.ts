/**
 * Dates are texts `YYYY-MM-DD` in code and on the wire, `DD/MM/YYYY` on screens (spec 5, Dates). A text that is not a date yields nothing. That is
 * `undefined` where a date is read, `''` where one is computed, NaN where days or years are counted. Nothing here throws.
 */

/** Converts strict DD/MM/YYYY to YYYY-MM-DD. Anything else yields nothing, as do days that do not exist. */
export function parseDate(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length !== 10) return undefined
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  return isDate(date) ? date : undefined
}

/** Converts YYYY-MM-DD, or DD/MM/YYYY itself, to DD/MM/YYYY for display. */
export function displayDate(value: unknown): string | undefined {
  const date = readDate(value)
  return date && `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** Returns DD/MM/YYYY HH:mm in a time zone, the same in every language. */
export const displayMoment = (at: Date, timeZone: string): string => formatIn(timeZone).format(at).replace(', ', '\u00a0')

/** Reads a date in either format as YYYY-MM-DD: forms hold DD/MM/YYYY, calls YYYY-MM-DD. */
export const readDate = (value: unknown): string | undefined => (isDate(value) ? value : parseDate(value))

/** True for an existing day written YYYY-MM-DD. Year 0 does not exist. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== 10 || value[4] !== '-' || value[7] !== '-') return false
  const [year, month, day] = partsOf(value)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  // Months of 31 and 30 days alternate, and start again in August.
  return 31 - (((month - 1) % 7) % 2)
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export const addDays = (date: string, days: number): string =>
  isDate(date) && Number.isInteger(days) ? dateOf(dayNumber(date) + days) : ''

/** Returns the same day some months later, or the last day of a shorter month. */
export function addMonths(date: string, months: number): string {
  if (!isDate(date) || !Number.isInteger(months)) return ''
  const [year, month, day] = partsOf(date)
  const monthCount = year * 12 + month - 1 + months
  const toYear = Math.floor(monthCount / 12)
  const toMonth = monthCount - toYear * 12 + 1
  return formatDate(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)))
}

export const addYears = (date: string, years: number): string => (Number.isInteger(years) ? addMonths(date, years * 12) : '')

/** Returns the days between two dates, negative if the second is earlier. */
export const daysBetween = (from: string, to: string): number => (isDate(from) && isDate(to) ? dayNumber(to) - dayNumber(from) : Number.NaN)

/** Returns the age in whole years. A 29 February birthday falls on 1 March in common years. */
export function ageOn(birthDate: string, onDate: string): number {
  if (!isDate(birthDate) || !isDate(onDate)) return Number.NaN
  const years = digitsIn(onDate, 0, 4) - digitsIn(birthDate, 0, 4)
  return onDate.slice(5) < birthDate.slice(5) ? years - 1 : years
}

export const isBefore = (date: string, other: string): boolean => isDate(date) && isDate(other) && date < other

export const isAfter = (date: string, other: string): boolean => isBefore(other, date)

/** True if a day lies between two days, both included. A missing bound does not limit. */
export const isWithin = (date: string, from: string | undefined, to: string | undefined): boolean =>
  isDate(date) && (!isDate(from) || date >= from) && (!isDate(to) || date <= to)

/** Returns the day of an instant in a time zone, usually the business unit's own. An unknown zone means UTC. */
export function today(instant: Date | number, timeZone: string): string {
  const time = instant instanceof Date ? instant.getTime() : instant
  if (typeof time !== 'number' || !(Math.abs(time) <= lastTime)) return ''
  const parts = formatIn(timeZone).formatToParts(time)
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value)
  return formatDate(part('year'), part('month'), part('day'))
}

const lastTime = 8.64e15

/** Returns the first instant of a day in a time zone; the day may begin after midnight (summer time). NaN if the text is not a date. */
export function startOfDay(date: string, timeZone: string): number {
  if (!isDate(date)) return Number.NaN
  const name = `${date} ${timeZone}`
  const known = starts.get(name)
  if (known !== undefined) return known
  const found = findStart(date, timeZone)
  if (starts.size >= maxStarts) starts.clear()
  starts.set(name, found)
  return found
}

/** A cache: one start takes some thirty conversions, and the preview of a change needs the same few at every key. */
const starts = new Map<string, number>()
const maxStarts = 1000

function findStart(date: string, timeZone: string): number {
  const midnight = dayNumber(date) * 86_400_000
  // No time zone is further from UTC.
  let [before, from] = [midnight - 15 * 3_600_000, midnight + 15 * 3_600_000]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (today(middle, timeZone) < date) before = middle
    else from = middle
  }
  return from
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = newFormat(timeZone)
  if (!format) return timeZone === 'UTC' ? new Intl.DateTimeFormat('en-GB') : formatIn('UTC')
  formats.set(timeZone, format)
  return format
}

/** Creating a format costs a hundred times its use. Only existing zones are kept. */
const formats = new Map<string, Intl.DateTimeFormat>()

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  } catch {
    return undefined
  }
}

const partsOf = (date: string): [year: number, month: number, day: number] => [
  digitsIn(date, 0, 4),
  digitsIn(date, 5, 7),
  digitsIn(date, 8, 10),
]

/** Reads digits one by one, which takes a third of the time of slices: a price reads some twenty dates. NaN for other characters. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
  }
  return number
}

/** Date.UTC reads years below 100 as those of the 20th century. The calendar repeats after 400 years, which have 146 097 days. */
function dayNumber(date: string): number {
  const [year, month, day] = partsOf(date)
  return Date.UTC(year + 400, month - 1, day) / 86_400_000 - 146_097
}

function dateOf(day: number): string {
  const at = new Date(day * 86_400_000)
  return formatDate(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate())
}

/** Returns nothing outside the years 1 to 9999, which have no such form. */
function formatDate(year: number, month: number, day: number): string {
  const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDate(date) ? date : ''
}

/** Returns the last whole day before an instant that is midnight in the time zone; undefined for any other instant. */
export function lastDayBefore(instant: Date, timeZone: string): string | undefined {
  const day = today(instant, timeZone)
  return instant.getTime() === startOfDay(day, timeZone) ? addDays(day, -1) : undefined
}
