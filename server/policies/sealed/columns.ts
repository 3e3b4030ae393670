import { numberIn, sealedNumber, type StoredNumber } from '#server/kit/sealed/document-numbers.ts'
import type { Scope } from '#server/kit/scope.ts'
import { inStatement } from '#server/kit/sql/in-statement.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

type Columns = { sealed?: unknown; sealed_by?: unknown; document_hash?: unknown }

/** A person whose document number is in clear, and nowhere else. */
export type Opened<Person extends Columns> = Omit<Person, 'sealed' | 'sealed_by' | 'document_hash'>

/** Returns the columns of a person to store, with the document number encrypted. */
const sealedPerson = <Person extends { policy_id: string; document_number?: string | null }>(
  secrets: Secrets,
  unitId: string,
  person: Person,
) => ({ ...person, ...sealedNumber(secrets, { unitId, policyId: person.policy_id }, person.document_number ?? null) })

/** Returns a person with the document number encrypted, for a statement that takes its rows as JSON. */
export function personInStatement<Person extends { policy_id: string; document_number?: string | null }>(
  secrets: Secrets,
  { businessUnitId }: Scope,
  person: Person,
) {
  const { sealed, document_hash, ...columns } = sealedPerson(secrets, businessUnitId, person)
  return { ...columns, sealed: sealed && inStatement(sealed), document_hash: document_hash && inStatement(document_hash) }
}

/** Decrypts the document number of a person. An older version may have stored it in clear. */
export function openedPerson<Person extends StoredNumber & { policy_id: string; document_hash?: unknown }>(
  secrets: Secrets,
  person: Person,
): Opened<Person> {
  const { sealed, sealed_by, document_hash: _, ...columns } = person
  const { document_number } = person
  return { ...columns, document_number: numberIn(secrets, person.policy_id, { document_number, sealed, sealed_by }) }
}
