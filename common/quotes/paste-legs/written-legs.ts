import { addDays, daysBetween } from '#common/kit/dates.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { type Day, dayBelow, dayFor } from '../paste/dates.ts'
import type { NamedPlace } from '../paste/named-places.ts'
import { lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span } from '../paste/text.ts'
import type { JourneyLeg } from './journey.ts'
import { isNextDay } from './reservation-legs.ts'

export type Stop = NamedPlace & { role: 'from' | 'to' | undefined }
export type WrittenLeg = JourneyLeg & { from: Stop; to: Stop }

/** Returns the legs in an email's text. None if the text begins with the way back, as the journey is then incomplete. */
export function writtenLegs(pasted: Pasted, stops: readonly Stop[], days: readonly Day[]): WrittenLeg[] {
  const { plain } = pasted
  const all = stops.flatMap((from, index): [Stop, Stop][] => {
    const to = stops[index + 1]
    const isAlone = isOnlyOnLine(plain, stops, index) && isOnlyOnLine(plain, stops, index + 1)
    return to && isLeg(plain, from, to, isAlone) ? [[from, to]] : []
  })
  // A way back alone would reverse the journey.
  const [begin] = all
  const earlier = begin ? stops.slice(0, stops.indexOf(begin[0])).map(({ place }) => place) : []
  if (begin && earlier.lastIndexOf(begin[0].place) > earlier.indexOf(begin[1].place) && earlier.includes(begin[1].place)) return []
  // A town left twice in a row is not left the first time. It is a title there, or a route in codes above the one in names.
  const left = all.filter(([from], index) => all[index + 1]?.[0].place !== from.place)
  const pairs = isTurned(left.map(([from, to]) => [from.place, to.place])) ? left.slice(1) : left
  const ofTrip = days.filter(({ role }) => role !== 'birth' && role !== 'booked' && role !== 'other')
  // If the first leg has no day on its line or above, every leg has its day below.
  const dayOf = pairs[0] && dayFor(ofTrip, pasted, pairs[0][0].at[0]) ? dayFor : dayBelow
  const [first] = pairs
  const start = first && lineStart(plain, first[0].at[0])
  const above = start === undefined ? undefined : lineAbove(plain, start)
  if (start !== undefined && backWords.test(plain.slice(above?.[0] ?? start, first?.[0].at[0]))) return []
  const legs: WrittenLeg[] = []
  let last: Day | undefined
  for (const [index, [from, to]] of pairs.entries()) {
    const written = dayOf(ofTrip, pasted, from.at[0])
    const arrived = legs.at(-1)?.arrival
    // The flights of the day after are listed under the same day.
    const day = written && written === last && arrived && arrived.value > written.value ? { ...written, ...arrived } : written
    const until = Math.min(pairs[index + 1]?.[0].at[0] ?? plain.length, blockEnd(plain, to.at[1]))
    legs.push({ from, to, day, arrival: day && arrivalOf(plain, ofTrip, { from, to, day, until }) })
    last = written
  }
  return legs
}

/** True for A to B, B to A, A to B. The first A is a heading there, as a journey does not end at its destination. */
function isTurned(routes: readonly (readonly [string, string])[]): boolean {
  const [first, second, ...others] = routes
  const last = others.at(-1)
  return first !== undefined && second?.[1] === first[0] && second[0] === first[1] && last?.[1] === first[1]
}

const backWords = new RegExp(`${wholeWord('wayBack')}(?![^\\n]{0,400}\\n[^\\n]{0,400}${wholeWord('wayOut')})`)

const clockTime = '\\b\\d{1,2}[:h.]\\d{2}(?:\\b| ?[ap]\\.?m\\b\\.?)(?: ?[ap]\\.?m\\b\\.?| ?h(?:rs?)?\\b)?'
const noise = new RegExp(`\\([^)\\n]*\\)|\\bt\\d\\b|\\bterminal \\w+|${clockTime}(?: ?\\+ ?\\d)?|${wholeWord('station')}|[,.:()]`, 'g')
const routeSign = new RegExp(`^(?:-{1,3}>?|>+|/|${anyOf('rangeEnd', 'goingTo')}|verso)$`)
/** The line of a ticket with the flight after its airport. The next line begins with the airport of arrival. */
const flightBehind = /^\)? {1,20}[a-z\d]{2} ?\d{2,4}\b[^\n]{0,60}\n {0,20}$/
const mostGap = 200

function isLeg(plain: string, from: Stop, to: Stop, isAlone: boolean): boolean {
  if (from.place === to.place || to.at[0] - from.at[1] > mostGap) return false
  const gap = plain.slice(from.at[1], to.at[0])
  if ((gap === '' && from.isCode && to.isCode) || flightBehind.test(gap)) return true
  if (from.role === 'from' && to.role === 'to' && !/\n\s*\n\s*\n/.test(gap)) return true
  if (gap.includes('\n')) return isAlone && (isStacked(plain, from, to) || isColumn(plain, from, to) || isBelowTimes(plain, from, to))
  // An unknown city may have a known code: `- Smallville (`.
  const known = to.isCode ? gap.replace(/(?<=[->/] ?)[a-z' .]{1,30}\($/, '') : gap
  // The name of a station: `Roma Termini 08:00 -`.
  const between = known.replace(/^ [a-z' .]{1,24}(?= \d{1,2}[:h.]\d{2})/, '').replace(/^ [a-z']{3,20}(?= ?[->])/, '')
  if (gap.length > 90) return false
  const sign = between
    .replaceAll(noise, ' ')
    .replaceAll(/(?<![\w])\d{1,2}[-/]\d{1,2}[-/]\d{2,4}(?!\w)/g, ' ')
    .trim()
  return routeSign.test(sign) || (sign === '' && / {2}/.test(gap) && isTimed(plain, from.at[0]))
}

/** True on a line of a table with a date and a time. */
function isTimed(plain: string, at: number): boolean {
  const line = plain.slice(lineStart(plain, at), lineEnd(plain, at))
  return /\d{1,2}[:h.]\d{2}|(?<!\d)[0-2]\d[0-5]\d(?!\d)/.test(line) && /\d{1,2}[/.-]\d{1,2}|\d{1,2} ?[a-z]{3}/.test(line)
}

/** True if all stops on a line are one place. */
function isOnlyOnLine(plain: string, stops: readonly Stop[], index: number): boolean {
  const stop = stops[index]
  const [before, after] = [stops[index - 1], stops[index + 1]]
  const isOther = (other: Stop | undefined) =>
    other !== undefined && other.place !== stop?.place && lineStart(plain, other.at[0]) === lineStart(plain, stop?.at[0] ?? 0)
  return !isOther(before) && !isOther(after)
}

const hasClock = new RegExp(clockTime)

/** True for two towns on consecutive lines, each with its time: `Madrid (MAD) 12:05`. */
function isStacked(plain: string, from: Stop, to: Stop): boolean {
  const [first, second] = [lineStart(plain, from.at[0]), lineStart(plain, to.at[0])]
  if (first === second || plain.slice(lineEnd(plain, from.at[1]), second).trim()) return false
  return hasClock.test(plain.slice(first, lineEnd(plain, from.at[1]))) && hasClock.test(plain.slice(second, lineEnd(plain, to.at[1])))
}

/** True for two towns in a column, each above its time, as in text copied from web pages. */
function isColumn(plain: string, from: Stop, to: Stop): boolean {
  const begin = lineStart(plain, from.at[0])
  const [above, below] = [plain.slice(begin, to.at[0]), plain.slice(to.at[0], blockEnd(plain, to.at[1]))]
  const isShort = [...above.split('\n'), ...below.split('\n')].every(line => line.length <= 40)
  // A heading has other words, or a blank line below it.
  const isBare = [from, to].every(
    ({ at }) => !/[a-z]{4}/.test(plain.slice(lineStart(plain, at[0]), at[0]) + plain.slice(at[1], lineEnd(plain, at[1]))),
  )
  const [head = ''] = above.slice(from.at[1] - begin).split(/\n {0,8}\n/)
  return isShort && isBare && hasClock.test(head) && hasClock.test(below)
}

const bareClock = new RegExp(`^ {0,8}${clockTime} {0,8}$`)

/** Returns the start of the line above a town that has only its time. */
function clockAbove(plain: string, { at }: Stop): number | undefined {
  const above = lineAbove(plain, at[0])
  return above && bareClock.test(plain.slice(...above)) ? above[0] : undefined
}

const isBelowTimes = (plain: string, from: Stop, to: Stop): boolean =>
  clockAbove(plain, from) !== undefined && clockAbove(plain, to) !== undefined && to.at[0] - from.at[1] < mostBetween
const mostBetween = 60

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
const later = new RegExp(`(?<![a-z+])\\+ ?([12])(?![\\d:.,]| ?\\(?\\d{3})|${wholeWord('nextDay')}`)
const durationWords = new RegExp(`${wholeWord('duration')}[^\\n]{0,12}$`)

/** A leg with its day of departure, and the end of its text. */
type DatedLeg = { from: Stop; to: Stop; day: Day; until: number }

/** Returns the day on which a leg arrives: written beside it, marked +1, or derived from its times. */
function arrivalOf(plain: string, days: readonly Day[], { from, to, day, until }: DatedLeg): { value: string; at: Span } {
  const begin = clockAbove(plain, from) ?? lineStart(plain, from.at[0])
  const [sign] = matchesIn(plain.slice(from.at[1], until), new RegExp(later, 'g'))
  if (sign) {
    const at = from.at[1] + sign.index
    return { value: addDays(day.value, Number(sign[1] ?? 1)), at: [at, at + sign[0].length] }
  }
  const written = days.find(({ at, value }) => at[0] > day.at[0] && at[0] < until && at[0] > from.at[0] && near(day.value, value))
  if (written) return written
  const [leaves, arrives] = matchesIn(plain.slice(begin, until), clocks).filter(
    ({ index }) => !durationWords.test(plain.slice(Math.max(begin, begin + index - 30), begin + index)),
  )
  if (!leaves || !arrives) return day
  const [start, end] = [minutesOf(leaves), minutesOf(arrives)]
  if (start === undefined || end === undefined || !isNextDay(start, end, from, to)) return day
  const at = begin + arrives.index
  return { value: addDays(day.value, 1), at: [at, at + arrives[0].length] }
}

const near = (from: string, to: string): boolean => daysBetween(from, to) >= 0 && daysBetween(from, to) <= 2

function minutesOf([, hours, minutes, half]: RegExpExecArray): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return half ? ((Number(hours) % 12) + (half === 'p' ? 12 : 0)) * 60 + Number(minutes) : Number(hours) * 60 + Number(minutes)
}
