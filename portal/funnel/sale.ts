import type { Trip } from '#common/quotes/trip.ts'
import type { Product } from '#portal/products/store.ts'
import { emptyFunnel, type FunnelState, newTripForm, type TripForm, useFunnel } from './store.ts'

export function newSale(product: Product | undefined): void {
  restart({ ...emptyFunnel, productUuid: product?.uuid, trip: product && newTripForm(product) })
}

/** Replaces the current sale. The new number gives it forms of its own. */
export function restart(state: FunnelState): void {
  useFunnel.setState({ ...state, sale: useFunnel.getState().sale + 1 }, true)
}

/** Returns the trip for another product: typed values stay, except countries that the product locks. */
export function tripFor({ settings }: Product, trip: TripForm): TripForm {
  const locked = settings.lockDestinationCountry && settings.defaultDestinationCountry
  return {
    ...trip,
    coverageScope: settings.lockOriginRegion ? settings.defaultOriginRegion.id : trip.coverageScope,
    mainDestination: locked ? [locked.id] : trip.mainDestination,
  }
}

/** Returns the form as the rules read it. */
export const tripOf = (form: TripForm): Trip => ({
  startDate: form.startDate,
  endDate: form.endDate,
  coverageScope: form.coverageScope === null ? [] : [form.coverageScope],
  mainDestination: form.mainDestination,
  // Safe: the rules check at runtime that these two are numbers.
  travelers: form.travelers as number | null,
  // Safe: as above.
  priceTravel: form.priceTravel as number | null,
  reservationDate: form.reservationDate,
})
