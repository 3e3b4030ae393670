import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'
import type { Prices } from './use-standings.ts'

export type CompareProps = {
  /** The products to compare, by default those that suit the trip best. */
  products?: readonly Product[] | undefined
  /** The product of the sale in progress. */
  current?: Product | undefined
  trip: TripForm | undefined
  /** Receives the trip as it was typed. */
  onClose: (trip: TripForm) => void
  /** Chooses a product for the sale in progress. By default, each product has a link to a sale. */
  onChoose?: ((uuid: string, trip: TripForm) => void) | undefined
}

/** The trip, its prices, and how to continue with a product. */
export type Pricing = {
  current: Product | undefined
  onChoose: ((uuid: string) => void) | undefined
  trip: TripForm
  prices: Prices
  onChange: (change: Partial<TripForm>) => void
}
