import { addDays, addMonths } from '#common/kit/dates.ts'
import { roundedRatio } from '#common/kit/money.ts'
import type { TaxLine } from '#common/products/tariff.ts'
import type { Basis } from './basis.ts'

/** `rate` is a percentage of `sharePercent` of the premium, or else of the yearly accident capital. */
export type TaxAmount = { code: string; label: string; rate: number; sharePercent: number | null; amount: number }
type Taxed = { startDate: string; days: number; origin: number; premium: number; pax: number }

/**
 * Returns the taxes of the place of risk (docs/rating.md, step 7). A policy of up to four months is taxed in the unit's country, where it is taken
 * out. A longer one is taxed where the policyholder resides, which is the origin; the unit's country stands in for origins without taxes.
 */
export function taxesOf(basis: Basis, taxed: Taxed): TaxAmount[] {
  const ofUnit = basis.taxes[String(basis.country)] ?? []
  const lines = isShort(taxed) ? ofUnit : (basis.taxes[String(taxed.origin)] ?? ofUnit)
  return lines.map(line => taxOf(line, basis.accidentCapital, taxed))
}

const isShort = ({ startDate, days }: Taxed): boolean => addDays(startDate, days - 1) < addMonths(startDate, 4)

function taxOf(line: TaxLine, accidentCapital: number, { premium, pax, days }: Taxed): TaxAmount {
  const { code, label } = line
  if ('rateBp' in line) {
    const { rateBp, sharePercent } = line
    return { code, label, rate: rateBp / 100, sharePercent, amount: roundedRatio([premium, sharePercent, rateBp], [1_000_000]) }
  }
  const figure = line.perMillionOfAccidentCapital
  const amount = roundedRatio([accidentCapital, pax, figure, days], [1_000_000, 365])
  return { code, label, rate: figure / 10_000, sharePercent: null, amount: accidentCapital === 0 ? 0 : Math.max(amount, line.minimum) }
}

/** Returns the commission, which is never part of the total (docs/rating.md, step 8). */
export const commissionOf = (premium: number, commissionPercent: number): number => roundedRatio([premium, commissionPercent], [100])
