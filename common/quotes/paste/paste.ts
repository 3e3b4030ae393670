import { isDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { findTotal } from './amounts.ts'
import { daysIn, tripDays } from './dates.ts'
import type { KnownCountry } from './named-places.ts'
import { findPeople } from './people.ts'
import { peopleIn } from '../paste-people/people-in.ts'
import type { PersonFound } from '../paste-people/person.ts'
import { findPlaces } from './places.ts'
import { type Pasted, readText, type Span, withoutQuoted } from './text.ts'

/** `locale`: the reader's, for a text that does not reveal its language. `earliestBirthDate`: the unit's limit. */
export type PasteContext = {
  today: string
  locale: Locale
  countries: readonly KnownCountry[]
  currency: string
  earliestBirthDate: string
}

/** A field of step 1 (spec 3), its value, and its part of the text. Each destination is one field. `isSure`: its checkbox is ticked at first. */
export type PastedField = { at: Span; isSure: boolean } & (
  | { field: 'startDate' | 'endDate' | 'reservationDate'; value: string }
  | { field: 'coverageScope' | 'mainDestination' | 'travelers' | 'priceTravel' | 'age'; value: number }
)

/** The normalised text, the fields of the trip in the form's order, and its people, policyholder first. `at` refers to parts of `text`. */
export type Recognised = { text: string; found: PastedField[]; people: PersonFound[] }

/**
 * Reads a trip from a booking confirmation, an email or a note. It never throws, and leaves out ambiguous fields: an agent types a date in a moment,
 * but notices a wrong one too late.
 */
export function recognise(given: string, context: PasteContext): Recognised {
  const pasted = readText(given, context.locale)
  const own = withoutQuoted(given)
  if (own === undefined) return recogniseIn(pasted, context)
  // An answer that has the trip's day leaves out what it answers: another offer, another client.
  const answer = recogniseIn(readText(own, context.locale), context)
  return answer.found.some(({ field }) => field === 'startDate') ? { ...answer, text: pasted.text } : recogniseIn(pasted, context)
}

function recogniseIn(pasted: Pasted, { today, locale, countries, currency, earliestBirthDate }: PasteContext): Recognised {
  if (!isDate(today)) return { text: pasted.text, found: [], people: [] }
  if (isNoTrip(pasted)) return { text: pasted.text, found: [], people: [] }
  const days = daysIn(pasted, today)
  const { origin, destinations, guess, journey, seats } = findPlaces(pasted, days, { countries, today, locale })
  const { start, end, booked } = tripDays(pasted, days, today, journey)
  const people = peopleIn(pasted, days, { today, earliestBirthDate })
  const { travelers, ages } = findPeople(pasted, people, seats)
  const total = findTotal(pasted, currency)
  const sure = { isSure: true }
  return {
    text: pasted.text,
    found: [
      ...(start ? [{ field: 'startDate' as const, value: start.value, at: start.at, ...sure }] : []),
      ...(end ? [{ field: 'endDate' as const, value: end.value, at: end.at, ...sure }] : []),
      ...(origin ? [{ field: 'coverageScope' as const, ...origin, ...sure }] : []),
      ...(travelers ? [{ field: 'travelers' as const, ...travelers }] : []),
      ...destinations.map(place => ({ field: 'mainDestination' as const, ...place, ...sure })),
      ...(start && destinations.length === 0 && guess ? [{ field: 'mainDestination' as const, ...guess, isSure: false }] : []),
      ...(total ? [{ field: 'priceTravel' as const, ...total, ...sure }] : []),
      ...(booked ? [{ field: 'reservationDate' as const, value: booked.value, at: booked.at, ...sure }] : []),
      ...ages.map(({ value, at }) => ({ field: 'age' as const, value, at, ...sure })),
    ],
    people,
  }
}

const cancelledWords = new RegExp(wholeWord('cancelled'))
const advertWords = new RegExp(wholeWord('advert'))
const reservationWords = new RegExp(wholeWord('reservation'))

/** True for a cancelled booking, and for a newsletter: it has an unsubscribe link and no reservation. */
const isNoTrip = ({ plain }: Pasted): boolean => cancelledWords.test(plain) || (advertWords.test(plain) && !reservationWords.test(plain))
