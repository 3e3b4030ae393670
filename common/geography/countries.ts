import { iso31661 } from 'iso-3166'
import { intlTag, type Locale } from '#common/kit/locales.ts'

/** True for an ISO 3166-1 numeric id. */
export const isCountry = (id: number): boolean => ids.has(id)
const ids = new Set(iso31661.map(({ numeric }) => Number(numeric)))

/** Returns a country's two letters, or its id if it is unknown. */
export const countryCode = (id: number): string => codes.get(id) ?? String(id)
const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [Number(numeric), alpha2]))

/** Italy: the default origin if neither product nor unit names a country (spec 9). */
export const defaultOriginRegion = 380

export type Country = { id: number; alpha2: string; name: string }

/** Returns all countries of ISO 3166-1, named and sorted in the language. */
export function countriesIn(locale: Locale): Country[] {
  const known = countries.get(locale) ?? nameCountries(locale)
  countries.set(locale, known)
  return known
}

/** Cached: naming 249 countries is slow. */
const countries = new Map<Locale, Country[]>()

/** Returns a country's name; undefined for an unknown id. */
export function countryName(id: number, locale: Locale): string | undefined {
  const known = names.get(locale) ?? new Map(countriesIn(locale).map(country => [country.id, country.name]))
  names.set(locale, known)
  return known.get(id)
}

const names = new Map<Locale, Map<number, string>>()

function nameCountries(locale: Locale): Country[] {
  const tag = intlTag(locale)
  const names = new Intl.DisplayNames([tag], { type: 'region' })
  const collator = new Intl.Collator(tag)
  return iso31661
    .map(({ numeric, alpha2 }) => ({ id: Number(numeric), alpha2, name: names.of(alpha2) ?? alpha2 }))
    .toSorted((a, b) => collator.compare(a.name, b.name))
}
