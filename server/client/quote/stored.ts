import { mayHaveRight } from '#common/changes/ending/candidates.ts'
import { languageOf } from '#common/kit/locales.ts'
import type { TripSent } from '#common/quotes/schemas.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { tripKept } from '#common/quotes/trip-codecs.ts'
import { needsText, soldIn } from '#server/changes/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { editionOf, findStored, type PolicyRow, type Sales, type Stored } from '#server/policies/public.ts'
import { contentSold, unitGateways } from '#server/products/public.ts'

/** A quote as it is stored, with the edition that it was priced by. */
export type StoredQuote = Stored & { sold: Awaited<ReturnType<typeof contentSold>> }

export async function storedQuote(secrets: Secrets, tx: UnitTx, id: string): Promise<StoredQuote> {
  const stored = await findStored(secrets, tx, id)
  if (!stored) throw new Error('a quote of a link is gone')
  return { ...stored, sold: await contentSold(tx, editionOf(stored.version, stored.policy.product_id), stored.hashes) }
}

/** States the client's demands and needs in the quote's language, as its sale keeps them. */
export function needsOf({ words }: Pick<World, 'words'>, { policy, version, sold }: StoredQuote): string {
  // Safe: registration.ts writes it.
  const trip = tripKept((version.content as { trip: TripSent }).trip)
  const { locale, currency } = policy
  const many = manyTripsIn({ product: sold.product, tariff: sold.tariff, zones: sold.common.content.zones }, trip)
  const product = sold.product.name[languageOf(locale)]
  return needsText({ trip, many, travellers: version.pax_number, product, currency, locale }, words(locale))
}

/** True if a purchase by the link, which is at a distance, has a right of withdrawal. */
export async function hasRight(tx: UnitTx, stored: StoredQuote): Promise<boolean> {
  const terms = await soldIn(tx, stored.policy, stored, stored.settings)
  return terms !== undefined && mayHaveRight({ ...terms.policy, channel: 'distance' })
}

/** The card network takes no less. */
const leastCardCents = 50

/** Returns the gateway by which these quotes can be paid by card, if the agency has one. */
export async function cardGateway({ cards }: Sales, tx: UnitTx, quotes: readonly Pick<PolicyRow, 'total_cents'>[]) {
  if (!cards || quotes.some(({ total_cents: cents }) => cents < leastCardCents)) return undefined
  return (await unitGateways(tx)).find(({ name }) => name === 'StripeV2')
}
