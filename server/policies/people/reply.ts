import type { ResponseSentOf } from '#common/kit/call.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import { byKind, type PersonColumns, personFieldNames, personFields, personFieldsWhere } from '#common/people/person.ts'
import { stableId } from '#server/kit/store/stable-id.ts'

export type PersonReply = ResponseSentOf<typeof knownPeople>['people'][number]

/** Returns a person as the API sends it: missing texts are empty. */
export const personReply = (person: PersonColumns): PersonReply =>
  // Safe: each fact is its column's, with an empty text for none.
  Object.fromEntries(personFieldNames.map(field => [field, person[personFields[field].column] ?? empty[field]])) as PersonReply

const empty = byKind({ text: '', documentNumber: '', day: null, country: null, documentKind: 'national' })

/** Returns a person without contact data and residence, which are not sent of a traveller. */
export const withoutContact = (person: PersonReply): PersonReply => ({ ...person, ...noContact })

const noContact: Partial<PersonReply> = Object.fromEntries(
  personFieldsWhere('part', 'reach', 'address', 'more').map(field => [field, empty[field]]),
)

/** Returns a person's id, the same in all versions. People who were there at the sale are known by their position in it. */
export const personIdOf = (policyId: string, { person_id: id, position }: { person_id: string | null; position: number }): string =>
  id ?? stableId('person', policyId, String(position))
