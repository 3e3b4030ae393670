import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import { datesOf } from '#common/quotes/comparison.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { queries } from '#portal/kit/queries.ts'
import type { Product } from '#portal/products/store.ts'
import { quoteRequest } from '../trip-request.ts'
import { chooseProduct, keepTrip, tripFor } from '../sale.ts'
import { type TripForm, useFunnel } from '../store.ts'

/** Makes a product with this trip the sale in progress. A policy with its own dates has those of its quote. */
export function takeProduct(product: Product, typed: TripForm, quote: Quote): TripForm {
  const trip = tripFor(product, typed)
  const [start, end] = [readDate(trip.startDate) ?? '', readDate(trip.endDate) ?? '']
  const { startDate, endDate } = datesOf(quote, { startDate: start, endDate: end })
  keepTrip(trip)
  chooseProduct(product.uuid)
  if (start === startDate && end === endDate) return trip
  const own = { ...trip, startDate: displayDate(startDate) ?? '', endDate: displayDate(endDate) ?? '' }
  useFunnel.setState({ trip: own, typedDates: { startDate: trip.startDate, endDate: trip.endDate } })
  return own
}

/**
 * Begins the sale of a product at step 2. The price that is shown for this trip counts as accepted: the service prices again, and sells at no other
 * price. A resumed quote keeps its own.
 */
export function beginSale(product: Product, typed: TripForm, quote: Quote, shown: number): void {
  const trip = takeProduct(product, typed, quote)
  const { takenUp, agreedTotal } = useFunnel.getState()
  useFunnel.setState({ step: 2, agreedTotal: (takenUp && agreedTotal) ?? toCents(shown) })
  // Step 2 shows the same quote, so it need not request it.
  queries.setQueryData(['quote', quoteRequest(product, trip)], quote)
}
