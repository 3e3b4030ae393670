import { readDate } from '#common/kit/dates.ts'
import { type Party, type PersonField, personFields } from '#common/people/person.ts'

/** Normalises a fact to compare two versions: a missing value becomes an empty text, and a date one format. */
export function comparedIn(person: Party, field: PersonField): string | number {
  const value = person[field] ?? ''
  return personFields[field].is === 'day' ? (readDate(value) ?? '') : value
}
