import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as quotes from '#common/quotes/calls.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { priceTrip, type Rating } from '#common/quotes/rating/price.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import type { Product } from '#portal/products/store.ts'
import { isKept, type KeptPrice, keptPriceOf, useSavedQuote } from './resume/saved-quote.ts'
import { type TripForm, useFunnel } from './store.ts'
import { choiceOf, stepProblems, toFormField, tripOf } from './trip-request.ts'

/** `kept` is the price of the resumed quote, if it differs from today's. */
export type Tariff = { commissionPercent: number | null; basis: Basis; kept: KeptPrice | undefined }
export type FormRating = Rating & { kept?: KeptPrice | undefined }

/** Loads the tariff of a product, with which the browser computes the same cents as the service. */
export function useTariff(product: Product | undefined): { tariff: Tariff | undefined; error: Error | null; retry: () => unknown } {
  const policyUuid = useFunnel(({ policyUuid }) => policyUuid)
  const [resumed] = useState(policyUuid)
  const saved = useSavedQuote()
  const {
    data,
    error,
    refetch: retry,
  } = useQuery({
    queryKey: ['tariff', product?.uuid],
    ...loadingOf(quotes.tariff, { productUuid: product?.uuid ?? '' }),
    enabled: product !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  // Until a saved quote is loaded, its price would seem to have changed. One saved on this page has today's price.
  const isUnread = saved.isLoading && policyUuid === resumed
  return { tariff: isUnread ? undefined : data && { ...data, kept: keptPriceOf(saved.data) }, error, retry }
}

/** Returns a function that prices a form, or returns its problems by field. Without a tariff, only the rules of step 1 apply. */
export function useRating(product: Product, tariff: Tariff | undefined): (form: TripForm) => FormRating {
  const { configuration } = useUnit()
  const names = new Map(configuration.countriesList.map(({ id, name }) => [id, name]))
  const today = todayInUnit()
  return form => {
    if (!tariff) return { problems: stepProblems(form, product.settings) }
    const kept = tariff.kept && isKept(tariff.kept, choiceOf(product, form)) ? tariff.kept : undefined
    const rating = priceTrip((kept ?? tariff).basis, tripOf(form), today, id => names.get(id))
    return rating.problems ? { problems: rating.problems.map(toFormField) } : { ...rating, kept }
  }
}
