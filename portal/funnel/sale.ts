import type { Trip } from '#common/quotes/trip.ts'
import type { Product } from '#portal/products/store.ts'
import { fresh, type FunnelState, newTripForm, type TripForm, useFunnel } from './store.ts'

export function newSale(product: Product | undefined): void {
  restart({ ...fresh, productUuid: product?.uuid, trip: product && newTripForm(product) })
}

/** In the place of whatever is there, with forms of its own. */
export function restart(state: FunnelState): void {
  useFunnel.setState({ ...state, sale: useFunnel.getState().sale + 1 }, true)
}

/** Another product keeps what was typed; the places that it locks are its own. */
export function tripFor({ settings }: Product, trip: TripForm): TripForm {
  const locked = settings.lockDestinationCountry && settings.defaultDestinationCountry
  return {
    ...trip,
    coverageScope: settings.lockOriginRegion ? settings.defaultOriginRegion.id : trip.coverageScope,
    mainDestination: locked ? [locked.id] : trip.mainDestination,
  }
}

/** The form as the rules of common read it. */
export const tripOf = (form: TripForm): Trip => ({
  startDate: form.startDate,
  endDate: form.endDate,
  coverageScope: form.coverageScope === null ? [] : [form.coverageScope],
  mainDestination: form.mainDestination,
  travelers: form.travelers as number | null,
  priceTravel: form.priceTravel as number | null,
  reservationDate: form.reservationDate,
})
