import type { ReplySent } from '#common/kit/call.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import type { KnownPerson } from './queries.ts'

export type Told = ReplySent<typeof knownPeople>['people'][number]

/** Somebody as callers are told of him: what is not there is an empty text. */
export const personReply = (person: KnownPerson): Told => ({
  name: person.name ?? '',
  middleName: person.middle_name ?? '',
  lastName: person.last_name ?? '',
  companyName: person.company_name ?? '',
  birthDate: person.birth_date,
  docNumber: person.document_number ?? '',
  email: person.email ?? '',
  phonePrefix: person.phone_prefix ?? '',
  phoneNumber: person.phone_number ?? '',
  address: person.address ?? '',
  city: person.city ?? '',
  state: person.state ?? '',
  zipCode: person.zip_code ?? '',
})
