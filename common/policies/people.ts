import type { Locale } from '#common/kit/locales.ts'
import { type Problem, within } from '#common/kit/problems.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { customerType, identificationTypes, type PolicyHolderTypeId, usersExpected, usesSecondLastName } from './types.ts'

/** One of the `users` of a register call (spec 7). Dates as YYYY-MM-DD. */
export type User = { [field in (typeof userFields)[number]]?: string | null | undefined } & {
  identificationTypeId?: number | null | undefined
}

export const userFields = [
  'name',
  'middleName',
  'lastName',
  'birthDate',
  'email',
  'phonePrefix',
  'phoneNumber',
  'zipCode',
  'address',
  'state',
  'city',
  'docNumber',
  'companyName',
] as const

export type People = { roleFirstUser: number; paxNumber: number; users: readonly User[] }

export type PeopleSettings = {
  locale: Locale
  today: string
  showSecondLastName?: string
  /** From which age on somebody may take out a policy. */
  policyHolderMinAge?: number
  /** A budget: anything may be missing, but what is given must be well-formed (api.md, users). */
  draft?: boolean
}

const adult = 18

/** Can this policy be registered? spec 4, step 2, and api.md, `users`: users[0] is the policyholder. */
export function peopleProblems(people: People, settings: PeopleSettings): Problem[] {
  const type = customerType(people.roleFirstUser)
  if (type === undefined) return [{ path: 'roleFirstUser', rule: 'customerType', key: 'validation.customerType' }]
  const users = Array.isArray(people.users) ? Array.from(people.users) : []
  return [
    ...countProblems(users.length, type, people.paxNumber, settings),
    ...users.flatMap((user, index) => within(`users[${index}]`, userProblems(user ?? {}, roleOf(type, index), settings))),
  ]
}

/** spec 4: extra travellers must number exactly travelers minus 1, each with all that a traveller needs. */
export function missingInExtraTravellers(
  extraTravellers: readonly User[] | null | undefined,
  travelers: number,
  showSecondLastName: string | undefined,
): Problem[] {
  const extras = Array.isArray(extraTravellers) ? Array.from(extraTravellers) : []
  const needed = travellerRules(showSecondLastName).filter(([, rules]) => rules.includes('required'))
  return [
    ...extraCountProblems(extras.length, travelers),
    ...extras.flatMap((extra, index) =>
      within(
        `extraTravellers[${index}]`,
        needed.flatMap(([field]) => fieldProblems(field, valueOf(extra, field), ['required'], anywhere)),
      ),
    ),
  ]
}

/** Whether something is there depends on neither language nor day. */
const anywhere = { locale: 'en-EN', today: '' } as const

/** What is wrong with one who travels besides the first, told of his own fields. */
export const travellerProblems = (user: User, settings: PeopleSettings): Problem[] => userProblems(user, 'traveller', settings)

type FieldRules = [field: keyof User, rules: Rule[]]
/** Of the policyholder: a person, who may travel too, or a company. All others travel. */
type Role = 'person' | 'company' | 'traveller'

/** Types 1 and 2 differ in who else travels, not in what the policyholder must tell. */
const roleOf = (type: PolicyHolderTypeId, index: number): Role => (index > 0 ? 'traveller' : type === 3 ? 'company' : 'person')

function countProblems(given: number, type: PolicyHolderTypeId, paxNumber: number, { draft }: PeopleSettings): Problem[] {
  if (!isCount(paxNumber)) return [noTravellers('paxNumber')]
  const expected = usersExpected(type, paxNumber)
  const fits = draft ? given <= expected : given === expected
  return fits ? [] : [countProblem('users', expected, given)]
}

function extraCountProblems(given: number, travelers: number): Problem[] {
  if (!isCount(travelers)) return [noTravellers('travelers')]
  return given === travelers - 1 ? [] : [countProblem('extraTravellers', travelers - 1, given)]
}

const isCount = (number: unknown): boolean => Number.isSafeInteger(number) && Number(number) >= 1

const noTravellers = (path: string): Problem => ({ path, rule: 'required', key: 'validation.travelers' })

const countProblem = (path: string, expected: number, given: number): Problem => ({
  path,
  rule: 'extraTravellers',
  key: 'validation.peopleCount',
  params: { expected, given },
})

function userProblems(user: User, role: Role, settings: PeopleSettings): Problem[] {
  const judged = rulesOf(role, user, settings).flatMap(([field, rules]) =>
    fieldProblems(field, valueOf(user, field), settings.draft ? rules.filter(rule => rule !== 'required') : rules, settings),
  )
  return [...judged, ...identificationProblems(user, role === 'company' ? identificationTypes.company : identificationTypes.person)]
}

const valueOf = (user: User, field: keyof User): unknown => user?.[field]

function rulesOf(role: Role, user: User, { showSecondLastName, policyHolderMinAge }: PeopleSettings): FieldRules[] {
  const contact = contactRules(user)
  if (role === 'traveller') return [...travellerRules(showSecondLastName), ...contact]
  const reachable = contact.map(([field, rules]): FieldRules => [field, field === 'phonePrefix' ? rules : ['required', ...rules]])
  if (role === 'company')
    return [['companyName', ['required', shortText]], ['docNumber', ['required', 'validateTaxId', shortText]], ...reachable]
  const ofAge: Rule = ['olderThan', { minAge: policyHolderMinAge ?? adult }]
  return [
    ...travellerRules(showSecondLastName).map(([field, rules]): FieldRules => [field, field === 'birthDate' ? [...rules, ofAge] : rules]),
    ...reachable,
  ]
}

const shortText: Rule = ['maxLength', { limit: 100 }]
const longText: Rule = ['maxLength', { limit: 200 }]

/** api.md: every traveller needs name, middleName, birthDate and docNumber, and lastName unless the unit does without. */
function travellerRules(showSecondLastName: string | undefined): FieldRules[] {
  return [
    ['name', ['required', shortText]],
    ['middleName', ['required', shortText]],
    ['lastName', usesSecondLastName(showSecondLastName) ? ['required', shortText] : [shortText]],
    ['birthDate', ['required', 'birthDateRange']],
    ['docNumber', ['required', 'validDocName']],
  ]
}

function contactRules(user: User): FieldRules[] {
  return [
    ['email', ['email']],
    ['phonePrefix', [['maxLength', { limit: 6 }]]],
    ['phoneNumber', [['validPhone', { prefix: user.phonePrefix }]]],
    ['address', [longText]],
    ['state', [shortText]],
    ['city', [shortText]],
    ['zipCode', ['validCodPostal']],
  ]
}

function identificationProblems(user: User, expected: number): Problem[] {
  const given = user.identificationTypeId
  if (given === undefined || given === null || given === expected) return []
  return [{ path: 'identificationTypeId', rule: 'identificationType', key: 'validation.identificationType', params: { expected } }]
}
