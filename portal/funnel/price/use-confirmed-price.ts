import { useQuery } from '@tanstack/react-query'
import { askQuote } from '#common/quotes/calls.ts'
import type { RatedPrice } from '#common/quotes/rating/price.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { quoteRequest } from '../trip-request.ts'
import type { TripForm } from '../store.ts'
import type { Confirmation } from './price-state.ts'
import { useDebounced } from '#portal/kit/use-debounced.ts'

/** Asks the service for the price once typing pauses. */
export function useConfirmedPrice(product: Product, trip: TripForm, price: RatedPrice | undefined): Confirmation {
  const { words } = useWords()
  const format = useFormat()
  const request = useDebounced(price ? quoteRequest(product, trip) : undefined)
  const { data, error } = useQuery({
    queryKey: ['quote', request],
    queryFn: ({ signal }) => ask(askQuote, request ?? quoteRequest(product, trip), { signal }),
    enabled: request !== undefined,
  })
  if (!price || !request) return undefined
  if (error) return error instanceof Refused ? { message: error.message } : undefined
  if (!data) return undefined
  return Math.round(data.total * 100) === price.total
    ? 'same'
    : { message: words('funnel.price_differs', { total: format.money(data.total, data.currency) }) }
}
