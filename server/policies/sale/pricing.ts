import { daysBetween, readDate, today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { RefusalCode } from '#common/kit/refusals.ts'
import { outside, startDates } from '#common/kit/validators/periods.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { isTooLate } from '#common/quotes/rating/cancellation.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import { offeredProducts, tariffsOf } from '#server/products/public.ts'
import { makeQuote, type Priced as Rated, priceForUnit, refuseTrip } from '#server/quotes/public.ts'
import { type PolicyRow, versionOf } from '../queries.ts'

/** The trip of a register call, as the rating asks for it; a birth date that a budget lacks is `null` at its place. */
export type RequestedTrip = Omit<Parameters<typeof priceForUnit>[1], 'birthDates'> & { birthDates: (string | null)[] }

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
  tx: UnitTx,
  trip: RequestedTrip,
  reader: { userId: string; locale: Locale; now: Date; unit: UnitSettings },
): Promise<Priced> {
  const { priced, problems, offer, catalogueVersion } = await priceForUnit(tx, trip, reader)
  if (!priced) throw refuseTrip(problems)
  const { quote } = makeQuote(world, { scope: tx.scope, userId: reader.userId }, trip, priced)
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

type Sale = Pick<PolicyRow, 'start_date' | 'price_valid_until'>

/** The day on which the trip begins is over. */
export const hasBegun = ({ start_date }: Sale, now: Date, timeZone: string): boolean => start_date < today(now, timeZone)

/** It can no longer be bought at its price, nor be offered at it. */
export const hasEnded = (sale: Sale, now: Date, timeZone: string): boolean => sale.price_valid_until < now || hasBegun(sale, now, timeZone)

/** A budget that nobody can buy any more as it was offered. */
export const hasLapsed = (policy: PolicyRow, now: Date, timeZone: string): boolean =>
  policy.status === 'budgeted' && hasEnded(policy, now, timeZone)

/** What was priced yesterday is bought today: the unit must still sell it, and the product may still begin, and be covered, on that day. */
export async function whyNotOffered(tx: UnitTx, policy: PolicyRow, day: string): Promise<RefusalCode | undefined> {
  const offered = (await offeredProducts(tx)).filter(({ id }) => id === policy.product_id)
  const [product] = offered
  if (!product) return 'policy.not_purchasable'
  if (outside(policy.start_date, startDates(day, product.content.settings))) return 'policy.price_expired'
  const cancellation = (await tariffsOf(tx, offered)).get(product.id)?.cancellation
  if (!cancellation) return undefined
  const { trip } = (await versionOf(tx, policy)).content as { trip: TripSent }
  const reserved = readDate(trip.reservationDate)
  return reserved && isTooLate(cancellation, reserved, daysBetween(day, policy.start_date), day) ? 'policy.price_expired' : undefined
}
