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

/** `isSure`: the name has no other reading. `doubts`: facts that may be another's. `travels`: a list of travellers has the person. */
export type PersonFound = { value: PersonFields; at: Span; isSure: boolean; doubts: readonly (keyof PersonFields)[]; travels: boolean }

/** Returns a person of a text. The name is certain, and no list of travellers has it, unless `more` says otherwise. */
export const personAt = (value: PersonFields, at: Span, more: Partial<Pick<PersonFound, 'isSure' | 'travels'>> = {}): PersonFound => ({
  value,
  at,
  isSure: more.isSure ?? true,
  doubts: [],
  travels: more.travels ?? false,
})

const wordsOf = ({ name = '', middleName = '', lastName = '' }: PersonFields): string[] =>
  `${name} ${middleName} ${lastName}`
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[ '’-]+/)
    .filter(Boolean)

/** True if two names are the same person's: the words of one, at least two or the whole name, are all in the other. */
export function isSamePerson(a: PersonFields, b: PersonFields): boolean {
  const [few = [], many = []] = [wordsOf(a), wordsOf(b)].toSorted((one, other) => one.length - other.length)
  return few.length > 0 && few.every(word => many.includes(word)) && (few.length > 1 || many.length === 1)
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
