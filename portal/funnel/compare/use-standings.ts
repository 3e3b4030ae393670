import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Problem } from '#common/kit/problems.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import { compareQuotes } from '#common/quotes/calls.ts'
import type { Standings } from '#common/quotes/comparison.ts'
import { loosest } from '#common/quotes/trip.ts'
import { ask } from '#portal/kit/ask.ts'
import { localeNow } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { useDebounced } from '#portal/kit/use-debounced.ts'
import { stepProblems, tripRequest } from '../trip-request.ts'
import type { TripForm } from '../store.ts'

/** The prices of all products for a trip, if it is complete. */
export type Prices = {
  /** The problems of the trip itself, without those of one product's own fields. */
  problems: Problem[]
  isComplete: boolean
  standings: Standings
  /** False while the prices are those of the previous trip. */
  areCurrent: boolean
  error: Error | null
  retry: () => void
}

/** The trip, its prices, and how to continue with a product. */
export type Pricing = {
  current: Product | undefined
  onChoose: ((uuid: string) => void) | undefined
  trip: TripForm
  prices: Prices
  onChange: (change: Partial<TripForm>) => void
}

const none: Standings = new Map()

/** Returns the problems of the trip itself, which every product would refuse. */
export const lineProblems = (products: readonly Product[], trip: TripForm): Problem[] =>
  stepProblems(trip, loosest(products.map(({ settings }) => settings)))

export const standingsRequest = (trip: TripForm) => tripRequest(trip, true)

export const standingsQuery = (request: ReturnType<typeof standingsRequest> | undefined) => ({
  // The reasons of refusals are sentences in a language.
  queryKey: ['compare', localeNow(), request],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    if (!request) return none
    // Loaded beside the prices, as the first page has none.
    const [compared, { standingsOf }] = await Promise.all([ask(compareQuotes, request, { signal }), import('#common/quotes/comparison.ts')])
    return standingsOf(compared, request)
  },
})

/** Asks the service for all products' prices for a trip, once typing pauses and the trip is complete. */
export function useStandings(products: readonly Product[], trip: TripForm, maySell: boolean, pauseMs?: number): Prices {
  const problems = lineProblems(products, trip)
  const isComplete = problems.length === 0
  const request = useDebounced(maySell && isComplete ? standingsRequest(trip) : undefined, pauseMs)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...standingsQuery(request),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
  })
  return {
    problems,
    isComplete,
    standings: (isComplete && data) || none,
    areCurrent: request !== undefined && data !== undefined && !isPlaceholderData,
    error,
    retry: () => void refetch(),
  }
}

/** True if the fields of cancellation cover are filled in, whether or not a product accepts them. */
export const hasCost = ({ priceTravel, reservationDate }: TripForm): boolean => Boolean(priceTravel) && isPresent(reservationDate)
