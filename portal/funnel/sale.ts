import { ageOn, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import type { Product } from '#portal/products/store.ts'
import { emptyFunnel, type FunnelState, newTripForm, type TripForm, useFunnel } from './store.ts'

/** Begins a new sale, of a product if one was chosen. */
export function newSale(product?: Product): void {
  restart({ ...emptyFunnel, productUuid: product?.uuid, trip: product && newTripForm(product) })
}

/** Replaces the current sale. The new number gives it new forms. */
export function restart(state: FunnelState): void {
  useFunnel.setState({ ...state, sale: useFunnel.getState().sale + 1 }, true)
}

/** Returns the trip for another product. Typed values are kept, except countries that the product locks. */
export function tripFor({ settings }: Product, trip: TripForm): TripForm {
  const locked = settings.lockDestinationCountry && settings.defaultDestinationCountry
  return {
    ...trip,
    coverageScope: settings.lockOriginRegion ? settings.defaultOriginRegion.id : trip.coverageScope,
    mainDestination: locked ? [locked.id] : trip.mainDestination,
  }
}

/** Returns the trip with which products are compared: that of the sale in progress, else a new one. */
export function tripToCompare([first]: readonly Product[]): TripForm {
  const { trip } = saleInProgress()
  if (trip) return trip
  if (!first) throw new Error('no products to compare')
  return newTripForm(first)
}

/** Stores a trip that is typed before the steps of the sale. After a completed sale this begins a new one; a purchase under way is not changed. */
export function keepTrip(trip: TripForm): void {
  const { bought, sale } = useFunnel.getState()
  if (!bought) useFunnel.setState({ trip, typedDates: undefined, step: 1 })
  else if (bought.done) useFunnel.setState({ ...emptyFunnel, sale, trip }, true)
}

/** Chooses a product for the sale in progress. Another product has another price, and may need more details of the trip. */
export function chooseProduct(uuid: string): void {
  if (useFunnel.getState().productUuid === uuid) return
  useFunnel.setState({ productUuid: uuid, trip: saleInProgress().trip, typedDates: undefined, step: 1, agreedTotal: undefined })
}

/** Returns the trip as typed and the people of the sale in progress; nothing if it is completed or being purchased. */
export function saleInProgress(): Partial<Pick<FunnelState, 'trip' | 'people'>> {
  const { trip, typedDates, people, bought } = useFunnel.getState()
  return bought ? {} : { trip: trip && { ...trip, ...typedDates }, people }
}

/** Stores people who are filled in before the steps of the sale, in the same sale as `keepTrip`. */
export function keepPeople(people: FunnelState['people']): void {
  const { bought, sale } = useFunnel.getState()
  if (!bought) useFunnel.setState({ people })
  else if (bought.done) useFunnel.setState({ ...emptyFunnel, sale, people }, true)
}

/**
 * Puts the trip of a comparison into the sale of a product, which begins or continues. After a completed sale a new one begins; a purchase under way
 * is not changed.
 */
export function carryTrip(product: Product, trip: TripForm): void {
  const { trip: before, bought } = useFunnel.getState()
  if (bought && !bought.done) return
  const started = { productUuid: product.uuid, trip: tripFor(product, trip), typedDates: undefined }
  if (bought) restart({ ...emptyFunnel, ...started })
  else if (JSON.stringify(trip) !== JSON.stringify(before)) useFunnel.setState({ ...started, step: 1, agreedTotal: undefined })
}

/**
 * Returns the text of the ages field: by birth dates if known, else as typed, and for no more than all travellers. A text that is not a list of ages
 * is kept.
 */
export function agesShown({ startDate, travelers, birthDates, ages = '' }: TripForm): string {
  const [start, all] = [readDate(startDate), readAges(ages)]
  if (!all) return ages
  const typed = all.slice(0, Number(travelers) || all.length)
  const known = birthDates.slice(0, Number(travelers) || 0).map(({ date }) => {
    const born = readDate(date)
    return start && born ? ageOn(born, start) : null
  })
  return writeAges(Array.from({ length: Math.max(typed.length, known.length) }, (_, index) => known[index] ?? typed[index]))
}

/** Checks the text of the ages field. Rating checks the travellers' ages. */
export const agesProblems = ({ ages = '' }: TripForm): Problem[] =>
  readAges(ages) ? [] : [{ path: 'ages', rule: 'ages', key: 'validation.ages' }]
