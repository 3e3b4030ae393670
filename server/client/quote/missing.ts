import type { ClientQuotes } from '#common/client/quote/calls.ts'
import { fullNameOfRow } from '#common/people/person.ts'
import { customerType, type User, usersExpected } from '#common/policies/people.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { personReply, type PolicyRow, problemsOfSale, type StoredVersion } from '#server/policies/public.ts'

export type Traveller = ClientQuotes['quotes'][number]['travellers'][number]

type Quoted = { policy: Pick<PolicyRow, 'start_date'>; version: StoredVersion['version']; people: StoredVersion['people'] }

/** Returns the people of a saved quote as a request sends them, with an empty one for each who is not entered yet. */
export function usersIn({ version, people }: Quoted): User[] {
  const type = customerType(version.role_first_user) ?? 1
  return Array.from({ length: Math.max(people.length, usersExpected(type, version.pax_number)) }, (_, position) => {
    const person = people[position]
    return person ? { ...personReply(person), identificationTypeId: person.identification_type_id } : {}
  })
}

/** The rules by which a fact is missing, not wrong. */
const presence = new Set(['required', 'requiredIfAgeOver14'])

/** Returns everybody whom a quote insures, or who buys it, with the facts that its sale still needs. Only the agency completes a company. */
export function travellersIn(quoted: Quoted, unit: UnitSettings, now: Date): Traveller[] {
  const { policy, version, people } = quoted
  const users = usersIn(quoted)
  const asked = { startDate: policy.start_date, roleFirstUser: version.role_first_user, paxNumber: version.pax_number, users }
  const problems = version.role_first_user === 3 ? [] : problemsOfSale(asked, unit, now).filter(({ rule }) => presence.has(rule))
  return users.map((_, position) => {
    const person = people[position]
    const path = `users[${position}].`
    return {
      position,
      name: person ? fullNameOfRow(person) : '',
      birthYear: person?.birth_date ? Number(person.birth_date.slice(0, 4)) : null,
      holder: position === 0,
      missing: [...new Set(problems.flatMap(problem => (problem.path.startsWith(path) ? [problem.path.slice(path.length)] : [])))],
    }
  })
}
