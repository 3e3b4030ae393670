import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'

/** The facts of a user that identify a person. */
type Person = { [field in 'name' | 'middleName' | 'lastName' | 'birthDate' | 'docNumber' | 'documentKind']?: string | null | undefined }

/**
 * Finds people who are on a policy twice, or share a document. Returns each person's problems, at the later of the two. A company is passed as
 * undefined.
 */
export function duplicateProblems(people: readonly (Person | undefined)[]): Problem[][] {
  const documents = new Map<string, string>()
  const persons = new Map<string, Known[]>()
  return people.map(user => {
    const known = user && knownOf(user)
    if (!known) return []
    const { person, document } = known
    const namesakes = persons.get(person) ?? []
    const hasDocument = document !== '' && documents.has(document)
    const isThere = person !== '' && namesakes.some(other => mayBeSame(known, other))
    const holder = documents.get(document)
    documents.set(document, person)
    persons.set(person, [...namesakes, known])
    if (hasDocument && holder === person && person !== '') return [{ path: 'docNumber', rule: 'samePerson', key: 'validation.samePerson' }]
    if (hasDocument) return [{ path: 'docNumber', rule: 'sameDocument', key: 'validation.sameDocument' }]
    return isThere ? [{ path: 'name', rule: 'samePerson', key: 'validation.samePerson' }] : []
  })
}

/** The texts to compare, empty if too little is known. */
type Known = { person: string; document: string; kind: string }

/** Two documents of one kind belong to two namesakes. */
const mayBeSame = (one: Known, other: Known): boolean => one.document === '' || other.document === '' || one.kind !== other.kind

function knownOf({ name, middleName, lastName, birthDate, docNumber, documentKind }: Person): Known {
  const born = readDate(birthDate)
  const names = [name, middleName, lastName].map(each => (typeof each === 'string' ? searchable(each.slice(0, longestName)).trim() : ''))
  const kind = documentKind === 'passport' ? 'passport' : 'national'
  const number = documentNumberSent(docNumber)
  return { person: born && names[0] && names[1] ? [...names, born].join('|') : '', document: number && `${kind} ${number}`, kind }
}

const longestName = 100
