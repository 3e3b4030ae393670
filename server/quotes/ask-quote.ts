import type * as calls from '#common/quotes/calls.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { CatalogueCache } from './catalogue.ts'
import { makeQuote, type QuoteStore } from './quote-store.ts'
import { offerOf, priceOffer, refuseOtherType, refuseTrip, todayIn } from './price-for-unit.ts'

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
