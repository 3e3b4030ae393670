import { Refusal } from '#common/kit/refusals.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

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
