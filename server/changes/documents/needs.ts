import type { Version } from '#common/changes/state.ts'
import { countryName } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import { needsParams } from '#common/quotes/needs.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import type { Words } from '#common/kit/words/words.ts'

type Stated = {
  trip: Version['trip']
  many: ManyTrips | undefined
  travellers: number
  product: string
  currency: string
  locale: Locale
}

/** States the client's demands and needs, as the portal does before the sale. */
export const needsText = ({ trip, locale, ...stated }: Stated, words: Words): string =>
  words(
    'funnel.before.needs',
    needsParams(
      {
        ...trip,
        ...stated,
        destinations: trip.destinations.map(id => countryName(id, locale) ?? String(id)),
      },
      locale,
    ),
  )
