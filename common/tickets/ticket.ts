import { displayDate, isDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import type { CoverGroup } from '#common/products/cover.ts'
import { checkLetter } from '#common/policies/number.ts'
import type { TicketKind, TicketType } from '#common/products/tickets.ts'
import { type Answers, answerProblems, type AnswerSettings, type FieldOfForm } from './answers.ts'

export type TicketRequest = {
  policyNumber: string
  /** For claims only. */
  incidentDate: string
  subject: string
  description: string
  contactEmail: string
  contactPhone: string
  /** Answers to the type's own fields. Without such fields the description is enough (docs/decisions/0014-tickets.md). */
  answers: Answers | undefined
}

export const longest = { subject: 150, description: 4000, contactEmail: 254, contactPhone: 30, message: 4000 } as const
export const mostFiles = 10

type FormType = { kind: TicketKind; policy: TicketType['policy']; calls?: boolean | undefined; fields: readonly FieldOfForm[] }

/** Returns the problems of a ticket. Only the service knows whether its policy exists. */
export function ticketProblems(type: FormType, ticket: TicketRequest, settings: AnswerSettings): Problem[] {
  const { answers } = ticket
  const needsPolicy = type.kind === 'claim' || (type.policy === 'needed' && answers !== undefined)
  return [
    ...(needsPolicy ? fieldErrors('policyNumber', ticket.policyNumber, ['required']) : []),
    ...(type.kind === 'claim' ? incidentProblems(ticket.incidentDate, settings) : []),
    ...textProblems('subject', ticket.subject, longest.subject),
    ...textProblems('description', ticket.description, longest.description),
    ...fieldErrors('contactEmail', ticket.contactEmail, ['required', 'email']),
    ...(type.calls ? fieldErrors('contactPhone', ticket.contactPhone, ['required']) : []),
    ...(ticket.contactPhone === '' || isPhone(ticket.contactPhone)
      ? []
      : [{ path: 'contactPhone', rule: 'validPhone', key: 'validation.invalidFormat' }]),
    ...(answers ? answerProblems(type.fields, answers, settings) : []),
  ]
}

export const messageProblems = (text: string, path = 'text', limit: number = longest.message): Problem[] => textProblems(path, text, limit)

const fieldErrors = (path: string, value: unknown, rules: Rule[]): Problem[] =>
  fieldProblems(path, value, rules, { locale: 'en-EN', today: '' })

function textProblems(path: string, text: string, limit: number): Problem[] {
  const problems = fieldErrors(path, text, ['required', ['maxLength', { limit }]])
  return problems.length === 0 && holdsCardNumber(text) ? [{ path, rule: 'cardNumber', key: 'tickets.card_number' }] : problems
}

function incidentProblems(incidentDate: string, { today }: AnswerSettings): Problem[] {
  const path = 'incidentDate'
  if (incidentDate === '') return fieldErrors(path, incidentDate, ['required'])
  if (!isDate(incidentDate)) return [{ path, rule: 'date', key: 'validation.invalidDate' }]
  return incidentDate > today ? [{ path, rule: 'notAfterToday', key: 'tickets.not_after_today' }] : []
}

/** True for four to fifteen digits (E.164) in any format. A ticket has no country for its contact. */
const isPhone = (text: string): boolean =>
  text.length <= longest.contactPhone && /^\+?[\d\s().-]+$/.test(text) && /^\d{4,15}$/.test(text.replaceAll(/\D/g, ''))

/** The groups of covers of a policy, its insured period, and the day of its sale. Undefined groups mean that its cover is unknown. */
export type Insured = { groups: readonly CoverGroup[] | undefined; soldOn: string; startDate: string; endDate: string }

type ClaimKind = { covers?: readonly CoverGroup[] | undefined; beforeTrip?: true | undefined }

/** False if it is certain that a product with these groups of covers covers no such claim. */
export const mayCover = ({ covers }: ClaimKind, groups: Insured['groups']): boolean =>
  !covers || !groups || covers.some(group => groups.includes(group))

/** Returns why an incident seems to be outside the cover: its kind or its date. The agent can file such a claim after confirming. */
export function outsideCover(kind: ClaimKind, incidentDate: string, insured: Insured): Problem[] {
  const { groups, soldOn, startDate, endDate } = insured
  const from = kind.beforeTrip && soldOn < startDate ? soldOn : startDate
  const isWithin = from <= incidentDate && incidentDate <= endDate
  const period = { from: displayDate(from) ?? from, to: displayDate(endDate) ?? endDate }
  return [
    ...(mayCover(kind, groups) ? [] : [{ path: 'typeUuid', rule: 'cover', key: 'tickets.outside_kind' }]),
    ...(isWithin ? [] : [{ path: 'incidentDate', rule: 'cover', key: 'tickets.outside_dates', params: period }]),
  ]
}

/** Returns a ticket's reference: kind, sequence number, and a letter that reveals errors. */
export const ticketReference = (kind: TicketKind, sequence: number): string => {
  const digits = String(first + sequence)
  return `${kind === 'claim' ? 'C' : 'R'}${digits}-${checkLetter(digits)}`
}

/** Six digits from the first one on. Policy numbers have more. */
const first = 100_000
