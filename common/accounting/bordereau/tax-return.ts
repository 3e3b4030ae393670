import { addMonths } from '#common/kit/dates.ts'
import type { ReadMovement } from './row.ts'

/**
 * A tax of a month at one rate, in cents: its base, and the amount for the state. Amounts returned in the month are subtracted, unless the state
 * keeps them. `flagged`: movements of policies of more than four months whose policyholder resides elsewhere.
 */
export type TaxSum = { country: number; code: string; rate: number | null; deeds: number; base: number; tax: number; flagged: number }

/** Adds the taxes of a movement to those of its month, by country, code and rate. */
export function addTaxes(sums: Map<string, TaxSum>, { taxes, isLongElsewhere }: Pick<ReadMovement, 'taxes' | 'isLongElsewhere'>): void {
  for (const { country, code, rate, taxable, amount, kept } of taxes) {
    const key = `${country} ${code} ${rate}`
    const sum = sums.get(key) ?? { country, code, rate, deeds: 0, base: 0, tax: 0, flagged: 0 }
    sums.set(key, {
      ...sum,
      deeds: sum.deeds + 1,
      // The base of a tax that the state keeps does not change.
      base: sum.base + (kept === 0 ? (taxable ?? 0) : 0),
      tax: sum.tax + amount + kept,
      flagged: sum.flagged + (isLongElsewhere ? 1 : 0),
    })
  }
}

/** A file for a tax office. Spain's Consorcio has one of its own, as its surcharges are not declared with the tax. */
export type TaxReturn = { name: string; taxes: TaxSum[] }

/** Distributes a month's taxes to the files of their tax offices: each tax is in one file. */
export function taxReturns(taxes: readonly TaxSum[], codeOf: (country: number) => string): TaxReturn[] {
  const files = Map.groupBy(taxes, ({ country, code }) => returnName(country, code, codeOf))
  return [...files]
    .map(([name, own]) => ({ name, taxes: own.toSorted((one, other) => order(one, other)) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const spain = 724
const order = (one: TaxSum, other: TaxSum): number => (`${one.code} ${one.rate}` < `${other.code} ${other.rate}` ? -1 : 1)

function returnName(country: number, code: string, codeOf: (country: number) => string): string {
  if (country !== spain) return `tax-${codeOf(country).toLowerCase()}`
  return code.startsWith('CCS-') ? 'tax-es-consorcio' : 'tax-es-430'
}

/** Returns the day by which Spain's tax of a month (YYYY-MM) is declared: the twentieth of the next month, and of September for July. */
export const dueOf430 = (month: string): string => `${addMonths(`${month}-01`, month.endsWith('-07') ? 2 : 1).slice(0, 7)}-20`
