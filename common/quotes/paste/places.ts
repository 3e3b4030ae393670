import { daysBetween } from '#common/kit/dates.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { type Day, dayBelow, dayFor } from './dates.ts'
import { type KnownCountry, type NamedPlace, namedPlaces } from './named-places.ts'
import { before, lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span } from './text.ts'

type PlaceAt = { value: number; at: Span }
/** `legDays`: the days of a journey there and back; empty if it does not come back. */
export type JourneyPlaces = { origin: PlaceAt | undefined; destinations: PlaceAt[]; legDays: Day[] }

type Stop = NamedPlace & { role: 'from' | 'to' | undefined }
type Leg = { from: Stop; to: Stop; day: Day | undefined }

/** Returns where a journey leads, by its legs or by the words around a name. A transit is not a destination. */
export function findPlaces(pasted: Pasted, days: readonly Day[], countries: readonly KnownCountry[]): JourneyPlaces {
  const stops = stopsIn(pasted, countries)
  const legs = legsOf(pasted, stops, days)
  const ids = new Map(countries.map(({ id, alpha2 }) => [alpha2, id]))
  const placeAt = (stop: Stop): PlaceAt[] => {
    const value = ids.get(stop.country)
    return value === undefined ? [] : [{ value, at: stop.at }]
  }
  const [first] = legs
  const isRound = cruiseWords.test(pasted.plain)
  const origin = isRound ? undefined : (first?.from ?? onlyOne(stops.filter(({ role }) => role === 'from')))
  const goals = legs.length > 0 ? goalsOf(legs, stops, isRound) : stops.filter(({ role }) => role === 'to')
  return {
    origin: origin && placeAt(origin)[0],
    destinations: firstOfEach(goals).flatMap(placeAt),
    legDays: comesBack(legs) ? daysOf(legs) : [],
  }
}

/** Legs that share one day, as a list of ports does, do not say when the journey ends. */
function daysOf(legs: readonly Leg[]): Day[] {
  const days = legs.flatMap(({ day }) => day ?? [])
  return new Set(days.map(({ value }) => value)).size > 1 ? days : []
}

const firstOfEach = (stops: readonly Stop[]): Stop[] =>
  stops.filter(({ country }, index) => stops.findIndex(other => other.country === country) === index)

const onlyOne = (stops: readonly Stop[]): Stop | undefined => (firstOfEach(stops).length === 1 ? stops[0] : undefined)

const cruiseWords = new RegExp(wholeWord('cruise'))
/** Lines with these words are about the sender. */
const footerWords = new RegExp(`@|©|www\\.|${wholeWord('footer')}`)

/** Joins names to stops: `Madrid Barajas (MAD)` and `Roma, Italia` are one stop each. */
function stopsIn(pasted: Pasted, countries: readonly KnownCountry[]): Stop[] {
  const { plain } = pasted
  const stops: Stop[] = []
  for (const named of namedPlaces(pasted, countries)) {
    if (footerWords.test(lineOf(plain, named.at[0]))) continue
    const last = stops.at(-1)
    const gap = last && plain.slice(last.at[1], named.at[0])
    if (last && gap !== undefined && isSame(last, named) && /^[ ,(/\w-]{0,24}$/.test(gap) && !/[a-z] - |\d|>/.test(gap)) {
      last.at = [last.at[0], named.at[1]]
      if (last.isCountry) Object.assign(last, { place: named.place, isCountry: named.isCountry })
      continue
    }
    stops.push({ ...named, role: roleOf(pasted, named, last) })
  }
  return stops
}

const lineOf = (plain: string, at: number): string =>
  plain.slice(Math.max(lineStart(plain, at), at - 200), Math.min(lineEnd(plain, at), at + 200))

const isSame = (a: NamedPlace, b: NamedPlace): boolean => a.country === b.country && (a.place === b.place || a.isCountry || b.isCountry)

const fromWords = new RegExp(wholeWord('from'), 'g')
const toWords = new RegExp(wholeWord('to'), 'g')
/** A journey, its preposition and the end of the words before a name: `nos vamos de vacaciones a la `. */
const goingWords = new RegExp(`${wholeWord('going')}[^.;|]{0,40}? ${anyOf('goingTo')}(?: ${anyOf('article')})?[ ']$`)
/** A title before a name: `Su viaje: Maravillas de `, `Your booking in `. */
const titleWords = new RegExp(
  `${wholeWord('tripTitle')}[^.;|:]{0,30}: ?(?:[^.;|:]{0,30} ${anyOf('titleTo')} )?$|(?<!\\w)${anyOf('bookingIn')} $`,
)
const pastWords = new RegExp(wholeWord('past'))
const listSigns = new RegExp(`^ ?(?:,|&|\\+|/|(?:, ?)?${anyOf('and')}) ?(?:${anyOf('goingTo', 'article')} )?$`)
const addressWords = new RegExp(wholeWord('address'))
const lodgingWords = new RegExp(wholeWord('lodging'))
const stayWords = new RegExp(wholeWord('stay', 'night'))

function roleOf(pasted: Pasted, { at }: NamedPlace, last: Stop | undefined): Stop['role'] {
  const isOnLine = last !== undefined && last.at[1] > lineStart(pasted.plain, at[0])
  const words = before(pasted, at[0], isOnLine ? last.at[1] : 0)
  if (isOnLine && listSigns.test(words)) return last.role
  const [from, to] = [lastOf(words, fromWords), lastOf(words, toWords)]
  if (pastWords.test(words)) return undefined
  if ((goingWords.test(words) && from < 0) || titleWords.test(words)) return 'to'
  if (from >= 0 || to >= 0) return from > to ? 'from' : 'to'
  if (!last && isHotelAddress(pasted.plain, at[0])) return 'to'
  return undefined
}

const lastOf = (words: string, pattern: RegExp): number => matchesIn(words, pattern).at(-1)?.index ?? -1

/** True on the line of a hotel's name or the three below it, in a text about nights. */
function isHotelAddress(plain: string, at: number): boolean {
  let from = lineStart(plain, at)
  if (addressWords.test(plain.slice(from, at))) return stayWords.test(plain)
  for (let lines = 0; lines < 3 && from > 0; lines++) from = lineStart(plain, from - 1)
  return lodgingWords.test(plain.slice(Math.max(from, at - 400), at)) && stayWords.test(plain)
}

/** Returns the legs of the journey: none if the text begins with the way back, as it is not the whole journey then. */
function legsOf(pasted: Pasted, stops: readonly Stop[], days: readonly Day[]): Leg[] {
  const pairs = stops.flatMap((from, index): [Stop, Stop][] => {
    const to = stops[index + 1]
    return to && isLeg(pasted.plain, from, to) ? [[from, to]] : []
  })
  // If the first leg has no day on its line or above, each has it below.
  const dayOf = pairs[0] && dayFor(days, pasted, pairs[0][0].at[0]) ? dayFor : dayBelow
  const legs = pairs.map(([from, to]): Leg => ({ from, to, day: dayOf(days, pasted, from.at[0]) }))
  const [first] = legs
  const start = first && lineStart(pasted.plain, first.from.at[0])
  const above = start === undefined ? undefined : lineAbove(pasted.plain, start)
  return start !== undefined && backWords.test(pasted.plain.slice(above?.[0] ?? start, first?.from.at[0])) ? [] : legs
}

const backWords = new RegExp(`${wholeWord('wayBack')}(?![^\\n]{0,400}\\n[^\\n]{0,400}${wholeWord('wayOut')})`)

const noise = new RegExp(`\\([^)\\n]*\\)|\\bt\\d\\b|\\bterminal \\w+|\\b\\d{1,2}[:h.]\\d{2}\\b ?h?|${wholeWord('station')}|[,.:()]`, 'g')
const routeSign = new RegExp(`^(?:-{1,3}>?|>+|/|${anyOf('rangeEnd', 'goingTo')}|verso)$`)
/** A ticket's line, whose flight stands behind its airport: the next line begins with the airport that it flies to. */
const flightBehind = /^\)? {1,20}[a-z\d]{2} ?\d{2,4}\b[^\n]{0,60}\n {0,20}$/

function isLeg(plain: string, from: Stop, to: Stop): boolean {
  if (from.place === to.place || to.at[0] - from.at[1] > 200) return false
  const gap = plain.slice(from.at[1], to.at[0])
  if ((gap === '' && from.isCode && to.isCode) || flightBehind.test(gap)) return true
  if (from.role === 'from' && to.role === 'to' && !/\n\s*\n\s*\n/.test(gap)) return true
  // An unknown city may have a known code: `- Smallville (`.
  const known = to.isCode ? gap.replace(/(?<=[->/] ?)[a-z' .]{1,30}\($/, '') : gap
  // A station's own name: `Roma Termini 08:00 -`.
  const between = known.replace(/^ [a-z' .]{1,24}(?= \d{1,2}[:h.]\d{2})/, '')
  return gap.length <= 60 && !gap.includes('\n') && routeSign.test(between.replaceAll(noise, ' ').trim())
}

function comesBack(legs: readonly Leg[]): boolean {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last || legs.length < 2) return false
  return first.from.place === last.to.place || (first.from.country === last.to.country && first.to.country !== first.from.country)
}

/** Returns the stops that a journey stays at. Of several countries each needs two days, a word that leads there, or a cruise's call. */
function goalsOf(legs: readonly Leg[], stops: readonly Stop[], isRound: boolean): Stop[] {
  const home = legs[0]?.from.country
  const abroad = legs.map(({ to }) => to).filter(({ country }) => country !== home)
  if (abroad.length === 0) return legs.slice(0, 1).map(({ to }) => to)
  if (isRound || firstOfEach(abroad).length === 1) return abroad
  const stays = legs.filter((leg, index) => leg.to.country !== home && isStay(leg, legs[index + 1])).map(({ to }) => to)
  const areDaysKnown = legs.every(({ day }) => day)
  const named = stops.filter(
    ({ role, country }) =>
      role === 'to' && country !== home && !legs.some(({ to, from }) => to.role === 'to' && from.role === 'from' && to.country === country),
  )
  return areDaysKnown && stays.length > 0 ? stays : named
}

function isStay(leg: Leg, next: Leg | undefined): boolean {
  if (!next) return true
  return leg.day !== undefined && next.day !== undefined && daysBetween(leg.day.value, next.day.value) >= 2
}
