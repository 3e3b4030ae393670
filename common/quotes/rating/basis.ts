import type { SettingsInUnit } from '#common/products/settings.ts'
import type { Tariff, Taxes, Zones } from '#common/products/tariff.ts'

/** The inputs of a price besides trip and day: a product as one unit sells it. Identical on every node and in the browser. */
export type Basis = {
  settings: SettingsInUnit
  accidentCapital: number
  tariff: Tariff
  zones: Zones
  taxes: Taxes
  /** The unit's country, where short policies are taxed. */
  country: number
  currency: string
  /** The unit's earliest birth date. */
  earliestBirthDate: string
}

/** Returns a country's name in the reader's language; undefined for an unknown id. */
export type CountryName = (country: number) => string | undefined

/** A complete trip without problems. */
export type RatedTrip = {
  startDate: string
  days: number
  origin: number
  zone: string
  travellers: Traveller[]
  /** For cancellation cover: each traveller's share of the trip's price, and the days until the start. */
  insured: Insured | undefined
}

/** The age on startDate (docs/rating.md, step 4), if known. */
export type Traveller = { birthDate: string | null; age: number | undefined }

export type Insured = { share: number; lead: number; waitHours: number }
