import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { type ManyTrips, manyTrips } from '#common/quotes/rating/many-trips.ts'
import type { Option } from '#portal/kit/combobox/options.ts'
import type { TripForm } from '../store.ts'

/** Returns the zone of a form's trips, if its product covers many of them. */
export const zoneOf = (
  basis: Basis | undefined,
  { coverageScope: origin, mainDestination: destinations }: Pick<TripForm, 'coverageScope' | 'mainDestination'>,
): ManyTrips | undefined => (basis && origin !== null ? manyTrips(basis, { origin, destinations }) : undefined)

/**
 * Adds each country's zone to its option if the product covers many trips. A zone is thus found by its name. Calls expect countries: any country of a
 * zone stands for all of it.
 */
export const withZones = (countries: Option<number>[], basis: Basis | undefined, origin: number | null, locale: Locale): Option<number>[] =>
  countries.map(country => {
    const many = zoneOf(basis, { coverageScope: origin, mainDestination: [country.value] })
    return many
      ? { ...country, detail: many.zone[languageOf(locale)], also: [country.detail, country.also].filter(Boolean).join(' ') }
      : country
  })
