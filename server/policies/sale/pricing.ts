import type { Locale } from '#common/kit/locales.ts'
import type { UnitSettings } from '#server/business-unit/rows.ts'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'

/** The trip of a register call, as the rating asks for it. */
export type AskedTrip = {
  productUUID: string
  startDate: string
  endDate: string
  countryOriginId: number
  countriesDestinationId: string
  paxNumber: number
  insuranceType?: number | undefined
  insurancedAmount?: number | undefined
  reservationDate?: string | undefined
  /** One a traveller; unknown ones, in a budget, are left out at the place where they belong. */
  birthDates: (string | undefined)[]
}

/** A price with all that must be kept of it. Cents. */
export type Priced = {
  currency: string
  totalCents: number
  travelCents: number
  cancellationCents: number
  taxes: { code: string; rate: number; amountCents: number }[]
  commission: { rate: number; amountCents: number }
  perTravellerCents: number[]
  validUntil: Date
  product: { uuid: string; name: string; version: number }
  tariffVersion: string
  catalogueVersion: number
  /** As the quote call answers. */
  quote: Record<string, unknown>
}

export type Pricer = (scope: Scope, tx: Tx, trip: AskedTrip, reader: { unit: UnitSettings; locale: Locale; now: Date }) => Promise<Priced>
