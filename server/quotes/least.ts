import { countriesIn, countryName } from '#common/geography/countries.ts'
import { addDays } from '#common/kit/dates.ts'
import { startDates } from '#common/kit/validators/periods.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { lastOfTerm, seasonDays } from '#common/quotes/rating/stay.ts'
import { destinationProblems, tripZone } from '#common/quotes/rating/zone.ts'
import type { Offer, UnitCatalogue } from './catalogue.ts'

/** `total` in cents, for the fewest travellers that the product insures. */
type LeastPrice = { productUUID: string; currency: string; total: number; travellers: number }

const known = { day: '', prices: new Map<string, LeastPrice[]>() }

/** Returns the least price of each product on a day. It is computed once for each day and for all that the prices follow from. */
export function leastPricesOn({ hash, unit, offers }: UnitCatalogue, day: string): LeastPrice[] {
  if (known.day !== day) Object.assign(known, { day, prices: new Map() })
  const { country, currency } = unit
  const key = JSON.stringify([hash, country, currency, ...offers.map(offer => [offer.productId, offer.hash])])
  const prices = known.prices.get(key) ?? offers.flatMap(offer => leastPriceOf(offer, day) ?? [])
  known.prices.set(key, prices)
  return prices
}

/**
 * Prices the shortest trip of adults into each zone, today and in the next season. A product that insures the cost of the trip has no least price, nor
 * has one that cannot begin so soon.
 */
function leastPriceOf({ productId, basis }: Offer, day: string): LeastPrice | undefined {
  const { settings, tariff, currency } = basis
  if (tariff.cancellation) return undefined
  const { minPax: travellers, minTravelLength, defaultOriginRegion: origin } = settings
  const { from = day } = startDates(day, settings)
  const lastDay = (start: string) =>
    tariff.base.kind === 'term' ? lastOfTerm(start, tariff.base.months) : addDays(start, minTravelLength - 1)
  const totals = onePerZone(basis, origin).flatMap(destination =>
    [from, ...seasonDays(settings, 'from', from)].flatMap(startDate => {
      const trip = { startDate, endDate: lastDay(startDate), origin, destinations: [destination], travellers }
      return priceTrip(basis, trip, day, inEnglish).price?.total ?? []
    }),
  )
  return totals.length > 0 ? { productUUID: productId, currency, total: Math.min(...totals), travellers } : undefined
}

/** Returns one country that the product covers in each zone. */
function onePerZone(basis: Basis, origin: number): number[] {
  const covered = countriesIn('en-EN').filter(({ id }) => destinationProblems(basis, origin, [id], inEnglish).length === 0)
  return [...new Map(covered.map(({ id }) => [tripZone([id], origin, basis.zones), id])).values()]
}

const inEnglish = (id: number): string | undefined => countryName(id, 'en-EN')
