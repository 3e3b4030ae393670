import { countryName } from '#common/geography/countries.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { may } from '#common/kit/permissions.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { problemIn, refusalIn, type Words } from '#common/kit/words/words.ts'
import * as calls from '#common/quotes/calls.ts'
import { destinationProblems } from '#common/quotes/rating/zone.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { CatalogueCache } from './catalogue.ts'
import { offerOf, priceOffer, refuseOtherType, refuseTrip, todayIn } from './price-for-unit.ts'
import { curingDates, priceCompared } from './compared.ts'
import { leastPricesOn } from './least.ts'
import { makeQuote, type QuoteStore } from './quote-store.ts'

/** Quotes one product for a trip. */
export const askQuote =
  (world: World, catalogueCache: CatalogueCache, store: QuoteStore): Handler<typeof calls.askQuote> =>
  async ({ ask, caller, locale }) => {
    const { productUUID, insuranceType, ...trip } = ask
    const { scope } = caller.unit
    await world.spend(caller, 'quotes')
    const catalogue = await catalogueCache(scope)
    const offer = offerOf(catalogue, productUUID)
    refuseOtherType(offer, insuranceType)
    const day = todayIn(catalogue, world.clock.now())
    const { priced, problems } = priceOffer(offer, tripIn(trip), day, locale)
    if (!priced) throw refuseTrip(problems)
    const { quote, row } = makeQuote(world, { scope, userId: caller.userId }, trip, priced)
    await store.keep([row])
    return quote
  }

type Compared = ResponseSentOf<typeof calls.compareQuotes>[number]

/** Quotes all products of the unit for one trip: the cheapest first, then the refusals in the catalogue's order. A term has its own dates. */
export const compareQuotes =
  (world: World, catalogueCache: CatalogueCache, store: QuoteStore): Handler<typeof calls.compareQuotes> =>
  async ({ ask, caller, locale }) => {
    const { scope } = caller.unit
    const catalogue = await catalogueCache(scope)
    await world.spend(caller, 'quotes', catalogue.offers.length)
    const day = todayIn(catalogue, world.clock.now())
    const trip = tripIn(ask)
    const rated = catalogue.offers.map(offer => ({ offer, ...priceCompared(offer, trip, day, locale) }))
    const quoted = rated.flatMap(({ priced, dates }) =>
      priced ? [makeQuote(world, { scope, userId: caller.userId }, { ...ask, ...dates }, priced)] : [],
    )
    await store.keep(quoted.map(({ row }) => row))
    const quotes = quoted.map(({ quote }) => quote).toSorted((a, b) => a.total - b.total)
    const words = world.words(locale)
    const refusals = rated.flatMap(({ offer, problems }) =>
      problems ? [{ ...refusedBy(offer.productId, problems, words), dates: curingDates(offer, trip, problems, day, locale) }] : [],
    )
    return [...quotes, ...refusals]
  }

/** Formats a refusal by the first limit that the trip breaks. */
function refusedBy(productUUID: string, problems: Problem[], words: Words): Compared {
  const { code, details } = refuseTrip(problems)
  const fields = problems.map(problem => ({ path: problem.path, rule: problem.rule, message: problemIn(words, problem) }))
  const reason = fields.find(({ rule }) => rule === code) ?? fields[0]
  return { productUUID, error: code, errorMessage: reason?.message ?? refusalIn(words, code, details.params), fields }
}

export const findQuote =
  (store: QuoteStore): Handler<typeof calls.findQuote> =>
  async ({ ask, caller }) => {
    const quote = await store.find(caller.unit.scope, ask.quoteUUID)
    if (!quote) throw new Refusal('request.not_found')
    return quote
  }

/** Returns the prices from which the products are on sale today. */
export const leastPrices =
  (world: World, catalogueCache: CatalogueCache): Handler<typeof calls.leastPrices> =>
  async ({ caller }) => {
    const catalogue = await catalogueCache(caller.unit.scope)
    return leastPricesOn(catalogue, todayIn(catalogue, world.clock.now())).map(({ total, ...price }) => ({
      ...price,
      total: fromCents(total),
    }))
  }

/** Checks a destination before a quote (spec 4). The refusal names the countries (spec 8). */
export const checkDestinationCoverage =
  (catalogueCache: CatalogueCache): Handler<typeof calls.checkDestinationCoverage> =>
  async ({ ask, caller, locale }) => {
    const { basis } = offerOf(await catalogueCache(caller.unit.scope), ask.productUuid)
    const origin = ask.countryOriginId ?? basis.settings.defaultOriginRegion
    const destinations = tripIn(ask).destinations ?? []
    const problems = destinationProblems(basis, origin, destinations, id => countryName(id, locale))
    if (problems.length > 0) throw refuseTrip(problems)
    return { covered: true }
  }

/** Returns the tariff, with which the screen prices a trip while the agent types, by the same rules. */
export const tariff =
  (catalogueCache: CatalogueCache): Handler<typeof calls.tariff> =>
  async ({ ask, caller }) => {
    const { scope, permissions } = caller.unit
    const { productId, basis, commissionPercent } = offerOf(await catalogueCache(scope), ask.productUuid)
    return { productUUID: productId, commissionPercent: may(permissions, 'b2b-products-sell') ? commissionPercent : null, basis }
  }
