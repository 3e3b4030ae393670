import { Refusal } from '#common/kit/refusals.ts'
import { allNamesOfRow, type PersonColumns } from '#common/people/person.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { comparable } from '../facts.ts'

/** A person of one agency, as the search distinguishes them: by document, or by name and birth date. */
export type Person = {
  unitId: string
  document: string | null
  birthDate: string | null
  /** As searched: in the order in which it is spoken. */
  name: string | null
  emails: string[]
}

const owner = 'person key'
/** The most bytes of addresses in a key. An erasure reads those of the policies anyway. */
const mostEmailBytes = 3_000

/** Encrypts a person as a key for the administration's next calls. Others can neither read nor make one. */
export const keyOf = (secrets: Secrets, person: Person): string =>
  secrets.seal(owner, Buffer.from(JSON.stringify({ ...person, emails: fitting(person.emails) }))).secret.toString('base64url')

function fitting(emails: string[]): string[] {
  let bytes = 0
  return emails.filter(email => (bytes += Buffer.byteLength(JSON.stringify(email)) + 1) <= mostEmailBytes)
}

/** Decrypts a key. One of a former encryption key is unknown by now: the search gives a new one. */
export function personIn(secrets: Secrets, key: string): Person {
  try {
    // Safe: only `keyOf` seals under this owner.
    return JSON.parse(secrets.open(owner, { secret: Buffer.from(key, 'base64url'), sealedBy: secrets.sealedBy }).toString()) as Person
  } catch {
    throw new Refusal('request.not_found')
  }
}

/** A row of `policy_people` with its document number decrypted, or as it was blocked. */
export type PersonRow = { version: number; position: number; holder: boolean; traveller: boolean } & IdentityRow &
  // Content that was blocked earlier lacks newer columns.
  Partial<PersonColumns>

type IdentityRow = Pick<PersonColumns, 'name' | 'middle_name' | 'last_name' | 'company_name' | 'birth_date' | 'document_number' | 'email'>

/** True unless a row is another person's: by document or birth date or, without a document, by name. */
export function isOwn(person: Person, row: IdentityRow): boolean {
  const facts = comparable({
    document: row.document_number,
    birthDate: row.birth_date,
    email: row.email,
    name: allNamesOfRow(row),
  })
  const agree = (known: string | null, own: string | null) => (known === null || own === null ? undefined : known === own)
  const [document, birthDate, name] = [
    agree(person.document, facts.document),
    agree(person.birthDate, facts.birthDate),
    agree(person.name, facts.name),
  ]
  if (document === false || birthDate === false) return false
  if (document !== true && name === false) return false
  if (document === true && person.birthDate === null && facts.birthDate === null) return true
  const email = facts.email !== null && person.emails.includes(facts.email)
  return [document, birthDate, name, email].filter(Boolean).length >= 2
}
