import type { ResponseSentOf } from '#common/kit/call.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { PersonRow } from '../queries.ts'

export type PersonReply = ResponseSentOf<typeof knownPeople>['people'][number]

/** Returns a person as the API sends it: missing texts are empty. */
export const personReply = (person: PersonRow): PersonReply => ({
  name: person.name ?? '',
  middleName: person.middle_name ?? '',
  lastName: person.last_name ?? '',
  companyName: person.company_name ?? '',
  birthDate: person.birth_date,
  docNumber: person.document_number ?? '',
  documentKind: person.document_kind,
  residenceCountryId: person.residence_country,
  email: person.email ?? '',
  phonePrefix: person.phone_prefix ?? '',
  phoneNumber: person.phone_number ?? '',
  address: person.address ?? '',
  city: person.city ?? '',
  state: person.state ?? '',
  zipCode: person.zip_code ?? '',
})

/** Returns a person's id, the same in all versions. People who were there at the sale are known by their position in it. */
export const personIdOf = (policyId: string, { person_id: id, position }: { person_id: string | null; position: number }): string =>
  id ?? stableId('person', policyId, String(position))
