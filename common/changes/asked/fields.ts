import { fullName } from '#common/kit/text.ts'
import { personFieldNames } from '#common/people/person.ts'
import { sentOf } from '#common/quotes/trip-codecs.ts'
import type { Person, Version } from '../state.ts'

/** The parts of a version that a step may change, besides its price. */
export type Fields = Pick<Version, 'trip' | 'people'> & { reference: string | null; locale: string }

type Value = string | number | null
/**
 * A field in which two versions differ. `path`: the field of a change's request. A person who joins or leaves counts as a field, and `users[0]` is
 * another policyholder, by name.
 */
type FieldChange = { path: string; from: Value; to: Value }

/** Returns the fields in which a version differs from the previous one, those of the trip first. */
export const fieldsChanged = (was: Fields, is: Fields): FieldChange[] => [
  ...differing('', valuesOf(was), valuesOf(is)),
  ...holderChanged(was, is),
  ...was.people.flatMap(person => {
    const after = is.people.find(({ personUuid }) => personUuid === person.personUuid)
    return after
      ? differing(`${pathOf(person)}.`, factsOf(person), factsOf(after))
      : [{ path: pathOf(person), from: fullName(person), to: null }]
  }),
  ...is.people
    .filter(person => was.people.every(({ personUuid }) => personUuid !== person.personUuid))
    .map(person => ({ path: pathOf(person), from: null, to: fullName(person) })),
  ...differing('', { buReference: was.reference, locale: was.locale }, { buReference: is.reference, locale: is.locale }),
]

const differing = (prefix: string, was: Record<string, Value>, is: Record<string, Value>): FieldChange[] =>
  Object.entries(was).flatMap(([field, from]) => {
    const to = is[field] ?? null
    return from === to ? [] : [{ path: `${prefix}${field}`, from, to }]
  })

/** The order of countries has no meaning. */
const valuesOf = ({ trip }: Fields): Record<string, Value> => sentOf({ ...trip, destinations: trip.destinations.toSorted((a, b) => a - b) })

function holderChanged({ people: [was] }: Fields, { people: [is] }: Fields): FieldChange[] {
  return was && is && was.personUuid !== is.personUuid ? [{ path: 'users[0]', from: fullName(was), to: fullName(is) }] : []
}

const pathOf = ({ personUuid }: Person): string => `users[${personUuid}]`

/** An empty text counts as missing. */
const factsOf = (person: Person): Record<string, Value> => Object.fromEntries(personFieldNames.map(field => [field, person[field] || null]))
