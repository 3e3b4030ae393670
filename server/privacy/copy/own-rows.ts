import { allNamesOfRow, type PersonColumns } from '#common/people/person.ts'
import { comparable } from '../facts.ts'
import type { Person } from '../persons/key.ts'

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
