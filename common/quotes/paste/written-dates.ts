import { daysInMonth } from '#common/kit/dates.ts'
import { anyOf } from '../paste-words/patterns.ts'
import { anyWeekday, isEnglishMonth, monthOf } from '../paste-words/calendar.ts'
import { matchesIn, type Pasted, type Span } from './text.ts'

/** A date in a text. Its year may follow from the text around it. `toNext`: it begins a range that the next date ends. */
export type WrittenDate = { at: Span; day: number; month: number; year: number | undefined; toNext: boolean }

/** Returns all dates in a text, in order. Impossible dates, and digits that may have day or month first, are left out. */
export function writtenDates(pasted: Pasted): WrittenDate[] {
  const found = [...inDigits(pasted), ...inWords(pasted), ...monthFirst(pasted), ...shortRanges(pasted)]
    .filter(
      ({ day, month, year }) =>
        month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(month === 2 && !year ? 2000 : (year ?? 2001), month),
    )
    .toSorted((a, b) => a.at[0] - b.at[0] || b.at[1] - a.at[1])
  const apart = found.filter((date, index) => !found.slice(Math.max(0, index - 4), index).some(other => other.at[1] > date.at[0]))
  return apart.map((date, index) => ({ ...date, toNext: date.toNext || isRange(pasted, date, apart[index + 1]) }))
}

const rangeSign = `(?:-|>|${anyOf('rangeEnd')})`
const article = `(?:${anyOf('dayArticle')} )?`
const clockTime = '\\(?\\d{1,2}[:h.]\\d{2} ?h?\\)?'
const weekday = `${anyWeekday}(?:-feira)?[.,]{0,2}\\s{0,2}`
const between = new RegExp(`^[\\s,)]{0,3}(?:${clockTime}[\\s,]{0,3})?${rangeSign}\\s{0,3}${article}(?:${weekday})?${article}$`)

function isRange({ plain }: Pasted, date: WrittenDate, next: WrittenDate | undefined): boolean {
  return next !== undefined && next.at[0] - date.at[1] <= 40 && between.test(plain.slice(date.at[1], next.at[0]))
}

const one = (at: Span, day: string | number, month: number, year?: number, toNext = false): WrittenDate => ({
  at,
  day: Number(day),
  month,
  year,
  toNext,
})

const span = (match: RegExpExecArray): Span => [match.index, match.index + match[0].length]

/** Reads two digits as a year of this century. The caller corrects a birth year. */
const yearOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits) + (digits.length === 2 ? 2000 : 0)

/** Finds 2027-08-03, 03/08/2027 and 3.8.27: day first, as in the five languages. */
function inDigits(pasted: Pasted): WrittenDate[] {
  const { plain } = pasted
  const iso = matchesIn(plain, /(?<![\w/.-])((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[/.-]\d)/g).map(match =>
    one(span(match), match[4] ?? '', Number(match[3]), Number(match[1])),
  )
  if (!isDayFirst(pasted)) return iso
  return [...iso, ...digitDates(plain).map(match => one(span(match), match[1] ?? '', Number(match[3]), yearOf(match[4])))]
}

const digitDates = (plain: string): RegExpExecArray[] =>
  matchesIn(plain, /(?<![\w/.,:])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![a-z\d]|[/.,:-]\d)/g).filter(
    match => !(match[2] === '-' && plain[match.index - 1] === '-'),
  )

/**
 * True if dates in digits have the day first. In English, 03/08 may be in March. It counts as August if the text has an unambiguous date of this
 * order, points between its digits, or a range that would otherwise last for months. If a text contains 08/25, it has the month first, and no date in
 * digits is read.
 */
function isDayFirst({ plain, language }: Pasted): boolean {
  const dates = digitDates(plain)
  if (dates.some(match => Number(match[3]) > 12 && Number(match[1]) <= 12)) return false
  return (
    language !== 'en' || dates.every(match => match[2] === '.') || dates.some(match => Number(match[1]) > 12) || hasOneMonth(plain, dates)
  )
}

const fewMonths = 3

/** True for `04/04/2027 - 11/04/2027`: a week if the day is first, else seven months. */
function hasOneMonth(plain: string, dates: readonly RegExpExecArray[]): boolean {
  const ranges = dates.flatMap((date, index) => {
    const next = dates[index + 1]
    return next && between.test(plain.slice(date.index + date[0].length, next.index)) ? [[date, next] as const] : []
  })
  return (
    ranges.length > 0 &&
    ranges.every(([from, to]) => from[3] === to[3] && from[4] === to[4] && Number(to[1]) - Number(from[1]) >= fewMonths)
  )
}

const ordinal = '(?:er|st|nd|rd|th|º|ª|°)?'
const longYear = new RegExp(
  `(?:\\.?,?\\s{0,2}(?:${anyOf('ofMonth')}\\s{1,2})?|\\s?[-/.]\\s?)((?:19|20)\\d{2})(?!\\d|[.,]\\d|\\s?(?:€|eur))`,
  'y',
)
const shortYear = /([-/.]|\s?'|)(\d{2})(?![\w:€]|[.,]\d)/y

/** Returns the year after a month, and its end. Two digits need the separator that stood before the month, or an apostrophe. */
function yearAfter(plain: string, at: number, sign: string, isGlued = false): { year: number | undefined; end: number } {
  longYear.lastIndex = at
  shortYear.lastIndex = at
  // A time follows 18MAR: 1930.
  const long = isGlued && /\s/.test(plain.charAt(at)) ? null : longYear.exec(plain)
  if (long) return { year: yearOf(long[1]), end: at + long[0].length }
  const short = shortYear.exec(plain)
  if (short && (short[1] === sign || short[1]?.endsWith("'"))) return { year: yearOf(short[2]), end: at + short[0].length }
  return { year: undefined, end: at }
}

/** Finds 3 de agosto de 2027, 3 août, 03AUG27; and `del 3 al 17 de agosto`, whose first day has no month of its own. */
function inWords({ plain, text, language }: Pasted): WrittenDate[] {
  return matchesIn(plain, dayInWords).flatMap(match => {
    const [all, day = '', sign = '', word = ''] = match
    const monthEnd = match.index + all.length
    const glued = /^\d{2}[A-Z]{3}$/.test(text.slice(match.index, monthEnd))
    const { year, end } = yearAfter(plain, monthEnd, sign, glued)
    const month = monthOf(word, language, year !== undefined || glued)
    if (month === undefined) return []
    const date = one([match.index, end], day, month, year)
    const first = dayBefore(plain, match.index)
    if (!first || first.day >= date.day) return [date]
    return [one(first.at, first.day, month, year, true), date]
  })
}

const dayInWords = new RegExp(
  `(?<![\\w/.,:])(\\d{1,2})${ordinal}(\\s?[-/.]\\s?|\\s{0,2})(?:${anyOf('ofMonth')}\\s{1,2}|d')?([a-z]{3,10})(?![a-z])`,
  'g',
)
const firstDay = new RegExp(
  `(?:^|[^\\w.,:/€$£-])(${anyOf('rangeStart')} {1,2})?(\\d{1,2})${ordinal}( {0,2}- {0,2}| {1,2}${anyOf('rangeLast')} {1,2})${article}(?:${anyWeekday}[.,]? )?$`,
)

function dayBefore(plain: string, at: number): { at: Span; day: number } | undefined {
  const head = plain.slice(Math.max(0, at - 40), at)
  const match = firstDay.exec(head)
  if (!match) return undefined
  const [all, word, day = '', sign = ''] = match
  // `Room 3 - 17 August` is not a range. The first day of a range with a dash comes after a word, or begins a line or clause.
  const start = head.slice(0, match.index + all.indexOf(day, word?.length ?? 0))
  if (sign.includes('-') && !word && !/(?:^|[\n:(|,]) {0,2}$/.test(start)) return undefined
  const from = at - head.length + start.length
  return { at: [from, from + day.length], day: Number(day) }
}

/** Finds August 3, 2027 and Aug 3-17, 2027: English only. */
function monthFirst({ plain, language }: Pasted): WrittenDate[] {
  const pattern =
    /(?<![\w/.-])([a-z]{3,9})\.?\s{1,2}(\d{1,2})(?:st|nd|rd|th)?(?:\s{0,2}(?:-|to|through)\s{0,2}(\d{1,2})(?:st|nd|rd|th)?)?(?![\w:/%€]|[.,]\d|\s?(?:€|am\b|pm\b))/g
  return matchesIn(plain, pattern).flatMap(match => {
    const [all, word = '', day = '', lastDay] = match
    if (!isEnglishMonth(word)) return []
    const { year, end } = yearAfter(plain, match.index + all.length, "'")
    if (language !== 'en' && (year ?? 0) < 2000) return []
    const month = monthOf(word, 'en', true) ?? 0
    if (!lastDay) return [one([match.index, end], day, month, year)]
    const cut = match.index + all.lastIndexOf(lastDay)
    return [one([match.index, cut - 1], day, month, year, true), one([cut, end], lastDay, month, year)]
  })
}

const shortRange = new RegExp(
  `(?<![\\w/.,:-])(\\d{1,2})/(\\d{1,2})(\\s{0,2}${rangeSign}\\s{0,2}${article})(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?(?![\\d/])`,
  'g',
)

/** Finds `del 3/8 al 17/8`. Without a year only ranges count: 3/8 alone may be a fraction. */
function shortRanges(pasted: Pasted): WrittenDate[] {
  if (pasted.language === 'en' || !isDayFirst(pasted)) return []
  return matchesIn(pasted.plain, shortRange).flatMap(match => {
    const [all, day = '', month = '', sign = '', lastDay = '', lastMonth = '', year] = match
    const cut = match.index + day.length + 1 + month.length
    return [
      one([match.index, cut], day, Number(month), undefined, true),
      one([cut + sign.length, match.index + all.length], lastDay, Number(lastMonth), yearOf(year)),
    ]
  })
}
