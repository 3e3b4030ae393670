import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { searchable } from '#common/kit/text.ts'
import { contactFields, type Party, type PersonField, personFieldNames, personFieldsWhere } from '#common/people/person.ts'
import { peopleProblems, type PeopleSettings, type User } from '#common/policies/people.ts'
import type { TripSent } from '#common/quotes/schemas.ts'
import { type Trip, type TripDraft, tripSent } from '#common/quotes/trip.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { type Refused, refusedBy } from '../refusals.ts'
import { type Person, type Policy, travels } from '../state.ts'

/** A change as a call sends it. A missing field stays unchanged. Dates in either format, amounts in major units. */
export type Change = { readonly [field in (typeof tripSent)[keyof Trip]]?: TripSent[field] | null | undefined } & {
  /** All people, policyholder first; those already on the policy with their `personUuid`. */
  users?: readonly { readonly [field: string]: unknown }[] | null | undefined
  buReference?: string | null | undefined
  locale?: string | null | undefined
}

/** The facts of a policy that a change touches, by the field that a refusal names. */
export type Touched = Record<keyof Trip, boolean> & People['touched'] & { reference: boolean; locale: boolean }

/** The policy that the change asks for. */
export type Asked = {
  trip: Trip
  people: After[]
  /** The people, and those who leave. Undefined if no people were sent. */
  found: People | undefined
  touched: Touched
  reference: string | null
  locale: string | null
}

/** Reads a change against the current policy, or returns what cannot be read. Accepts any input. */
export function readChange(
  policy: Policy,
  change: Change,
): { asked: Asked; problems?: undefined } | { asked?: undefined; problems: Problem[] } {
  const sent = typeof change === 'object' && change !== null ? change : {}
  const draft = tripIn(sent)
  const problems = [...unknownFields(sent), ...unreadable(sent, draft)]
  if (problems.length > 0) return { problems }
  const found = sent.users ? readPeople(policy, sent.users) : undefined
  const { unknown = [], unborn = [] } = found ?? {}
  const wrong = [
    ...unknown.map((index): Problem => ({ path: `users[${index}].personUuid`, rule: 'unknown', key: 'shape.unknown' })),
    ...unborn.map((index): Problem => ({ path: `users[${index}].birthDate`, rule: 'required', key: 'validation.required' })),
  ]
  if (wrong.length > 0) return { problems: wrong }
  const trip = tripAsked(policy, draft)
  const reference = sent.buReference === undefined ? (policy.reference ?? null) : sent.buReference
  const locale = sent.locale === undefined ? (policy.locale ?? null) : sent.locale
  const touched = {
    ...(found?.touched ?? { contact: false, names: false, births: false, joins: false, leaves: false, holder: false }),
    ...touchedOf(policy, trip),
    reference: (reference ?? '') !== (policy.reference ?? ''),
    locale: (locale ?? '') !== (policy.locale ?? ''),
  }
  return { asked: { trip, people: found?.asked.map(({ person }) => person) ?? [...policy.people], found, touched, reference, locale } }
}

const unknownFields = (sent: Change): Problem[] =>
  Object.keys(sent)
    .filter(name => !changeFields.some(field => field === name))
    .map(path => ({ path, rule: 'unknown', key: 'shape.unknown' }))

function unreadable(sent: Change, draft: TripDraft): Problem[] {
  const { countryOriginId: origin, countriesDestinationId: destinations, insurancedAmount: amount, users } = sent
  const wrong = (path: string, rule: string, key: string): Problem[] => [{ path, rule, key }]
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string'
  return [
    ...(['startDate', 'endDate', 'reservationDate'] as const).flatMap(path =>
      sent[path] === undefined || draft[path] ? [] : wrong(path, 'validDate', 'validation.invalidDate'),
    ),
    ...(origin === undefined || draft.origin !== undefined ? [] : wrong('countryOriginId', 'required', 'validation.required')),
    ...(destinations === undefined || draft.destinations ? [] : wrong('countriesDestinationId', 'required', 'validation.required')),
    ...(amount === undefined || (draft.amountCents ?? 0) > 0 ? [] : wrong('insurancedAmount', 'invalidNumber', 'validation.invalidAmount')),
    ...(users === undefined || isListOfObjects(users) ? [] : wrong('users', 'type', 'shape.type')),
    ...(['buReference', 'locale'] as const).flatMap(path => (isText(sent[path]) ? [] : wrong(path, 'type', 'shape.type'))),
  ]
}

const isListOfObjects = (users: unknown): boolean =>
  Array.isArray(users) && Array.from(users).every(user => typeof user === 'object' && user !== null && !Array.isArray(user))

function tripAsked({ trip, edition }: Policy, draft: TripDraft): Trip {
  const asked = {
    startDate: draft.startDate ?? trip.startDate,
    endDate: draft.endDate ?? trip.endDate,
    origin: draft.origin ?? trip.origin,
    destinations: draft.destinations ?? trip.destinations,
  }
  // A product without cancellation cover insures no amount, so both fields are ignored.
  if (!edition.basis.tariff.cancellation) return { ...trip, ...asked }
  return {
    ...asked,
    amountCents: draft.amountCents ?? trip.amountCents,
    reservationDate: draft.reservationDate ?? trip.reservationDate,
  }
}

function touchedOf({ trip }: Policy, asked: Trip): Record<keyof Trip, boolean> {
  const places = new Set(trip.destinations)
  return {
    startDate: asked.startDate !== trip.startDate,
    endDate: asked.endDate !== trip.endDate,
    origin: asked.origin !== trip.origin,
    destinations: asked.destinations.length !== places.size || asked.destinations.some(id => !places.has(id)),
    amountCents: asked.amountCents !== trip.amountCents,
    reservationDate: asked.reservationDate !== trip.reservationDate,
  }
}

/** The request's field that contains each fact. */
const pathOf: Record<keyof Touched, keyof Change> = {
  startDate: tripSent.startDate,
  endDate: tripSent.endDate,
  origin: tripSent.origin,
  destinations: tripSent.destinations,
  joins: 'users',
  leaves: 'users',
  holder: 'users',
  births: 'users',
  names: 'users',
  contact: 'users',
  amountCents: tripSent.amountCents,
  reservationDate: tripSent.reservationDate,
  reference: 'buReference',
  locale: 'locale',
}

export const changeFields = [...new Set(Object.values(pathOf))]

/** Returns the fields of the touched facts for which a rule holds, each once. */
export const pathsOf = (touched: Touched, holds: (fact: keyof Touched) => boolean): string[] => [
  // Safe: the record's names are those of the facts.
  ...new Set((Object.keys(pathOf) as (keyof Touched)[]).filter(fact => touched[fact] && holds(fact)).map(fact => pathOf[fact])),
]

/** A person after the change. A new person has no uuid yet. */
export type After = Party & { personUuid: string | null }
export type What = 'same' | 'mended' | 'joins' | 'leaves'

/** The people after a change. `asked` has one entry for each of the change's users. */
type People = {
  asked: { person: After; what: What; bornAnew: boolean }[]
  leaves: Person[]
  touched: { contact: boolean; names: boolean; births: boolean; joins: boolean; leaves: boolean; holder: boolean }
  /** Users whose uuid is unknown to the policy or given twice, or whose birth date was removed. */
  unknown: number[]
  unborn: number[]
}

/** A person as a change sends it. */
type SentUser = Party & { readonly personUuid?: unknown }

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
  users.forEach((sent: SentUser, index) => {
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

const sentOf = (user: SentUser): Party =>
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
