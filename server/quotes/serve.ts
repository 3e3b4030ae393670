import * as calls from '#common/quotes/calls.ts'
import * as schemas from '#common/quotes/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { askQuote } from './ask-quote.ts'
import { openCatalogueCache } from './catalogue.ts'
import { checkDestinationCoverage } from './check-destination-coverage.ts'
import { compareQuotes } from './compare.ts'
import { findQuote } from './find.ts'
import { openQuoteStore, type QuoteStore } from './quote-store.ts'
import { tariff } from './tariff.ts'

/** Returns the store, which `stop` empties. */
export function serveQuotes(context: AppContext): QuoteStore {
  const { world } = context
  const catalogueCache = openCatalogueCache(world)
  const store = openQuoteStore(world)
  serve(context, calls.askQuote, schemas.askQuote, askQuote(world, catalogueCache, store))
  serve(context, calls.compareQuotes, schemas.compareQuotes, compareQuotes(world, catalogueCache, store))
  serve(context, calls.findQuote, schemas.findQuote, findQuote(store))
  serve(context, calls.checkDestinationCoverage, schemas.checkDestinationCoverage, checkDestinationCoverage(catalogueCache))
  serve(context, calls.tariff, schemas.tariff, tariff(catalogueCache))
  return store
}
