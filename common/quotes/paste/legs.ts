import { airportCodes } from '#common/geography/cities.ts'
import { addDays, addYears, daysBetween } from '#common/kit/dates.ts'
import { monthOf } from '../paste-words/calendar.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { moreAirports } from './airports.ts'
import type { NumberAt } from './counts.ts'
import { type DateAt, type Day, dayFor, ofTrip, type Period } from './dates.ts'
import { lineAbove, lineAt, lineEnd, lineStart, matchesIn, type Pasted, type Span, spanOf } from './text.ts'
import { dateIn, weekdayIn } from './written-dates.ts'

/** A town or airport on the way. The country is undefined for an airport that no table has. */
type Place = { place: string; country: string | undefined; at: Span }
/** `arrival`: the day on which it arrives, the same or a later one. */
export type Leg<Stop = Place> = { from: Stop; to: Stop; day: DateAt | undefined; arrival: DateAt | undefined }
export type Journey = Period & { origin: Place }

const longest = 366

/** Returns the days and origin of a journey. None if its days go backwards, or if it stays at home in between. */
export function journeyOf(legs: readonly Leg[], today: string): Journey | undefined {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last || !isOneJourney(legs)) return undefined
  const [start, end] = [first.day, last.arrival ?? last.day]
  const isKnown = start && end && start.value >= today && end.value >= start.value && end.value <= addYears(today, 2)
  if (!isKnown || daysBetween(start.value, end.value) > longest) return { origin: first.from, start: undefined, end: undefined }
  return { origin: first.from, start, end: comesBack(legs) ? end : undefined }
}

/** True if legs return to the town, or from abroad to the country, where they began. */
export function comesBack(legs: readonly Leg[]): boolean {
  const [home, last] = [legs[0]?.from, legs.at(-1)?.to]
  if (!home || !last || legs.length < 2) return false
  return (
    home.place === last.place ||
    (home.country !== undefined && home.country === last.country && legs.some(({ to }) => to.country !== home.country))
  )
}

const isOneJourney = (legs: readonly Leg[]): boolean =>
  legs.every(({ to, day, arrival }, index) => {
    const next = legs[index + 1]?.day
    if (!next || !day) return true
    return next.value >= day.value && (to.place !== legs[0]?.from.place || daysBetween((arrival ?? day).value, next.value) < 2)
  })

/**
 * Returns the places where a journey stays. A stop of less than two days on the way to another country does not count. Without all its
 * days, a journey through several countries may stay in any, so only those that words introduce count.
 */
export function goalsOf<Stop extends Place>(legs: readonly Leg<Stop>[], introduced: readonly Stop[]): Stop[] {
  const home = legs[0]?.from.country
  const abroad = legs.map(({ to }) => to).filter(({ country }) => country !== home)
  if (abroad.length === 0) return legs.slice(0, 1).map(({ to }) => to)
  if (new Set(abroad.map(({ country }) => country)).size === 1) return abroad
  const stays = legs.filter((leg, index) => leg.to.country !== home && isStay(leg, legs[index + 1])).map(({ to }) => to)
  return stays.length > 0 && legs.every(({ day }) => day) ? stays : introduced.filter(({ country }) => country !== home)
}

function isStay(leg: Leg, next: Leg | undefined): boolean {
  const since = leg.arrival ?? leg.day
  return !next || (since !== undefined && next.day !== undefined && daysBetween(since.value, next.day.value) >= 2)
}

const farEast = new Set('JP KR CN HK TW AU NZ FJ PF SG TH PH VN'.split(' '))
const americas = new Set('US CA MX AR CL PE BR CO PA'.split(' '))

/** A time with 24 hours, or with the letters AM and PM, N for noon and M for midnight, of which the first counts. */
type Clock = { hours: string; minutes: string; half: string | undefined }

/** True if an arrival earlier by the clock than the departure is the day after. Over the date line it may be the same day. */
function isNextDay(leaves: Clock, arrives: Clock, from: Pick<Place, 'country'>, to: Pick<Place, 'country'>): boolean {
  const isOverDateLine = farEast.has(from.country ?? '') && americas.has(to.country ?? '')
  return minutesOf(arrives) < minutesOf(leaves) && !isOverDateLine
}

/** Returns the minutes since midnight; not a number for an impossible time. */
function minutesOf({ hours, minutes, half }: Clock): number {
  if (Number(hours) > 24 || Number(minutes) > 59) return Number.NaN
  if (half === undefined) return Number(hours) * 60 + Number(minutes)
  return ((Number(hours) % 12) + (/[pn]/i.test(half) ? 12 : 0)) * 60 + Number(minutes)
}

/** A flight as Amadeus, Sabre, Galileo and Worldspan list it: `IB6253 Y 15JAN 5 MADJFK HK3`. The times follow. */
const flight = new RegExp(
  `(?<![A-Z\\d])(?:[A-Z][A-Z\\d]|\\d[A-Z]) {0,3}\\d{1,4} {0,2}[A-Z]? {1,4}((\\d{1,2})([A-Z]{3}))(\\d{4}|\\d{2})? {1,3}` +
    `(?:([1-7A-Z])[A-Z]?[ *]{1,3})?([A-Z]{3})[ *]?([A-Z]{3})[ *]{0,4}([A-Z]{2})(\\d{1,2})(?!\\d)([^\\n]{0,90})`,
  'dg',
)
/** The statuses of flights that the client does not take: cancelled, refused or past. */
const gone = new Set('HX UN UC US UU NO XX XL XK WK HN'.split(' '))

/** Returns the flights in a reservation system's lines. Adds their number of seats if it is the same for all. */
export function reservationLegs({ text, language }: Pasted, today: string): { legs: Leg[]; seats: NumberAt | undefined } {
  const legs: Leg[] = []
  const seats: NumberAt[] = []
  let last = today
  for (const match of matchesIn(text, flight)) {
    const [, , day, name = '', year, weekday, from = '', to = '', status = '', count, rest = ''] = match
    const month = monthOf(name.toLowerCase(), language, true)
    if (gone.has(status) || month === undefined) continue
    const value = dayOf({ day: Number(day), month, year, weekday: Number(weekday) }, last)
    last = value ?? last
    const at: Span = [spanOf(match)[0], spanOf(match, 9)[1]]
    legs.push({
      from: placeOf(from, spanOf(match, 6)),
      to: placeOf(to, spanOf(match, 7)),
      day: value === undefined ? undefined : { value, at: spanOf(match, 1) },
      arrival: value === undefined ? undefined : { value: flightArrival(value, rest, from, to), at },
    })
    seats.push({ value: Number(count), at })
  }
  const [first] = seats
  return { legs, seats: first && first.value > 0 && seats.every(({ value }) => value === first.value) ? first : undefined }
}

function placeOf(code: string, at: Span = [0, 0]): Place {
  const city = airportCodes.get(code)
  return { place: city?.codes[0] ?? code, country: city?.country ?? moreAirports.get(code), at }
}

type FlightDay = { day: number; month: number; year: string | undefined; weekday: number }

/** Returns the day of a flight: without a year the next such day; undefined if its weekday, in figures from Monday, does not match. */
function dayOf({ day, month, year, weekday }: FlightDay, since: string): string | undefined {
  const thisYear = Number(since.slice(0, 4))
  const value = year
    ? dateIn(Number(year) + (year.length === 2 ? 2000 : 0), month, day)
    : [thisYear, thisYear + 1].map(each => dateIn(each, month, day)).find(date => date !== undefined && date >= since)
  return value === undefined || (weekday > 0 && weekday !== (weekdayIn(value) || 7)) ? undefined : value
}

const clock = '(\\d{1,2})(\\d{2})([AP]|[NM](?![A-Z]))?'
const times = new RegExp(
  `(?<![\\w/+])${clock}(?: {1,3}(?:[#*+-]\\d?))? {1,6}([#*])?${clock}(?:[+#*¥](\\d)|([+#¥])(?!\\d))?(?![\\w])` +
    `(?: {1,6}(\\d{2})([A-Z]{3})(?![A-Z]))?`,
)

/** Returns the day on which a flight arrives: written, marked +1, or derived from its times. */
function flightArrival(day: string, rest: string, from: string, to: string): string {
  const match = times.exec(rest)
  if (!match) return day
  const [, hours = '', minutes = '', half, overnight, hoursTo = '', minutesTo = '', halfTo, days, sign, dayOfMonth, name = ''] = match
  const written = [0, 1, 2].map(count => addDays(day, count)).find(date => date.slice(8) === dayOfMonth)
  if (written && monthOf(name.toLowerCase(), 'en', true) === Number(written.slice(5, 7))) return written
  if (days) return addDays(day, Number(days))
  if (sign || overnight) return addDays(day, overnight === '*' && !sign ? 2 : 1)
  const arrives = { hours: hoursTo, minutes: minutesTo, half: halfTo }
  return isNextDay({ hours, minutes, half }, arrives, placeOf(from), placeOf(to)) ? addDays(day, 1) : day
}

/** A name in a text. `place` is the same for all names of one place: the city's own code, or the country. */
export type NamedPlace = { at: Span; country: string; place: string; isCode: boolean; isCountry: boolean }
export type Stop = NamedPlace & { role: 'from' | 'to' | undefined }

/** Returns the legs in an email's text. None if the text begins with the way back, as the journey is then incomplete. */
export function writtenLegs(plain: string, stops: readonly Stop[], all: readonly Day[]): Leg<Stop>[] {
  const routes = routesIn(plain, stops)
  const [first] = routes
  if (!first || isWayBack(plain, stops, first)) return []
  // A town left twice in a row is not left the first time. It is a title there, or a route in codes above the one in names.
  const pairs = routes.filter(([from], index) => routes[index + 1]?.[0].place !== from.place)
  const start = pairs[0] && lineStart(plain, pairs[0][0].at[0])
  if (start !== undefined && backWords.test(plain.slice(lineAbove(plain, start)?.[0] ?? start, pairs[0]?.[0].at[0]))) return []
  const days = ofTrip(all)
  // If the first leg has no day on its line or above, every leg has its day below.
  const isAbove = pairs[0] && dayFor(days, plain, pairs[0][0].at[0])
  const legs: Leg<Stop>[] = []
  let last: Day | undefined
  for (const [index, [from, to]] of pairs.entries()) {
    const written = isAbove ? dayFor(days, plain, from.at[0]) : days.find(day => day.at[0] > from.at[0])
    const arrived = legs.at(-1)?.arrival
    // The flights of the day after are listed under the same day.
    const day = written && written === last && arrived && arrived.value > written.value ? { ...written, ...arrived } : written
    const until = Math.min(pairs[index + 1]?.[0].at[0] ?? plain.length, blockEnd(plain, to.at[1]))
    legs.push({ from, to, day, arrival: day && arrivalOf(plain, days, { from, to, day, until }) })
    last = written
  }
  return legs
}

type Route = readonly [from: Stop, to: Stop]

function routesIn(plain: string, stops: readonly Stop[]): Route[] {
  // True if all stops on a line are one place.
  const isAlone = (stop: Stop | undefined, index: number) =>
    [stops[index - 1], stops[index + 1]].every(
      other => !other || !stop || other.place === stop.place || lineStart(plain, other.at[0]) !== lineStart(plain, stop.at[0]),
    )
  return stops.flatMap((from, index): Route[] => {
    const to = stops[index + 1]
    return to && isRoute(plain, from, to, isAlone(from, index) && isAlone(to, index + 1)) ? [[from, to]] : []
  })
}

/** True if a first route leads back to where an earlier stop was left for: a way back alone would reverse the journey. */
function isWayBack(plain: string, stops: readonly Stop[], [from, to]: Route): boolean {
  const earlier = stops.slice(0, stops.indexOf(from)).map(({ place }) => place)
  return earlier.includes(to.place) && earlier.lastIndexOf(from.place) > earlier.indexOf(to.place)
}

const backWords = new RegExp(`${wholeWord('wayBack')}(?![^\\n]{0,400}\\n[^\\n]{0,400}${wholeWord('wayOut')})`)

const clockTime = '\\b\\d{1,2}[:h.]\\d{2}(?:\\b| ?[ap]\\.?m\\b\\.?)(?: ?[ap]\\.?m\\b\\.?| ?h(?:rs?)?\\b)?'
const hasClock = new RegExp(clockTime)
const bareClock = new RegExp(`^ {0,8}${clockTime} {0,8}$`)
const date = '(?<![\\w])\\d{1,2}[-/]\\d{1,2}[-/]\\d{2,4}(?!\\w)'
const noise = new RegExp(
  `\\([^)\\n]*\\)|\\bt\\d\\b|\\bterminal \\w+|${clockTime}(?: ?\\+ ?\\d)?|${wholeWord('station')}|${date}|[,.:()]`,
  'g',
)
const routeSign = new RegExp(`^(?:-{1,3}>?|>+|/|${anyOf('rangeEnd', 'goingTo')}|verso)$`)
/** The line of a ticket with the flight after its airport. The next line begins with the airport of arrival. */
const flightBehind = /^\)? {1,20}[a-z\d]{2} ?\d{2,4}\b[^\n]{0,60}\n {0,20}$/
const [longestGap, longestOnLine, longestBelow] = [200, 90, 60]

/** True if two stops are a leg. `isAlone`: no other place stands on their lines. */
function isRoute(plain: string, from: Stop, to: Stop, isAlone: boolean): boolean {
  const gap = plain.slice(from.at[1], to.at[0])
  if (from.place === to.place || gap.length > longestGap) return false
  if ((gap === '' && from.isCode && to.isCode) || flightBehind.test(gap)) return true
  if (from.role === 'from' && to.role === 'to' && !/\n\s*\n\s*\n/.test(gap)) return true
  if (gap.includes('\n')) return isAlone && (isStacked(plain, from, to) || isColumn(plain, from, to) || isBelowTimes(plain, from, to))
  if (gap.length > longestOnLine) return false
  // An unknown city may have a known code: `- Smallville (`.
  const known = to.isCode ? gap.replace(/(?<=[->/] ?)[a-z' .]{1,30}\($/, '') : gap
  // The name of a station: `Roma Termini 08:00 -`.
  const between = known.replace(/^ [a-z' .]{1,24}(?= \d{1,2}[:h.]\d{2})/, '').replace(/^ [a-z']{3,20}(?= ?[->])/, '')
  const sign = between.replaceAll(noise, ' ').trim()
  return routeSign.test(sign) || (sign === '' && / {2}/.test(gap) && isTimed(plain.slice(...lineAt(plain, from.at[0]))))
}

/** True for a line of a table with a date and a time. */
const isTimed = (line: string): boolean =>
  /\d{1,2}[:h.]\d{2}|(?<!\d)[0-2]\d[0-5]\d(?!\d)/.test(line) && /\d{1,2}[/.-]\d{1,2}|\d{1,2} ?[a-z]{3}/.test(line)

/** True for two towns on consecutive lines, each with its time: `Madrid (MAD) 12:05`. */
function isStacked(plain: string, from: Stop, to: Stop): boolean {
  const [first, end] = [lineStart(plain, from.at[0]), lineEnd(plain, from.at[1])]
  const second = lineStart(plain, to.at[0])
  if (first === second || plain.slice(end, second).trim()) return false
  return hasClock.test(plain.slice(first, end)) && hasClock.test(plain.slice(second, lineEnd(plain, to.at[1])))
}

/** True for two towns in a column, each above its time, as in text copied from web pages. */
function isColumn(plain: string, from: Stop, to: Stop): boolean {
  const begin = lineStart(plain, from.at[0])
  const [above, below] = [plain.slice(begin, to.at[0]), plain.slice(to.at[0], blockEnd(plain, to.at[1]))]
  const isShort = `${above}\n${below}`.split('\n').every(line => line.length <= 40)
  // A heading has other words, or a blank line below it.
  const isBare = [from, to].every(
    ({ at }) => !/[a-z]{4}/.test(plain.slice(lineStart(plain, at[0]), at[0]) + plain.slice(at[1], lineEnd(plain, at[1]))),
  )
  const [head = ''] = above.slice(from.at[1] - begin).split(/\n {0,8}\n/)
  return isShort && isBare && hasClock.test(head) && hasClock.test(below)
}

/** Returns the start of the line above a town that has only its time. */
function clockAbove(plain: string, { at }: Stop): number | undefined {
  const above = lineAbove(plain, at[0])
  return above && bareClock.test(plain.slice(...above)) ? above[0] : undefined
}

const isBelowTimes = (plain: string, from: Stop, to: Stop): boolean =>
  clockAbove(plain, from) !== undefined && clockAbove(plain, to) !== undefined && to.at[0] - from.at[1] < longestBelow

const blockLines = 6

/** Returns the end of the lines about a leg: a blank line, or six lines below. */
function blockEnd(plain: string, at: number): number {
  let end = lineEnd(plain, at)
  for (let lines = 0; lines < blockLines && end < plain.length; lines++) {
    const next = lineEnd(plain, end + 1)
    if (!plain.slice(end + 1, next).trim()) break
    end = next
  }
  return end
}

const clocks = /(?<![\w:.,/€$£-])(\d{1,2})[:h.](\d{2})(?:(?= ?[ap]\.?m\b)|(?![\w€$£%]|[:.,/]\d))(?: ?([ap])\.?m\b)?/g
const later = new RegExp(`(?<![a-z+])\\+ ?([12])(?![\\d:.,]| ?\\(?\\d{3})|${wholeWord('nextDay')}`, 'g')
const durationWords = new RegExp(`${wholeWord('duration')}[^\\n]{0,12}$`)

/** A leg with its day of departure, and the end of its text. */
type DatedLeg = { from: Stop; to: Stop; day: Day; until: number }

/** Returns the day on which a leg arrives: written beside it, marked +1, or derived from its times. */
function arrivalOf(plain: string, days: readonly Day[], { from, to, day, until }: DatedLeg): DateAt {
  const [sign] = matchesIn(plain, later, [from.at[1], until])
  if (sign) return { value: addDays(day.value, Number(sign[1] ?? 1)), at: spanOf(sign) }
  const isNear = (value: string) => [0, 1, 2].includes(daysBetween(day.value, value))
  const written = days.find(({ at, value }) => at[0] > day.at[0] && at[0] < until && at[0] > from.at[0] && isNear(value))
  if (written) return written
  const begin = clockAbove(plain, from) ?? lineStart(plain, from.at[0])
  const [leaves, arrives] = matchesIn(plain, clocks, [begin, until]).filter(
    ({ index }) => !durationWords.test(plain.slice(Math.max(begin, index - 30), index)),
  )
  if (!leaves || !arrives || !isNextDay(clockOf(leaves), clockOf(arrives), from, to)) return day
  return { value: addDays(day.value, 1), at: spanOf(arrives) }
}

const clockOf = ([, hours = '', minutes = '', half]: RegExpExecArray) => ({ hours, minutes, half })
