import { readDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { searchable } from '#common/kit/text.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { type Problem, within } from '#common/kit/problems.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import type { Insures } from '#common/products/tariff.ts'
import { type Party, type PersonField, personFields, type PersonFieldsWhere } from '#common/people/person.ts'

// The tables of spec 3 and 9 for a policy's people, then the rules of the form.

/** The types of policyholder, with the form's flag for each. */
export const policyHolderTypes = [
  { id: 1, name: 'InsuranceTraveler', flag: 'policyholderTravels' },
  { id: 2, name: 'InsuranceTaker', flag: 'policyholderDoesNotTravel' },
  { id: 3, name: 'InsuranceTakerCompany', flag: 'policyholderCompany' },
] as const

export type PolicyHolderTypeId = (typeof policyHolderTypes)[number]['id']

/** spec 3: codes 10, 11 and 12 are mapped to 2, 1 and 3. Other codes are unknown. */
export const customerType = (code: unknown): PolicyHolderTypeId | undefined =>
  typeof code === 'number' ? customerTypes.get(code) : undefined

const customerTypes: ReadonlyMap<number, PolicyHolderTypeId> = new Map([
  [1, 1],
  [2, 2],
  [3, 3],
  [10, 2],
  [11, 1],
  [12, 3],
])

export const identificationTypes = { person: 3, company: 4 } as const

/** Returns the number of users: the travellers, plus a policyholder who does not travel. For an invalid count returns -1, which no list has. */
export const usersExpected = (type: PolicyHolderTypeId, paxNumber: number): number =>
  typeof paxNumber === 'number' ? paxNumber + (type === 1 ? 0 : 1) : -1

/** spec 3, configuration: the value "0" means that the second surname is not used. */
export const usesSecondLastName = (showSecondLastName: string | undefined): boolean => showSecondLastName !== '0'

/** One of the `users` of a register call (spec 7). */
export type User = Party & { readonly identificationTypeId?: number | null | undefined }

export type People = { roleFirstUser: number; paxNumber: number; users: readonly User[] }

export type PeopleSettings = {
  locale: Locale
  /** The unit's country. */
  country?: number
  today: string
  /** The start of the trip, on which children under 14 need no document. The default is today. */
  startDate?: string | undefined
  showSecondLastName?: string | undefined
  /** The unit's earliest birth date. */
  earliestBirthDate?: string | undefined
  /** The minimum age of a policyholder. */
  policyHolderMinAge?: number
  /** The people whom the product insures, and the trip's origin. Residences are validated only if both are given. */
  insures?: Insures | undefined
  origin?: number | undefined
  /** True for a saved quote: fields may be missing, but must be well-formed if present. */
  draft?: boolean
}

const adult = 18

/** Returns the problems of a policy's users (spec 4, step 2). users[0] is the policyholder. */
export function peopleProblems(people: People, settings: PeopleSettings): Problem[] {
  const type = customerType(people.roleFirstUser)
  if (type === undefined) return [{ path: 'roleFirstUser', rule: 'customerType', key: 'validation.customerType' }]
  const users = Array.isArray(people.users) ? Array.from(people.users) : []
  const homes = { holder: homeOf(users[0]?.residenceCountryId, settings), unit: homeOf(null, settings) }
  return [
    ...countProblems(users.length, type, people.paxNumber, settings),
    ...users.flatMap((user, index) => within(`users[${index}]`, userProblems(user ?? {}, roleOf(type, index), settings, homes))),
    ...duplicateProblems(users.map((user, index) => (roleOf(type, index) === 'company' ? undefined : (user ?? undefined)))).flatMap(
      (problems, index) => within(`users[${index}]`, problems),
    ),
    ...residenceProblems({ ...people, users }, settings),
  ]
}

/**
 * Returns travellers living outside the origin, if the product insures only people who live there. A company, or a policyholder who stays at home, is
 * not insured and may be anywhere.
 */
export function residenceProblems(
  { roleFirstUser, users }: Pick<People, 'roleFirstUser' | 'users'>,
  { insures, origin }: Pick<PeopleSettings, 'insures' | 'origin'>,
): Problem[] {
  if (insures !== 'origin' || origin === undefined) return []
  const first = customerType(roleFirstUser) === 1 ? 0 : 1
  return users.flatMap((user, index): Problem[] =>
    index >= first && livesElsewhere(user ?? {}, origin) ? [residenceProblem(`users[${index}].residenceCountryId`)] : [],
  )
}

/** True if a residence is stated that is another country. */
export const livesElsewhere = ({ residenceCountryId }: { residenceCountryId?: unknown }, origin: number): boolean =>
  typeof residenceCountryId === 'number' && residenceCountryId !== origin

export const residenceProblem = (path: string): Problem => ({ path, rule: 'residence', key: 'validation.residence' })

/** spec 4: the number of extra travellers must be travelers minus 1, each with all required fields. */
export function missingInExtraTravellers(
  extraTravellers: readonly User[] | null | undefined,
  travelers: number,
  showSecondLastName: string | undefined,
  startDate = '',
): Problem[] {
  const extras = Array.isArray(extraTravellers) ? Array.from(extraTravellers) : []
  const needed = (extra: User) => [...travellerRules({ showSecondLastName }), documentRules('traveller', extra ?? {}, 'abroad')]
  return [
    ...extraCountProblems(extras.length, travelers),
    ...extras.flatMap((extra, index) =>
      within(
        `extraTravellers[${index}]`,
        needed(extra).flatMap(([field, rules]) =>
          fieldProblems(field, valueOf(extra, field), rules.filter(isPresenceRule), { locale: 'en-EN', today: startDate }),
        ),
      ),
    ),
  ]
}

/** Returns the problems of one extra traveller, at that traveller's own fields. `residence` is the policyholder's. */
export const travellerProblems = (user: User, settings: PeopleSettings, residence?: number | null): Problem[] =>
  userProblems(user, 'traveller', settings, { holder: homeOf(residence, settings), unit: homeOf(null, settings) })

/** Returns the problems of a policyholder who travels, at their own fields. */
export const policyholderProblems = (user: User, settings: PeopleSettings, residence?: number | null): Problem[] =>
  userProblems(user, 'person', settings, { holder: homeOf(residence, settings), unit: homeOf(null, settings) })

/** The country whose formats apply: one of the five, or another, whose formats are unknown. */
type Home = Locale | 'abroad'
/** The homes of the policyholder and of the unit. A traveller's documents may be of either. */
type Homes = { holder: Home; unit: Home }

/** Formats depend on the country, whatever language its agencies speak. Without a country, the language decides. */
function homeOf(residence: number | null | undefined, { locale, country }: PeopleSettings): Home {
  const at = residence ?? country
  return at === undefined ? locale : (localeOfCountry(at) ?? 'abroad')
}

type FieldRules = [field: PersonField, rules: Rule[]]
/** A policyholder is a company, or a person who may also travel. All others are travellers. */
type Role = 'person' | 'company' | 'traveller'

/** Types 1 and 2 require the same of the policyholder. */
const roleOf = (type: PolicyHolderTypeId, index: number): Role => (index > 0 ? 'traveller' : type === 3 ? 'company' : 'person')

function countProblems(count: number, type: PolicyHolderTypeId, paxNumber: number, { draft }: PeopleSettings): Problem[] {
  if (!isCount(paxNumber)) return [noTravellers('paxNumber')]
  const expected = usersExpected(type, paxNumber)
  const fits = draft ? count <= expected : count === expected
  return fits ? [] : [countProblem('users', expected, count)]
}

function extraCountProblems(count: number, travelers: number): Problem[] {
  if (!isCount(travelers)) return [noTravellers('travelers')]
  return count === travelers - 1 ? [] : [countProblem('extraTravellers', travelers - 1, count)]
}

const isCount = (number: unknown): boolean => Number.isSafeInteger(number) && Number(number) >= 1

const noTravellers = (path: string): Problem => ({ path, rule: 'required', key: 'validation.travelers' })

const countProblem = (path: string, expected: number, count: number): Problem => ({
  path,
  rule: 'extraTravellers',
  key: 'validation.peopleCount',
  params: { expected, given: count },
})

function userProblems(user: User, role: Role, settings: PeopleSettings, homes: Homes): Problem[] {
  const home = role === 'traveller' ? homes.unit : homes.holder
  const check = (at: Home, today = settings.today) => {
    const context = { locale: at === 'abroad' ? settings.locale : at, today }
    return ([field, rules]: FieldRules) =>
      fieldProblems(field, valueOf(user, field), settings.draft ? rules.filter(rule => !isPresenceRule(rule)) : rules, context)
  }
  // Problems are those of the policyholder's country, whose document the form asks for.
  const documentProblems = (role === 'traveller' ? [homes.holder, homes.unit] : [home]).map(at =>
    check(at, settings.startDate)(documentRules(role, user, at)),
  )
  return [
    ...fieldRules(role, user, home, settings).flatMap(check(home)),
    ...(documentProblems.find(({ length }) => length === 0) ?? documentProblems[0] ?? []),
    ...kindProblems(user, role),
    ...identificationProblems(user, role === 'company' ? identificationTypes.company : identificationTypes.person),
  ]
}

const valueOf = (user: User, field: keyof User): unknown => user?.[field]

function fieldRules(role: Role, user: User, home: Home, settings: PeopleSettings): FieldRules[] {
  const contact = contactRules(user, home)
  const personal = travellerRules(settings)
  if (role === 'traveller') return [...personal, ...contact]
  const reachable = contact.map(([field, rules]): FieldRules => [field, isOptional(field, home) ? rules : ['required', ...rules]])
  if (role === 'company') return [['companyName', ['required', shortText]], ...reachable]
  const ofAge: Rule = ['olderThan', { minAge: settings.policyHolderMinAge ?? adult }]
  return [...personal.map(([field, rules]): FieldRules => [field, field === 'birthDate' ? [...rules, ofAge] : rules]), ...reachable]
}

/** Some countries have no postal codes. */
const isOptional = (field: PersonField, home: Home): boolean =>
  field === 'phonePrefix' || personFields[field].part === 'more' || (field === 'zipCode' && home === 'abroad')

const shortText: Rule = ['maxLength', { limit: 100 }]
const longText: Rule = ['maxLength', { limit: 200 }]

/** The required fields of a traveller, besides the document. lastName is optional if the unit does not use it. */
function travellerRules({
  showSecondLastName,
  earliestBirthDate,
}: Pick<PeopleSettings, 'showSecondLastName' | 'earliestBirthDate'>): FieldRules[] {
  const rules: Record<OfTraveller, Rule[]> = {
    name: ['required', shortText, 'personName'],
    middleName: ['required', shortText, 'personName'],
    lastName: [...(usesSecondLastName(showSecondLastName) ? (['required'] as const) : []), shortText, 'personName'],
    birthDate: ['required', ['birthDateRange', { earliest: earliestBirthDate }]],
  }
  // Safe: the names are the keys of the record.
  return Object.entries(rules) as [OfTraveller, Rule[]][]
}

/** The document has rules of its own, and a company does not travel. */
type OfTraveller = Exclude<PersonFieldsWhere<'part', 'who'>, PersonFieldsWhere<'line', 'document'> | 'companyName'>

function documentRules(role: Role, user: User, home: Home): FieldRules {
  if (role === 'company') return ['docNumber', home === 'abroad' ? ['required', shortText] : ['required', 'validateTaxId', shortText]]
  const presence = role === 'person' ? 'required' : documentPresence(user.birthDate)
  if (user.documentKind === 'passport') return ['docNumber', [presence, 'validPassport']]
  return ['docNumber', [presence, home === 'abroad' ? 'foreignDocument' : 'validDocName']]
}

/** A traveller under 14 at the trip's start needs no document. Without a birth date everyone does. */
const documentPresence = (birthDate: unknown): Rule => (readDate(birthDate) ? ['requiredIfAgeOver14', { birthDate }] : 'required')

const isPresenceRule = (rule: Rule): boolean => rule === 'required' || rule[0] === 'requiredIfAgeOver14'

/** True if a traveller with this birth date needs a document on a trip that starts on this day. */
export const needsDocument = (birthDate: unknown, startDate: string): boolean =>
  fieldProblems('docNumber', '', [documentPresence(birthDate)], { locale: 'en-EN', today: startDate }).length > 0

/** A person has a passport or, by default, a national document. A company has neither. */
function kindProblems({ documentKind }: User, role: Role): Problem[] {
  const isKnown = !documentKind || documentKind === 'national' || (documentKind === 'passport' && role !== 'company')
  return isKnown ? [] : [{ path: 'documentKind', rule: 'documentKind', key: 'validation.documentKind' }]
}

function contactRules(user: User, home: Home): FieldRules[] {
  const rules: Record<ContactText, Rule[]> = {
    email: ['email'],
    phonePrefix: [['maxLength', { limit: 6 }]],
    phoneNumber: [['validPhone', { prefix: user.phonePrefix, abroad: home === 'abroad' }]],
    address: [longText],
    state: [shortText],
    city: [shortText],
    zipCode: [home === 'abroad' ? ['maxLength', { limit: 20 }] : 'validCodPostal'],
  }
  // Safe: the names are the keys of the record.
  return Object.entries(rules) as [ContactText, Rule[]][]
}

/** The texts about a policyholder besides name and document. The schema checks countries itself. */
type ContactText = Exclude<PersonFieldsWhere<'is', 'text'>, PersonFieldsWhere<'part', 'who'>>

function identificationProblems(user: User, expected: number): Problem[] {
  const type = user.identificationTypeId
  if (type === undefined || type === null || type === expected) return []
  return [{ path: 'identificationTypeId', rule: 'identificationType', key: 'validation.identificationType', params: { expected } }]
}

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
