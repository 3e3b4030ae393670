import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Problem } from '#common/kit/problems.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { priceTrip, type Rating } from '#common/quotes/rating/price.ts'
import * as quotes from '#common/quotes/calls.ts'
import { tripProblems } from '#common/quotes/trip.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Product } from '#portal/products/store.ts'
import { ratedTrip, tripField } from './requests.ts'
import { tripOf } from './sale.ts'
import type { TripForm } from './store.ts'

export type PricedBy = { commissionPercent: number | null; basis: Basis }

/** The figures that the product is priced by: with them the browser gives the same cents as the service. */
export const useTariff = (product: Product | undefined) =>
  useQuery({
    queryKey: ['tariff', product?.uuid],
    queryFn: async () => (await ask(quotes.tariff, { productUuid: product?.uuid ?? '' })) as PricedBy,
    enabled: product !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  }).data

/** The price, or what speaks against it with the form's own fields. Before the figures are there, the rules of step 1 alone. */
export function useRating(product: Product, tariff: PricedBy | undefined): (form: TripForm) => Rating {
  const { configuration } = useUnit()
  const names = new Map(configuration.countriesList.map(({ id, name }) => [id, name]))
  const today = todayInUnit()
  return form => {
    if (!tariff) return { problems: tripProblems(tripOf(form), product.settings, today) }
    const rating = priceTrip(tariff.basis, ratedTrip(form, product.settings.hasAmountCancellation), today, id => names.get(id))
    return rating.problems ? { problems: rating.problems.map(onForm) } : rating
  }
}

const onForm = (problem: Problem): Problem => ({ ...problem, path: tripField(problem.path) })
