import type { Problem } from '#common/kit/problems.ts'
import { peopleProblems, type PeopleSettings, type User } from '#common/policies/people.ts'
import { personFieldNames } from '#common/people/person.ts'
import { readDate } from '#common/kit/dates.ts'
import { refusedBy, type Refused } from '../refusals.ts'
import type { Person, Policy } from '../state.ts'
import type { Change } from './asked.ts'
import { readPeople } from './people.ts'

/** By the kind of policyholder (spec 7). */
const roleFirstUser = { travels: 1, stays: 2, company: 3 } as const

/**
 * Returns a form's problems for the people whom a change touches and for a new policyholder. People who stay unchanged were validated when they were
 * sold, by the rules of that day.
 */
export function formProblems(policy: Policy, { users, startDate }: Change, settings: Omit<PeopleSettings, 'startDate'>): Refused[] {
  if (!users) return []
  const { people, holder, trip } = policy
  const known = new Map<unknown, Person>(people.map(person => [person.personUuid, person]))
  const { asked: read } = readPeople(policy, users)
  const merged = users.map((sent, index): { user: User; isTouched: boolean } => {
    // A person with two different facts is another one (rule 9), without any data of the one who leaves.
    const person = read[index]?.what === 'joins' ? undefined : known.get(sent['personUuid'])
    const was = person && userOf(person)
    const user: User = { ...was, ...userOf(sent) }
    // A traveller who becomes the policyholder needs an address, and must be of age.
    const isNewHolder = index === 0 && person?.personUuid !== people[0]?.personUuid
    return { user, isTouched: !was || isNewHolder || personFieldNames.some(field => (was[field] ?? '') !== (user[field] ?? '')) }
  })
  const asked = {
    roleFirstUser: roleFirstUser[holder],
    paxNumber: users.length - (holder === 'travels' ? 0 : 1),
    users: merged.map(({ user }) => user),
  }
  return peopleProblems(asked, { ...settings, startDate: readDate(startDate) ?? trip.startDate })
    .filter(problem => merged.some(({ isTouched }, index) => isTouched && isAbout(problem, index)))
    .map(refusedBy)
}

const isAbout = ({ path }: Problem, index: number): boolean => path === `users[${index}]` || path.startsWith(`users[${index}].`)

const isField: ReadonlySet<string> = new Set(personFieldNames)

/** The form's fields. Fields that were not sent are left out. */
const userOf = (facts: Readonly<Record<string, unknown>>): User =>
  Object.fromEntries(Object.entries(facts).filter(([field, value]) => value !== undefined && isField.has(field)))
