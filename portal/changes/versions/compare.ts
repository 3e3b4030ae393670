import { fullName } from '#common/kit/text.ts'
import { personFields } from '#common/people/person.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { type ComparedFact, comparedFacts } from '../labels.ts'
import type { PolicyVersion } from './versions.tsx'

type Value = { kind: 'date' | 'money' | 'text'; was: string | number | null; is: string | number | null }
/** A line in which two versions differ. `person`: its person; `label`: the name of a tax. */
export type VersionDifference = Value & { field: Field; person?: string; label?: string }

type Field =
  | ComparedFact
  | 'startDate'
  | 'endDate'
  | 'origin'
  | 'destinations'
  | 'insurancedAmount'
  | 'reservationDate'
  | 'holder'
  | 'person'
  | 'premium'
  | 'tax'
  | 'total'

type Person = PolicyVersion['users'][number]

/** Returns the lines in which two versions differ: the trip's, then those of people and price. `countryName` names a country. */
export function differencesOf(was: PolicyVersion, is: PolicyVersion, countryName: (country: number) => string): VersionDifference[] {
  const places = ({ trip }: PolicyVersion) => (tripIn(trip).destinations ?? []).map(countryName).toSorted().join(', ')
  const taxes = [...new Set([...was.taxes, ...is.taxes].map(({ code }) => code))]
  const taxOf = (version: PolicyVersion, code: string) => version.taxes.find(tax => tax.code === code)
  const found: VersionDifference[] = [
    { field: 'startDate', kind: 'date', was: was.startDate, is: is.startDate },
    { field: 'endDate', kind: 'date', was: was.endDate, is: is.endDate },
    { field: 'origin', kind: 'text', was: countryName(was.trip.countryOriginId), is: countryName(is.trip.countryOriginId) },
    { field: 'destinations', kind: 'text', was: places(was), is: places(is) },
    { field: 'insurancedAmount', kind: 'money', was: was.trip.insurancedAmount, is: is.trip.insurancedAmount },
    { field: 'reservationDate', kind: 'date', was: was.trip.reservationDate, is: is.trip.reservationDate },
    ...holderOf(was, is),
    ...peopleOf(was, is, countryName),
    { field: 'premium', kind: 'money', was: was.premium, is: is.premium },
    ...taxes.map((code): VersionDifference => {
      const [before, after] = [taxOf(was, code), taxOf(is, code)]
      return { field: 'tax', kind: 'money', label: (after ?? before)?.label ?? code, was: before?.amount ?? 0, is: after?.amount ?? 0 }
    }),
    { field: 'total', kind: 'money', was: was.total, is: is.total },
  ]
  return found.filter(line => (line.was ?? '') !== (line.is ?? ''))
}

/** Returns another policyholder, who may have been on the policy before. */
function holderOf({ users: [was] }: PolicyVersion, { users: [is] }: PolicyVersion): VersionDifference[] {
  if (!was || !is || was.personUuid === is.personUuid) return []
  return [{ field: 'holder', kind: 'text', was: fullName(was), is: fullName(is) }]
}

/** People are identified by their ids, whatever was corrected. */
function peopleOf(was: PolicyVersion, is: PolicyVersion, countryName: (country: number) => string): VersionDifference[] {
  const later = new Map(is.users.map(person => [person.personUuid, person]))
  const earlier = new Set(was.users.map(({ personUuid }) => personUuid))
  const kept = was.users.flatMap(person => {
    const after = later.get(person.personUuid)
    return after
      ? fieldsOf(person, after, countryName)
      : [{ field: 'person' as const, kind: 'text' as const, was: fullName(person), is: null }]
  })
  const joined = is.users
    .filter(({ personUuid }) => !earlier.has(personUuid))
    .map((person): VersionDifference => ({ field: 'person', kind: 'text', was: null, is: fullName(person) }))
  return [...kept, ...joined]
}

function fieldsOf(was: Person, is: Person, countryName: (country: number) => string): VersionDifference[] {
  const textOf = (person: Person, field: ComparedFact): string => {
    const value = field === 'name' ? fullName(person) : (person[field] ?? '')
    return typeof value === 'number' ? countryName(value) : value
  }
  return comparedFacts.map(field => ({
    field,
    person: fullName(is),
    kind: personFields[field].is === 'day' ? 'date' : 'text',
    was: textOf(was, field),
    is: textOf(is, field),
  }))
}
