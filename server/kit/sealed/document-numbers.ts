import { documentNumberCompared, documentNumberSent } from '#common/kit/validators/documents.ts'
import type { Scope } from '#server/kit/scope.ts'
import { inStatement } from '#server/kit/store/value-types.ts'
import { type NamedKeys, type Secrets, secretsOf } from '#server/kit/store/secrets.ts'

// Document numbers are encrypted in the database, each for its policy alone. A keyed hash finds the whole number within its unit.

const purpose = 'document numbers'
/** Half of a SHA-256 is enough to distinguish all people of a unit. */
const hashBytes = 16

/** The columns of a person's number. One that an older version stored is in `document_number`; else that is null. */
export type StoredNumber = { document_number: string | null; sealed: Buffer | null; sealed_by: string | null }
export type SealedNumber = { document_number: null; sealed: Buffer | null; sealed_by: string | null; document_hash: Buffer | null }

type Owner = { unitId: string; policyId: string }

/** Returns the columns of an encrypted number, or of no number. */
export function sealedNumber(secrets: Secrets, { unitId, policyId }: Owner, number: string | null): SealedNumber {
  if (!number) return { document_number: null, sealed: null, sealed_by: null, document_hash: null }
  const { secret, sealedBy } = openers(secrets).seal(ownerOf(policyId), Buffer.from(number))
  return { document_number: null, sealed: secret, sealed_by: sealedBy, document_hash: numberHashes(secrets, unitId, number)[0] ?? null }
}

/** Returns the number of a row in clear. */
export const numberIn = (secrets: Secrets, policyId: string, { document_number, sealed, sealed_by }: StoredNumber): string | null =>
  sealed === null ? document_number : openers(secrets).open(ownerOf(policyId), { secret: sealed, sealedBy: sealed_by }).toString()

/** Returns the hashes under which a unit has a number, whatever its spelling. A number without a letter or digit has none. */
export function numberHashes(secrets: Secrets, unitId: string, number: string): Buffer[] {
  const compared = documentNumberCompared(number)
  return compared === '' ? [] : secrets.hashes(purpose, JSON.stringify([unitId, compared])).map(hash => hash.subarray(0, hashBytes))
}

/** A whole number to search for: its hashes, and the number itself for rows that an older version stored. */
export type NumberSought = { hashes: Buffer[]; stored: string }

export const numberSought = (secrets: Secrets, unitId: string, number: string): NumberSought => ({
  hashes: numberHashes(secrets, unitId, number),
  stored: documentNumberSent(number),
})

/** Returns the keys that decrypt numbers and nothing else, for a thread. */
export const numberKeys = (secrets: Secrets): NamedKeys => secrets.keysFor(purpose)

/** Returns the function that decrypts numbers with these keys. */
export function numberOpener(keys: NamedKeys): (policyId: string, sealed: Buffer, sealedBy: string) => string {
  const own = secretsOf(keys, 'SECRETS_KEY')
  return (policyId, secret, sealedBy) => own.open(ownerOf(policyId), { secret, sealedBy }).toString()
}

const ownerOf = (policyId: string): string => `document of ${policyId}`

/** Numbers have keys of their own. They are derived once, because that takes longer than encrypting a number. */
function openers(secrets: Secrets): Secrets {
  const found = opened.get(secrets)
  if (found) return found
  const made = secretsOf(numberKeys(secrets), 'SECRETS_KEY')
  opened.set(secrets, made)
  return made
}

const opened = new WeakMap<Secrets, Secrets>()

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
