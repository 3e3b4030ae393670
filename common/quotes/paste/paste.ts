import { isDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { peopleIn } from '../paste-people/people-in.ts'
import type { PersonFound } from '../paste-people/person.ts'
import { findTotal } from './amounts.ts'
import { agesIn, type NumberAt, travellersIn } from './counts.ts'
import { bookingDay, type DateAt, daysIn, tripDays } from './dates.ts'
import { findPlaces, type KnownCountry } from './places.ts'
import { type Pasted, readText, type Span, withoutQuoted } from './text.ts'

/** `locale`: the reader's, for a text that does not reveal its language. `earliestBirthDate`: the unit's limit. */
export type PasteContext = {
  today: string
  locale: Locale
  countries: readonly KnownCountry[]
  currency: string
  earliestBirthDate: string
}

type NumberField = 'coverageScope' | 'mainDestination' | 'travelers' | 'priceTravel' | 'age'

/** A field of step 1 (spec 3), its value, and its part of the text. Each destination is a field. `isSure`: its checkbox is ticked first. */
export type PastedField = { at: Span; isSure: boolean } & (
  | { field: 'startDate' | 'endDate' | 'reservationDate'; value: string }
  | { field: NumberField; value: number }
)

/** The normalised text, the fields of the trip in the form's order, and its people, policyholder first. `at` refers to parts of `text`. */
export type Recognised = { text: string; found: PastedField[]; people: PersonFound[] }

/** Reads a trip from a confirmation, an email or a note. It never throws. Ambiguous fields are left out: a wrong date is noticed late. */
export function recognise(given: string, context: PasteContext): Recognised {
  const pasted = readText(given, context.locale)
  const own = withoutQuoted(given)
  if (own === undefined) return recogniseIn(pasted, context)
  // An answer that has the trip's day leaves out what it answers: another offer, another client.
  const answer = recogniseIn(readText(own, context.locale), context)
  return answer.found.some(({ field }) => field === 'startDate') ? { ...answer, text: pasted.text } : recogniseIn(pasted, context)
}

function recogniseIn(pasted: Pasted, { today, locale, countries, currency, earliestBirthDate }: PasteContext): Recognised {
  if (!isDate(today) || isNoTrip(pasted)) return { text: pasted.text, found: [], people: [] }
  const days = daysIn(pasted, today)
  const { origin, destinations, guess, journey, seats } = findPlaces(pasted, days, { countries, today, locale })
  const { start, end } = tripDays(pasted, days, today, journey)
  const people = peopleIn(pasted, days, { today, earliestBirthDate })
  const day = (field: 'startDate' | 'endDate' | 'reservationDate', date: DateAt | undefined) =>
    date ? [{ field, value: date.value, at: date.at, isSure: true }] : []
  const number = (field: NumberField, found: (NumberAt & { isSure?: boolean }) | undefined, isSure = true) =>
    found ? [{ field, value: found.value, at: found.at, isSure: found.isSure ?? isSure }] : []
  return {
    text: pasted.text,
    found: [
      ...day('startDate', start),
      ...day('endDate', end),
      ...number('coverageScope', origin),
      ...number('travelers', travellersIn(pasted, people, seats)),
      ...destinations.flatMap(place => number('mainDestination', place)),
      ...(start && destinations.length === 0 ? number('mainDestination', guess, false) : []),
      ...number('priceTravel', findTotal(pasted, currency)),
      ...day('reservationDate', bookingDay(days, today)),
      ...agesIn(pasted).flatMap(age => number('age', age)),
    ],
    people,
  }
}

const cancelledWords = new RegExp(wholeWord('cancelled'))
const advertWords = new RegExp(wholeWord('advert'))
const reservationWords = new RegExp(wholeWord('reservation'))

/** True for a cancelled booking, and for a newsletter: it has an unsubscribe link and no reservation. */
const isNoTrip = ({ plain }: Pasted): boolean => cancelledWords.test(plain) || (advertWords.test(plain) && !reservationWords.test(plain))
