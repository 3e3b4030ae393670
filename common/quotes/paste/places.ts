import { daysBetween } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { comesBack, type Journey, journeyOf } from '../paste-legs/journey.ts'
import { reservationLegs } from '../paste-legs/reservation-legs.ts'
import { type Stop, type WrittenLeg, writtenLegs } from '../paste-legs/written-legs.ts'
import type { Day } from './dates.ts'
import { type KnownCountry, type NamedPlace, namedPlaces } from './named-places.ts'
import { after, before, lineEnd, lineStart, matchesIn, type Pasted, type Span } from './text.ts'

type PlaceAt = { value: number; at: Span }
/** `journey`: the days of its legs. `seats`: the number of seats that a reservation system's flights have. */
export type JourneyPlaces = {
  origin: PlaceAt | undefined
  destinations: PlaceAt[]
  /** The only other country of a text that has no destination. */
  guess: PlaceAt | undefined
  journey: Journey | undefined
  seats: { value: number; at: Span } | undefined
}

/** Returns the destinations of a journey, by its legs or by the words around a name. A transit is not a destination. */
export function findPlaces(
  pasted: Pasted,
  days: readonly Day[],
  { countries, today, locale }: { countries: readonly KnownCountry[]; today: string; locale: Locale },
): JourneyPlaces {
  const ids = new Map(countries.map(({ id, alpha2 }) => [alpha2, id]))
  const placeAt = ({ country, at }: { country: string | undefined; at: Span }): PlaceAt[] => {
    const value = country === undefined ? undefined : ids.get(country)
    return value === undefined ? [] : [{ value, at }]
  }
  const { legs: booked, seats } = reservationLegs(pasted, today)
  if (booked.length > 0) {
    const journey = journeyOf(booked, today)
    const origin = journey?.origin && placeAt(journey.origin)[0]
    return { origin, destinations: firstOfEach(journey?.goals ?? []).flatMap(placeAt), guess: undefined, journey, seats }
  }
  const stops = stopsIn(pasted, countries)
  const legs = writtenLegs(pasted, stops, days)
  const [first] = legs
  const isRound = cruiseWords.test(pasted.plain)
  const origin = (isRound ? undefined : first?.from) ?? onlyOne(stops.filter(({ role }) => role === 'from'))
  // The way home leads back to the origin.
  const led = stops.filter(({ role, place }) => role === 'to' && place !== origin?.place)
  const named = led.filter(stop => !isHome(pasted.plain, stop, { days, others: led, own: origin ? undefined : regionOf(locale) }))
  const goals = legs.length > 0 ? goalsOf(legs, stops, isRound) : named.length > 0 || !stayWords.test(pasted.plain) ? named : stayIn(stops)
  return {
    origin: origin && placeAt(origin)[0],
    destinations: firstOfEach(goals).flatMap(placeAt),
    guess: [onlyOne(stops.filter(({ role, country }) => role !== 'from' && country !== origin?.country))].flatMap(stop =>
      stop ? placeAt(stop) : [],
    )[0],
    journey: isRound || hasOneDay(legs) ? undefined : journeyOf(legs, today),
    seats,
  }
}

/** Returns the country of a reader's language; undefined for English. */
const regionOf = (locale: Locale): string | undefined => (locale.endsWith('-EN') ? undefined : locale.slice(-2))

const arrivalWords = new RegExp(`${wholeWord('arrives')}[^.;|:\\n]{0,20}$`)

/** True for `llegada a Madrid el 15 de mayo` at the end of a trip, where the client is home again. */
function isHome(
  plain: string,
  stop: Stop,
  { days, others, own }: { days: readonly Day[]; others: readonly Stop[]; own: string | undefined },
): boolean {
  if (stop !== others.at(-1) || !arrivalWords.test(plain.slice(Math.max(0, stop.at[0] - 40), stop.at[0]))) return false
  const ofTrip = days.filter(({ role }) => role !== 'birth' && role !== 'booked' && role !== 'other')
  const day = ofTrip.find(({ at }) => at[0] >= stop.at[1] && at[0] - stop.at[1] < 40)
  if (day) return ofTrip.every(({ value }) => value <= day.value) && ofTrip.some(({ value }) => value < day.value)
  return stop.country === own && others.some(({ country }) => country !== own)
}

/** The only country of a text is where the client stays: `Lisbon, 1100-444 Portugal`. */
const stayIn = (stops: readonly Stop[]): Stop[] => {
  const only = onlyOne(stops)
  return only && stops.every(({ role }) => role === undefined) ? [only] : []
}

/** True for legs on one day, as in a list of ports, which do not show when the journey ends. */
const hasOneDay = (legs: readonly WrittenLeg[]): boolean =>
  legs.length > 1 && comesBack(legs) && new Set(legs.flatMap(({ day }) => day?.value ?? [])).size < 2

const firstOfEach = <Place extends { country: string | undefined }>(stops: readonly Place[]): Place[] =>
  stops.filter(({ country }, index) => stops.findIndex(other => other.country === country) === index)

const onlyOne = (stops: readonly Stop[]): Stop | undefined => (firstOfEach(stops).length === 1 ? stops[0] : undefined)

const cruiseWords = new RegExp(wholeWord('cruise'))
/** Lines with these words concern the sender. */
const footerWords = new RegExp(`@|©|www\\.|${wholeWord('footer')}|${wholeWord('telephone')}[ :.]{0,3}[+(\\d]`)

/** Joins names to stops: `Madrid Barajas (MAD)` and `Roma, Italia` are one stop each. */
function stopsIn(pasted: Pasted, countries: readonly KnownCountry[]): Stop[] {
  const { plain } = pasted
  const isRound = cruiseWords.test(plain)
  const stops: Stop[] = []
  for (const named of namedPlaces(pasted, countries)) {
    if (footerWords.test(lineOf(pasted, named.at[0])) || notThere.test(plain.slice(named.at[1], named.at[1] + 6))) continue
    const last = stops.at(-1)
    const gap = last && plain.slice(last.at[1], named.at[0])
    if (last && gap !== undefined && isSame(last, named) && isJoining(gap, named.isCode) && !/[a-z] - |\d|>/.test(gap)) {
      last.at = [last.at[0], named.at[1]]
      if (last.isCountry) Object.assign(last, { place: named.place, isCountry: named.isCountry })
      continue
    }
    stops.push({ ...named, role: isTransit(plain, named, isRound) ? undefined : roleOf(pasted, named, last) })
  }
  return stops
}

/** A code may stand on the line below its town, after the airport's name. */
const isJoining = (gap: string, isCode: boolean): boolean => /^[ ,(/\w-]{0,24}$/.test(gap) || (isCode && /^\n[ \w-]{2,40}\($/.test(gap))

/** `a Lanzarote no, al final a Marruecos`. */
const notThere = /^,? (?:no|not|non|nao|pas)(?: ?[,.;]|$)/

const longestFooter = 90

/** Returns the line of a name, or its sentence, as a whole message may be one line. */
function lineOf(pasted: Pasted, at: number): string {
  const { plain } = pasted
  const [from, to] = [lineStart(plain, at), lineEnd(plain, at)]
  return to - from > longestFooter ? before(pasted, at) + after(pasted, at, to) : plain.slice(from, to)
}

const transitWords = new RegExp(`${wholeWord('transit')}(?: [a-z']{1,4}){0,2} $`)

/** True for a stop on the way, `con escala en Doha`. The ports of a cruise are no transits. */
const isTransit = (plain: string, { at }: NamedPlace, isRound: boolean): boolean =>
  !isRound && transitWords.test(plain.slice(Math.max(0, at[0] - 40), at[0]))

const isSame = (a: NamedPlace, b: NamedPlace): boolean => a.country === b.country && (a.place === b.place || a.isCountry || b.isCountry)

const fromWords = new RegExp(wholeWord('from'), 'g')
const toWords = new RegExp(wholeWord('to'), 'g')
/** A word for a journey and its preposition, at the end of the words before a name: `nos vamos de vacaciones a la `. */
const goingWords = new RegExp(`${wholeWord('going')}[^.;|]{0,40}? ${anyOf('goingTo')}(?: ${anyOf('article')})?[ ']$`)
/** A title before a name: `Su viaje: Maravillas de `, `Your booking in `. */
const titleWords = new RegExp(
  `${wholeWord('tripTitle')}[^.;|:]{0,30}: ?(?:[^.;|:]{0,30} ${anyOf('titleTo')} )?$|(?<!\\w)${anyOf('bookingIn')} $|${wholeWord('tripTitle')} ["'«]?$|${wholeWord('tripTitle')} ?: [^.;|:\\n(]{0,50}\\($`,
)
const setOffWords = new RegExp(`${wholeWord('setOff')}[^.;|:]{0,24} ${anyOf('setOffFrom')} $`)
/** `Partiamo da Milano il 14 aprile per il `. */
const onwardWords = new RegExp(`^[^.;|:]{1,70} ${anyOf('goingTo')}(?: ${anyOf('article')})?[ ']$`)
/** `the Kenya trip`. */
const tripBehind = new RegExp(`^ ${anyOf('tripTitle')}(?!\\w)`)
/** `EGIPTO FARAÓNICO 8 días`. */
const daysBehind = new RegExp(`^[^\\n.:;|]{0,40}?(?<!\\w)\\d{1,2} ${anyOf('days')}(?!\\w)`)
const pastWords = new RegExp(wholeWord('past'))
const listSigns = new RegExp(`^\\)? ?(?:,|&|\\+|/|(?:, ?)?${anyOf('and')}) ?(?:${anyOf('goingTo', 'article')} )?$`)
const addressWords = new RegExp(wholeWord('address'))
const lodgingWords = new RegExp(wholeWord('lodging'))
const stayWords = new RegExp(wholeWord('stay', 'night'))

function roleOf(pasted: Pasted, { at }: NamedPlace, last: Stop | undefined): Stop['role'] {
  const isOnLine = last !== undefined && last.at[1] > lineStart(pasted.plain, at[0])
  const words = before(pasted, at[0], isOnLine ? last.at[1] : 0)
  if (isOnLine && listSigns.test(words)) return last.role
  if (!last && words.trim() === '' && daysBehind.test(pasted.plain.slice(at[1], at[1] + 60))) return 'to'
  const [from, to] = [lastOf(words, fromWords), lastOf(words, toWords)]
  if (pastWords.test(words)) return undefined
  if (isOnLine && last.role === 'from' && onwardWords.test(words)) return 'to'
  if (setOffWords.test(words)) return 'from'
  if (tripBehind.test(pasted.plain.slice(at[1], at[1] + 24))) return 'to'
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

/** Returns the stops where a journey stays. If there are several countries, each needs two days, a word that introduces it, or a cruise's call. */
function goalsOf(legs: readonly WrittenLeg[], stops: readonly Stop[], isRound: boolean): Stop[] {
  const home = legs[0]?.from.country
  const abroad = legs.map(({ to }) => to).filter(({ country }) => country !== home)
  if (abroad.length === 0) return legs.slice(0, 1).map(({ to }) => to)
  if (firstOfEach(abroad).length === 1) return abroad
  // The flights of a circuit change planes in one town on both ways.
  const once = abroad.filter(({ place }) => abroad.filter(other => other.place === place).length === 1)
  if (isRound) return once.length > 0 ? once : abroad
  const stays = legs.filter((leg, index) => leg.to.country !== home && isStay(leg, legs[index + 1])).map(({ to }) => to)
  const areDaysKnown = legs.every(({ day }) => day)
  const named = stops.filter(
    ({ role, country }) =>
      role === 'to' && country !== home && !legs.some(({ to, from }) => to.role === 'to' && from.role === 'from' && to.country === country),
  )
  return areDaysKnown && stays.length > 0 ? stays : named
}

function isStay(leg: WrittenLeg, next: WrittenLeg | undefined): boolean {
  if (!next) return true
  return leg.day !== undefined && next.day !== undefined && daysBetween(leg.day.value, next.day.value) >= 2
}
