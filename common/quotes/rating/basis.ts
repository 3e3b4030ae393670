import type { SettingsInUnit } from '#common/products/settings.ts'
import type { Tariff, Taxes, Zones } from '#common/products/tariff.ts'
import { readDate } from '#common/kit/dates.ts'

/** The inputs of a price besides trip and day: a product as one unit sells it. Identical on every node and in the browser. */
export type Basis = {
  settings: SettingsInUnit
  accidentCapital: number
  tariff: Tariff
  zones: Zones
  taxes: Taxes
  /** The unit's own, where short policies are taxed. */
  country: number
  currency: string
  /** The unit's bound for birth dates. */
  earliestBirthDate: string
}

/** A trip as calls send it (spec 7), complete or as far as a form has it. Dates in either format, amounts in major units. */
export type TripRequest = {
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  countryOriginId?: number | null | undefined
  countriesDestinationId?: readonly number[] | null | undefined
  paxNumber?: number | null | undefined
  insurancedAmount?: number | null | undefined
  reservationDate?: string | null | undefined
  /** One per traveller; `null` if unknown. */
  birthDates?: readonly (string | null)[] | null | undefined
  /** The ages on the start date, likewise. A birth date counts before an age. */
  ages?: readonly (number | null)[] | null | undefined
}

/** Returns a country's name in the reader's language, if it is a country. */
export type NameOf = (country: number) => string | undefined

/** A trip with its readable fields; the others are undefined. */
export type ParsedTrip = {
  startDate: string | undefined
  endDate: string | undefined
  origin: number | undefined
  destinations: number[]
  pax: number | undefined
  amount: number | undefined
  reservationDate: string | undefined
  birthDates: readonly (string | null)[] | undefined
  ages: readonly (number | null)[] | undefined
}

export function readTrip(trip: TripRequest): ParsedTrip {
  const { countryOriginId: origin, paxNumber: pax, insurancedAmount: amount, birthDates, ages } = trip
  const [startDate, endDate] = [readDate(trip.startDate), readDate(trip.endDate)]
  return {
    startDate,
    endDate,
    origin: typeof origin === 'number' ? origin : undefined,
    destinations: [...new Set(Array.isArray(trip.countriesDestinationId) ? trip.countriesDestinationId : [])],
    pax: typeof pax === 'number' && Number.isSafeInteger(pax) ? pax : undefined,
    amount: typeof amount === 'number' ? amount : undefined,
    reservationDate: readDate(trip.reservationDate),
    birthDates: Array.isArray(birthDates) ? birthDates : undefined,
    ages: Array.isArray(ages) ? ages : undefined,
  }
}

/** A complete trip without problems. */
export type RatedTrip = {
  startDate: string
  days: number
  origin: number
  zone: string
  travellers: Traveller[]
  /** With cancellation cover: each traveller's share of the trip's price, and the days until it starts. */
  insured: Insured | undefined
}

/** The age on startDate (docs/rating.md, step 4), if known. */
export type Traveller = { birthDate: string | null; age: number | undefined }

export type Insured = { share: number; lead: number; waitHours: number }
