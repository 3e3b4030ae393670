import { addDays, addMonths } from '#common/kit/dates.ts'
import { roundedRatio } from '#common/kit/money.ts'
import type { TaxLine } from '#common/products/tariff.ts'
import type { Basis } from './basis.ts'

/** `rate` is a percentage of `sharePercent` of the premium, else of the yearly accident capital. */
export type TaxAmount = { code: string; label: string; rate: number; sharePercent: number | null; amount: number }
/** `personDays`: the days of all travellers, each from joining. A traveller from the start has `days`. */
type Taxed = TaxedStay & { premium: number; personDays: number }
type TaxedStay = { startDate: string; days: number; origin: number }

/**
 * Returns the taxes of the country of the risk (docs/rating.md, step 7). A policy of up to four months is taxed in the unit's country, where it is
 * taken out. A longer one is taxed where the policyholder resides, which is the origin; for an origin without taxes, in the unit's country.
 */
export const taxesOf = (basis: Basis, taxed: Taxed): TaxAmount[] =>
  taxLinesAt(basis, taxed).map(line => taxOf(line, basis.accidentCapital, taxed))

export const taxLinesAt = (basis: Basis, stay: TaxedStay): TaxLine[] => basis.taxes[taxPlace(basis, stay)] ?? []

/** Returns the country whose taxes apply, by its name in the table. */
export const taxPlace = (basis: Basis, stay: TaxedStay): string =>
  String(!isShort(stay) && basis.taxes[String(stay.origin)] ? stay.origin : basis.country)

const isShort = ({ startDate, days }: TaxedStay): boolean => addDays(startDate, days - 1) < addMonths(startDate, 4)

function taxOf(line: TaxLine, accidentCapital: number, { premium, personDays }: Taxed): TaxAmount {
  const { code, label } = line
  if ('rateBp' in line) {
    const { rateBp, sharePercent } = line
    return { code, label, rate: rateBp / 100, sharePercent, amount: roundedRatio([premium, sharePercent, rateBp], [1_000_000]) }
  }
  const figure = line.perMillionOfAccidentCapital
  const amount = roundedRatio([accidentCapital, personDays, figure], [1_000_000, 365])
  return { code, label, rate: figure / 10_000, sharePercent: null, amount: accidentCapital === 0 ? 0 : Math.max(amount, line.minimum) }
}

/** Returns the commission, which is never part of the total (docs/rating.md, step 8). */
export const commissionOf = (premium: number, commissionPercent: number): number => roundedRatio([premium, commissionPercent], [100])
