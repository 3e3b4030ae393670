import type { ResponseOf } from '#common/kit/call.ts'
import type * as calls from './calls.ts'
import type { Quote } from './schemas.ts'
import { tripSent, type TripSettings } from './trip.ts'

type Compared = ResponseOf<typeof calls.compareQuotes>[number]

/** A product's result for a trip: a price, its own fields that are missing or invalid, or the reasons of a refusal. */
export type Standing =
  | { state: 'priced'; quote: Quote }
  | { state: 'asks'; problems: { path: string; message: string }[] }
  /** The path of the refused field; undefined if there is none. */
  | { state: 'refused'; reasons: string[]; path: string | undefined }

/** The products' results for one trip, by their ids. */
export type Standings = ReadonlyMap<string, Standing>

export const standingsOf = (compared: readonly Compared[]): Standings => new Map(compared.map(each => [each.productUUID, standingOf(each)]))

/** The fields that only products with cancellation cover need. A refusal for them alone is a question. */
const ownFields: ReadonlySet<string> = new Set([tripSent.amountCents, tripSent.reservationDate])

function standingOf(compared: Compared): Standing {
  if ('total' in compared) return { state: 'priced', quote: compared }
  const { fields, errorMessage } = compared
  const others = fields.filter(({ path }) => !ownFields.has(path))
  if (fields.length > 0 && others.length === 0) return { state: 'asks', problems: fields }
  const reasons = [...new Set(others.map(({ message }) => message))]
  return { state: 'refused', reasons: reasons.length > 0 ? reasons : [errorMessage], path: others[0]?.path }
}

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

/** Returns the date limits that at least one product allows. The others refuse the trip by themselves. */
export const loosest = (all: readonly Required<TripSettings>[]): Required<TripSettings> => ({
  hasAmountCancellation: false,
  startDayOffset: Math.min(...all.map(({ startDayOffset }) => startDayOffset)),
  maxStartDate: Math.max(...all.map(({ maxStartDate }) => maxStartDate)),
  maxEndDate: Math.max(...all.map(({ maxEndDate }) => maxEndDate)),
})
