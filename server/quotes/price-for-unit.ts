import { countryName } from '#common/geography/countries.ts'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, type RefusalCode, refuseFields, refusals } from '#common/kit/refusals.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'
import { priceTrip, type RatedPrice } from '#common/quotes/rating/price.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { SoldEdition } from '#server/products/public.ts'
import { type Offer, replacedTerms, type Terms, termsToday, type UnitCatalogue } from './catalogue.ts'

/** Amounts in cents; the commission's rate in percent. */
export type Priced = { productId: string; currency: string; price: RatedPrice; commission: { rate: number; amount: number } }
export type Rated = { priced: Priced; problems?: undefined } | { priced?: undefined; problems: Problem[] }

/** The time, and the language in which countries are named. The day follows the unit's time zone. */
type Moment = { now: Date; locale: Locale }

/** The edition that a saved quote was priced by, and until when it keeps that price. */
export type KeptPrice = { edition: SoldEdition; until: Date }

/** The terms that a saved quote keeps, since a load has replaced them, and until when. */
export type KeptTerms = { terms: Terms; until: Date }

/** Reads the terms of a kept price; undefined if they are today's. */
export async function keptTerms(
  tx: UnitTx,
  catalogue: UnitCatalogue,
  ask: Pick<ProductAsked, 'productUUID'>,
  { edition, until }: KeptPrice,
): Promise<KeptTerms | undefined> {
  const terms = await replacedTerms(tx, termsToday(catalogue, offerOf(catalogue, ask.productUUID)), edition)
  return terms && { terms, until }
}

/**
 * Prices a trip by the tariff of now, or by the one of a saved quote that keeps its price. Returns also the terms, and until when the
 * price stands. Throws `request.not_found` for a product that the unit does not sell.
 */
export function priceForUnit(
  catalogue: UnitCatalogue,
  ask: ProductAsked & { trip: TripDraft },
  { now, locale, kept }: Moment & { kept?: KeptTerms | undefined },
): { priced: Priced; terms: Terms; validUntil: Date; problems?: undefined } | { priced?: undefined; problems: Problem[] } {
  const { unit } = catalogue
  const terms = kept?.terms ?? termsToday(catalogue, offerOf(catalogue, ask.productUUID))
  refuseOtherType(terms.offer, ask.insuranceType)
  const rateOn = (day: string) => priceOffer(terms.offer, ask.trip, day, locale)
  const { priced, problems } = rateOn(todayIn(catalogue, now))
  if (!priced) return { problems }
  const hours = hoursOf(unit.quoteHours, terms.offer.basis.tariff)
  const until = priceStandsUntil(day => rateOn(day).priced?.price, now, hours, unit.timeZone)
  // A price by replaced terms is never prolonged.
  return { priced, terms, validUntil: kept && kept.until < until ? kept.until : until }
}

/** Returns the day in the unit's zone. It is computed once a minute, as that takes a twentieth of a quote's time. No day begins within a minute. */
export function todayIn({ unit: { timeZone } }: UnitCatalogue, now: Date): string {
  const minute = Math.floor(now.getTime() / 60_000)
  const known = days.get(timeZone)
  if (known?.minute === minute) return known.day
  const day = today(now, timeZone)
  days.set(timeZone, { minute, day })
  return day
}

const days = new Map<string, { minute: number; day: string }>()

/** A product as calls name it. `insuranceType` has to repeat the product's id (spec 7). */
export type ProductAsked = { productUUID: string; insuranceType: number | string | null | undefined }

/** Throws if the unit does not sell the product. */
export function offerOf({ offers }: UnitCatalogue, productUUID: string): Offer {
  const offer = offers.find(({ productId }) => productId === productUUID.toLowerCase())
  if (!offer) throw new Refusal('request.not_found')
  return offer
}

/** Throws if the insurance type is missing or another product's. */
export function refuseOtherType({ content: { id } }: Offer, insuranceType: ProductAsked['insuranceType']): void {
  if (String(insuranceType) !== String(id))
    throw refuseFields([{ path: 'insuranceType', rule: 'insuranceType', key: 'validation.insuranceType', params: { expected: id } }])
}

export function priceOffer({ productId, basis, commissionPercent }: Offer, trip: TripDraft, day: string, locale: Locale): Rated {
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

/** Returns the hours for which a saved quote keeps its price: the unit's, within the tariff's limit. The default is a day. */
export const hoursOf = (ofUnit: number | undefined, { quoteHours: limit }: { quoteHours?: number | undefined }): number =>
  Math.min(ofUnit ?? quoteHours.least, limit ?? quoteHours.least)

/** Rates one trip as of a day. Undefined if it is refused on that day. */
export type PriceOn = (day: string) => RatedPrice | undefined

/** Returns the first day after `day`, and until `last`, with another price or a refusal. Undefined if there is none. */
export function nextChange(priceOn: PriceOn, day: string, last: string): string | undefined {
  const price = JSON.stringify(priceOn(day))
  for (let next = addDays(day, 1); next <= last; next = addDays(next, 1)) if (JSON.stringify(priceOn(next)) !== price) return next
  return undefined
}

/**
 * Returns the last instant at which a price is valid. It ends after the given hours, or before that with the last day before the price changes by
 * itself. It changes when the lead reaches another step, the first days of cancellation cover end, or the trip may no longer begin.
 */
export function priceStandsUntil(priceOn: PriceOn, now: Date, hours: number, timeZone: string): Date {
  const end = now.getTime() + hours * 3_600_000
  const change = nextChange(priceOn, today(now, timeZone), today(end, timeZone))
  return new Date(change === undefined ? end : Math.min(end, startOfDay(change, timeZone) - 1))
}
