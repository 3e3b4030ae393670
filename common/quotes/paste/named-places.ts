import { airportCodes, cityNames, moreCountryNames } from '#common/geography/cities.ts'
import { intlTag, locales } from '#common/kit/locales.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { moreAirports } from './airports.ts'
import { matchesIn, plainly, type Span, spanOf } from './lines.ts'
import type { Pasted } from './text.ts'

export type KnownCountry = { id: number; alpha2: string }
/** A name in a text. `place` is the same for all names of one place: the city's own code, or the country. */
export type NamedPlace = { at: Span; country: string; place: string; isCode: boolean; isCountry: boolean }

/** Names that are also a person, a thing or a word. They count only after a word that introduces a destination. */
const doubtful = new Set(
  `jordan jordania jordanie chad georgia georgie jersey reunion mauricio maurice israel dominica togo niger mali guinea oman turkey chile
  peru cuba china india split nice fez reus bale genes male colonia florence lima lille male sal agadir porto colombo sofia`.split(/\s+/),
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
