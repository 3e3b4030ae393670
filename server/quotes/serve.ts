import * as calls from '#common/quotes/calls.ts'
import * as schemas from '#common/quotes/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { askQuote, checkDestinationCoverage, compareQuotes, findQuote, leastPrices, tariff } from './quotes.ts'
import { openCatalogueCache } from './catalogue.ts'
import { openQuoteStore, type QuoteStore } from './quote-store.ts'

/** Returns the store, which `stop` empties. */
export function serveQuotes(context: AppContext): QuoteStore {
  const { world } = context
  const catalogueCache = openCatalogueCache(world)
  const store = openQuoteStore(world)
  serveAll(context, calls, schemas, {
    askQuote: askQuote(world, catalogueCache, store),
    compareQuotes: compareQuotes(world, catalogueCache, store),
    findQuote: findQuote(store),
    leastPrices: leastPrices(world, catalogueCache),
    checkDestinationCoverage: checkDestinationCoverage(catalogueCache),
    tariff: tariff(catalogueCache),
  })
  return store
}
