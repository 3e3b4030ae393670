import type { ResponseOf } from '#common/kit/call.ts'
import type * as calls from './calls.ts'
import type { Quote } from './schemas.ts'
import type { Stay } from './rating/stay.ts'
import { tripSent } from './trip.ts'

type Compared = ResponseOf<typeof calls.compareQuotes>[number]

/** A product's result for a trip: a price, its own fields that are missing or invalid, or the reasons of a refusal. */
export type Standing =
  /** `term`: the days that the policy covers, if these are not the trip's. */
  | { state: 'priced'; quote: Quote; term?: Stay }
  | { state: 'asks'; problems: { path: string; message: string }[] }
  /** `dates`: those with which the product prices the trip, if one change of a date is enough. */
  | { state: 'refused'; reasons: string[]; dates?: Stay | undefined }

/** The products' results for one trip, by their ids. */
export type Standings = ReadonlyMap<string, Standing>

export const standingsOf = (compared: readonly Compared[], trip: Stay): Standings =>
  new Map(compared.map(each => [each.productUUID, standingOf(each, trip)]))

/** The fields that only products with cancellation cover need. A refusal for them alone is a question. */
export const ownFields: ReadonlySet<string> = new Set([tripSent.amountCents, tripSent.reservationDate])

function standingOf(compared: Compared, trip: Stay): Standing {
  if ('total' in compared) {
    const term = datesOf(compared, trip)
    const isTrip = term.startDate === trip.startDate && term.endDate === trip.endDate
    return { state: 'priced', quote: compared, ...(isTrip ? {} : { term }) }
  }
  const { fields, errorMessage } = compared
  const others = fields.filter(({ path }) => !ownFields.has(path))
  if (fields.length > 0 && others.length === 0) return { state: 'asks', problems: fields }
  const reasons = [...new Set(others.map(({ message }) => message))]
  return { state: 'refused', reasons: reasons.length > 0 ? reasons : [errorMessage], dates: compared.dates }
}

/** Returns the dates of a quote. One of an older node has none, and is for the trip. */
export const datesOf = (quote: Partial<Stay>, trip: Stay): Stay => ({
  startDate: quote.startDate ?? trip.startDate,
  endDate: quote.endDate ?? trip.endDate,
})

/** Sorts products for a comparison: the cheapest first, then those that lack a field, then the refused. Equal ones keep their order. */
export function byPrice(uuids: readonly string[], standings: Standings): string[] {
  const total = (uuid: string): number => {
    const standing = standings.get(uuid)
    return standing?.state === 'priced' ? standing.quote.total : Number.POSITIVE_INFINITY
  }
  const rank = (uuid: string): number => ['priced', 'asks', undefined, 'refused'].indexOf(standings.get(uuid)?.state)
  return uuids.toSorted((a, b) => rank(a) - rank(b) || (total(a) < total(b) ? -1 : Number(total(a) > total(b))))
}

/** Chooses the given number of products to compare first: the current one, and those that suit the trip best. */
export const firstCompared = (current: string, uuids: readonly string[], standings: Standings, many: number): string[] =>
  byPrice([current, ...byPrice(uuids, standings).filter(uuid => uuid !== current)].slice(0, many), standings)
