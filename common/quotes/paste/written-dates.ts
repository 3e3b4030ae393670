import { daysBetween, daysInMonth, isDate } from '#common/kit/dates.ts'
import { anyWeekday, isEnglishMonth, monthOf } from '../paste-words/calendar.ts'
import { anyOf } from '../paste-words/patterns.ts'
import { matchesIn, type Pasted, type Span, spanOf } from './text.ts'

/** A date in a text. Its year may follow from the text around it. `toNext`: it begins a range that the next date ends. */
export type WrittenDate = { at: Span; day: number; month: number; year: number | undefined; toNext: boolean }

/** Returns a date of the calendar; undefined for an impossible one. */
export function dateIn(year: number, month: number, day: number): string | undefined {
  const value = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDate(value) ? value : undefined
}

/** Returns the day of the week; 0 is Sunday. */
export const weekdayIn = (date: string): number => ((daysBetween('2023-01-01', date) % 7) + 7) % 7

/** Returns all dates in a text, in order. Impossible dates, and digits that may have day or month first, are left out. */
export function writtenDates(pasted: Pasted): WrittenDate[] {
  const found = [...inDigits(pasted), ...inWords(pasted), ...monthFirst(pasted)]
    .filter(({ day, month, year }) => {
      return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(month === 2 && !year ? 2000 : (year ?? 2001), month)
    })
    .toSorted((a, b) => a.at[0] - b.at[0] || b.at[1] - a.at[1])
  const apart = found.filter((date, index) => !found.slice(Math.max(0, index - 4), index).some(other => other.at[1] > date.at[0]))
  return apart.map((date, index) => ({ ...date, toNext: date.toNext || isRange(pasted.plain, date.at, apart[index + 1]?.at) }))
}

const rangeSign = `(?:-|>|${anyOf('rangeEnd')})`
const article = `(?:${anyOf('dayArticle')} )?`
const clockTime = '\\(?\\d{1,2}[:h.]\\d{2} ?h?\\)?'
const weekday = `${anyWeekday}(?:-feira)?[.,]{0,2}\\s{0,2}`
const between = new RegExp(`^[\\s,)]{0,3}(?:${clockTime}[\\s,]{0,3})?${rangeSign}\\s{0,3}${article}(?:${weekday})?${article}$`)

const isRange = (plain: string, at: Span, next: Span | undefined): boolean =>
  next !== undefined && next[0] - at[1] <= 40 && between.test(plain.slice(at[1], next[0]))

type Part = string | number | undefined

/** Two digits are a year of this century. The caller corrects a birth year. */
const one = (at: Span, day: Part, month: Part, year?: Part, toNext = false): WrittenDate => ({
  at,
  day: Number(day),
  month: Number(month),
  year: year === undefined ? undefined : Number(year) + (Number(year) < 100 ? 2000 : 0),
  toNext,
})

const iso = /(?<![\w/.-])((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[/.-]\d)/g
const dayFirst = /(?<![\w/.,:])(?<!-(?=\d{1,2}-))(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![a-z\d]|[/.,:-]\d)/g
const shortRange = new RegExp(
  `(?<![\\w/.,:-])((\\d{1,2})/(\\d{1,2}))\\s{0,2}${rangeSign}\\s{0,2}${article}((\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?)(?![\\d/])`,
  'dg',
)

/** Finds 2027-08-03, 03/08/2027 and 3.8.27, and `del 3/8 al 17/8`. Without a year only ranges count: 3/8 alone may be a fraction. */
function inDigits(pasted: Pasted): WrittenDate[] {
  const { plain, language } = pasted
  const found = matchesIn(plain, iso).map(match => one(spanOf(match), match[4], match[3], match[1]))
  const dates = matchesIn(plain, dayFirst)
  if (!isDayFirst(pasted, dates)) return found
  found.push(...dates.map(match => one(spanOf(match), match[1], match[3], match[4])))
  if (language === 'en') return found
  const ranges = matchesIn(plain, shortRange).flatMap(match => [
    one(spanOf(match, 1), match[2], match[3], undefined, true),
    one(spanOf(match, 4), match[5], match[6], match[7]),
  ])
  return [...found, ...ranges]
}

const fewDays = 3

/**
 * True if dates in digits have the day first. In English, 03/08 may be in March. It counts as August if the text has an unambiguous date of
 * this order, points between its digits, or only ranges such as `04/04/2027 - 11/04/2027`, which would otherwise last for months. If a text
 * contains 08/25, it has the month first, and no date in digits is read.
 */
function isDayFirst({ plain, language }: Pasted, dates: readonly RegExpExecArray[]): boolean {
  if (dates.some(match => Number(match[3]) > 12 && Number(match[1]) <= 12)) return false
  if (language !== 'en' || dates.every(match => match[2] === '.') || dates.some(match => Number(match[1]) > 12)) return true
  const ranges = dates.flatMap((date, index) => {
    const next = dates[index + 1]
    return next && isRange(plain, spanOf(date), spanOf(next)) ? [[date, next] as const] : []
  })
  const isInMonth = ([from, to]: readonly [RegExpExecArray, RegExpExecArray]) =>
    from[3] === to[3] && from[4] === to[4] && Number(to[1]) - Number(from[1]) >= fewDays
  return ranges.length > 0 && ranges.every(isInMonth)
}

const ordinal = '(?:er|st|nd|rd|th|º|ª|°)?'
const longYear = new RegExp(
  `(?:\\.?,?\\s{0,2}(?:${anyOf('ofMonth')}\\s{1,2})?|\\s?[-/.]\\s?)((?:19|20)\\d{2})(?!\\d|[.,]\\d|\\s?(?:€|eur))`,
  'y',
)
const shortYear = /([-/.]|\s?'|)(\d{2})(?![\w:€]|[.,]\d)/y

/** Returns the year after a month, and its end. Two digits need the separator that stood before the month, or an apostrophe. */
function yearAfter(plain: string, at: number, sign: string, isGlued = false): { year: string | undefined; end: number } {
  longYear.lastIndex = at
  shortYear.lastIndex = at
  // A time follows 18MAR: 1930.
  const long = isGlued && /\s/.test(plain.charAt(at)) ? null : longYear.exec(plain)
  if (long) return { year: long[1], end: at + long[0].length }
  const short = shortYear.exec(plain)
  return short && (short[1] === sign || short[1]?.endsWith("'"))
    ? { year: short[2], end: at + short[0].length }
    : { year: undefined, end: at }
}

const dayInWords = new RegExp(
  `(?<![\\w/.,:])(\\d{1,2})${ordinal}(\\s?[-/.]\\s?|\\s{0,2})(?:${anyOf('ofMonth')}\\s{1,2}|d')?([a-z]{3,10})(?![a-z])`,
  'g',
)

/** Finds 3 de agosto de 2027, 3 août, 03AUG27; and `del 3 al 17 de agosto`, whose first day has no month of its own. */
function inWords({ plain, text, language }: Pasted): WrittenDate[] {
  return matchesIn(plain, dayInWords).flatMap(match => {
    const [from, monthEnd] = spanOf(match)
    const glued = /^\d{2}[A-Z]{3}$/.test(text.slice(from, monthEnd))
    const { year, end } = yearAfter(plain, monthEnd, match[2] ?? '', glued)
    const month = monthOf(match[3] ?? '', language, year !== undefined || glued)
    if (month === undefined) return []
    const date = one([from, end], match[1], month, year)
    const first = dayBefore(plain, from)
    const start = first && one(first, plain.slice(...first), month, year, true)
    return start && start.day < date.day ? [start, date] : [date]
  })
}

const firstDay = new RegExp(
  `(?:^|[^\\w.,:/€$£-])(${anyOf('rangeStart')} {1,2})?(\\d{1,2})${ordinal}( {0,2}- {0,2}| {1,2}${anyOf('rangeEnd')} {1,2})` +
    `${article}(?:${anyWeekday}[.,]? )?$`,
  'd',
)

function dayBefore(plain: string, at: number): Span | undefined {
  const from = Math.max(0, at - 40)
  const head = plain.slice(from, at)
  const match = firstDay.exec(head)
  if (!match) return undefined
  const [start, end] = spanOf(match, 2)
  // `Room 3 - 17 August` is not a range. The first day of a range with a dash comes after a word, or begins a line or clause.
  if (match[3]?.includes('-') && !match[1] && !/(?:^|[\n:(|,]) {0,2}$/.test(head.slice(0, start))) return undefined
  return [from + start, from + end]
}

const monthThenDay = new RegExp(
  `(?<![\\w/.-])([a-z]{3,9})\\.?\\s{1,2}(\\d{1,2})(?:st|nd|rd|th)?(?:\\s{0,2}(?:-|to|through)\\s{0,2}(\\d{1,2})(?:st|nd|rd|th)?)?` +
    `(?![\\w:/%€]|[.,]\\d|\\s?(?:€|am\\b|pm\\b))`,
  'dg',
)

/** Finds August 3, 2027 and Aug 3-17, 2027: English only. */
function monthFirst({ plain, language }: Pasted): WrittenDate[] {
  return matchesIn(plain, monthThenDay).flatMap(match => {
    const [, word = '', day, lastDay] = match
    const [from, dayEnd] = spanOf(match)
    const { year, end } = yearAfter(plain, dayEnd, "'")
    if (!isEnglishMonth(word) || (language !== 'en' && !/^(?:20)?\d{2}$/.test(year ?? ''))) return []
    const month = monthOf(word, 'en', true)
    if (!lastDay) return [one([from, end], day, month, year)]
    const [cut] = spanOf(match, 3)
    return [one([from, cut - 1], day, month, year, true), one([cut, end], lastDay, month, year)]
  })
}
