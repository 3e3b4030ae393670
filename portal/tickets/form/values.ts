import { readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { type Answer, visibleFields } from '#common/tickets/answers.ts'
import { type TicketRequest, ticketProblems } from '#common/tickets/ticket.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import type { Form } from '../use-tickets.ts'

type Value = string | number | boolean | null

/** A ticket as its fields hold it: dates as they are typed. */
export type TicketForm = Omit<TicketRequest, 'answers'> & {
  typeUuid: string
  policyUuid: string | null
  answers: Record<string, Value>
}

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
}

/** Every field of every form has a value, so that those which are asked for later can be shown at once. */
export function withAnswers(form: TicketForm, forms: readonly Form[]): TicketForm {
  const blank = forms.flatMap(({ fields }) => fields.map(({ name, kind }) => [name, blankOf(kind)] as const))
  return { ...emptyForm, ...form, answers: { ...Object.fromEntries(blank), ...form.answers } }
}

const blankOf = (kind: Form['fields'][number]['kind']): Value =>
  kind === 'flag' ? false : kind === 'amount' || kind === 'country' ? null : ''

/** Another kind of ticket: what both ask for stays, but one's choices are not the other's. */
export function answersFor(form: Form | undefined, answers: Record<string, Value>): Record<string, Value> {
  const options = (name: string) => form?.fields.find(field => field.name === name && field.kind === 'choice')?.options
  return Object.fromEntries(
    Object.entries(answers).map(([name, value]) => [name, options(name)?.some(option => option.value === value) === false ? '' : value]),
  )
}

/** What is asked for at this moment, as the calls have it. */
export function sentAnswers({ fields }: Form, answers: Record<string, Value>): Record<string, Answer> {
  return Object.fromEntries(visibleFields(fields, answers).flatMap(({ name, kind }) => sentAnswer(name, kind, answers[name] ?? null)))
}

function sentAnswer(name: string, kind: Form['fields'][number]['kind'], value: NumberValue | boolean): [string, Answer][] {
  if (value === null || value === '' || value === false) return []
  return [[name, kind === 'date' && typeof value === 'string' ? (readDate(value) ?? value) : value]]
}

type Judging = { today: string; countries: readonly { id: number }[] }

/** The rules that the service refuses by. */
export function formProblems(type: Form | undefined, form: TicketForm, { today, countries }: Judging): Problem[] {
  if (!type) return [{ path: 'typeUuid', rule: 'required', key: 'tickets.choose_type' }]
  const ticket = { ...form, incidentDate: readDate(form.incidentDate) ?? form.incidentDate, answers: sentAnswers(type, form.answers) }
  return ticketProblems(type, ticket, { today, isCountry: id => countries.some(country => country.id === id) })
}
