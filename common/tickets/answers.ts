import { isDate } from '#common/kit/dates.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import type { Problem } from '#common/kit/problems.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { maxLength } from '#common/kit/validators/bounds.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import type { TicketField } from '#common/products/tickets.ts'

/** The value of a ticket field. Dates are YYYY-MM-DD, amounts in major units, countries numeric ids. */
export type Answer = string | number | boolean | null
export type Answers = Readonly<Record<string, Answer | undefined>>

export type AnswerSettings = { today: string; isCountry: (id: number) => boolean }

type Conditional = { name: string; when?: { field: string; is: readonly string[] } | null | undefined }

/** Returns the fields to show, given the answers so far. */
export function visibleFields<Field extends Conditional>(fields: readonly Field[], answers: Answers): Field[] {
  const visible: Field[] = []
  for (const field of fields) if (isVisible(field, visible, answers)) visible.push(field)
  return visible
}

/** A field that depends on a hidden field is hidden, too. */
const isVisible = ({ when }: Conditional, visible: readonly Conditional[], answers: Answers): boolean =>
  !when || (visible.some(({ name }) => name === when.field) && when.is.includes(String(answerTo(answers, when.field))))

export const answerTo = (answers: Answers, name: string): Answer | undefined => (Object.hasOwn(answers, name) ? answers[name] : undefined)

/** Returns the problems of the answers: missing, invalid, or given to hidden fields. */
export function answerProblems(fields: readonly FieldOfForm[], answers: Answers, settings: AnswerSettings): Problem[] {
  const visible = visibleFields(fields, answers)
  const unknown = Object.keys(answers).filter(name => isPresent(answers[name]) && !visible.some(field => field.name === name))
  return [
    ...visible.flatMap(field => problemsOf(field, answerTo(answers, field.name), settings)),
    ...unknown.map(name => ({ path: `answers.${name.slice(0, 60)}`, rule: 'unknown', key: 'shape.unknown' })),
  ]
}

/** A form's field: in the catalogue's five languages, or in one. */
export type FieldOfForm = Conditional & {
  kind: TicketField['kind']
  required?: boolean | undefined
  maxLength?: number | null | undefined
  notAfterToday?: boolean | undefined
  options?: readonly { value: string }[] | undefined
}

function problemsOf(field: FieldOfForm, answer: Answer | undefined, settings: AnswerSettings): Problem[] {
  const path = `answers.${field.name}`
  if (answer === undefined || answer === null || answer === '')
    return field.required ? [{ path, rule: 'required', key: 'validation.required' }] : []
  const problem = checks[field.kind](answer, field, settings)
  if (!problem) return field.required ? fieldProblems(path, answer, ['required'], { locale: 'en-EN', today: settings.today }) : []
  return [{ path, ...problem }]
}

type AnswerProblem = Omit<Problem, 'path'> | undefined
type Check = (answer: Answer, field: FieldOfForm, settings: AnswerSettings) => AnswerProblem

const wrongType: AnswerProblem = { rule: 'type', key: 'shape.type' }

const checkText: Check = (answer, { maxLength: most }) => {
  if (typeof answer !== 'string') return wrongType
  const tooLong = maxLength(answer, { locale: 'en-EN', today: '', params: { limit: most ?? 4000 } })
  if (tooLong) return { rule: 'maxLength', ...tooLong }
  return holdsCardNumber(answer) ? { rule: 'cardNumber', key: 'tickets.card_number' } : undefined
}

const checks: Record<TicketField['kind'], Check> = {
  text: checkText,
  long: checkText,
  choice: (answer, { options = [] }) =>
    options.some(({ value }) => value === answer) ? undefined : { rule: 'choice', key: 'tickets.no_such_choice' },
  date: (answer, { notAfterToday }, { today }) => {
    if (!isDate(answer)) return { rule: 'date', key: 'validation.invalidDate' }
    return notAfterToday && answer > today ? { rule: 'notAfterToday', key: 'tickets.not_after_today' } : undefined
  },
  amount: answer => (isAmount(answer) ? undefined : { rule: 'amount', key: 'tickets.amount' }),
  country: (answer, _, { isCountry }) =>
    typeof answer === 'number' && isCountry(answer) ? undefined : { rule: 'country', key: 'tickets.no_such_choice' },
  flag: answer => (typeof answer === 'boolean' ? undefined : wrongType),
  account: answer =>
    typeof answer === 'string' && answer.length <= 60 && isIban(answer) ? undefined : { rule: 'account', key: 'tickets.account' },
}

const mostAmount = 10_000_000

const isAmount = (answer: Answer): boolean =>
  typeof answer === 'number' && answer >= 0 && answer <= mostAmount && Math.abs(answer * 100 - Math.round(answer * 100)) < 1e-6
