import { addDays, daysBetween } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { ownFields } from '#common/quotes/comparison.ts'
import { longestPriced } from '#common/quotes/rating/base.ts'
import { policyTrip } from '#common/quotes/rating/many-trips.ts'
import { lastOfTerm, seasonDays, type Stay } from '#common/quotes/rating/stay.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import type { Offer } from './catalogue.ts'
import { priceOffer, type Rated } from './price-for-unit.ts'

/** Prices a trip that is to be compared. The policy's dates differ from those of the trip if the product has a term. */
export function priceCompared(offer: Offer, trip: TripDraft, day: string, locale: Locale): Rated & { dates?: Stay | undefined } {
  const { trip: own, tooLong } = policyTrip(offer.basis, trip, day)
  const { startDate, endDate } = own
  const rated = priceOffer(offer, own, day, locale)
  if (tooLong) return { problems: [tooLong, ...(rated.problems ?? []).filter(({ path }) => path !== 'endDate')] }
  return { ...rated, dates: startDate && endDate ? { startDate, endDate } : undefined }
}

/** Returns the dates with which a product prices the trip that it refuses, if the change of one date is enough. The smallest change comes first. */
export function curingDates(offer: Offer, trip: TripDraft, problems: readonly Problem[], day: string, locale: Locale): Stay | undefined {
  const { startDate, endDate } = trip
  if (!startDate || !endDate || problems.every(({ path }) => ownFields.has(path))) return undefined
  const isCured = (left: readonly Problem[] = []) => left.every(({ path, rule }) => ownFields.has(path) && missing.has(rule))
  if (!problems.every(({ path }) => path === 'startDate' || path === 'endDate' || ownFields.has(path))) return undefined
  const changed = (dates: Stay) => Math.abs(daysBetween(dates.startDate, startDate)) + Math.abs(daysBetween(dates.endDate, endDate))
  const isTooShort = problems.some(({ rule }) => rule === 'quote.too_short')
  return otherDates(offer.basis, { startDate, endDate }, day, isTooShort)
    .filter(dates => dates.startDate <= dates.endDate)
    .toSorted((one, other) => changed(one) - changed(other))
    .find(dates => isCured(priceCompared(offer, { ...trip, ...dates }, day, locale).problems))
}

/** The rules that a value still breaks because it is missing. */
const missing: ReadonlySet<string> = new Set(['required', 'greaterThan'])

/** Returns the trip with one of its dates at each limit of the product. */
function otherDates(
  { settings, tariff: { base } }: Offer['basis'],
  { startDate, endDate }: Stay,
  day: string,
  isTooShort: boolean,
): Stay[] {
  const { minTravelLength, maxTravelLength, maxTripDays = maxTravelLength } = settings
  const lengths = [...(isTooShort ? [minTravelLength] : []), maxTripDays, Math.min(maxTravelLength, longestPriced(base))]
  const { from, to } = startDates(day, settings)
  const starts = [from, to, ...seasonDays(settings, 'from', startDate)]
  const latest = base.kind === 'term' && to ? [lastOfTerm(to, base.months)] : []
  const ends = [
    endDates(day, settings).to,
    ...seasonDays(settings, 'to', startDate),
    ...latest,
    ...lengths.map(days => addDays(startDate, days - 1)),
  ]
  return [
    ...starts.flatMap(other => (other ? [{ startDate: other, endDate }] : [])),
    ...ends.flatMap(other => (other ? [{ startDate, endDate: other }] : [])),
  ]
}
