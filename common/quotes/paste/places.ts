import { airportCodes, cityNames, moreCountryNames } from '#common/geography/cities.ts'
import { intlTag, type Locale, locales } from '#common/kit/locales.ts'
import { isOther } from '../paste-people/names.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { moreAirports } from './airports.ts'
import type { NumberAt } from './counts.ts'
import { type Day, ofTrip } from './dates.ts'
import { comesBack, goalsOf, type Journey, journeyOf, type Leg, type NamedPlace, reservationLegs, type Stop, writtenLegs } from './legs.ts'
import { apart, cuesOf, lineAt, lineStart, matchesIn, type Pasted, plainly, type Span, spanOf } from './text.ts'

/** `guess`: the only other country of a text that has no destination. `seats`: those that all flights of a reservation have. */
type JourneyPlaces = {
  origin: NumberAt | undefined
  destinations: NumberAt[]
  guess: NumberAt | undefined
  journey: Journey | undefined
  seats: NumberAt | undefined
}
type Context = { countries: readonly KnownCountry[]; today: string; locale: Locale }

/** Returns the destinations of a journey, by its legs or by the words around a name. A transit is not a destination. */
export function findPlaces(pasted: Pasted, days: readonly Day[], { countries, today, locale }: Context): JourneyPlaces {
  const { plain } = pasted
  const ids = new Map<string | undefined, number>(countries.map(({ alpha2, id }) => [alpha2, id]))
  const numbers = (places: readonly { country: string | undefined; at: Span }[]): NumberAt[] =>
    firstOfEach(places).flatMap(({ country, at }) => {
      const value = ids.get(country)
      return value === undefined ? [] : [{ value, at }]
    })
  const { legs: booked, seats } = reservationLegs(pasted, today)
  if (booked.length > 0) {
    const journey = journeyOf(booked, today)
    const [origin] = numbers(journey ? [journey.origin] : [])
    return { origin, destinations: numbers(journey ? goalsOf(booked, []) : []), guess: undefined, journey, seats }
  }
  const isRound = cruiseWords.test(plain)
  const stops = stopsIn(pasted, countries, isRound)
  const legs = writtenLegs(plain, stops, days)
  const origin = (isRound ? undefined : legs[0]?.from) ?? onlyOne(stops.filter(({ role }) => role === 'from'))
  const guess = onlyOne(stops.filter(({ role, country }) => role !== 'from' && country !== origin?.country))
  return {
    origin: numbers(origin ? [origin] : [])[0],
    destinations: numbers(legs.length > 0 ? goalsOfLegs(pasted, legs, stops, isRound) : namedGoals(plain, stops, days, origin, locale)),
    guess: numbers(guess ? [guess] : [])[0],
    journey: isRound || hasOneDay(legs) ? undefined : journeyOf(legs, today),
    seats,
  }
}

const firstOfEach = <Place extends { country: string | undefined }>(stops: readonly Place[]): Place[] =>
  stops.filter(({ country }, index) => stops.findIndex(other => other.country === country) === index)

const onlyOne = (stops: readonly Stop[]): Stop | undefined => (firstOfEach(stops).length === 1 ? stops[0] : undefined)

/** True for legs on one day, as in a list of ports, which do not show when the journey ends. */
const hasOneDay = (legs: readonly Leg[]): boolean =>
  legs.length > 1 && comesBack(legs) && new Set(legs.flatMap(({ day }) => day?.value ?? [])).size < 2

/** Returns the stops where a journey stays: a round's calls, else those of its legs. In a town of both ways its flights change planes. */
function goalsOfLegs({ text }: Pasted, legs: readonly Leg<Stop>[], stops: readonly Stop[], isRound: boolean): Stop[] {
  const calls = legs.map(({ to }) => to).filter(({ country }) => country !== legs[0]?.from.country)
  const isOnce = ({ place }: Stop) => calls.filter(other => other.place === place).length < 2
  const goals = calls.some(isOnce) ? calls.filter(isOnce) : calls
  if (isRound && goals.length > 0) return goals
  const isLedTo = ({ country }: Stop) => legs.some(({ from, to }) => from.role === 'from' && to.role === 'to' && to.country === country)
  const isPassed = (stop: Stop) => !isOnce(stop) && calls.some(isOnce)
  // `Paris - Casablanca - Dakar`: the journey goes on to a town that no table has.
  const goesOn = ({ at: [, end] }: Stop) => {
    const [, next] = unknownNext.exec(text.slice(end, end + 40)) ?? []
    return next !== undefined && !isOther(next) && !stops.some(({ at }) => at[0] >= end && at[0] < end + 8)
  }
  const introduced = stops.filter(stop => stop.role === 'to' && !isLedTo(stop) && !isPassed(stop))
  return goalsOf(legs, introduced).filter(stop => !goesOn(stop))
}

const unknownNext = /^(?: \([A-Z]{3}\))? ?[-–—→>] ?(\p{Lu}\p{Ll}{2,20})(?![\p{L}\d])/u

/** Returns the places that words introduce. Without any, the client stays in the only country of a text: `Lisbon, 1100-444 Portugal`. */
function namedGoals(plain: string, stops: readonly Stop[], days: readonly Day[], origin: Stop | undefined, locale: Locale): Stop[] {
  // The way home leads back to the origin.
  const led = stops.filter(({ role, place }) => role === 'to' && place !== origin?.place)
  const last = led.at(-1)
  const isHome = last && leadsHome(plain, last, days, origin ? [] : led, locale)
  const named = isHome ? led.slice(0, -1) : led
  const only = onlyOne(stops)
  if (named.length > 0 || !stayWords.test(plain)) return named
  return only && stops.every(({ role }) => role === undefined) ? [only] : []
}

const arrivalWords = new RegExp(`${wholeWord('arrives')}[^.;|:\\n]{0,20}$`)

/** True for `llegada a Madrid el 15 de mayo` at the end of a trip, where the client is home again, in the reader's own country. */
function leadsHome(plain: string, last: Stop, days: readonly Day[], led: readonly Stop[], locale: Locale): boolean {
  if (!arrivalWords.test(plain.slice(Math.max(0, last.at[0] - 40), last.at[0]))) return false
  const day = ofTrip(days).find(({ at }) => at[0] >= last.at[1] && at[0] - last.at[1] < 40)
  if (day) return ofTrip(days).every(({ value }) => value <= day.value) && ofTrip(days).some(({ value }) => value < day.value)
  return last.country === locale.slice(-2) && led.some(({ country }) => country !== last.country)
}

const cruiseWords = new RegExp(wholeWord('cruise'))
/** Lines with these words concern the sender. */
const footerWords = new RegExp(`@|©|www\\.|${wholeWord('footer')}|${wholeWord('telephone')}[ :.]{0,3}[+(\\d]`)
/** `a Lanzarote no, al final a Marruecos`. */
const notThere = /^,? (?:no|not|non|nao|pas)(?: ?[,.;]|$)/
const transitWords = new RegExp(`${wholeWord('transit')}(?: [a-z']{1,4}){0,2} $`)

/** Joins names to stops: `Madrid Barajas (MAD)` and `Roma, Italia` are one stop each. The ports of a cruise are no transits. */
function stopsIn(pasted: Pasted, countries: readonly KnownCountry[], isRound: boolean): Stop[] {
  const { plain } = pasted
  const stops: Stop[] = []
  for (const named of namedPlaces(pasted, countries)) {
    const [from, to] = named.at
    if (footerWords.test(lineOf(pasted, from)) || notThere.test(plain.slice(to, to + 6))) continue
    const last = stops.at(-1)
    if (last && isSame(last, named) && isJoining(plain.slice(last.at[1], from), named.isCode)) {
      last.at = [last.at[0], to]
      if (last.isCountry) Object.assign(last, { place: named.place, isCountry: named.isCountry })
    } else {
      const isTransit = !isRound && transitWords.test(plain.slice(Math.max(0, from - 40), from))
      stops.push({ ...named, role: isTransit ? undefined : roleOf(pasted, named.at, last) })
    }
  }
  return stops
}

const isSame = (a: NamedPlace, b: NamedPlace): boolean => a.country === b.country && (a.place === b.place || a.isCountry || b.isCountry)

/** A code may stand on the line below its town, after the airport's name. */
const isJoining = (gap: string, isCode: boolean): boolean =>
  (/^[ ,(/\w-]{0,24}$/.test(gap) || (isCode && /^\n[ \w-]{2,40}\($/.test(gap))) && !/[a-z] - |\d|>/.test(gap)

const longestFooter = 90

/** Returns the line of a name, or its sentence, as a whole message may be one line. */
function lineOf(pasted: Pasted, at: number): string {
  const line = pasted.plain.slice(...lineAt(pasted.plain, at))
  if (line.length <= longestFooter) return line
  const { label, behind } = cuesOf(pasted, [at, at])
  return label + behind
}

const fromWords = new RegExp(wholeWord('from'), 'g')
const toWords = new RegExp(wholeWord('to'), 'g')
const toThe = `${anyOf('goingTo')}(?: ${anyOf('article')})?[ ']$`
/** A word for a journey and its preposition, at the end of the words before a name: `nos vamos de vacaciones a la `. */
const goingWords = new RegExp(`${wholeWord('going')}[^.;|]{0,40}? ${toThe}`)
const trip = wholeWord('tripTitle')
/** A title before a name: `Su viaje: Maravillas de `, `Your booking in `. */
const titleWords = new RegExp(
  `${trip}[^.;|:]{0,30}: ?(?:[^.;|:]{0,30} ${anyOf('titleTo')} )?$|(?<!\\w)${anyOf('booking')} ${anyOf('goingTo')} $|${trip} ["'«]?$|` +
    `${trip} ?: [^.;|:\\n(]{0,50}\\($`,
)
const setOffWords = new RegExp(`${wholeWord('setOff')}[^.;|:]{0,24} ${anyOf('setOffFrom')} $`)
/** `Partiamo da Milano il 14 aprile per il `. */
const onwardWords = new RegExp(`^[^.;|:]{1,70} ${toThe}`)
/** `the Kenya trip`. */
const tripBehind = new RegExp(`^ ${anyOf('tripTitle')}(?!\\w)`)
/** `EGIPTO FARAÓNICO 8 días`. */
const daysBehind = new RegExp(`^[^\\n.:;|]{0,40}?(?<!\\w)\\d{1,2} ${anyOf('days')}(?!\\w)`)
const pastWords = new RegExp(wholeWord('past'))
const listSigns = new RegExp(`^\\)? ?(?:,|&|\\+|/|(?:, ?)?${anyOf('and')}) ?(?:${anyOf('goingTo', 'article')} )?$`)
const addressWords = new RegExp(wholeWord('address'))
const lodgingWords = new RegExp(wholeWord('lodging'))
const stayWords = new RegExp(wholeWord('stay', 'night'))

function roleOf(pasted: Pasted, at: Span, last: Stop | undefined): Stop['role'] {
  const { label, behind, isFirst } = cuesOf(pasted, at, last?.at[1])
  if (!isFirst && listSigns.test(label)) return last?.role
  if (!last && label.trim() === '' && daysBehind.test(behind.slice(0, 60))) return 'to'
  if (pastWords.test(label)) return undefined
  if (!isFirst && last?.role === 'from' && onwardWords.test(label)) return 'to'
  if (setOffWords.test(label)) return 'from'
  const [from, to] = [lastOf(label, fromWords), lastOf(label, toWords)]
  if (tripBehind.test(behind) || (goingWords.test(label) && from < 0) || titleWords.test(label)) return 'to'
  if (from >= 0 || to >= 0) return from > to ? 'from' : 'to'
  return !last && isHotelAddress(pasted.plain, at[0]) ? 'to' : undefined
}

const lastOf = (words: string, pattern: RegExp): number => matchesIn(words, pattern).at(-1)?.index ?? -1

/** True on the line of a hotel's name or the three below it, in a text about nights. */
function isHotelAddress(plain: string, at: number): boolean {
  let from = lineStart(plain, at)
  if (addressWords.test(plain.slice(from, at))) return stayWords.test(plain)
  for (let lines = 0; lines < 3 && from > 0; lines++) from = lineStart(plain, from - 1)
  return lodgingWords.test(plain.slice(Math.max(from, at - 400), at)) && stayWords.test(plain)
}

export type KnownCountry = { id: number; alpha2: string }

/** Names that are also a person, a thing or a word. They count only after a word that introduces a destination. */
const doubtful = new Set(
  `jordan jordania jordanie chad georgia georgie jersey reunion mauricio maurice israel dominica togo niger mali guinea oman turkey chile
  peru cuba china india split nice fez reus bale genes male colonia florence lima lille male sal agadir porto colombo sofia`.split(/\s+/),
).add('la reunion')

/** Enough for a journey twice around the world. */
const mostPlaces = 100

/** Returns the countries and cities in a text in order, the longer of two names that begin together, and the airport codes of routes. */
function namedPlaces(pasted: Pasted, countries: readonly KnownCountry[]): NamedPlace[] {
  const { plain, text } = pasted
  const known = new Set(countries.map(({ alpha2 }) => alpha2))
  const names = namesOf(countries)
  const words = [...plain.matchAll(/[a-z]+/g)]
  const found: NamedPlace[] = []
  for (let index = 0; index < words.length && found.length < mostPlaces; index++) {
    const from = words[index]?.index ?? 0
    const most = names.longest.get(words[index]?.[0] ?? '') ?? 0
    for (let count = most; count > 0; count--) {
      const last = words[index + count - 1]
      const named = last && nameAt(plain, [from, last.index + last[0].length], names.countries)
      if (!named || !known.has(named.country)) continue
      index += count - 1
      if (!isDoubtful(named, pasted)) found.push(named)
      break
    }
  }
  return apart([...found, ...codesIn(text).filter(({ country }) => known.has(country))])
}

function nameAt(plain: string, at: Span, countries: ReadonlyMap<string, string>): NamedPlace | undefined {
  const name = plain.slice(...at)
  const country = countries.get(name)
  if (country) return { at, country, place: country, isCode: false, isCountry: true }
  const city = cityNames.get(name) ?? hyphened(name)
  return city && { at, country: city.country, place: city.codes[0] ?? name, isCode: false, isCountry: false }
}

/** Reads Madrid-Barajas as Madrid. */
function hyphened(name: string) {
  const [city, other] = name.split('-').map(part => cityNames.get(part))
  return city && city === other ? city : undefined
}

const placeHead = new RegExp(`(?:(?<!\\w)${anyOf('placeHead')}|[->:,]) ?$|${wholeWord('tripTitle')} ["'«]?$`)

function isDoubtful({ at, isCountry }: NamedPlace, { text, plain }: Pasted): boolean {
  const name = plain.slice(...at)
  const isCapital = /\p{Lu}/u.test(text.slice(...at))
  if (!isCapital && name.length < 4) return true
  if (!doubtful.has(name)) return false
  return !isCapital || (isCountry && !placeHead.test(plain.slice(Math.max(0, at[0] - 16), at[0])))
}

const sign = '[-–—→>/]'
const time = '\\d{1,2}[:h.]\\d{2}'
const capitals = '([A-Z]{3})'
/** (MAD), MAD-CDG, MAD → CDG, MADCDG and MAD 12:05: codes beside another one, in brackets or beside a time. */
const codes = [
  `(?<![A-Z])${capitals}(?: ?${sign} ?| to | a |(?<!(?:^|[^A-Z\\d])[A-Z]{2,20} [A-Z]{3})(?=[A-Z]{3}(?! [A-Z]{3})))${capitals}(?![A-Z])`,
  `(?<=[A-Z]{3} ?${sign} ?)${capitals}(?![A-Z])`,
  `\\(${capitals}(?=[),/ -])`,
  `(?<=\\n {0,6}|${time}(?: ?\\(?\\+ ?\\d(?: [a-zí]{1,4})?\\)?)? {1,3})${capitals}(?= {1,3}${time}| ?\\n| {2}|$)`,
  `(?<=[-–—→>] ?)${capitals}(?= {1,3}${time})`,
].map(source => new RegExp(source, 'dg'))
/** OPO Porto and PARIS CDG: a code beside its town's name. */
const codeThenTown = /(?<![\p{L}\d])([A-Z]{3}) {1,3}(\p{Lu}\p{Ll}{2,20})/dgu
const townThenCode = /(?<![\p{L}\d])(\p{Lu}[\p{L}]{2,20}(?: \p{Lu}[\p{L}]{2,20})?) {1,2}([A-Z]{3})(?![\p{L}\d])/dgu

function codesIn(text: string): NamedPlace[] {
  const alone = codes.flatMap(pattern =>
    matchesIn(text, pattern).flatMap(match => {
      const found = [1, 2].flatMap(group => (match[group] === undefined ? [] : [codeAt(text, spanOf(match, group))]))
      return found.every(named => named !== undefined) ? found : []
    }),
  )
  const besideTown = [codeThenTown, townThenCode].flatMap((pattern, index) =>
    matchesIn(text, pattern).flatMap(match => {
      const [code = '', town = ''] = index === 0 ? [match[1], match[2]] : [match[2], match[1]]
      const named = cityNames.get(plainly(town))?.codes.includes(code) ? codeAt(text, spanOf(match, index + 1)) : undefined
      return named ?? []
    }),
  )
  return [...alone, ...besideTown]
}

/** Words in capitals that are also codes. */
const wordCodes = new Set('SAT MAR SAL NAT BEL PER'.split(' '))

function codeAt(text: string, at: Span): NamedPlace | undefined {
  const letters = text.slice(...at)
  const city = airportCodes.get(letters)
  const country = city?.country ?? (wordCodes.has(letters) ? undefined : moreAirports.get(letters))
  return country === undefined ? undefined : { at, country, place: city?.codes[0] ?? letters, isCode: true, isCountry: false }
}

/** Country names in the five languages, and by first word the longest name's number of words. */
type Names = { countries: Map<string, string>; longest: Map<string, number> }

/** A cache, since naming 249 countries in five languages takes longer than reading a text. */
const namesByList = new WeakMap<readonly KnownCountry[], Names>()

function namesOf(countries: readonly KnownCountry[]): Names {
  const made = namesByList.get(countries) ?? makeNames(countries)
  namesByList.set(countries, made)
  return made
}

function makeNames(known: readonly KnownCountry[]): Names {
  const countries = new Map(moreCountryNames)
  for (const locale of locales) {
    const display = new Intl.DisplayNames([intlTag(locale)], { type: 'region', fallback: 'none' })
    for (const { alpha2 } of known) if (/^[A-Z]{2}$/.test(alpha2)) countries.set(plainly(display.of(alpha2) ?? alpha2), alpha2)
  }
  const longest = new Map<string, number>()
  for (const name of [...countries.keys(), ...cityNames.keys()]) {
    const words = name.match(/[a-z]+/g) ?? []
    // At least two, for a city and its airport: Madrid-Barajas.
    if (words[0]) longest.set(words[0], Math.max(longest.get(words[0]) ?? 2, words.length))
  }
  return { countries, longest }
}
