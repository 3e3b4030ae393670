import { countryName } from '#common/geography/countries.ts'
import { today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, type RefusalCode, refuseFields, refusals } from '#common/kit/refusals.ts'
import { destinationsIn } from '#common/quotes/destinations.ts'
import type { TripSent } from '#common/quotes/schemas.ts'
import { type Price, priceTrip } from '#common/quotes/rating/price.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type Offer, type UnitCatalogue, unitCatalogue } from './catalogue.ts'

/** Amounts in cents; the commission's rate in percent. */
export type Priced = { productId: string; currency: string; price: Price; commission: { rate: number; amount: number } }
export type Rated = { priced: Priced; problems?: undefined } | { priced?: undefined; problems: Problem[] }

/** The time, and the language in which countries are named. The day follows the unit's time zone. */
export type Moment = { now: Date; locale: Locale }

/**
 * Prices a trip by the tariff stored now, whatever was quoted before. Throws `request.not_found` for a product that the unit does not sell.
 */
export async function priceForUnit(
  tx: UnitTx,
  ask: TripSent & ProductAsked,
  moment: Moment & { unit?: UnitSettings },
): Promise<Rated & { offer: Offer; catalogueVersion: number }> {
  const catalogue = await unitCatalogue(tx, moment.unit)
  const offer = offerOf(catalogue, ask)
  return { ...priceOffer(offer, ask, todayIn(catalogue, moment.now), moment.locale), offer, catalogueVersion: catalogue.version }
}

export const todayIn = ({ timeZone }: UnitCatalogue, now: Date): string => today(now, timeZone)

/** A product as calls name it. `insuranceType` repeats the product's id (spec 7). */
export type ProductAsked = { productUUID: string; insuranceType?: number | string | null | undefined }

/** Throws if the unit does not sell the product, or if the insurance type is another product's. */
export function offerOf({ offers }: UnitCatalogue, { productUUID, insuranceType }: ProductAsked): Offer {
  const offer = offers.find(({ productId }) => productId === productUUID.toLowerCase())
  if (!offer) throw new Refusal('request.not_found')
  const { id } = offer.content
  if (insuranceType !== undefined && insuranceType !== null && Number(insuranceType) !== id)
    throw refuseFields([{ path: 'insuranceType', rule: 'insuranceType', key: 'validation.insuranceType', params: { expected: id } }])
  return offer
}

export function priceOffer({ productId, basis, commissionPercent }: Offer, ask: TripSent, day: string, locale: Locale): Rated {
  const trip = { ...ask, countriesDestinationId: destinationsIn(ask.countriesDestinationId) }
  const { price, problems } = priceTrip(basis, trip, day, id => countryName(id, locale))
  if (!price) return { problems }
  const commission = { rate: commissionPercent, amount: commissionOf(price.premium, commissionPercent) }
  return { priced: { productId, currency: basis.currency, price, commission } }
}

/** Refuses a trip with the code of the first broken limit, which the message names, and with all fields. */
export function refuseTrip(problems: Problem[]): Refusal {
  const first = problems.find(({ rule }) => isRefusal(rule))
  if (!first || !isRefusal(first.rule)) return refuseFields(problems)
  return new Refusal(first.rule, { fields: problems, ...(first.params ? { params: first.params } : {}) })
}

const isRefusal = (rule: string): rule is RefusalCode => Object.hasOwn(refusals, rule)
