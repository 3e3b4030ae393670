import { displayDate } from '#common/kit/dates.ts'
import type { Found } from '#common/quotes/paste/paste.ts'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'

/** What a form of this product has a place for. Ages are told, but there is no field for them. */
export function fitting(found: readonly Found[], { settings }: Product): Found[] {
  return found.filter(({ field }) => {
    if (field === 'coverageScope') return !settings.lockOriginRegion
    if (field === 'mainDestination') return !settings.lockDestinationCountry
    if (field === 'priceTravel' || field === 'reservationDate') return settings.hasAmountCancellation
    return field !== 'age'
  })
}

/** A destination that the product does not offer could not be seen in its field. */
export const isOffered = ({ field, value }: Found, { settings }: Product): boolean =>
  field !== 'mainDestination' || settings.countries.length === 0 || settings.countries.includes(value)

/** The fields that are filled, as the form holds them. */
export function filledBy(chosen: readonly Found[]): Partial<TripForm> {
  const values: Partial<TripForm> = {}
  for (const { field, value } of chosen) {
    if (field === 'startDate' || field === 'endDate' || field === 'reservationDate') values[field] = displayDate(value) ?? ''
    else if (field === 'birthDate') values.birthDates = [...(values.birthDates ?? []), { date: displayDate(value) ?? '' }]
    else if (field === 'mainDestination') values.mainDestination = [...(values.mainDestination ?? []), value]
    else if (field !== 'age' && typeof value === 'number') values[field] = value
  }
  return values
}

/** A row for each on both sides: one that is no longer there has to be emptied. */
export const sameRows = (rows: TripForm['birthDates'], others: TripForm['birthDates']): TripForm['birthDates'] =>
  Array.from({ length: Math.max(rows.length, others.length) }, (_, place) => ({ date: rows[place]?.date ?? '' }))
