import { addYears, daysBetween } from '#common/kit/dates.ts'
import type { DateAt } from '../paste/dates.ts'
import type { Span } from '../paste/lines.ts'

/** A town or airport on the way. The country is undefined for an airport that no table has. */
export type Place = { place: string; country: string | undefined; at: Span }
/** `arrival`: the day on which it arrives, the same or a later one. */
export type Leg<Stop = Place> = { from: Stop; to: Stop; day: DateAt | undefined; arrival: DateAt | undefined }
export type Journey = { origin: Place; start: DateAt | undefined; end: DateAt | undefined }

const longest = 366

/**
 * Returns the days of a journey. Its first leg decides the origin, and it ends when the client is home. Undefined if its legs are not one
 * journey: days that go backwards, or a stay at home in between.
 */
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
 * Returns the places where a journey stays. A stop of less than two days on the way to another country does not count. Without all its days, a
 * journey through several countries may stay in any, so only those that words introduce count.
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
export function isNextDay(leaves: Clock, arrives: Clock, from: Pick<Place, 'country'>, to: Pick<Place, 'country'>): boolean {
  const isOverDateLine = farEast.has(from.country ?? '') && americas.has(to.country ?? '')
  return minutesOf(arrives) < minutesOf(leaves) && !isOverDateLine
}

/** Returns the minutes since midnight; not a number for an impossible time. */
function minutesOf({ hours, minutes, half }: Clock): number {
  if (Number(hours) > 24 || Number(minutes) > 59) return Number.NaN
  if (half === undefined) return Number(hours) * 60 + Number(minutes)
  return ((Number(hours) % 12) + (/[pn]/i.test(half) ? 12 : 0)) * 60 + Number(minutes)
}
