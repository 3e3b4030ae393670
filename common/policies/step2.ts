import { displayDate, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { composed } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import { duplicateProblems } from './duplicates.ts'
import { type People, type PeopleSettings, peopleProblems, policyholderProblems, travellerProblems, type User } from './people.ts'
import { customerType, identificationTypes, type PolicyHolderTypeId } from './types.ts'

/** Step 2 of the funnel as a form holds it (spec 3). Dates in either format. */
export type Step2 = { [field in Step2Field]?: string | null } & {
  residenceCountryId?: number | null
  policyHolderType: { id: PolicyHolderTypeId; name?: string }
  extraTravellers?: readonly ExtraTraveller[]
}

export type ExtraTraveller = { [field in (typeof extraFields)[keyof typeof extraFields] | 'username']?: string | null }

/** Returns the problems of step 2: those of a register call, at the form's own fields. */
export function step2Problems(step2: Step2, travelers: number, settings: PeopleSettings): Problem[] {
  const sources = sourcesOf(step2)
  return peopleProblems(peopleOf(step2, travelers), settings).map(problem => onForm(problem, sources))
}

/** Returns what `step2Problems` says of one row, for a small part of its work in a long list. */
export function step2RowProblems(step2: Step2, row: number, settings: PeopleSettings): Problem[] {
  const { users } = peopleOf(step2, 0)
  const place = users.length - rowsOf(step2).length + row
  const twice = duplicateProblems(users.map(user => (user.identificationTypeId === identificationTypes.company ? undefined : user)))[place]
  return [...travellerProblems(users[place] ?? {}, settings, step2?.residenceCountryId), ...(twice ?? [])].map(problem => ({
    ...problem,
    path: `extraTravellers[${row}].${problem.path}`,
  }))
}

/** Applies the same rules to a single row, such as one to import. */
export const extraTravellerProblems = (row: ExtraTraveller, settings: PeopleSettings, residence?: number | null): Problem[] =>
  travellerProblems(userOf(row, extraFields), settings, residence)

/** Returns the problems of a row that is the policyholder. Address and contacts are in the form. */
export const policyholderRowProblems = (row: ExtraTraveller, settings: PeopleSettings, residence?: number | null): Problem[] =>
  policyholderProblems(userOf(row, extraFields), settings, residence).filter(({ path }) => Object.hasOwn(extraFields, path))

/** Returns the problems of rows that stand twice in a list, or in the form already. */
export const duplicateRowProblems = (rows: readonly ExtraTraveller[], others: readonly User[]): Problem[][] =>
  duplicateProblems([...others, ...rows.map(row => userOf(row, extraFields))]).slice(others.length)

/** Returns the form as a register call sends it. users[0] is the policyholder; document numbers are upper-cased (spec 5). */
export function peopleOf(step2: Step2, travelers: number): People {
  const type = typeOf(step2)
  const users = sourcesOf(step2).map(({ values, fields }, index) => ({
    ...userOf(values, fields),
    ...(index === 0 && typeof step2?.residenceCountryId === 'number' ? { residenceCountryId: step2.residenceCountryId } : {}),
    identificationTypeId: type === 3 && index === 0 ? identificationTypes.company : identificationTypes.person,
  }))
  return { roleFirstUser: type, paxNumber: travelers, users }
}

/** Returns the form that these users were registered from: the inverse of `peopleOf`. */
export function step2From({ roleFirstUser, users }: Pick<People, 'roleFirstUser' | 'users'>): Step2 {
  const id = customerType(roleFirstUser) ?? 1
  const tables = formFields(id)
  return {
    ...Object.assign({}, ...tables.map((fields, index) => shownAs(users[index], fields))),
    policyHolderType: { id },
    residenceCountryId: users[0]?.residenceCountryId ?? null,
    extraTravellers: users.slice(tables.length).map(user => shownAs(user, extraFields)),
  }
}

function shownAs(user: User | undefined, fields: Fields): Record<string, string> {
  // Safe: the tables name only a user's text fields.
  const entries = Object.entries(fields).map(([field, name]) => [name, user?.[field as keyof typeof fields] ?? ''] as [string, string])
  return Object.fromEntries(entries.map(([name, value]) => [name, displayDate(value) ?? value]))
}

/** The source of a user: the form or one of its rows, with the form's name of each field. */
type Source = { prefix: string; values: Record<string, unknown>; fields: Fields }
type Fields = Partial<Record<keyof User, string>>

const travellerFields = {
  name: 'name',
  middleName: 'middleName',
  lastName: 'lastName',
  birthDate: 'birthDate',
  docNumber: 'documentNumber',
  documentKind: 'documentKind',
} as const
const extraFields = {
  name: 'name',
  middleName: 'middleName',
  lastName: 'lastName',
  birthDate: 'birthDate',
  docNumber: 'docNumber',
  documentKind: 'documentKind',
} as const
const contactFields = { email: 'email', phonePrefix: 'phonePrefix', phoneNumber: 'phoneNumber' } as const
const addressFields = { address: 'address', state: 'province', city: 'city', zipCode: 'zipCode' } as const

const holderFields = {
  name: 'policyHolderName',
  middleName: 'policyHolderSurname',
  lastName: 'policyHolderSecondSurname',
  birthDate: 'policyHolderBirthDate',
  docNumber: 'policyHolderDocumentNumber',
  documentKind: 'policyHolderDocumentKind',
} as const

const companyFields = {
  companyName: 'businessName',
  docNumber: 'businessNumber',
  address: 'businessAddress',
  state: 'businessProvince',
  city: 'businessCity',
  zipCode: 'businessZipCode',
} as const

type ValueOf<Table> = Table[keyof Table]
type Step2Field =
  | ValueOf<typeof travellerFields>
  | ValueOf<typeof contactFields>
  | ValueOf<typeof addressFields>
  | ValueOf<typeof holderFields>
  | ValueOf<typeof companyFields>

/** Every type of policyholder has the form's email and phone; a company has an address of its own. */
function sourcesOf(step2: Step2): Source[] {
  const ofForm = formFields(typeOf(step2)).map((fields): Source => ({ prefix: '', values: step2 ?? {}, fields }))
  const extras = rowsOf(step2).map(
    (values, index): Source => ({ prefix: `extraTravellers[${index}].`, values: values ?? {}, fields: extraFields }),
  )
  return [...ofForm, ...extras]
}

/** The users in the form itself: the policyholder, and the first traveller if another person. */
function formFields(type: number): Fields[] {
  if (type === 1) return [{ ...travellerFields, ...contactFields, ...addressFields }]
  const holder = type === 2 ? { ...holderFields, ...contactFields, ...addressFields } : { ...companyFields, ...contactFields }
  return [holder, travellerFields]
}

/** Reads the type of a form whose stored state may be corrupt: 0 if it has none. */
const typeOf = (step2: Step2): number => {
  const id: unknown = step2?.policyHolderType?.id
  return typeof id === 'number' ? id : 0
}

const rowsOf = (step2: Step2): readonly ExtraTraveller[] => (Array.isArray(step2?.extraTravellers) ? Array.from(step2.extraTravellers) : [])

function userOf(values: Record<string, unknown>, fields: Fields): User {
  const entries = Object.entries(fields).map(([field, name]) => [field, sent(field, values[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns a field as calls send it. An unreadable date stays as typed, for the rules to refuse. */
function sent(field: string, value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return undefined
  if (field === 'birthDate') return readDate(value) ?? value
  return field === 'docNumber' ? documentNumberSent(value) : composed(value).trim()
}

/** Moves a problem to the form's field: `users[1].docNumber` → `documentNumber`. A wrong count of users belongs to the extra travellers. */
function onForm(problem: Problem, sources: readonly Source[]): Problem {
  const { path, params = {} } = problem
  const [, index, field] = /^users\[(\d+)\]\.(\w+)$/.exec(path) ?? []
  const source = sources[Number(index)]
  // Safe: a field outside the table has no other name.
  if (source && field) return { ...problem, path: `${source.prefix}${source.fields[field as keyof User] ?? field}` }
  if (path === 'roleFirstUser') return { ...problem, path: 'policyHolderType' }
  if (path === 'paxNumber') return { ...problem, path: 'travelers' }
  const others = sources.filter(({ prefix }) => prefix === '').length
  return {
    ...problem,
    path: 'extraTravellers',
    params: { expected: Number(params.expected) - others, given: Number(params.given) - others },
  }
}
