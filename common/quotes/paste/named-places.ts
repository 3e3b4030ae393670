import { airportCodes, cityNames, moreCountryNames } from '#common/geography/cities.ts'
import { intlTag, locales } from '#common/kit/locales.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { moreAirports } from './airports.ts'
import { matchesIn, plainly, type Pasted, type Span } from './text.ts'

export type KnownCountry = { id: number; alpha2: string }
/** A name in a text. `place` is the same for all names of one place: the city's own code, or the country. */
export type NamedPlace = { at: Span; country: string; place: string; isCode: boolean; isCountry: boolean }

/** Names that are also a person, a thing or a word. They count only after a word that introduces a destination. */
const doubtful = new Set(
  'jordan jordania jordanie chad georgia georgie jersey reunion mauricio maurice israel dominica togo niger mali guinea oman turkey chile peru cuba china india split nice fez reus bale genes male colonia florence lima lille male sal agadir porto colombo sofia'.split(
    ' ',
  ),
).add('la reunion')

/** Enough for a journey twice around the world. */
const mostPlaces = 100

/** Returns the countries and cities in a text in order, the longer of two names that begin together. Airport codes count in capitals, on a route. */
export function namedPlaces(pasted: Pasted, countries: readonly KnownCountry[]): NamedPlace[] {
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
  return [...found, ...codesIn(text).filter(({ country }) => known.has(country))]
    .toSorted((a, b) => a.at[0] - b.at[0])
    .filter((named, index, all) => index === 0 || (all[index - 1]?.at[1] ?? 0) <= named.at[0])
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

/** Finds (MAD), MAD-CDG, MAD → CDG, MADCDG: codes beside another one, or in brackets. */
function codesIn(text: string): NamedPlace[] {
  const pairs = matchesIn(
    text,
    /(?<![A-Z])([A-Z]{3})( ?[-–—→>/] ?| to | a |(?<!(?:^|[^A-Z\d])[A-Z]{2,20} [A-Z]{3})(?=[A-Z]{3}(?! [A-Z]{3})))([A-Z]{3})(?![A-Z])/g,
  ).flatMap(match => {
    const [all, from = '', , to = ''] = match
    const [first, second] = [code(from, match.index), code(to, match.index + all.length - 3)]
    return first && second ? [first, second] : []
  })
  const chained = matchesIn(text, /(?<=[A-Z]{3} ?[-–—→>/] ?)([A-Z]{3})(?![A-Z])/g).map(match => code(match[0], match.index))
  const alone = matchesIn(text, /\(([A-Z]{3})(?=[),/ -])/g).map(match => code(match[1] ?? '', match.index + 1))
  const timed = matchesIn(
    text,
    /(?<=\n {0,6}|\d{1,2}[:h.]\d{2}(?: ?\(?\+ ?\d(?: [a-zí]{1,4})?\)?)? {1,3})([A-Z]{3})(?= {1,3}\d{1,2}[:h.]\d{2}| ?\n| {2}|$)/g,
  ).map(match => code(match[0], match.index))
  const routed = matchesIn(text, /(?<=[-–—→>] ?)([A-Z]{3})(?= {1,3}\d{1,2}[:h.]\d{2})/g).map(match => code(match[0], match.index))
  return [...pairs, ...chained, ...alone, ...timed, ...routed, ...namedCodes(text)].filter(named => named !== undefined)
}

/** Finds OPO Porto and PARIS CDG: a code beside its town's name. */
const namedCodes = (text: string) => [
  ...matchesIn(text, /(?<![\p{L}\d])([A-Z]{3}) {1,3}(\p{Lu}\p{Ll}{2,20})/gu).map(match => codeOf(match[2], match[1] ?? '', match.index)),
  ...matchesIn(text, /(?<![\p{L}\d])(\p{Lu}[\p{L}]{2,20}(?: \p{Lu}[\p{L}]{2,20})?) {1,2}([A-Z]{3})(?![\p{L}\d])/gu).map(match =>
    codeOf(match[1], match[2] ?? '', match.index + match[0].length - 3),
  ),
]

const codeOf = (name: string | undefined, letters: string, from: number) =>
  name !== undefined && cityNames.get(plainly(name))?.codes.includes(letters) ? code(letters, from) : undefined

/** Words in capitals that are also codes. */
const wordCodes = new Set('SAT MAR SAL NAT BEL PER'.split(' '))

function code(letters: string, from: number): NamedPlace | undefined {
  const city = airportCodes.get(letters)
  const country = city?.country ?? (wordCodes.has(letters) ? undefined : moreAirports.get(letters))
  return country === undefined
    ? undefined
    : { at: [from, from + 3], country, place: city?.codes[0] ?? letters, isCode: true, isCountry: false }
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
