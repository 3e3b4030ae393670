import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { Quote } from '#common/quotes/calls.ts'
import type { UnitSettings } from '#server/business-unit/rows.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { Scope } from '#server/kit/scope.ts'
import { makeQuote } from '#server/quotes/keep.ts'
import { type Priced as Rated, priceForUnit, refuseTrip } from '#server/quotes/price-for-unit.ts'

/** The trip of a register call, as the rating asks for it; a birth date that a budget lacks is `null` at its place. */
export type AskedTrip = Omit<Parameters<typeof priceForUnit>[2], 'birthDates'> & { birthDates: (string | null)[] }

/** A price, what it is the price of, and by which versions. Cents. */
export type Priced = {
  price: Rated['price']
  commission: Rated['commission']
  currency: string
  validUntil: Date
  product: { uuid: string; name: string; version: number; hasAmountCancellation: boolean }
  catalogueVersion: number
  /** As the quote call answers. */
  quote: Quote
}

/** Prices again, by what is stored at this moment (api.md, Catalogue and quotes). Refuses what the rating refuses. */
export async function priceAgain(
  world: World,
  by: { scope: Scope; userId: string },
  tx: Tx,
  trip: AskedTrip,
  reader: { locale: Locale; now: Date; unit: UnitSettings },
): Promise<Priced> {
  const { priced, problems, offer, catalogueVersion } = await priceForUnit(by.scope, tx, trip, reader)
  if (!priced) throw refuseTrip(problems)
  const { quote } = makeQuote(world, by, trip, priced)
  return {
    price: priced.price,
    commission: priced.commission,
    currency: priced.currency,
    validUntil: new Date(quote.validUntil),
    product: {
      uuid: offer.productId,
      name: offer.content.name[languageOf(reader.locale)],
      version: offer.version,
      hasAmountCancellation: offer.content.settings.hasAmountCancellation,
    },
    catalogueVersion,
    quote,
  }
}
