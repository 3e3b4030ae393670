import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { composed } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import {
  duplicateProblems,
  identificationTypes,
  type People,
  peopleProblems,
  type PeopleSettings,
  type PolicyHolderTypeId,
  travellerProblems,
  type User,
} from './people.ts'
import { type PersonField, type PersonFields, personFieldNames, personFields } from '#common/people/person.ts'

type Names = PersonFields[PersonField]['form']
/** The part of a form that has a person's fields: its own, those of a traveller, policyholder or company, or a row. */
type Where = Names extends infer Each ? (Each extends unknown ? keyof Each : never) : never
/** The form's names for the fields of one part. */
type NameIn<F extends PersonField, In extends Where> = PersonFields[F]['form'] extends { readonly [in_ in In]: infer Name extends string }
  ? Name
  : never
type Typed<F extends PersonField> = PersonFields[F]['is'] extends 'country' ? number : string

/** The fields of people in the form itself. */
export type FormFields = { [F in PersonField as NameIn<F, 'traveller'> | NameIn<F, 'holder'> | NameIn<F, 'company'>]: Typed<F> }

/** Step 2 of the funnel as a form holds it (spec 3). Dates in either format. */
export type Step2 = { [field in keyof FormFields]?: FormFields[field] | null } & {
  policyHolderType: { id: PolicyHolderTypeId; name?: string }
  extraTravellers?: readonly ExtraTraveller[]
}

/** The fields of a traveller. */
export type TravellerFields = { [F in PersonField as NameIn<F, 'traveller'>]: Typed<F> }

/** The fields of a row. */
export type RowFields = { [F in PersonField as NameIn<F, 'row'>]: Typed<F> }
export type ExtraTraveller = { [field in keyof RowFields | 'username']?: string | null }

/** Returns the problems of step 2: those of a register call, at the form's own fields. */
export function step2Problems(step2: Step2, travelers: number, settings: PeopleSettings): Problem[] {
  const sources = sourcesOf(step2)
  return peopleProblems(peopleOf(step2, travelers), settings).map(problem => onForm(problem, sources))
}

/** Returns the problems that `step2Problems` reports for one row, much faster in a long list. */
export function step2RowProblems(step2: Step2, row: number, settings: PeopleSettings): Problem[] {
  const { users } = peopleOf(step2, 0)
  const place = users.length - rowsOf(step2).length + row
  const twice = duplicateProblems(users.map(user => (user.identificationTypeId === identificationTypes.company ? undefined : user)))[place]
  return [...travellerProblems(users[place] ?? {}, settings, step2?.residenceCountryId), ...(twice ?? [])].map(problem => ({
    ...problem,
    path: `extraTravellers[${row}].${problem.path}`,
  }))
}

/** Returns the form as a register call sends it. users[0] is the policyholder; document numbers are upper-cased (spec 5). */
export function peopleOf(step2: Step2, travelers: number): People {
  const type = typeOf(step2)
  const users = sourcesOf(step2).map(({ values, fields }, index) => ({
    ...userOf(values, fields),
    identificationTypeId: type === 3 && index === 0 ? identificationTypes.company : identificationTypes.person,
  }))
  return { roleFirstUser: type, paxNumber: travelers, users }
}

/** The source of a user: the form or one of its rows, with the form's name of each field. */
type Source = { prefix: string; values: Record<string, unknown>; fields: Fields }
export type Fields = { readonly [field in PersonField]?: string }

// Safe: the names are the keys of the fields.
export const namesIn = (fields: Fields) => Object.entries(fields) as [PersonField, string][]

const fieldsIn = (where: Where): Fields =>
  Object.fromEntries(
    personFieldNames.flatMap(field => {
      const { [where]: name }: { readonly [in_ in Where]?: string } = personFields[field].form
      return name ? [[field, name]] : []
    }),
  )

export const travellerFields = fieldsIn('traveller')
export const rowFields = fieldsIn('row')
export const holderFields = fieldsIn('holder')
export const companyFields = fieldsIn('company')

/** The form's email and phone are for every type of policyholder; a company has an address of its own. */
function sourcesOf(step2: Step2): Source[] {
  const ofForm = formFields(typeOf(step2)).map((fields): Source => ({ prefix: '', values: step2 ?? {}, fields }))
  const extras = rowsOf(step2).map(
    (values, index): Source => ({ prefix: `extraTravellers[${index}].`, values: values ?? {}, fields: rowFields }),
  )
  return [...ofForm, ...extras]
}

/** Returns the users in the form itself: the policyholder, and the first traveller if that is another person. */
export function formFields(type: number): Fields[] {
  if (type === 1) return [{ ...holderFields, ...travellerFields }]
  return [type === 2 ? holderFields : companyFields, travellerFields]
}

/** Reads the type of a form whose stored state may be corrupt: 0 if it has none. */
const typeOf = (step2: Step2): number => {
  const id: unknown = step2?.policyHolderType?.id
  return typeof id === 'number' ? id : 0
}

const rowsOf = (step2: Step2): readonly ExtraTraveller[] => (Array.isArray(step2?.extraTravellers) ? Array.from(step2.extraTravellers) : [])

export function userOf(values: Record<string, unknown>, fields: Fields): User {
  const entries = namesIn(fields).map(([field, name]) => [field, sent(field, values[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns a field as calls send it. An unreadable date stays as typed, for the rules to refuse. */
function sent(field: PersonField, value: unknown): unknown {
  const { is } = personFields[field]
  if (is === 'country') return typeof value === 'number' ? value : undefined
  if (typeof value !== 'string' || value === '') return undefined
  if (is === 'day') return readDate(value) ?? value
  return is === 'documentNumber' ? documentNumberSent(value) : composed(value).trim()
}

/** Moves a problem to the form's field: `users[1].docNumber` → `documentNumber`. A wrong number of users is a problem of the extra travellers. */
function onForm(problem: Problem, sources: readonly Source[]): Problem {
  const { path, params = {} } = problem
  const [, index, field] = /^users\[(\d+)\]\.(\w+)$/.exec(path) ?? []
  const source = sources[Number(index)]
  // Safe: a field outside the table has no other name.
  if (source && field) return { ...problem, path: `${source.prefix}${source.fields[field as PersonField] ?? field}` }
  if (path === 'roleFirstUser') return { ...problem, path: 'policyHolderType' }
  if (path === 'paxNumber') return { ...problem, path: 'travelers' }
  const others = sources.filter(({ prefix }) => prefix === '').length
  return {
    ...problem,
    path: 'extraTravellers',
    params: { expected: Number(params.expected) - others, given: Number(params.given) - others },
  }
}
