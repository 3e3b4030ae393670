import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { countryName } from '#common/geography/countries.ts'
import { addDays } from '#common/kit/dates.ts'
import { product } from '#common/products/catalogue.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { taxes, zones } from '#common/products/tariff.ts'
import type { TripDraft } from '../trip.ts'
import type { Basis } from './basis.ts'
import { type RatedPrice, priceTrip } from './price.ts'

/** The demo's products for tests, on the day of the examples in docs/rating.md. */

export const today = '2026-11-20'

const folder = join(import.meta.dirname, '../../../catalogue')
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

export const codes = ['ESS', 'TOT', 'CAN', 'ANN', 'SNO', 'STU', 'GRP', 'HOM'] as const
export type Code = (typeof codes)[number]

/** Returns a fresh copy of a product as sold by a unit in that country. */
export function basisOf(code: Code, country = 724): Basis {
  const { settings, accidentCapital, tariff } = z.parse(product, read(`products/${code}.json`))
  return {
    settings: settingsInUnit(settings, country),
    accidentCapital,
    tariff,
    zones: z.parse(zones, read('zones.json')),
    taxes: z.parse(taxes, read('taxes.json')),
    country,
    currency: 'EUR',
    earliestBirthDate,
  }
}

/** The insurance type of a product (spec 3: `id`). */
export const insuranceTypeOf = (code: Code): number => z.parse(product, read(`products/${code}.json`)).id

export const commissionPercent = (code: Code, unit: string): number =>
  z.parse(product, read(`products/${code}.json`)).commissionPercent[unit] ?? 0

/** Returns a trip of `days` from 1 December. The travellers, born on 15 January, have these ages then. */
export function tripOf(
  destination: number,
  days: number,
  ages: readonly (number | null)[],
  more: TripDraft & { inDays?: number } = {},
): TripDraft {
  const { inDays = 11, ...rest } = more
  const startDate = addDays(today, inDays)
  return {
    startDate,
    endDate: addDays(startDate, days - 1),
    origin: 724,
    destinations: [destination],
    travellers: ages.length,
    birthDates: ages.map(age => (age === null ? null : bornFor(age, startDate))),
    ...rest,
  }
}

export const bornFor = (age: number, onDate: string): string =>
  `${Number(onDate.slice(0, 4)) - age - (onDate.slice(5) < '01-15' ? 1 : 0)}-01-15`

export const inEnglish = (id: number): string | undefined => countryName(id, 'en-EN')

export function priced(basis: Basis, trip: TripDraft): RatedPrice {
  const { price, problems } = priceTrip(basis, trip, today, inEnglish)
  if (!price) throw new Error(JSON.stringify(problems))
  return price
}

export const refused = (basis: Basis, trip: TripDraft) =>
  (priceTrip(basis, trip, today, inEnglish).problems ?? []).map(({ path, rule, params }) => ({ path, rule, params }))
