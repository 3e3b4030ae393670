import { daysBetween, readDate, today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { RefusalCode } from '#common/kit/refusals.ts'
import { outside, startDates } from '#common/kit/validators/periods.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { isTooLate } from '#common/quotes/rating/cancellation.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { offeredProducts, tariffsOf } from '#server/products/public.ts'
import { makeQuote, type Priced as Rated, priceForUnit, refuseTrip } from '#server/quotes/public.ts'
import { type PolicyRow, versionOf } from '../queries.ts'

type Requested = Parameters<typeof priceForUnit>[1]

/** The trip of a register call, as the rating takes it. A birth date missing in a saved quote is `null`. */
export type RequestedTrip = Omit<Requested, 'birthDates' | 'insuranceType'> & { birthDates: (string | null)[] }

/** A price in cents, with its product and versions. */
export type Priced = {
  price: Rated['price']
  commission: Rated['commission']
  currency: string
  validUntil: Date
  product: { uuid: string; name: string; version: number; hasAmountCancellation: boolean }
  catalogueVersion: number
  /** The quote as the quote call returns it. */
  quote: Quote
}

/** Prices a trip again by the current tariff. Throws the rating's refusals. */
export async function priceAgain(
  world: World,
  tx: UnitTx,
  { insuranceType, ...trip }: RequestedTrip & Pick<Requested, 'insuranceType'>,
  reader: { userId: string; locale: Locale; now: Date; unit: UnitSettings },
): Promise<Priced> {
  const { priced, problems, offer, catalogueVersion } = await priceForUnit(tx, { ...trip, insuranceType }, reader)
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

/** True once the trip's first day is over. */
export const hasBegun = ({ start_date }: Sale, now: Date, timeZone: string): boolean => start_date < today(now, timeZone)

/** True if it can no longer be bought or offered at its price. */
export const hasEnded = (sale: Sale, now: Date, timeZone: string): boolean => sale.price_valid_until < now || hasBegun(sale, now, timeZone)

/** True for a saved quote that can no longer be bought at its price. */
export const hasLapsed = (policy: PolicyRow, now: Date, timeZone: string): boolean =>
  policy.status === 'budgeted' && hasEnded(policy, now, timeZone)

/** Returns why a saved quote cannot be bought today: the unit no longer sells it, or the product no longer begins or covers on that day. */
export async function whyNotOffered(tx: UnitTx, policy: PolicyRow, day: string): Promise<RefusalCode | undefined> {
  const offered = (await offeredProducts(tx)).filter(({ id }) => id === policy.product_id)
  const [product] = offered
  if (!product) return 'policy.not_purchasable'
  if (outside(policy.start_date, startDates(day, product.content.settings))) return 'policy.price_expired'
  const cancellation = (await tariffsOf(tx, offered)).get(product.id)?.cancellation
  if (!cancellation) return undefined
  // Safe: every version is stored with its trip.
  const { trip } = (await versionOf(tx, policy)).content as { trip: TripSent }
  const reserved = readDate(trip.reservationDate)
  return reserved && isTooLate(cancellation, reserved, daysBetween(day, policy.start_date), day) ? 'policy.price_expired' : undefined
}
