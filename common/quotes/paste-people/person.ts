import type { Span } from '../paste/text.ts'

/** The recognised fields of a person. `middleName` and `lastName` are the first and second surname (spec 3). */
export type PersonFields = {
  name?: string
  middleName?: string
  lastName?: string
  birthDate?: string
  documentKind?: 'national' | 'passport'
  docNumber?: string
  email?: string
  phone?: string
}

export const nameParts = ['name', 'middleName', 'lastName'] as const
export const personParts = [...nameParts, 'birthDate', 'documentKind', 'docNumber', 'email', 'phone'] as const

/**
 * A person in a text. `isSure`: the parts of the name have no other reading. `doubts`: the other facts that may be another person's. `travels`: a list
 * of travellers names them.
 */
export type PersonFound = { value: PersonFields; at: Span; isSure: boolean; doubts: readonly (keyof PersonFields)[]; travels: boolean }

const wordsOf = ({ name = '', middleName = '', lastName = '' }: PersonFields): string[] =>
  `${name} ${middleName} ${lastName}`
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[ '’-]+/)
    .filter(Boolean)

/** True if two names are the same person's: the words of one, at least two or the whole name, are all in the other. */
export function isSamePerson(a: PersonFields, b: PersonFields): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  if (one.length === 0 || other.length === 0) return false
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  return few.every(word => many.includes(word)) && (few.length > 1 || many.length === few.length)
}

/** Joins the people of a text: the first that is found stays, and the others add missing fields. */
export function joined(people: readonly PersonFound[]): PersonFound[] {
  const all: PersonFound[] = []
  for (const person of people) {
    const same = all.find(({ value }) => isSamePerson(value, person.value) && agree(value, person.value))
    if (same) {
      same.value = { ...person.value, ...same.value }
      same.travels ||= person.travels
    } else all.push({ ...person })
  }
  return all
}

const agree = (a: PersonFields, b: PersonFields): boolean =>
  (a.birthDate ?? b.birthDate) === (b.birthDate ?? a.birthDate) && (a.docNumber ?? b.docNumber) === (b.docNumber ?? a.docNumber)
