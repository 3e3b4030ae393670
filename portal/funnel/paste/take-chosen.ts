import type { PastedField } from '#common/quotes/paste/paste.ts'
import { birthDatesOf, peopleForm, step2Of } from '../people-form.ts'
import { agesShown, keepPeople, saleInProgress } from '../sale.ts'
import type { TripForm } from '../store.ts'
import { filledBy } from './fill.ts'
import { type PastedPart, withPeople } from './fill-people.ts'

/** The choice of a user from a pasted text: fields of the trip, and people for the next step, who may take the place of all who are typed. */
type Choice = { fields: readonly PastedField[]; parts: readonly PastedPart[]; replaced: readonly string[] }

/** The result of the dialog, so that the page need not load how it is done. */
export type Chosen = {
  /** How many people the choice has. */
  people: number
  /** The names of those whose place they take. */
  replaced: readonly string[]
  /** Stores the people for step 2, and returns what the choice changes in the trip. */
  take: (current: TripForm) => Partial<TripForm>
}

export const chosenFrom = (choice: Choice): Chosen => ({
  people: new Set(choice.parts.map(({ traveller }) => traveller)).size,
  replaced: choice.parts.length > 0 ? choice.replaced : [],
  take: current => takeChoice(choice, current),
})

function takeChoice({ fields, parts, replaced }: Choice, current: TripForm): Partial<TripForm> {
  const values = filledBy(fields)
  if (parts.length === 0) return values
  const isAnew = replaced.length > 0
  const trip = { ...current, ...(isAnew ? withoutPeople : {}), ...values }
  const filledForm = withPeople(peopleForm(isAnew ? undefined : saleInProgress().people, trip), parts)
  const step2 = step2Of(filledForm)
  keepPeople(step2)
  // Step 2 has a row for each of the trip's travellers.
  const travelers = filledForm.extraTravellers.length + 1
  if (isAnew || travelers > Number(trip.travelers)) values.travelers = travelers
  if (isAnew || parts.some(({ value }) => value.birthDate)) values.birthDates = birthDatesOf(step2)
  if (isAnew) values.ages = agesShown({ ...trip, ...values, ages: '' })
  return values
}

/** A trip of which no traveller is known yet. */
export const withoutPeople = { travelers: 1, ages: '', birthDates: [] }
