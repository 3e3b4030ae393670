import { addDays, addYears, daysBetween } from '#common/kit/dates.ts'
import { anyWeekday, weekdayOf } from '../paste-words/calendar.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { isGiven } from '../paste-people/given-names.ts'
import { cuesOf, labelOf, lineEnd, lineStart, matchesIn, type Pasted, type Span, spanOf } from './text.ts'
import { dateIn, weekdayIn, type WrittenDate, writtenDates } from './written-dates.ts'

export type DateAt = { value: string; at: Span }
export type Period = { start: DateAt | undefined; end: DateAt | undefined }

/** `out` is a departure and `in` an arrival: flights begin with the first, hotel stays with the second. `other` is not of the trip. */
type Role = 'start' | 'end' | 'out' | 'in' | 'booked' | 'birth' | 'other' | 'none'
export type Day = DateAt & { role: Role; toNext: boolean; hasYear: boolean }
type DayRead = Day & { written: WrittenDate }

/** Returns all days in a text, each with its role. */
export function daysIn(pasted: Pasted, today: string): Day[] {
  const days: Day[] = []
  let last: DayRead | undefined
  const written = writtenDates(pasted)
  for (const [index, date] of written.entries()) {
    const next = written[index + 1]
    const read = roleOf(pasted, date, next, last, today)
    const value = dayOf(pasted, { date, next, role: read, last }, today)
    // No email was sent and no client born in the future: `Fecha: 15/01/2027` is the date of a flight.
    const isMail = read === 'other' && dateLabel.test(labelOf(pasted, date.at[0]).trimStart())
    const role = value !== undefined && value > today && (isMail || read === 'birth') ? 'none' : read
    // An impossible day cannot begin a range either.
    last =
      value === undefined ? undefined : { value, at: date.at, role, toNext: date.toNext, hasYear: date.year !== undefined, written: date }
    if (last) days.push(last)
  }
  return days
}

/** Returns the day of the booking: in the last three years, and the only one. */
export function bookingDay(days: readonly Day[], today: string): DateAt | undefined {
  const [day, ...others] = distinct(days.filter(({ role, value }) => role === 'booked' && value <= today && value > addYears(today, -3)))
  return others.length > 0 ? undefined : day
}

/** Words that make a date a deadline, or that of an invoice or document, whatever else its clause says. */
const otherWords = new RegExp(`${wholeWord('notTripDay')}|©|^${anyOf('mailHead')} ?:`)
const dateLabel = new RegExp(`^${anyOf('mailHead')} ?: ?(?:${anyWeekday}[.,]? )?$`)
const birthWords = new RegExp(wholeWord('birth'))
const bookedWords = new RegExp(wholeWord('booked'))
const bookedOf = new RegExp(`${wholeWord('bookedOf')} (?:${anyWeekday}[.,]? )?$`)
/** A document followed by its number does not concern a later date, as in `DNI 12345678Z, viaje a Portugal del `. */
const numberedDocument = new RegExp(
  `(?<!\\w)(?:${anyOf('passport')}|dni|nif|nie)(?: ?n?[ºo°.]{0,2}) ?:? ?` +
    `(?=[a-z]{0,3}\\d)[a-z\\d][a-z\\d.-]{4,15}(?=[ ,.]{1,3}[a-z]{4})`,
)
const roleWords: [Role, RegExp][] = [
  ['start', new RegExp(wholeWord('start'), 'g')],
  ['end', new RegExp(wholeWord('end'), 'g')],
  ['out', new RegExp(wholeWord('leaves'), 'g')],
  ['in', new RegExp(wholeWord('arrives'), 'g')],
]

function roleOf(pasted: Pasted, date: WrittenDate, next: WrittenDate | undefined, last: DayRead | undefined, today: string): Role {
  if (last?.toNext) return last.role
  if (isBehindName(pasted, date, today)) return 'birth'
  const { label, behind, above, isFirst, isCell } = cuesOf(pasted, date.at, last?.at[1], next?.at[0])
  if (!date.toNext && bookedOf.test(label)) return 'booked'
  const role = roleIn(label, 'last')
  if (role !== 'none' || isCell) return role
  if (!isFirst && /^[\s,&()/]*(?:y|e|et|and)?[\s(]*$/.test(label)) return last?.role ?? 'none'
  const fromAbove = above ? roleAbove(pasted, date, above, last, today) : 'none'
  return fromAbove === 'none' ? roleIn(behind.replace(otherDay, ''), 'first') : fromAbove
}

/** The words for another day after a date: `y volvemos el 8`. */
const otherDay = new RegExp(` (?:${anyOf('and')} |, ?)[a-z ]{0,40}(?:\\d{1,2}(?![\\d:.h])[^]{0,60})?$`)

const titled = '(?:mrs|mr|ms|miss|mstr|mme|mlle|sra|srta|sr|sig|chd|inf|adt)'
const nameBefore = new RegExp(`[a-z'ªº-]/([a-z'ªº-]{2,25})(?: [a-z'ªº-]{1,25}){0,4}(?<=( ${titled})?)[ ,;:(*-]{1,4}$`)
const childTitle = /chd|inf|mstr|miss/
const horizonYears = 2

/** True for the date after a reservation system's name: `PEREZ SANZ/JUAN MR 12MAR85`. False if the day may be the trip's. */
function isBehindName({ plain }: Pasted, { at, year }: WrittenDate, today: string): boolean {
  const [, given = '', title = ''] = nameBefore.exec(plain.slice(Math.max(lineStart(plain, at[0]), at[0] - 120), at[0])) ?? []
  if (year === undefined || (title === '' && !isGiven(given))) return false
  const thisYear = Number(today.slice(0, 4))
  // A late date is that of the booking, unless it is a child's.
  return year > thisYear + horizonYears || year < thisYear - 1 || (year <= thisYear && childTitle.test(title))
}

/** Returns the role that the line above gives: a label on its own line, or a continued list of birth dates. */
function roleAbove(pasted: Pasted, { at }: WrittenDate, line: Span, last: DayRead | undefined, today: string): Role {
  const { plain } = pasted
  if (last && last.at[1] > line[0]) {
    // A blank line ends the list of birth dates.
    const goesOn = last.role === 'birth' && !isBehindName(pasted, last.written, today) && !/\n *\n/.test(plain.slice(line[1], at[0]))
    return goesOn ? 'birth' : 'none'
  }
  const words = plain.slice(...line)
  // A sentence that has ended is no label.
  return words.length > 90 || words.trimEnd().endsWith('.') ? 'none' : roleIn(words, 'last')
}

function roleIn(words: string, which: 'first' | 'last'): Role {
  if (birthWords.test(words)) return 'birth'
  if (bookedWords.test(words)) return 'booked'
  if (otherWords.test(words.replace(numberedDocument, ' ').trimStart())) return 'other'
  const roles = roleWords.flatMap(([role, pattern]) => matchesIn(words, pattern).map(({ index }) => ({ role, index })))
  return roles.toSorted((a, b) => a.index - b.index).at(which === 'first' ? 0 : -1)?.role ?? 'none'
}

/** A date with its role, the date after it, and the day before it. */
type DateInText = { date: WrittenDate; next: WrittenDate | undefined; role: Role; last: Day | undefined }

const weekdayBefore = /[a-z]{3,10}(?=(?:-feira)?[.,]? ?(?:(?:the|el|le|il|dia) )?$)/

/** Returns the day with its year: without one, the next such day for a trip, the last for a booking. None if its weekday does not match. */
function dayOf(pasted: Pasted, { date, next, role, last }: DateInText, today: string): string | undefined {
  const { month, day, at } = date
  const isLater = next && (month > next.month || (month === next.month && day > next.day))
  const year = date.year ?? (date.toNext && next?.year ? next.year - (isLater ? 1 : 0) : undefined)
  const isOfCentury = role === 'birth' && year !== undefined && year > Number(today.slice(0, 4))
  const value = year === undefined ? nearest(date, role, last, today) : dateIn(isOfCentury ? year - 100 : year, month, day)
  if (value === undefined) return undefined
  const [word = ''] = weekdayBefore.exec(pasted.plain.slice(Math.max(0, at[0] - 20), at[0])) ?? []
  const weekday = weekdayOf(word, pasted.language)
  return weekday === undefined || weekday === weekdayIn(value) ? value : undefined
}

function nearest({ month, day }: WrittenDate, role: Role, last: Day | undefined, today: string): string | undefined {
  if (role === 'birth') return undefined
  const goesOn = last && last.value > today && (last.toNext || (last.role !== 'other' && last.hasYear))
  const base = goesOn ? last.value : today
  const days = [-1, 0, 1].flatMap(years => dateIn(Number(base.slice(0, 4)) + years, month, day) ?? [])
  return role === 'booked' ? days.findLast(date => date <= today) : days.find(date => date >= base)
}

const longest = 366
const none: Period = { start: undefined, end: undefined }
const choiceWords = new RegExp(wholeWord('choice'))

/** Returns the days of a trip: none in the past, and none if the text is ambiguous. The days of a journey's legs take precedence. */
export function tripDays(pasted: Pasted, days: readonly Day[], today: string, journey: Period | undefined): Period {
  const isChoice = choiceWords.test(pasted.plain)
  const { start, end } = journey ?? none
  if (start && end && !isChoice) return { start, end }
  const period = tripPeriod(pasted, days, today)
  if (period.start || isChoice || !start || (period.end && period.end.value < start.value)) return period
  return { start, end: period.end }
}

const tripRoles = new Set<Role>(['start', 'end', 'out', 'in'])
const notOfTrip = new Set<Role>(['other', 'booked', 'birth'])
const hotelWords = new RegExp(`${wholeWord('night', 'room')}|\\b(?:check-?in|hotel)\\b`)

/** Returns the days that may be of a trip. */
export const ofTrip = (days: readonly Day[]): Day[] => days.filter(({ role }) => !notOfTrip.has(role))

function tripPeriod(pasted: Pasted, days: readonly Day[], today: string): Period {
  const { plain } = pasted
  const pairs = days.flatMap((day, index): [Day, Day][] => {
    const next = days[index + 1]
    return day.toNext && next ? [[day, next]] : []
  })
  const ranges = pairs.filter(([from, to]) => !notOfTrip.has(from.role) && from.value >= today && from.value <= to.value)
  const single = days.filter(day => !pairs.flat().includes(day) && tripRoles.has(day.role))
  if (single.some(({ value }) => value < today) && ranges.length === 0) return none
  const future = inOrder([...ranges.flat(), ...single.filter(({ value }) => value >= today)])
  const [start, end] = [future[0], future.at(-1)]
  if (!start || !end || end.value > addYears(today, horizonYears) || daysBetween(start.value, end.value) > longest) return none
  if (!isOneTrip(plain, future, ranges)) return none
  const isHotel = hotelWords.test(plain)
  if (ranges.length > 0 || future.some(({ role }) => role === 'end') || isStay(future, isHotel)) {
    return { start: start.role === 'end' && ranges.length === 0 ? undefined : start, end }
  }
  const [only, ...others] = distinct(future.filter(({ role }) => role === 'start' || (role === 'out' && !isHotel)))
  if (!only || others.length > 0 || only.value !== start.value) return none
  return { start: only, end: afterNights(plain, only) }
}

const inOrder = (days: readonly Day[]): Day[] => days.toSorted((a, b) => a.value.localeCompare(b.value))

/** True for an arrival and a departure at least two days later, or one day in a hotel. */
function isStay(days: readonly Day[], isHotel: boolean): boolean {
  const [comes, goes] = [days.find(({ role }) => role === 'in'), days.findLast(({ role }) => role === 'out')]
  return comes !== undefined && goes !== undefined && daysBetween(comes.value, goes.value) >= (isHotel ? 1 : 2)
}

const slack = 3

/** True if several ranges or starts are one trip: each continues where another ends, and the text offers no choice between them. */
function isOneTrip(plain: string, days: readonly Day[], ranges: readonly [Day, Day][]): boolean {
  if (distinct(days).length > 2 && choiceWords.test(plain)) return false
  const [froms, tos] = [inOrder(ranges.map(([from]) => from)), inOrder(ranges.map(([, to]) => to))]
  const begins = distinct(inOrder([...froms, ...days.filter(({ role }) => role === 'start')]))
  const ends = [...tos, ...days.filter(({ role }) => role === 'end')]
  const near = (a: Day, b: Day) => Math.abs(daysBetween(a.value, b.value)) <= slack
  const goesOn = begins.every((begin, index) => {
    const previous = begins[index - 1]
    const isInside = ranges.some(([from, to]) => from.value < begin.value && begin.value < to.value)
    return !previous || isInside || near(begin, previous) || ends.some(end => near(begin, end))
  })
  const [first, last] = [froms[0], tos.at(-1)]
  const isWithin = (day: Day) => !first || !last || (day.value >= addDays(first.value, -slack) && day.value <= addDays(last.value, slack))
  return goesOn && days.every(isWithin)
}

const nightCount = new RegExp(`(?<![\\w.,])(\\d{1,2}) ?${anyOf('night')}(?!\\w)`, 'g')

/** Returns the end that follows from `7 noches` after the start. */
function afterNights(plain: string, start: DateAt): DateAt | undefined {
  const [first, ...others] = matchesIn(plain, nightCount)
  const nights = Number(first?.[1])
  if (!first || nights < 1 || others.some(other => other[1] !== first[1])) return undefined
  return { value: addDays(start.value, nights), at: spanOf(first) }
}

const distinct = <Date extends DateAt>(dates: readonly Date[]): Date[] =>
  dates.filter(({ value }, index) => dates.findIndex(other => other.value === value) === index)

/** Returns the day of a line: its own, else the last one above it. */
export function dayFor(days: readonly Day[], plain: string, at: number): Day | undefined {
  const [start, end] = [lineStart(plain, at), lineEnd(plain, at)]
  return days.find(day => day.at[0] >= start && day.at[0] < end) ?? days.findLast(day => day.at[0] < start)
}
