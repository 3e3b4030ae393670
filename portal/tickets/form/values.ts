import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { type Answer, visibleFields } from '#common/tickets/answers.ts'
import { type TicketRequest, ticketProblems } from '#common/tickets/ticket.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import type { Form } from '../use-tickets.ts'

type Value = string | number | boolean | null

/** The form of a ticket: dates are text as typed. */
export type TicketForm = Omit<TicketRequest, 'answers'> & {
  typeUuid: string
  policyUuid: string | null
  answers: Record<string, Value>
  filled: Filled
}

/** The values that the form took from its policy. They change with the policy, while typed ones are kept. */
export type Filled = { contactEmail?: string; contactPhone?: string; insuredPerson?: string; incidentCountry?: number; tripCost?: number }

export const emptyForm: TicketForm = {
  typeUuid: '',
  policyUuid: null,
  policyNumber: '',
  incidentDate: '',
  subject: '',
  description: '',
  contactEmail: '',
  contactPhone: '',
  answers: {},
  filled: {},
}

/** Returns the form with a value for every field of every type. Choosing a type then shows its fields at once. */
export function withAnswers(form: TicketForm, forms: readonly Form[]): TicketForm {
  const blank = forms.flatMap(({ fields }) => fields.map(({ name, kind }) => [name, blankOf(kind)] as const))
  return { ...emptyForm, ...form, answers: { ...Object.fromEntries(blank), ...form.answers } }
}

/** Returns the form with the requested type, if that exists, and with the answers that still fit. */
export function withType(form: TicketForm, forms: readonly Form[], key: string | undefined): TicketForm {
  const type = forms.find(each => each.key === key)
  return type && type.uuid !== form.typeUuid ? { ...form, typeUuid: type.uuid, answers: answersFor(type, form.answers) } : form
}

const blankOf = (kind: Form['fields'][number]['kind']): Value =>
  kind === 'flag' ? false : kind === 'amount' || kind === 'country' ? null : ''

/** Returns the answers for another type of ticket. Shared fields keep their values, except choices that the type does not offer. */
export function answersFor(form: Form | undefined, answers: Record<string, Value>): Record<string, Value> {
  const options = (name: string) => form?.fields.find(field => field.name === name && field.kind === 'choice')?.options
  return Object.fromEntries(
    Object.entries(answers).map(([name, value]) => [name, options(name)?.some(option => option.value === value) === false ? '' : value]),
  )
}

/** Returns the answers to the visible fields, in the format of the calls. */
export function sentAnswers({ fields }: Form, answers: Record<string, Value>): Record<string, Answer> {
  return Object.fromEntries(visibleFields(fields, answers).flatMap(({ name, kind }) => sentAnswer(name, kind, answers[name] ?? null)))
}

function sentAnswer(name: string, kind: Form['fields'][number]['kind'], value: NumberValue | boolean): [string, Answer][] {
  if (value === null || value === '' || value === false) return []
  return [[name, kind === 'date' && typeof value === 'string' ? (readDate(value) ?? value) : value]]
}

/** `travellers`: the names of those on the chosen policy. */
type Context = { today: string; countries: readonly { id: number }[]; travellers: readonly string[] }

/** Returns the problems of a form by the service's own rules. The affected person must be one of the policy's travellers, if these are known. */
export function ticketFormProblems(type: Form | undefined, form: TicketForm, { today, countries, travellers }: Context): Problem[] {
  if (!type) return [{ path: 'typeUuid', rule: 'required', key: 'tickets.choose_type' }]
  const ticket = { ...form, incidentDate: readDate(form.incidentDate) ?? form.incidentDate, answers: sentAnswers(type, form.answers) }
  const insured = ticket.answers['insuredPerson']
  const isOther = typeof insured === 'string' && travellers.length > 0 && !travellers.includes(insured)
  return [
    ...ticketProblems(type, ticket, { today, isCountry: id => countries.some(country => country.id === id) }),
    ...(isOther ? [{ path: 'answers.insuredPerson', rule: 'traveller', key: 'tickets.no_traveller' }] : []),
  ]
}
