import { readDate } from '#common/kit/dates.ts'
import { searchable } from '#common/kit/text.ts'
import { contactFields, type Party, type PersonField, personFieldsWhere } from '#common/people/person.ts'
import { type Person, type Policy, travels } from '../state.ts'

/** A person after the change. A new person has no uuid yet. */
export type After = Party & { personUuid: string | null }
export type What = 'same' | 'mended' | 'joins' | 'leaves'

/** The people after a change. `asked` has one entry for each of the change's users. */
export type People = {
  asked: { person: After; what: What; bornAnew: boolean }[]
  leaves: Person[]
  touched: { contact: boolean; names: boolean; births: boolean; joins: boolean; leaves: boolean; holder: boolean }
  /** Users whose uuid is unknown to the policy or given twice, or whose birth date was removed. */
  unknown: number[]
  unborn: number[]
}

/** A person as a change sends it. */
type User = Party & { readonly personUuid?: unknown }

/**
 * Rule 9: one of name, birth date and document number may change, as a correction. If two change it is another person: one leaves, one joins. Filling
 * in a missing fact is no change. A missing field stays unchanged.
 */
export function readPeople(policy: Policy, users: readonly Readonly<Record<string, unknown>>[]): People {
  const { people, holder } = policy
  const found: People = {
    asked: [],
    leaves: [],
    touched: { contact: false, names: false, births: false, joins: false, leaves: false, holder: false },
    unknown: [],
    unborn: [],
  }
  const known = new Map(people.map((person, index) => [person.personUuid, { person, isTraveller: travels(holder, index) }]))
  const stays = new Set<string>()
  users.forEach((sent: User, index) => {
    const { personUuid: uuid } = sent
    const user = sentOf(sent)
    const isTraveller = travels(holder, index)
    const match = typeof uuid === 'string' ? known.get(uuid) : undefined
    const isStranger =
      uuid !== undefined && uuid !== null && (!match || match.isTraveller !== isTraveller || stays.has(match.person.personUuid))
    if (isStranger) found.unknown.push(index)
    if (isStranger || !match || !isSame(match.person, user)) {
      found.asked.push({ person: { ...user, personUuid: null }, what: 'joins', bornAnew: true })
      if (isTraveller) found.touched.joins = true
      else found.touched.holder = true
      return
    }
    stays.add(match.person.personUuid)
    addKept(found, match.person, user, { index, isTraveller })
  })
  people.forEach((person, index) => {
    if (stays.has(person.personUuid) || !travels(holder, index)) return
    found.leaves.push(person)
    found.touched.leaves = true
  })
  if (found.asked[0]?.person.personUuid !== people[0]?.personUuid) found.touched.holder = true
  return found
}

/** The birth date of a policyholder who stays at home does not affect the price. It is corrected like a name. */
function addKept(found: People, was: Person, user: Party, { index, isTraveller }: { index: number; isTraveller: boolean }): void {
  const is: After = { ...was, ...user }
  const [names, births] = [differ(was, is, nameFields), readDate(was.birthDate) !== readDate(is.birthDate)]
  found.asked.push({ person: is, what: names || births ? 'mended' : 'same', bornAnew: births && isTraveller })
  if (births && readDate(is.birthDate) === undefined) found.unborn.push(index)
  found.touched.names ||= names || (births && !isTraveller)
  found.touched.births ||= births && isTraveller
  found.touched.contact ||= differ(was, is, contactFields)
}

const nameFields = personFieldsWhere('part', 'who').filter(field => field !== 'birthDate')

const sentOf = (user: User): Party =>
  Object.fromEntries(Object.entries(user).filter(([field, value]) => field !== 'personUuid' && value !== undefined))

/** Undefined, null and an empty text are equal. */
const differ = (was: Party, is: Party, fields: readonly PersonField[]): boolean =>
  fields.some(field => was[field] !== is[field] && textOf(was[field]) !== textOf(is[field]))

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function isSame(was: Person, user: Party): boolean {
  const is: Party = { ...was, ...user }
  return facts.filter(({ fields, read }) => differ(was, is, fields) && isChanged(read(was), read(is))).length <= 1
}

const isChanged = (was: string, is: string): boolean => was !== '' && was !== is

/** The three facts that identify a person: letters and digits only, without accents and case. */
const facts: { fields: readonly PersonField[]; read: (user: Party) => string }[] = [
  { fields: personFieldsWhere('line', 'name'), read: user => plain(namesOf(user)) },
  { fields: ['birthDate'], read: user => readDate(user.birthDate) ?? '' },
  { fields: ['docNumber'], read: user => plain(textOf(user.docNumber)) },
]

const namesOf = (user: Party): string =>
  personFieldsWhere('line', 'name')
    .map(field => textOf(user[field]))
    .join('')

const plain = (text: string): string => searchable(text.slice(0, longest)).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** No name is longer, and normalising combining marks takes long. */
const longest = 400
