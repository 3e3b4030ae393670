import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { Basis, TripRequest } from '#common/quotes/rating/basis.ts'
import { priceTrip, type Rating } from '#common/quotes/rating/price.ts'
import * as quotes from '#common/quotes/calls.ts'
import { sentAs, tripProblems } from '#common/quotes/trip.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Product } from '#portal/products/store.ts'
import { tripOf } from '../sale.ts'
import { type TripForm } from '../store.ts'

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

/** The form in the words of the calls; what cannot be read is left to the rules to speak of. */
export function askedOf(form: TripForm, withCancellation: boolean): TripRequest {
  const { coverageScope, mainDestination, travelers, priceTravel, birthDates } = form
  return {
    startDate: form.startDate,
    endDate: form.endDate,
    countryOriginId: coverageScope,
    countriesDestinationId: mainDestination,
    paxNumber: travelers as number | null,
    ...(withCancellation ? { insurancedAmount: priceTravel as number | null, reservationDate: form.reservationDate } : {}),
    ...knownBirthDates(birthDates, travelers),
  }
}

/** One for each traveller, `null` where it is not known; none at all when nobody's is. */
function knownBirthDates(rows: TripForm['birthDates'], travelers: TripForm['travelers']): Pick<TripRequest, 'birthDates'> | undefined {
  if (typeof travelers !== 'number' || !rows.some(row => row.date)) return undefined
  return { birthDates: Array.from({ length: Math.min(travelers, 1000) }, (_, place) => rows[place]?.date || null) }
}

/** The form as the quote call takes it (spec 7). */
export function questionOf(product: Product, form: TripForm) {
  const asked = askedOf(form, product.settings.hasAmountCancellation)
  return {
    productUUID: product.uuid,
    ...tripQuestion(asked),
  }
}

export const tripQuestion = (asked: TripRequest) => ({
  startDate: readDate(asked.startDate) ?? '',
  endDate: readDate(asked.endDate) ?? '',
  countryOriginId: asked.countryOriginId ?? 0,
  countriesDestinationId: (asked.countriesDestinationId ?? []).join(','),
  paxNumber: asked.paxNumber ?? 0,
  ...(asked.insurancedAmount ? { insurancedAmount: asked.insurancedAmount } : {}),
  ...(readDate(asked.reservationDate) ? { reservationDate: readDate(asked.reservationDate) ?? '' } : {}),
  ...(asked.birthDates ? { birthDates: asked.birthDates.map(date => readDate(date) ?? null) } : {}),
})

const formNames = Object.fromEntries(Object.entries(sentAs).map(([form, sent]) => [sent, form]))

/** `countryOriginId` of a call is `coverageScope` in the form; `birthDates[1]` has its date in a row. */
export const tripField = (path: string): string => formNames[path] ?? path.replace(/^birthDates\[(\d+)\]$/, 'birthDates[$1].date')

/** The price, or what speaks against it with the form's own fields. Before the figures are there, the rules of step 1 alone. */
export function useRating(product: Product, tariff: PricedBy | undefined): (form: TripForm) => Rating {
  const { configuration } = useUnit()
  const names = new Map(configuration.countriesList.map(({ id, name }) => [id, name]))
  const today = todayInUnit()
  return form => {
    if (!tariff) return { problems: tripProblems(tripOf(form), product.settings, today) }
    const rating = priceTrip(tariff.basis, askedOf(form, product.settings.hasAmountCancellation), today, id => names.get(id))
    return rating.problems ? { problems: rating.problems.map(onForm) } : rating
  }
}

const onForm = (problem: Problem): Problem => ({ ...problem, path: tripField(problem.path) })
