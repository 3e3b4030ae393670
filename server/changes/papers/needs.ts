import type { Version } from '#common/changes/state.ts'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag, languageOf, type Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import { countryName } from '#common/geography/countries.ts'
import type { Words } from '#server/kit/words.ts'

type Stated = {
  trip: Version['trip']
  many: ManyTrips | undefined
  travellers: number
  product: string
  currency: string
  locale: Locale
}

/** States the client's demands and needs, as the portal does before the sale. */
export function needsText({ trip, many, travellers, product, currency, locale }: Stated, words: Words): string {
  const { startDate, endDate, destinations, amountCents } = trip
  const needs = words('documents.needs.text', {
    travellers,
    trips: many ? 'several' : 'one',
    zone: many?.zone[languageOf(locale)] ?? '',
    tripDays: many?.days ?? 0,
    destination: new Intl.ListFormat(intlTag(locale)).format(destinations.map(id => countryName(id, locale) ?? String(id))),
    from: displayDate(startDate) ?? '',
    to: displayDate(endDate) ?? '',
  })
  const cost = amountCents === undefined ? '' : words('documents.needs.cost', { amount: formatMoney(amountCents, locale, currency) })
  return [needs, cost, words('documents.needs.met', { product })].filter(Boolean).join(' ')
}
