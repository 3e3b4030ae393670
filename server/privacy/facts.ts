import { createHmac } from 'node:crypto'
import { searchable } from '#common/kit/text.ts'
import { documentNumberCompared } from '#common/kit/validators/documents.ts'
import { allNamesOfRow } from '#common/people/person.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** The facts that a person is known by. A name is written as one text, in the order in which it is spoken. */
export type Facts = { document: string | null; birthDate: string | null; email: string | null; name: string | null }
type Hashes = { document_hash: Buffer | null; birth_date_hash: Buffer | null; email_hash: Buffer | null; name_hash: Buffer | null }

/** A person of a policy as it is blocked, with the document number decrypted. */
export type BlockedPerson = Record<
  'name' | 'middle_name' | 'last_name' | 'company_name' | 'document_number' | 'birth_date' | 'email',
  string | null
>

/** Returns the facts of the people in all versions of a policy, each person once. */
export function peopleIn(people: readonly BlockedPerson[]): Facts[] {
  const all = people.map(
    (person): Facts => ({
      document: person.document_number,
      birthDate: person.birth_date,
      email: person.email,
      name: allNamesOfRow(person),
    }),
  )
  return [...new Map(all.map(facts => [JSON.stringify(facts), facts])).values()]
}

/** Half of a SHA-256 is enough to distinguish all people of an agency. */
const hashBytes = 16

/** Returns the form in which facts are compared, whatever their spelling. */
export const comparable = ({ document, birthDate, email, name }: Facts): Facts => ({
  document: documentNumberCompared(document ?? '') || null,
  birthDate,
  email: email?.trim().toLowerCase() || null,
  name: searchable(name ?? '').trim() || null,
})

/** Hashes facts for a unit with a key outside the database, so that a thief of the database cannot test who is in blocked data. */
export function hashesOf(secrets: Secrets, unitId: string, facts: Facts): Hashes {
  const key = secrets.derive('people in blocked data')
  const { document, birthDate, email, name } = comparable(facts)
  const hash = (kind: string, value: string | null) =>
    value === null
      ? null
      : createHmac('sha256', key)
          .update(JSON.stringify([unitId, kind, value]))
          .digest()
          .subarray(0, hashBytes)
  return {
    document_hash: hash('document', document),
    birth_date_hash: hash('birthDate', birthDate),
    email_hash: hash('email', email),
    name_hash: hash('name', name),
  }
}
