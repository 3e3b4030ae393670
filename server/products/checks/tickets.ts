import type { TicketField, TicketType } from '#common/products/tickets.ts'
import type { Catalogue } from '#server/products/catalogue/files.ts'
import type { CatalogueProblem } from '#server/products/catalogue/shape.ts'

type PathProblem = [path: string, problem: string]

/** Checks that each form can be filled in: unique names, and conditions only on earlier answers that are possible. */
export function checkTickets({ tickets }: Partial<Catalogue>): CatalogueProblem[] {
  if (!tickets) return []
  return [
    ...tickets.flatMap(type => checkType(type).map(([path, problem]) => ({ file: `tickets/${type.key}.json`, path, problem }))),
    ...(['claim', 'request'] as const)
      .filter(kind => !tickets.some(type => type.kind === kind))
      .map(kind => ({ file: 'tickets', path: '', problem: `holds no ${kind}; expected one at least` })),
  ]
}

function checkType({ kind, policy, fields }: TicketType): PathProblem[] {
  return [
    ...(kind === 'claim' && policy !== 'needed'
      ? [['policy', 'is "optional"; expected "needed", as for every claim'] satisfies PathProblem]
      : []),
    ...duplicates(fields.map(field => field.name)).map(([index, name]): PathProblem => [`fields[${index}].name`, `${name} is given twice`]),
    ...fields.flatMap((field, index) => [...checkOptions(field, index), ...checkCondition(fields, index)]),
  ]
}

const duplicates = (names: readonly string[]): [index: number, name: string][] =>
  names.flatMap((name, index) => (names.indexOf(name) === index ? [] : [[index, name]]))

const checkOptions = (field: TicketField, index: number): PathProblem[] =>
  field.kind === 'choice'
    ? duplicates(field.options.map(option => option.value)).map(([nth, value]) => [
        `fields[${index}].options[${nth}].value`,
        `${value} is given twice`,
      ])
    : []

function checkCondition(fields: readonly TicketField[], index: number): PathProblem[] {
  const condition = fields[index]?.when
  if (!condition) return []
  const path = `fields[${index}].when`
  const question = fields.slice(0, index).find(field => field.name === condition.field)
  if (!question) return [[`${path}.field`, `${condition.field} is not asked for before`]]
  const answers = question.kind === 'choice' ? question.options.map(option => option.value) : question.kind === 'flag' ? ['true'] : []
  if (answers.length === 0) return [[`${path}.field`, `${condition.field} is neither a choice nor a flag`]]
  return condition.is.flatMap((value, nth): PathProblem[] =>
    answers.includes(value) ? [] : [[`${path}.is[${nth}]`, `${value} is no answer of ${condition.field}; it has ${answers.join(', ')}`]],
  )
}
