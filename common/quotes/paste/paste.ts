import { isDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { findTotal } from './amounts.ts'
import { daysIn, tripDays } from './dates.ts'
import type { KnownCountry } from './named-places.ts'
import { findPeople } from './people.ts'
import { findPlaces } from './places.ts'
import { readText, type Span } from './text.ts'

/** `locale`: the reader's, for a text that does not show its language. */
export type PasteContext = { today: string; locale: Locale; countries: readonly KnownCountry[]; currency: string }

/** A field of step 1 (spec 3), its value, and the part of the text it comes from. Several destinations and birth dates are one each. */
export type PastedField = { at: Span } & (
  | { field: 'startDate' | 'endDate' | 'reservationDate' | 'birthDate'; value: string }
  | { field: 'coverageScope' | 'mainDestination' | 'travelers' | 'priceTravel' | 'age'; value: number }
)

/** The normalised text, and the fields read from it in the order of the form; `found` refers to parts of `text`. */
export type Recognised = { text: string; found: PastedField[] }

/**
 * Reads a trip from a booking confirmation, an email or a note. It never throws, and leaves out a field that can be read in two ways: an agent
 * types a date in a moment, but notices a wrong one too late.
 */
export function recognise(given: string, { today, locale, countries, currency }: PasteContext): Recognised {
  const pasted = readText(given, locale)
  if (!isDate(today)) return { text: pasted.text, found: [] }
  const days = daysIn(pasted, today)
  const { origin, destinations, legDays } = findPlaces(pasted, days, countries)
  const { start, end, booked, births } = tripDays(pasted, days, today, legDays)
  const { travelers, ages } = findPeople(pasted)
  const total = findTotal(pasted, currency)
  const people = travelers ?? (births.length > 0 ? { value: births.length, at: births[0]?.at ?? [0, 0] } : undefined)
  const known = people && births.length <= people.value ? births : []
  return {
    text: pasted.text,
    found: [
      ...(start ? [{ field: 'startDate' as const, value: start.value, at: start.at }] : []),
      ...(end ? [{ field: 'endDate' as const, value: end.value, at: end.at }] : []),
      ...(origin ? [{ field: 'coverageScope' as const, ...origin }] : []),
      ...(people ? [{ field: 'travelers' as const, value: people.value, at: people.at }] : []),
      ...destinations.map(place => ({ field: 'mainDestination' as const, ...place })),
      ...(total ? [{ field: 'priceTravel' as const, ...total }] : []),
      ...(booked ? [{ field: 'reservationDate' as const, value: booked.value, at: booked.at }] : []),
      ...known.map(({ value, at }) => ({ field: 'birthDate' as const, value, at })),
      ...ages.map(({ value, at }) => ({ field: 'age' as const, value, at })),
    ],
  }
}
