import { roundedRatio } from '#common/kit/money.ts'
import type { TaxLine } from '#common/products/tariff.ts'
import type { Basis } from './basis.ts'

/** `rate` is in percent, of `sharePercent` of the premium, or (without a share) of the accident capital for a year. */
export type TaxAmount = { code: string; label: string; rate: number; sharePercent: number | null; amount: number }
type Taxed = { origin: number; premium: number; pax: number; days: number }

/** rating.md, step 7: of the country of origin, or of the unit's own where the table has none for it. */
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

/** rating.md, step 8: never part of the total. */
export const commissionOf = (premium: number, commissionPercent: number): number => roundedRatio([premium, commissionPercent], [100])
