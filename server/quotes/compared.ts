import { addDays, daysBetween } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { ownFields } from '#common/quotes/comparison.ts'
import { longestPriced } from '#common/quotes/rating/base.ts'
import { policyTrip } from '#common/quotes/rating/many-trips.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import type { Offer } from './catalogue.ts'
import { priceOffer, type Rated } from './price-for-unit.ts'

type Dates = { startDate: string; endDate: string }

/** Prices a trip that is to be compared. The policy's dates differ from those of the trip if the product has a term. */
export function priceCompared(offer: Offer, trip: TripDraft, day: string, locale: Locale): Rated & { dates?: Dates } {
  const { trip: own, tooLong } = policyTrip(offer.basis, trip, day)
  const rated = priceOffer(offer, own, day, locale)
  const { startDate, endDate } = own
  if (tooLong === undefined || !trip.startDate || !trip.endDate)
    return { ...rated, ...(startDate && endDate ? { dates: { startDate, endDate } } : {}) }
  const params = { limit: tooLong, days: travelDays({ startDate: trip.startDate, endDate: trip.endDate }) }
  const problem = { path: 'endDate', rule: 'quote.too_long', key: 'refusal.quote.too_long_anywhere', params }
  return { problems: [problem, ...(rated.problems ?? []).filter(({ path }) => path !== 'endDate')] }
}

/** Returns the dates with which a product prices the trip that it refuses, if the change of one date is enough. The smallest change comes first. */
export function curingDates(offer: Offer, trip: TripDraft, problems: readonly Problem[], day: string, locale: Locale): Dates | undefined {
  const { startDate, endDate } = trip
  const isCured = (left: readonly Problem[] = []) => left.every(({ path }) => ownFields.has(path))
  if (!startDate || !endDate || isCured(problems)) return undefined
  if (!problems.every(({ path }) => path === 'startDate' || path === 'endDate' || ownFields.has(path))) return undefined
  const changed = (dates: Dates) => Math.abs(daysBetween(dates.startDate, startDate)) + Math.abs(daysBetween(dates.endDate, endDate))
  return otherDates(offer.basis, { startDate, endDate }, day)
    .filter(dates => dates.startDate <= dates.endDate)
    .toSorted((one, other) => changed(one) - changed(other))
    .find(dates => isCured(priceCompared(offer, { ...trip, ...dates }, day, locale).problems))
}

/** Returns the trip with one of its dates at each limit of the product. */
function otherDates({ settings, tariff }: Offer['basis'], { startDate, endDate }: Dates, day: string): Dates[] {
  const { minTravelLength, maxTravelLength, maxTripDays = maxTravelLength, season } = settings
  const lengths = [minTravelLength, maxTripDays, Math.min(maxTravelLength, longestPriced(tariff.base))]
  const year = Number(startDate.slice(0, 4))
  const inSeason = (day: 'from' | 'to') => (season ? [`${year}-${season[day]}`, `${year + 1}-${season[day]}`] : [])
  const { from, to } = startDates(day, settings)
  const starts = [from, to, ...inSeason('from')]
  const ends = [endDates(day, settings).to, ...inSeason('to'), ...lengths.map(days => addDays(startDate, days - 1))]
  return [
    ...starts.flatMap(other => (other ? [{ startDate: other, endDate }] : [])),
    ...ends.flatMap(other => (other ? [{ startDate, endDate: other }] : [])),
  ]
}
