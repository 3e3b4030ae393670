import { addDays, addYears, daysBetween, isDate } from '#common/kit/dates.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { isGiven } from '../paste-people/given-names.ts'
import type { Journey } from '../paste-legs/journey.ts'
import { anyWeekday, weekdayOf } from '../paste-words/calendar.ts'
import { after, before, cellAt, lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span } from './text.ts'
import { type WrittenDate, writtenDates } from './written-dates.ts'

export type DateAt = { value: string; at: Span }
export type TripDays = {
  start: DateAt | undefined
  end: DateAt | undefined
  booked: DateAt | undefined
}

/** `out` is a departure and `in` an arrival: a flight begins with its departure, a hotel stay with its arrival. `other` is not a day of the trip. */
type Role = 'start' | 'end' | 'out' | 'in' | 'booked' | 'birth' | 'other' | 'none'
export type Day = DateAt & { role: Role; toNext: boolean; hasYear: boolean }

/** A date with the one after it. */
type DateInText = { date: WrittenDate; next: WrittenDate | undefined; role: Role; last: Day | undefined }

/** Returns all days in a text, each with its role. */
export function daysIn(pasted: Pasted, today: string): Day[] {
  const days: Day[] = []
  let last: (Day & { written: WrittenDate }) | undefined
  const written = writtenDates(pasted)
  for (const [index, date] of written.entries()) {
    const next = written[index + 1]
    const read = roleOf(pasted, date, next, last, today)
    const value = dayOf(pasted, { date, next, role: read, last }, today)
    // No email was sent and no client born in the future: `Fecha: 15/01/2027` is the date of a flight.
    const isAhead = value !== undefined && value > today
    const isMail = read === 'other' && dateLabel.test(before(pasted, date.at[0]).trimStart())
    const role = isAhead && (isMail || read === 'birth') ? 'none' : read
    // An impossible day cannot begin a range either.
    last =
      value === undefined ? undefined : { value, at: date.at, role, toNext: date.toNext, hasYear: date.year !== undefined, written: date }
    if (last) days.push(last)
  }
  return days
}

/** Returns the days of a trip: none in the past, and none if the text is ambiguous. The days of a journey's legs take precedence. */
export function tripDays(pasted: Pasted, days: readonly Day[], today: string, journey: Journey | undefined): TripDays {
  const booked = distinct(days.filter(({ role, value }) => role === 'booked' && value <= today && value > addYears(today, -3)))
  return {
    ...periodOf(pasted, days, today, journey),
    booked: booked.length === 1 ? booked[0] : undefined,
  }
}

/** Words that make a date a deadline, or that of an invoice or document, whatever else its clause says. */
const otherWords = new RegExp(`${wholeWord('notTripDay')}|©|^${anyOf('mailHead')} ?:`)
const dateLabel = new RegExp(`^${anyOf('mailHead')} ?: ?(?:${anyWeekday}[.,]? )?$`)
const birthWords = new RegExp(wholeWord('birth'))
const bookedWords = new RegExp(wholeWord('booked'))
const bookedOf = new RegExp(`${wholeWord('bookedOf')} (?:${anyWeekday}[.,]? )?$`)
/** A document followed by its number does not concern a later date, as in `DNI 12345678Z, viaje a Portugal del `. */
const numberedDocument = new RegExp(
  `(?<!\\w)(?:${anyOf('passport')}|dni|nif|nie)(?: ?n?[ºo°.]{0,2}) ?:? ?(?=[a-z]{0,3}\\d)[a-z\\d][a-z\\d.-]{4,15}(?=[ ,.]{1,3}[a-z]{4})`,
)
const roleWords: [Role, RegExp][] = [
  ['start', new RegExp(wholeWord('start'), 'g')],
  ['end', new RegExp(wholeWord('end'), 'g')],
  ['out', new RegExp(wholeWord('leaves'), 'g')],
  ['in', new RegExp(wholeWord('arrives'), 'g')],
]

function roleOf(
  pasted: Pasted,
  date: WrittenDate,
  next: WrittenDate | undefined,
  last: (Day & { written: WrittenDate }) | undefined,
  today: string,
): Role {
  if (last?.toNext) return last.role
  if (isBehindName(pasted, date, today)) return 'birth'
  const since = last?.at[1] ?? 0
  const context = before(pasted, date.at[0], since)
  if (!date.toNext && bookedOf.test(context)) return 'booked'
  const role = roleIn(context, 'last')
  if (role !== 'none') return role
  if (cellAt(pasted, date.at[0])) return 'none'
  const isFirstOnLine = lineStart(pasted.plain, date.at[0]) >= since
  if (!isFirstOnLine && /^[\s,&()/]*(?:y|e|et|and)?[\s(]*$/.test(context)) return last?.role ?? 'none'
  const follows = roleIn(own(after(pasted, date.at[1], next?.at[0] ?? Number.POSITIVE_INFINITY)), 'first')
  if (isFirstOnLine) {
    const above = roleAbove(pasted, date, last, today)
    if (above !== 'none') return above
  }
  return follows
}

/** Removes the words for another day after a date: `y volvemos el 8`. */
const own = (words: string): string => words.replace(otherDay, '')
const otherDay = new RegExp(` (?:${anyOf('and')} |, ?)[a-z ]{0,40}(?:\\d{1,2}(?![\\d:.h])[^]{0,60})?$`)

const titled = '(?:mrs|mr|ms|miss|mstr|mme|mlle|sra|srta|sr|sig|chd|inf|adt)'
const nameBefore = new RegExp(`[a-z'ªº-]/([a-z'ªº-]{2,25})(?: [a-z'ªº-]{1,25}){0,4}(?<=( ${titled})?)[ ,;:(*-]{1,4}$`)

/** True for the date after a reservation system's name: `PEREZ SANZ/JUAN MR 12MAR85`. False if the day may be the trip's. */
function isBehindName({ plain }: Pasted, { at, year }: WrittenDate, today: string): boolean {
  const [, given = '', title = ''] = nameBefore.exec(plain.slice(Math.max(lineStart(plain, at[0]), at[0] - 120), at[0])) ?? []
  if (year === undefined || (title === '' && !isGiven(given))) return false
  const thisYear = Number(today.slice(0, 4))
  // A late date is that of the booking, unless it is a child's.
  return year > thisYear + horizonYears || year < thisYear - 1 || (year <= thisYear && childTitle.test(title))
}
const childTitle = /chd|inf|mstr|miss/

/** Returns the role that the line above gives: a label on its own line, or a continued list of birth dates. */
function roleAbove(pasted: Pasted, { at }: WrittenDate, last: (Day & { written: WrittenDate }) | undefined, today: string): Role {
  const line = lineAbove(pasted.plain, at[0])
  if (!line) return 'none'
  // A blank line ends the list of birth dates.
  if (last && last.at[1] > line[0])
    return last.role === 'birth' && !isBehindName(pasted, last.written, today) && !/\n *\n/.test(pasted.plain.slice(line[1], at[0]))
      ? 'birth'
      : 'none'
  // A sentence that has ended is no label.
  return line[1] - line[0] > 90 ||
    pasted.plain
      .slice(...line)
      .trimEnd()
      .endsWith('.')
    ? 'none'
    : roleIn(pasted.plain.slice(...line), 'last')
}

function roleIn(words: string, which: 'first' | 'last'): Role {
  if (birthWords.test(words)) return 'birth'
  if (bookedWords.test(words)) return 'booked'
  if (otherWords.test(words.replace(numberedDocument, ' ').trimStart())) return 'other'
  const roles = roleWords.flatMap(([role, pattern]) => matchesIn(words, pattern).map(({ index }) => ({ role, index })))
  return roles.toSorted((a, b) => a.index - b.index).at(which === 'first' ? 0 : -1)?.role ?? 'none'
}

/** Returns the day with its year: without one, the next such day for a trip, the last for a booking. Undefined if its weekday does not match. */
function dayOf(pasted: Pasted, { date, next, role, last }: DateInText, today: string): string | undefined {
  const year = date.year ?? (date.toNext && next?.year ? yearBefore(date, next, next.year) : undefined)
  const value = year === undefined ? nearest(date, role, last, today) : dayIn(role === 'birth' ? centuryOf(year, today) : year, date)
  if (value === undefined) return undefined
  const [word] =
    /[a-z]{3,10}(?=(?:-feira)?[.,]? ?(?:(?:the|el|le|il|dia) )?$)/.exec(pasted.plain.slice(Math.max(0, date.at[0] - 20), date.at[0])) ?? []
  const weekday = word === undefined ? undefined : weekdayOf(word, pasted.language)
  return weekday === undefined || weekday === weekdayIn(value) ? value : undefined
}

const yearBefore = (date: WrittenDate, next: WrittenDate, year: number): number =>
  date.month > next.month || (date.month === next.month && date.day > next.day) ? year - 1 : year

const centuryOf = (year: number, today: string): number => (year > Number(today.slice(0, 4)) ? year - 100 : year)

function dayIn(year: number, { month, day }: WrittenDate): string | undefined {
  const value = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDate(value) ? value : undefined
}

function nearest(date: WrittenDate, role: Role, last: Day | undefined, today: string): string | undefined {
  if (role === 'birth') return undefined
  const goesOn = last && last.value > today && (last.toNext || (last.role !== 'other' && last.hasYear))
  const base = goesOn ? last.value : today
  const thisYear = Number(base.slice(0, 4))
  const days = [thisYear - 1, thisYear, thisYear + 1].flatMap(year => dayIn(year, date) ?? [])
  return role === 'booked' ? days.findLast(day => day <= today) : days.find(day => day >= base)
}

const weekdayIn = (date: string): number => ((daysBetween('2023-01-01', date) % 7) + 7) % 7

const longest = 366
const horizonYears = 2

function periodOf(pasted: Pasted, days: readonly Day[], today: string, journey: Journey | undefined): Pick<TripDays, 'start' | 'end'> {
  const isChoice = choiceWords.test(pasted.plain)
  if (journey?.start && journey.end && !isChoice) return { start: journey.start, end: journey.end }
  const period = tripPeriod(pasted, days, today)
  if (period.start || isChoice || !journey?.start || (period.end && period.end.value < journey.start.value)) return period
  return { start: journey.start, end: period.end }
}

function tripPeriod(pasted: Pasted, days: readonly Day[], today: string): Pick<TripDays, 'start' | 'end'> {
  const none = { start: undefined, end: undefined }
  const pairs = days.flatMap((day, index): [Day, Day][] => {
    const next = days[index + 1]
    return day.toNext && next ? [[day, next]] : []
  })
  const ranges = pairs.filter(([from, to]) => !apart.has(from.role) && from.value >= today && from.value <= to.value)
  const ranged = new Set(pairs.flat())
  const single = days.filter(day => !ranged.has(day) && ofTrip.has(day.role))
  if (single.some(({ value }) => value < today) && ranges.length === 0) return none
  const future = [...ranges.flat(), ...single.filter(({ value }) => value >= today)].toSorted((a, b) => a.value.localeCompare(b.value))
  const [start, end] = [future[0], future.at(-1)]
  if (!start || !end || end.value > addYears(today, horizonYears) || daysBetween(start.value, end.value) > longest) return none
  if (!isOneTrip(pasted, future, ranges)) return none
  const isHotel = hotelWords.test(pasted.plain)
  if (ranges.length > 0 || future.some(({ role }) => role === 'end') || isStay(future, isHotel)) {
    return { start: start.role === 'end' && ranges.length === 0 ? undefined : start, end }
  }
  const leaves = distinct(future.filter(({ role }) => role === 'start' || (role === 'out' && !isHotel)))
  const [only] = leaves
  if (!only || leaves.length > 1 || only.value !== start.value) return none
  return { start: only, end: afterNights(pasted, only) }
}

const ofTrip = new Set<Role>(['start', 'end', 'out', 'in'])
const apart = new Set<Role>(['other', 'booked', 'birth'])
const hotelWords = new RegExp(`${wholeWord('night', 'room')}|\\b(?:check-?in|hotel)\\b`)

/** True for an arrival and a departure at least two days later, or one day in a hotel. */
function isStay(days: Day[], isHotel: boolean): boolean {
  const comes = days.find(({ role }) => role === 'in')
  const goes = days.findLast(({ role }) => role === 'out')
  return comes !== undefined && goes !== undefined && daysBetween(comes.value, goes.value) >= (isHotel ? 1 : 2)
}

const choiceWords = new RegExp(wholeWord('choice'))
const slack = 3

/** True if several ranges or starts are one trip: each continues where another ends, and the text offers no choice between them. */
function isOneTrip({ plain }: Pasted, days: Day[], ranges: [Day, Day][]): boolean {
  if (distinct(days).length > 2 && choiceWords.test(plain)) return false
  const begins = [...ranges.map(([from]) => from), ...days.filter(({ role }) => role === 'start')]
  const ends = [...ranges.map(([, to]) => to), ...days.filter(({ role }) => role === 'end')]
  const near = (a: Day, b: Day) => Math.abs(daysBetween(a.value, b.value)) <= slack
  const firsts = distinct(begins).toSorted((a, b) => a.value.localeCompare(b.value))
  const goesOn = firsts.every((begin, index) => {
    const previous = firsts[index - 1]
    const inside = ranges.some(([from, to]) => from.value < begin.value && begin.value < to.value)
    return !previous || inside || near(begin, previous) || ends.some(end => near(begin, end))
  })
  const [from, to] = [
    ranges.map(range => range[0].value).toSorted()[0],
    ranges
      .map(range => range[1].value)
      .toSorted()
      .at(-1),
  ]
  return goesOn && (!from || !to || days.every(({ value }) => value >= addDays(from, -slack) && value <= addDays(to, slack)))
}

const nightCount = new RegExp(`(?<![\\w.,])(\\d{1,2}) ?${anyOf('night')}(?!\\w)`, 'g')

/** Returns the end that follows from `7 noches` after the start. */
function afterNights({ plain }: Pasted, start: DateAt): DateAt | undefined {
  const counts = matchesIn(plain, nightCount)
  const [first] = counts
  if (!first || new Set(counts.map(([, nights]) => nights)).size > 1 || Number(first[1]) < 1) return undefined
  return { value: addDays(start.value, Number(first[1])), at: [first.index, first.index + first[0].length] }
}

const distinct = <Day extends DateAt>(dates: Day[]): Day[] =>
  dates.filter(({ value }, index) => dates.findIndex(other => other.value === value) === index)

/** Returns the day of a line: its own, else the last one above it. */
export function dayFor<Day extends DateAt>(days: readonly Day[], { plain }: Pasted, at: number): Day | undefined {
  const [start, end] = [lineStart(plain, at), lineEnd(plain, at)]
  return days.find(day => day.at[0] >= start && day.at[0] < end) ?? days.findLast(day => day.at[0] < start)
}

export const dayBelow = <Day extends DateAt>(days: readonly Day[], _: Pasted, at: number): Day | undefined =>
  days.find(day => day.at[0] > at)
