import type { ResponseOf } from '#common/kit/call.ts'
import type * as calls from './calls.ts'
import type { Quote } from './schemas.ts'
import { tripSent, type TripSettings } from './trip.ts'

type Compared = ResponseOf<typeof calls.compareQuotes>[number]

/** A product's response to a trip: a price, its own fields that are missing or wrong, or the reasons of a refusal. */
export type Standing =
  | { state: 'priced'; quote: Quote }
  | { state: 'asks'; problems: { path: string; message: string }[] }
  /** The path of the field that is refused, undefined if no field is. */
  | { state: 'refused'; reasons: string[]; path: string | undefined }

/** The products' responses to one trip, by their ids. */
export type Standings = ReadonlyMap<string, Standing>

export const standingsOf = (compared: readonly Compared[]): Standings => new Map(compared.map(each => [each.productUUID, standingOf(each)]))

/** The fields that only products with cancellation cover need, so that a refusal for them alone is a question. */
const ownFields: ReadonlySet<string> = new Set([tripSent.amountCents, tripSent.reservationDate])

function standingOf(compared: Compared): Standing {
  if ('total' in compared) return { state: 'priced', quote: compared }
  const { fields, errorMessage } = compared
  const others = fields.filter(({ path }) => !ownFields.has(path))
  if (fields.length > 0 && others.length === 0) return { state: 'asks', problems: fields }
  const reasons = [...new Set(others.map(({ message }) => message))]
  return { state: 'refused', reasons: reasons.length > 0 ? reasons : [errorMessage], path: others[0]?.path }
}

/** Sorts products for a comparison: the cheapest first, then those that lack a field, then the refused. Otherwise the order stays. */
export function byPrice(uuids: readonly string[], standings: Standings): string[] {
  const total = (uuid: string): number => {
    const standing = standings.get(uuid)
    return standing?.state === 'priced' ? standing.quote.total : Number.POSITIVE_INFINITY
  }
  const rank = (uuid: string): number => ['priced', 'asks', undefined, 'refused'].indexOf(standings.get(uuid)?.state)
  return uuids.toSorted((a, b) => rank(a) - rank(b) || (total(a) < total(b) ? -1 : Number(total(a) > total(b))))
}

/** Chooses so many products to compare first, the current one among them: those that suit the trip best. */
export const firstCompared = (current: string, uuids: readonly string[], standings: Standings, many: number): string[] =>
  byPrice([current, ...byPrice(uuids, standings).filter(uuid => uuid !== current)].slice(0, many), standings)

/** Returns the bounds of dates that one product at least allows. The others refuse the trip by themselves. */
export const loosest = (all: readonly Required<TripSettings>[]): Required<TripSettings> => ({
  hasAmountCancellation: false,
  startDayOffset: Math.min(...all.map(({ startDayOffset }) => startDayOffset)),
  maxStartDate: Math.max(...all.map(({ maxStartDate }) => maxStartDate)),
  maxEndDate: Math.max(...all.map(({ maxEndDate }) => maxEndDate)),
})
