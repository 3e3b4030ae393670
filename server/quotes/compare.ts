import type { ResponseSentOf } from '#common/kit/call.ts'
import type { Problem } from '#common/kit/problems.ts'
import type * as calls from '#common/quotes/calls.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { problemIn, refusalIn, type Words } from '#common/kit/words/words.ts'
import type { CatalogueCache } from './catalogue.ts'
import { makeQuote, type QuoteStore } from './quote-store.ts'
import { priceOffer, refuseTrip, todayIn } from './price-for-unit.ts'

type Compared = ResponseSentOf<typeof calls.compareQuotes>[number]

/** Quotes all products of the unit for one trip: the cheapest first, then the refusals in the catalogue's order. */
export const compareQuotes =
  (world: World, catalogueCache: CatalogueCache, store: QuoteStore): Handler<typeof calls.compareQuotes> =>
  async ({ ask, caller, locale }) => {
    const { scope } = caller.unit
    const catalogue = await catalogueCache(scope)
    await world.spend(caller, 'quotes', catalogue.offers.length)
    const day = todayIn(catalogue, world.clock.now())
    const trip = tripIn(ask)
    const rated = catalogue.offers.map(offer => ({ offer, ...priceOffer(offer, trip, day, locale) }))
    const quoted = rated.flatMap(({ priced }) => (priced ? [makeQuote(world, { scope, userId: caller.userId }, ask, priced)] : []))
    await store.keep(quoted.map(({ row }) => row))
    const quotes = quoted.map(({ quote }) => quote).toSorted((a, b) => a.total - b.total)
    const words = world.words(locale)
    return [...quotes, ...rated.flatMap(({ offer, problems }) => (problems ? [refusedBy(offer.productId, problems, words)] : []))]
  }

/** Formats a refusal by the first limit that the trip breaks. */
function refusedBy(productUUID: string, problems: Problem[], words: Words): Compared {
  const { code, details } = refuseTrip(problems)
  const fields = problems.map(problem => ({ path: problem.path, rule: problem.rule, message: problemIn(words, problem) }))
  const reason = fields.find(({ rule }) => rule === code) ?? fields[0]
  return { productUUID, error: code, errorMessage: reason?.message ?? refusalIn(words, code, details.params), fields }
}
