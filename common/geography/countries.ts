import { iso31661 } from 'iso-3166'
import { intlTag, type Locale } from '#common/kit/locales.ts'

/** Whether ISO 3166-1 has a country of this numeric id. */
export const isCountry = (id: number): boolean => ids.has(id)
const ids = new Set(iso31661.map(({ numeric }) => Number(numeric)))

export type Country = { id: number; alpha2: string; name: string }

/** All countries of ISO 3166-1 by their numeric ids, named and sorted as the language does. */
export function countriesIn(locale: Locale): Country[] {
  const known = countries.get(locale) ?? nameCountries(locale)
  countries.set(locale, known)
  return known
}

/** Naming 249 countries takes longer than whatever asks for them. */
const countries = new Map<Locale, Country[]>()

/** Nothing for an id that is no country's. */
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
