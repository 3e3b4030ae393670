import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { queries } from '#portal/kit/queries.ts'
import type { Product } from '#portal/products/store.ts'
import { quoteRequest } from '../trip-request.ts'
import { chooseProduct, keepTrip, tripFor } from '../sale.ts'
import { type TripForm, useFunnel } from '../store.ts'

/** Makes a product with this trip the sale in progress. A policy with its own dates has those of its quote. */
export function takeProduct(product: Product, typed: TripForm, { startDate, endDate }: Quote): TripForm {
  const trip = tripFor(product, typed)
  keepTrip(trip)
  chooseProduct(product.uuid)
  if (readDate(trip.startDate) === startDate && readDate(trip.endDate) === endDate) return trip
  const own = { ...trip, startDate: displayDate(startDate) ?? '', endDate: displayDate(endDate) ?? '' }
  useFunnel.setState({ trip: own, typedDates: { startDate: trip.startDate, endDate: trip.endDate } })
  return own
}

/**
 * Begins the sale of a product at step 2. The price of this trip counts as accepted, as in step 1: the service prices again, and sells at no other
 * price. A resumed quote keeps its own.
 */
export function beginSale(product: Product, typed: TripForm, quote: Quote): void {
  const trip = takeProduct(product, typed, quote)
  const { takenUp, agreedTotal } = useFunnel.getState()
  useFunnel.setState({ step: 2, agreedTotal: (takenUp && agreedTotal) ?? toCents(quote.total) })
  // Step 2 shows the same quote, so it need not request it.
  queries.setQueryData(['quote', quoteRequest(product, trip)], quote)
}
