import { roundedRatio } from '#common/kit/money.ts'
import type { TaxLine } from '#common/products/tariff.ts'
import type { Basis } from './basis.ts'

/** `rate` is a percentage of `sharePercent` of the premium, or else of the yearly accident capital. */
export type TaxAmount = { code: string; label: string; rate: number; sharePercent: number | null; amount: number }
type Taxed = { origin: number; premium: number; pax: number; days: number }

/** Returns the taxes of the country of origin, else of the unit's own country (docs/rating.md, step 7). */
export function taxesOf(basis: Basis, taxed: Taxed): TaxAmount[] {
  const lines = basis.taxes[String(taxed.origin)] ?? basis.taxes[String(basis.country)] ?? []
  return lines.map(line => taxOf(line, basis.accidentCapital, taxed))
}

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
