import { addYears, daysBetween } from '#common/kit/dates.ts'
import type { Span } from '../paste/text.ts'

/** A town or airport on the way. The country is undefined for an airport that no table has. */
export type Place = { place: string; country: string | undefined; at: Span }
type DayAt = { value: string; at: Span }
/** `arrival`: the day on which it arrives, the same or a later one. */
export type JourneyLeg = { from: Place; to: Place; day: DayAt | undefined; arrival: DayAt | undefined }
/** `isRound`: it returns to where it began. */
export type Journey = { origin: Place | undefined; goals: Place[]; start: DayAt | undefined; end: DayAt | undefined; isRound: boolean }

const longest = 366

/**
 * Returns the destinations and days of a journey. Its first leg decides the origin, and it ends when the client is home. Undefined if its legs are
 * not one journey: days that go backwards, or a stay at home in between.
 */
export function journeyOf(legs: readonly JourneyLeg[], today: string): Journey | undefined {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last || !isOneJourney(legs)) return undefined
  const isRound = comesBack(legs)
  const [start, end] = [first.day, last.arrival ?? last.day]
  const isKnown =
    start !== undefined &&
    end !== undefined &&
    start.value >= today &&
    end.value >= start.value &&
    end.value <= addYears(today, 2) &&
    daysBetween(start.value, end.value) <= longest
  const goals = goalsOf(legs)
  return { origin: first.from, goals, isRound, start: isKnown ? start : undefined, end: isKnown && isRound ? end : undefined }
}

export function comesBack(legs: readonly { from: Place; to: Place }[]): boolean {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last || legs.length < 2) return false
  const isAbroad = legs.some(({ to }) => to.country !== first.from.country)
  return first.from.place === last.to.place || (isAbroad && first.from.country !== undefined && first.from.country === last.to.country)
}

function isOneJourney(legs: readonly JourneyLeg[]): boolean {
  const home = legs[0]?.from.place
  return legs.every(({ to, day, arrival }, index) => {
    const next = legs[index + 1]
    if (!next?.day || !day) return true
    const since = arrival ?? day
    return next.day.value >= day.value && (to.place !== home || daysBetween(since.value, next.day.value) < 2)
  })
}

/** Returns the places where a journey stays. A stop of less than two days on the way to another country does not count. */
function goalsOf(legs: readonly JourneyLeg[]): Place[] {
  const home = legs[0]?.from.country
  const stays = legs.filter((leg, index) => isStay(leg, legs[index + 1])).map(({ to }) => to)
  const abroad = stays.filter(({ country }) => country !== home)
  if (abroad.length > 0) return abroad
  const others = legs.map(({ to }) => to).filter(({ country }) => country !== home)
  // Without its days, a journey through two countries may stay in either.
  if (new Set(others.map(({ country }) => country)).size > 1) return []
  if (others.length > 0) return others.slice(0, 1)
  return legs.slice(0, 1).map(({ to }) => to)
}

function isStay(leg: JourneyLeg, next: JourneyLeg | undefined): boolean {
  if (!next) return true
  const since = leg.arrival ?? leg.day
  return since !== undefined && next.day !== undefined && daysBetween(since.value, next.day.value) >= 2
}
