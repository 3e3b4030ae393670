import { ageOn, displayDate, readDate } from '#common/kit/dates.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import type { PastedField, Recognised } from '#common/quotes/paste/paste.ts'
import type { Span } from '#common/quotes/paste/text.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { Product } from '#portal/products/store.ts'
import { birthDatesOf, peopleForm, step2Of } from '../people-form.ts'
import { agesShown, keepPeople, saleInProgress } from '../sale.ts'
import type { TripForm } from '../store.ts'
import { type PastedPart, withPeople } from './fill-people.ts'

/** The user's choice from a pasted text: fields of the trip, and people for the next step, who may replace all typed people. */
type Choice = { fields: readonly PastedField[]; parts: readonly PastedPart[]; replaced: readonly string[] }

type FilledLine = { now: () => TripForm; put: (change: Partial<TripForm>) => void }

/** The result of the dialog. It includes its own functions, so that the page need not load their code. */
export type Chosen = {
  /** The number of people in the choice. */
  people: number
  /** The names of the people whom they replace. */
  replaced: readonly string[]
  /** Puts the choice into the line and the sale. Returns the names of the filled fields, and `undo`, which restores the previous values. */
  fillIn: (line: FilledLine) => { names: ReadonlySet<string>; undo: () => void }
}

export const chosenFrom = (choice: Choice): Chosen => ({
  people: new Set(choice.parts.map(({ traveller }) => traveller)).size,
  replaced: choice.parts.length > 0 ? choice.replaced : [],
  fillIn: line => fillLine(line, choice),
})

function fillLine({ now, put }: FilledLine, choice: Choice) {
  const before = { trip: now(), people: saleInProgress().people }
  const values = takeChoice(choice, before.trip)
  put(values)
  return {
    // One field has the travellers, their ages and birth dates.
    names: new Set(Object.keys(values).map(name => (name === 'birthDates' || name === 'travelers' ? 'ages' : name))),
    undo: () => {
      keepPeople(before.people)
      put(before.trip)
    },
  }
}

/** Stores the people for step 2, and returns the changes to the trip. */
function takeChoice(choice: Choice, current: TripForm): Partial<TripForm> {
  const values = takePeople(choice, current)
  const ages = choice.fields.flatMap(({ field, value }) => (field === 'age' ? [value] : []))
  return ages.length > 0 ? { ...values, ...agesWith(ages, { ...current, ...values }, todayInUnit()) } : values
}

/**
 * Returns the ages field with the ages of a text, and a traveller for each. They belong to the last travellers without a birth date, as a text with
 * fewer ages than travellers names those of children.
 */
export function agesWith(given: readonly number[], trip: TripForm, today: string): Pick<TripForm, 'travelers' | 'ages'> {
  const births = Array.from({ length: Number(trip.travelers) || 1 }, (_, place) => readDate(trip.birthDates[place]?.date))
  const ages = agesWithoutBirths(given, births, [today, readDate(trip.startDate)])
  const missing = ages.length - births.filter(birth => birth === undefined).length
  const all = [...births, ...Array.from({ length: Math.max(0, missing) }, () => undefined)]
  const places = all.flatMap((birth, place) => (birth === undefined ? [place] : []))
  const placed = new Map(places.slice(places.length - ages.length).map((place, index) => [place, ages[index]]))
  const typed = readAges(trip.ages ?? '') ?? []
  return { travelers: all.length, ages: writeAges(all.map((_, place) => placed.get(place) ?? typed[place])) }
}

/** Leaves out the ages of people whose birth dates are known. A text states the age on the day of its writing, or on that of the trip. */
function agesWithoutBirths(given: readonly number[], births: readonly Day[], days: readonly Day[]): number[] {
  const ages = [...given]
  for (const birth of births) {
    const onDays = new Set(days.map(day => (birth && day ? ageOn(birth, day) : undefined)))
    const index = ages.findIndex(age => onDays.has(age))
    if (index >= 0) ages.splice(index, 1)
  }
  return ages
}

type Day = string | undefined

/**
 * True if so many travellers have room for the ages of a text, and if none of them is that of a person on its line. Only if each traveller has one,
 * they are in the order of the people.
 */
export function agesFit(travelers: number, { text, people, found }: Pick<Recognised, 'text' | 'people' | 'found'>, today: string): boolean {
  const ages = found.flatMap(each => (each.field === 'age' ? [each] : []))
  const days = [today, ...found.flatMap(each => (each.field === 'startDate' ? [each.value] : []))]
  const births = people.flatMap(({ value }) => value.birthDate ?? [])
  const left = agesWithoutBirths(
    ages.map(({ value }) => value),
    births,
    days,
  )
  const isBeside = (a: Span, b: Span) => !text.slice(Math.min(a[1], b[1]), Math.max(a[0], b[0])).includes('\n')
  const isOfNamed = ages.some(({ at }) => people.some(person => isBeside(person.at, at)))
  return left.length <= travelers - births.length && (!isOfNamed || ages.length === travelers)
}

function takePeople({ fields, parts, replaced }: Choice, current: TripForm): Partial<TripForm> {
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

/** A trip without known travellers. */
export const withoutPeople = { travelers: 1, ages: '', birthDates: [] }

/** Returns the pasted fields that have a field of their own in this product's form. */
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
