import { readDate } from '#common/kit/dates.ts'
import { type Party, type PersonField, personFields } from '#common/people/person.ts'

/** Returns a fact as two versions are compared by it: nothing is an empty text, and a day may be written in either of its forms. */
export function comparedIn(person: Party, field: PersonField): string | number {
  const value = person[field] ?? ''
  return personFields[field].is === 'day' ? (readDate(value) ?? '') : value
}
