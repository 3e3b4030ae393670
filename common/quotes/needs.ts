import { displayDate } from '#common/kit/dates.ts'
import { intlTag, languageOf, type Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { ManyTrips } from './rating/many-trips.ts'
import type { Stay } from './rating/stay.ts'

type Needed = Stay & {
  travellers: number
  /** The names of the countries. */
  destinations: readonly string[]
  many: ManyTrips | undefined
  /** The cost of the trip in cents, if the product insures it. */
  amountCents?: number | undefined
  currency: string
  product: string
}

/** Returns the parameters of the message `funnel.before.needs`: the client's demands and needs, stated before a sale or a change. */
export const needsParams = (
  { travellers, destinations, startDate, endDate, many, amountCents, currency, product }: Needed,
  locale: Locale,
) => ({
  travelers: travellers,
  trips: many ? 'several' : 'one',
  zone: many?.zone[languageOf(locale)] ?? '',
  tripDays: many?.days ?? 0,
  destination: new Intl.ListFormat(intlTag(locale)).format(destinations),
  from: displayDate(startDate) ?? '',
  to: displayDate(endDate) ?? '',
  insured: amountCents === undefined ? 'no' : 'yes',
  cost: formatMoney(amountCents ?? 0, locale, currency),
  product,
})
