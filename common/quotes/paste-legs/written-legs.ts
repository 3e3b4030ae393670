import { addDays, daysBetween } from '#common/kit/dates.ts'
import { type DateAt, type Day, dayFor, ofTrip } from '../paste/dates.ts'
import { lineAbove, lineAt, lineEnd, lineStart, matchesIn, spanOf } from '../paste/lines.ts'
import type { NamedPlace } from '../paste/named-places.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { isNextDay, type Leg } from './journey.ts'

export type Stop = NamedPlace & { role: 'from' | 'to' | undefined }

/** Returns the legs in an email's text. None if the text begins with the way back, as the journey is then incomplete. */
export function writtenLegs(plain: string, stops: readonly Stop[], all: readonly Day[]): Leg<Stop>[] {
  const routes = routesIn(plain, stops)
  const [first] = routes
  if (!first || isWayBack(plain, stops, first)) return []
  // A town left twice in a row is not left the first time. It is a title there, or a route in codes above the one in names.
  const left = routes.filter(([from], index) => routes[index + 1]?.[0].place !== from.place)
  const pairs = isTurned(left) ? left.slice(1) : left
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

/** True for A to B, B to A, A to B. The first A is a heading there, as a journey does not end at its destination. */
function isTurned(routes: readonly Route[]): boolean {
  const [first, second, ...others] = routes.map(route => route.map(({ place }) => place))
  return first !== undefined && second?.[1] === first[0] && second?.[0] === first[1] && others.at(-1)?.[1] === first[1]
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
  const behind = (count: number, begin: number, match: RegExpExecArray): DateAt => {
    const [start, end] = spanOf(match)
    return { value: addDays(day.value, count), at: [begin + start, begin + end] }
  }
  const [sign] = matchesIn(plain.slice(from.at[1], until), later)
  if (sign) return behind(Number(sign[1] ?? 1), from.at[1], sign)
  const isNear = (value: string) => [0, 1, 2].includes(daysBetween(day.value, value))
  const written = days.find(({ at, value }) => at[0] > day.at[0] && at[0] < until && at[0] > from.at[0] && isNear(value))
  if (written) return written
  const begin = clockAbove(plain, from) ?? lineStart(plain, from.at[0])
  const [leaves, arrives] = matchesIn(plain.slice(begin, until), clocks).filter(
    ({ index }) => !durationWords.test(plain.slice(Math.max(begin, begin + index - 30), begin + index)),
  )
  if (!leaves || !arrives) return day
  return isNextDay(clockOf(leaves), clockOf(arrives), from, to) ? behind(1, begin, arrives) : day
}

const clockOf = ([, hours = '', minutes = '', half]: RegExpExecArray) => ({ hours, minutes, half })
