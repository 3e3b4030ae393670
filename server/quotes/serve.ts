import * as calls from '#common/quotes/calls.ts'
import * as schemas from '#common/quotes/schemas.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { askQuote } from './ask-quote.ts'
import { openCatalogueCache } from './catalogue.ts'
import { checkDestinationCoverage } from './check-destination-coverage.ts'
import { compareQuotes } from './compare.ts'
import { findQuote } from './find.ts'
import { openQuoteStore } from './quote-store.ts'
import { tariff } from './tariff.ts'

export function serveQuotes(front: Front): void {
  const { world } = front
  const catalogueCache = openCatalogueCache(world.database)
  const store = openQuoteStore(world.database)
  serve(front, calls.askQuote, schemas.askQuote, askQuote(world, catalogueCache, store))
  serve(front, calls.compareQuotes, schemas.compareQuotes, compareQuotes(world, catalogueCache, store))
  serve(front, calls.findQuote, schemas.findQuote, findQuote(world))
  serve(front, calls.checkDestinationCoverage, schemas.checkDestinationCoverage, checkDestinationCoverage(catalogueCache))
  serve(front, calls.tariff, schemas.tariff, tariff(catalogueCache))
}
