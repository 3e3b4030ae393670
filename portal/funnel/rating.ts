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

export type Tariff = { commissionPercent: number | null; basis: Basis }

/** Loads the tariff of a product. With it the browser computes the same cents as the service. */
export const useTariff = (product: Product | undefined) =>
  useQuery({
    queryKey: ['tariff', product?.uuid],
    queryFn: (): Promise<Tariff> => ask(quotes.tariff, { productUuid: product?.uuid ?? '' }),
    enabled: product !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  }).data

/** Returns a function that prices a form, or names its problems by field. Without a tariff, only the rules of step 1 apply. */
export function useRating(product: Product, tariff: Tariff | undefined): (form: TripForm) => Rating {
  const { configuration } = useUnit()
  const names = new Map(configuration.countriesList.map(({ id, name }) => [id, name]))
  const today = todayInUnit()
  return form => {
    if (!tariff) return { problems: tripProblems(tripOf(form), product.settings, today) }
    const rating = priceTrip(tariff.basis, ratedTrip(form, product.settings.hasAmountCancellation), today, id => names.get(id))
    return rating.problems ? { problems: rating.problems.map(toFormField) } : rating
  }
}

const toFormField = (problem: Problem): Problem => ({ ...problem, path: tripField(problem.path) })
