import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Taxes } from '#common/products/tariff.ts'
import type { TaxAmount } from './rating/taxes.ts'

/** The price of a version of a policy, line by line, in cents. */
export type Price = {
  travelPremium: number
  cancellationPremium: number
  taxes: readonly TaxAmount[]
  commission: number
}

export const premiumIn = ({ travelPremium, cancellationPremium }: Pick<Price, 'travelPremium' | 'cancellationPremium'>): number =>
  travelPremium + cancellationPremium

export const totalIn = (price: Omit<Price, 'commission'>): number =>
  price.taxes.reduce((total, { amount }) => total + amount, premiumIn(price))

/** Returns a price with its sums, as calls send it and open changes store it. */
export const withSums = (price: Price) => ({ ...price, taxes: [...price.taxes], premium: premiumIn(price), total: totalIn(price) })

/** Returns the amount that a client pays, in major units. */
export const paidFor = ({ travelPremium, cancellationPremium, taxes }: Omit<Price, 'commission'>) => ({
  total: fromCents(totalIn({ travelPremium, cancellationPremium, taxes })),
  premium: fromCents(premiumIn({ travelPremium, cancellationPremium })),
  travelPremium: fromCents(travelPremium),
  cancellationPremium: fromCents(cancellationPremium),
  taxes: taxes.map(tax => ({ ...tax, amount: fromCents(tax.amount) })),
})

/** Returns a tax's name in the reader's language; undefined if the edition has none. */
export const taxName = (taxes: Taxes, code: string | null, locale: Locale): string | undefined =>
  Object.values(taxes)
    .flat()
    .find(line => line.code === code)?.name?.[languageOf(locale)]
