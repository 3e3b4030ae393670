import { countriesIn, countryName } from '#common/geography/countries.ts'
import { addDays, addMonths } from '#common/kit/dates.ts'
import { startDates } from '#common/kit/validators/periods.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { destinationProblems, tripZone } from '#common/quotes/rating/zone.ts'
import type { Offer, UnitCatalogue } from './catalogue.ts'

/** `total` in cents, for the fewest travellers that the product insures. */
type LeastPrice = { productUUID: string; currency: string; total: number; travellers: number }

const known = new WeakMap<UnitCatalogue, { day: string; prices: LeastPrice[] }>()

/** Returns the least price of each product on a day. It is computed once for each day and edition of a unit's catalogue. */
export function leastPricesOn(catalogue: UnitCatalogue, day: string): LeastPrice[] {
  const last = known.get(catalogue)
  if (last?.day === day) return last.prices
  const prices = catalogue.offers.flatMap(offer => leastPriceOf(offer, day) ?? [])
  known.set(catalogue, { day, prices })
  return prices
}

/**
 * Prices the shortest trip of adults into each zone. A product that insures the cost of the trip has no least price, nor has one that cannot begin in
 * its season.
 */
function leastPriceOf({ productId, basis }: Offer, day: string): LeastPrice | undefined {
  const { settings, tariff, currency } = basis
  if (tariff.cancellation) return undefined
  const travellers = settings.minPax
  const totals = firstDays(basis, day).flatMap(startDate =>
    onePerZone(basis).flatMap(destination => {
      const trip = {
        startDate,
        endDate: lastDay(basis, startDate),
        origin: settings.defaultOriginRegion,
        destinations: [destination],
        travellers,
      }
      return priceTrip(basis, trip, day, inEnglish).price?.total ?? []
    }),
  )
  return totals.length > 0 ? { productUUID: productId, currency, total: Math.min(...totals), travellers } : undefined
}

/** Returns the first day on which a trip can begin, and the first of the next season. */
function firstDays({ settings }: Basis, day: string): string[] {
  const { from = day } = startDates(day, settings)
  const { season } = settings
  const year = Number(from.slice(0, 4))
  return [from, ...(season ? [`${year}-${season.from}`, `${year + 1}-${season.from}`] : [])]
}

const lastDay = ({ settings, tariff: { base } }: Basis, startDate: string): string =>
  addDays(base.kind === 'term' ? addMonths(startDate, base.months) : addDays(startDate, settings.minTravelLength), -1)

/** Returns one country that the product covers in each zone. */
function onePerZone(basis: Basis): number[] {
  const { defaultOriginRegion: origin } = basis.settings
  const covered = countriesIn('en-EN').filter(({ id }) => destinationProblems(basis, origin, [id], inEnglish).length === 0)
  return [...new Map(covered.map(({ id }) => [tripZone([id], origin, basis.zones), id])).values()]
}

const inEnglish = (id: number): string | undefined => countryName(id, 'en-EN')
