import { languageOf } from '#common/kit/locales.ts'
import type { TripSent } from '#common/quotes/schemas.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { tripKept } from '#common/quotes/trip-codecs.ts'
import { needsText } from '#server/changes/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { editionOf, type Stored } from '#server/policies/public.ts'
import { contentSold } from '#server/products/public.ts'

/** A quote as it is stored, with the edition that it was priced by. */
export type StoredQuote = Stored & { sold: Awaited<ReturnType<typeof contentSold>> }

export const withSold = async (tx: UnitTx, stored: Stored): Promise<StoredQuote> => ({
  ...stored,
  sold: await contentSold(tx, editionOf(stored.version, stored.policy.product_id), stored.hashes),
})

/** States the client's demands and needs in the quote's language, as its sale keeps them. */
export function needsOf({ words }: Pick<World, 'words'>, { policy, version, sold }: StoredQuote): string {
  // Safe: registration.ts writes it.
  const trip = tripKept((version.content as { trip: TripSent }).trip)
  const { locale, currency } = policy
  const many = manyTripsIn({ product: sold.product, tariff: sold.tariff, zones: sold.common.content.zones }, trip)
  const product = sold.product.name[languageOf(locale)]
  return needsText({ trip, many, travellers: version.pax_number, product, currency, locale }, words(locale))
}
