import type { ResponseSentOf } from '#common/kit/call.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import type { KnownPerson } from './queries.ts'

export type PersonReply = ResponseSentOf<typeof knownPeople>['people'][number]

/** Returns a person as the API sends it: missing texts are empty. */
export const personReply = (person: KnownPerson): PersonReply => ({
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
