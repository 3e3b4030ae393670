import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'
import type { RatedPrice } from './rating/price.ts'

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
