import type { SettingsInUnit } from '#common/products/settings.ts'
import type { Tariff, Taxes, Zones } from '#common/products/tariff.ts'
import { readDate } from '#common/kit/dates.ts'

/** All that a price is made of, besides the trip and the day: a product as one unit sells it. The same on every node and in the browser. */
export type Basis = {
  settings: SettingsInUnit
  accidentCapital: number
  tariff: Tariff
  zones: Zones
  taxes: Taxes
  /** Of the unit. Its country's taxes serve origins that the table does not have. */
  country: number
  currency: string
}

/** What the calls ask (spec 7), or as much of it as a form has by now. Dates in either writing, the amount in major units. */
export type TripAsked = {
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  countryOriginId?: number | null | undefined
  countriesDestinationId?: readonly number[] | null | undefined
  paxNumber?: number | null | undefined
  insurancedAmount?: number | null | undefined
  reservationDate?: string | null | undefined
  /** One for each traveller; `null` where it is not known yet. */
  birthDates?: readonly (string | null)[] | null | undefined
}

/** A country's name in the reader's language; nothing for what is no country. */
export type NameOf = (country: number) => string | undefined

/** What can be read of a trip. Days are there only when the trip does not end before it starts. */
export type TripRead = {
  startDate: string | undefined
  endDate: string | undefined
  origin: number | undefined
  destinations: number[]
  pax: number | undefined
  amount: number | undefined
  reservationDate: string | undefined
  birthDates: readonly (string | null)[] | undefined
}

export function readTrip(trip: TripAsked): TripRead {
  const { countryOriginId: origin, paxNumber: pax, insurancedAmount: amount, birthDates } = trip
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
  }
}

/** A trip of which nothing is missing, and that nothing refuses. */
export type TripRated = {
  startDate: string
  days: number
  origin: number
  zone: string
  travellers: Traveller[]
  /** With cancellation: each traveller's share of the trip's price in cents, and the days until it starts. */
  insured: Insured | undefined
}

/** The age at startDate (rating.md, step 4); neither is there when it is not known yet. */
export type Traveller = { birthDate: string | null; age: number | undefined }

export type Insured = { share: number; lead: number; waitHours: number }
