import { fromCents } from '#common/kit/money.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Priced } from './price-for-unit.ts'
import type { QuoteRow } from './queries.ts'

const validMs = 24 * 3_600_000

/** Returns a new quote, as the response and as the row to store. A quote that is only asked is valid for 24 hours. */
export function makeQuote(
  { ids, clock }: Pick<World, 'ids' | 'clock'>,
  by: { scope: Scope; userId: string },
  ask: TripSent,
  { productId, currency, price, commission }: Priced,
  validUntil?: Date,
): { quote: Quote; row: QuoteRow } {
  const now = clock.now()
  const until = validUntil ?? new Date(now.getTime() + validMs)
  const { tariffVersion } = price
  const quote: Quote = {
    quoteUUID: ids.next(),
    productUUID: productId,
    currency,
    total: fromCents(price.total),
    premium: fromCents(price.premium),
    travelPremium: fromCents(price.travelPremium),
    cancellationPremium: fromCents(price.cancellationPremium),
    taxes: price.taxes.map(({ amount, ...line }) => ({ ...line, amount: fromCents(amount) })),
    commission: { rate: commission.rate, amount: fromCents(commission.amount) },
    travelDays: price.travelDays,
    zone: price.zone,
    perTraveller: price.perTraveller.map(({ birthDate, premium }) => ({ birthDate, premium: fromCents(premium) })),
    provisional: price.provisional,
    validUntil: until.toISOString(),
  }
  const row: QuoteRow = {
    business_unit_id: by.scope.businessUnitId,
    id: quote.quoteUUID,
    user_id: by.userId,
    product_id: productId,
    tariff_version: tariffVersion,
    created_at: now,
    valid_until: until,
    question: ask,
    answer: quote,
  }
  return { quote, row }
}
