import { readDate } from '#common/kit/dates.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import type { TripSent } from './schemas.ts'
import { type Trip, type TripDraft, type tripSent, type tripForm } from './trip.ts'

type Named<Names> = { readonly [N in Names & string]?: unknown }

/** Reads a trip under the field names of calls, from a request or a stored version. Accepts any values. */
export function tripIn(sent: Named<(typeof tripSent)[keyof typeof tripSent] | 'birthDates' | 'ages'>): TripDraft {
  const joined = sent.countriesDestinationId
  const places = typeof joined === 'string' && /^\d{1,3}(?:,\d{1,3})*$/.test(joined) ? joined.split(',') : []
  return {
    ...readTrip({ ...sent, amount: sent.insurancedAmount }),
    origin: countryIn(sent.countryOriginId),
    destinations: countriesIn(places),
    travellers: wholeIn(sent.paxNumber),
    birthDates: Array.isArray(sent.birthDates) ? sent.birthDates.map(birthDateIn) : undefined,
    ages: Array.isArray(sent.ages) ? sent.ages.map(age => wholeIn(age) ?? null) : undefined,
  }
}

/** Reads step 1 of a form (spec 3). A country is an id, or an object with one. Accepts any values. */
export const tripInForm = (form: Named<(typeof tripForm)[keyof typeof tripForm]>): TripDraft => ({
  ...readTrip({ ...form, amount: form.priceTravel }),
  origin: countriesIn([form.coverageScope].flat())?.[0],
  destinations: countriesIn([form.mainDestination].flat()),
  travellers: wholeIn(form.travelers),
})

type Values = { startDate?: unknown; endDate?: unknown; reservationDate?: unknown; amount?: unknown }

/** Reads the fields that calls and forms write alike: dates in either format, and an amount in major units. */
function readTrip(values: Values): Pick<TripDraft, keyof Trip | 'unreadable'> {
  const dates = (['startDate', 'endDate', 'reservationDate'] as const).filter(name => isPresent(values[name]) && !readDate(values[name]))
  const { amount } = values
  const amountCents = toCents(amount)
  const isOdd = amountCents === undefined && typeof amount === 'number' && Number.isFinite(amount) && amount > 0
  return {
    startDate: readDate(values.startDate),
    endDate: readDate(values.endDate),
    amountCents,
    reservationDate: readDate(values.reservationDate),
    unreadable: isOdd ? [...dates, 'amountCents'] : dates,
  }
}

/** Returns each country once; undefined if there is none, or if one is not a country. */
function countriesIn(list: readonly unknown[]): number[] | undefined {
  const ids = list.map(countryIn).filter(id => id !== undefined)
  return ids.length > 0 && ids.length === list.length ? [...new Set(ids)] : undefined
}

function countryIn(entry: unknown): number | undefined {
  const id: unknown = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry
  return wholeIn(typeof id === 'string' && isPresent(id) ? Number(id) : id)
}

const wholeIn = (value: unknown): number | undefined => (typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined)

/** A text that is not a date is kept, so that the rules refuse it. */
const birthDateIn = (born: unknown): string | null => readDate(born) ?? (typeof born === 'string' && born !== '' ? born : null)

/** Returns a trip under the field names of calls. */
export const sentOf = ({ startDate, endDate, origin, destinations, amountCents, reservationDate }: Trip) => ({
  startDate,
  endDate,
  countryOriginId: origin,
  countriesDestinationId: destinations.join(','),
  insurancedAmount: amountCents === undefined ? null : fromCents(amountCents),
  reservationDate: reservationDate ?? null,
})

/** Returns the trip of a version. It is complete, as it was validated before it was stored. */
export function tripKept(stored: TripSent): Trip & { travellers: number } {
  const { startDate, endDate, origin, destinations, travellers, amountCents, reservationDate } = tripIn(stored)
  if (!startDate || !endDate || origin === undefined || !destinations || travellers === undefined)
    throw new Error('a version without its trip')
  return {
    startDate,
    endDate,
    origin,
    destinations,
    travellers,
    ...(amountCents === undefined ? {} : { amountCents }),
    ...(reservationDate === undefined ? {} : { reservationDate }),
  }
}
