import type { TicketField, TicketType } from '#common/products/tickets.ts'
import type { Catalogue } from '#server/products/catalogue-files.ts'
import type { Fault } from '#server/products/catalogue-shape.ts'

type Told = [path: string, fault: string]

/** A form that can be filled in: each name once, and what hangs on an answer hangs on one that was asked for before and can be given. */
export function checkTickets({ tickets }: Partial<Catalogue>): Fault[] {
  if (!tickets) return []
  return [
    ...tickets.flatMap(type => checkType(type).map(([path, fault]) => ({ file: `tickets/${type.key}.json`, path, fault }))),
    ...(['claim', 'request'] as const)
      .filter(kind => !tickets.some(type => type.kind === kind))
      .map(kind => ({ file: 'tickets', path: '', fault: `holds no ${kind}; expected one at least` })),
  ]
}

function checkType({ kind, policy, fields }: TicketType): Told[] {
  return [
    ...(kind === 'claim' && policy !== 'needed' ? [['policy', 'is "optional"; expected "needed", as for every claim'] satisfies Told] : []),
    ...twice(fields.map(field => field.name)).map(([index, name]): Told => [`fields[${index}].name`, `${name} is given twice`]),
    ...fields.flatMap((field, index) => [...checkOptions(field, index), ...checkCondition(fields, index)]),
  ]
}

const twice = (names: readonly string[]): [index: number, name: string][] =>
  names.flatMap((name, index) => (names.indexOf(name) === index ? [] : [[index, name]]))

const checkOptions = (field: TicketField, index: number): Told[] =>
  field.kind === 'choice'
    ? twice(field.options.map(option => option.value)).map(([nth, value]) => [
        `fields[${index}].options[${nth}].value`,
        `${value} is given twice`,
      ])
    : []

function checkCondition(fields: readonly TicketField[], index: number): Told[] {
  const condition = fields[index]?.when
  if (!condition) return []
  const place = `fields[${index}].when`
  const asked = fields.slice(0, index).find(field => field.name === condition.field)
  if (!asked) return [[`${place}.field`, `${condition.field} is not asked for before`]]
  const answers = asked.kind === 'choice' ? asked.options.map(option => option.value) : asked.kind === 'flag' ? ['true'] : []
  if (answers.length === 0) return [[`${place}.field`, `${condition.field} is neither a choice nor a flag`]]
  return condition.is.flatMap((value, nth): Told[] =>
    answers.includes(value) ? [] : [[`${place}.is[${nth}]`, `${value} is no answer of ${condition.field}; it has ${answers.join(', ')}`]],
  )
}
