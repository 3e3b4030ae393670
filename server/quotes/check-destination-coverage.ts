import { countryName } from '#common/geography/countries.ts'
import type * as calls from '#common/quotes/calls.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { destinationProblems } from '#common/quotes/rating/zone.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { CatalogueCache } from './catalogue.ts'
import { offerOf, refuseTrip } from './price-for-unit.ts'

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
