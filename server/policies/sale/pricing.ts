import { today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { residenceProblems } from '#common/policies/people.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { isSameTrip } from '#common/quotes/same-trip.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { contentSold, insuresSold } from '#server/products/public.ts'
import {
  type KeptPrice,
  type KeptTerms,
  type Priced as Rated,
  priceForUnit,
  quoteOf,
  refuseTrip,
  type Terms,
  type UnitCatalogue,
} from '#server/quotes/public.ts'
import { editionOf, namesOf, peopleOf, type PolicyRow, versionOf } from '../queries.ts'

/** The product and the trip of a register call, as the rating takes them. */
export type Requested = Parameters<typeof priceForUnit>[1]

/** A price in cents, with its product and versions. */
export type Priced = {
  price: Rated['price']
  commission: Rated['commission']
  currency: string
  validUntil: Date
  product: { uuid: string; name: string; hasAmountCancellation: boolean }
  terms: Terms
  /** The quote as the quote call returns it. */
  quote: Quote
}

/** `until`: when the price ends in any case. */
type Reader = { locale: Locale; now: Date; kept: KeptTerms | undefined; until?: Date | undefined }

/** Prices a trip again: by the current tariff, or by that of the saved quote that keeps its price. Throws the rating's refusals. */
export function priceAgain({ ids }: Pick<World, 'ids'>, catalogue: UnitCatalogue, asked: Requested, reader: Reader): Priced {
  const outcome = priceForUnit(catalogue, asked, reader)
  if (!outcome.priced) throw refuseTrip(outcome.problems)
  const { priced, terms } = outcome
  const validUntil = reader.until ?? outcome.validUntil
  const { productId, content } = terms.offer
  return {
    price: priced.price,
    commission: priced.commission,
    currency: priced.currency,
    validUntil,
    product: {
      uuid: productId,
      name: content.name[languageOf(reader.locale)],
      hasAmountCancellation: content.settings.hasAmountCancellation,
    },
    terms,
    quote: quoteOf(ids.next(), priced, { startDate: asked.trip.startDate ?? '', endDate: asked.trip.endDate ?? '' }, validUntil),
  }
}

/** Returns the price that a saved quote keeps for this trip; undefined if the price has ended, or if it is for another trip. */
export async function keptPrice(tx: UnitTx, policy: PolicyRow, asked: Requested, now: Date): Promise<KeptPrice | undefined> {
  if (policy.price_valid_until < now) return undefined
  const version = await versionOf(tx, policy)
  // Safe: every version is stored with its trip.
  const { trip: saved } = version.content as { trip: TripSent }
  const birthDates = (await namesOf(tx, policy)).flatMap(({ traveller, birth_date }) => (traveller ? [birth_date] : []))
  return isSameTrip(
    { productUuid: policy.product_id, trip: { ...tripIn(saved), birthDates } },
    { ...asked, productUuid: asked.productUUID },
  )
    ? { edition: editionOf(version, policy.product_id), until: policy.price_valid_until }
    : undefined
}

/** Returns whether a version insures its travellers, by where they are stated to live and its own edition. */
export async function insuresTravellers(secrets: Secrets, tx: UnitTx, policy: PolicyRow): Promise<boolean> {
  const version = await versionOf(tx, policy)
  const edition = editionOf(version, policy.product_id)
  const insures = await insuresSold(tx, edition, (await contentSold(tx, edition)).product)
  // Safe: every version is stored with its trip.
  const { trip } = version.content as { trip: TripSent }
  const users = (await peopleOf(secrets, tx, policy)).map(({ residence_country: residenceCountryId }) => ({ residenceCountryId }))
  return residenceProblems({ roleFirstUser: version.role_first_user, users }, { insures, origin: trip.countryOriginId }).length === 0
}

type Sale = Pick<PolicyRow, 'start_date' | 'price_valid_until'>

export const isFirstDayOver = ({ start_date }: Sale, now: Date, timeZone: string): boolean => start_date < today(now, timeZone)

/** True if it can no longer be bought or offered at its price. */
export const isPriceOver = (sale: Sale, now: Date, timeZone: string): boolean =>
  sale.price_valid_until < now || isFirstDayOver(sale, now, timeZone)

/** True for a saved quote that can no longer be bought at its price. */
export const hasLapsed = (policy: PolicyRow, now: Date, timeZone: string): boolean =>
  policy.status === 'budgeted' && isPriceOver(policy, now, timeZone)

/**
 * True if the unit still sells the product. Whether the trip may still begin, and is still covered, need not be checked again: a price ends
 * before the first day on which it would be refused.
 */
export const isOffered = ({ offers }: UnitCatalogue, policy: Pick<PolicyRow, 'product_id'>): boolean =>
  offers.some(({ productId }) => productId === policy.product_id)
