import { displayDate } from '#common/kit/dates.ts'
import type { PastedField } from '#common/quotes/paste/paste.ts'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'

/** Returns the pasted fields in this product's form. Ages are shown, but the form has no field for them. */
export function fitting(fields: readonly PastedField[], { settings }: Product): PastedField[] {
  return fields.filter(({ field }) => {
    if (field === 'coverageScope') return !settings.lockOriginRegion
    if (field === 'mainDestination') return !settings.lockDestinationCountry
    if (field === 'priceTravel' || field === 'reservationDate') return settings.hasAmountCancellation
    return field !== 'age'
  })
}

/** False for a destination that the product does not offer, as its field could not show it. */
export const isOffered = ({ field, value }: PastedField, { settings }: Product): boolean =>
  field !== 'mainDestination' || settings.countries.length === 0 || settings.countries.includes(value)

/** Returns the values of the chosen fields in the form's format. */
export function filledBy(chosen: readonly PastedField[]): Partial<TripForm> {
  const values: Partial<TripForm> = {}
  for (const { field, value } of chosen) {
    if (field === 'startDate' || field === 'endDate' || field === 'reservationDate') values[field] = displayDate(value) ?? ''
    else if (field === 'mainDestination') values.mainDestination = [...(values.mainDestination ?? []), value]
    else if (field !== 'age' && typeof value === 'number') values[field] = value
  }
  return values
}
