import type { Form } from './form.ts'
import { invalid } from './refusals.ts'

/** What a parameter may be. The facts stand in parameters.ts; how Stripe words its refusals, here. */
export type Field =
  | { kind: 'integer'; min: number; max?: number; required?: boolean }
  | { kind: 'text' | 'flag' | 'metadata' | 'seconds'; required?: boolean }
  | { kind: 'currency'; required?: boolean }
  | { kind: 'choice'; of: readonly string[]; required?: boolean }
  | { kind: 'list'; of: Field; required?: boolean }
  | { kind: 'group'; fields: Fields; required?: boolean }

export type Fields = { readonly [name: string]: Field }

export type Value = string | number | boolean | Value[] | Values
export type Values = { [name: string]: Value }

/** The parameters as they were meant, or Stripe's refusal of the first that is none. */
export function readFields(form: Form, fields: Fields, within = ''): Values {
  const named = (name: string): string => (within ? `${within}[${name}]` : name)
  for (const name of Object.keys(form))
    if (!Object.hasOwn(fields, name))
      throw invalid(`Received unknown parameter: ${named(name)}`, { code: 'parameter_unknown', param: named(name) })
  const values: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = form[name]
    if (given !== undefined) values[name] = readField(given, field, named(name))
    else if (field.required) throw invalid(`Missing required param: ${named(name)}.`, { code: 'parameter_missing', param: named(name) })
  }
  return values
}

function readField(given: string | Form, field: Field, param: string): Value {
  if (field.kind === 'metadata') return readMetadata(given, param)
  if (field.kind === 'list') return Object.values(groupOf(given, param)).map((item, at) => readField(item, field.of, `${param}[${at}]`))
  if (field.kind === 'group') return readFields(groupOf(given, param), field.fields, param)
  if (field.kind === 'seconds' && typeof given === 'object') return readFields(given, range, param)
  if (typeof given !== 'string') throw invalid(`Invalid string: ${JSON.stringify(given)}`, { param })
  if (given === '')
    throw invalid(`You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter.`, {
      code: 'parameter_invalid_empty',
      param,
    })
  return readText(given, field, param)
}

function readText(given: string, field: Exclude<Field, { kind: 'list' | 'group' }>, param: string): Value {
  switch (field.kind) {
    case 'integer':
      return readInteger(given, field, param)
    case 'seconds':
      return readInteger(given, { min: 0 }, param)
    case 'flag':
      if (given !== 'true' && given !== 'false') throw invalid(`Invalid boolean: ${given}`, { param })
      return given === 'true'
    case 'currency':
      if (!/^[a-z]{3}$/.test(given)) throw invalid(`Invalid currency: ${given}.`, { param })
      return given
    case 'choice':
      if (!field.of.includes(given)) throw invalid(`Invalid ${param}: must be one of ${field.of.join(', ')}`, { param })
      return given
    case 'text':
    case 'metadata':
      return given
  }
}

/** Stripe has words of its own for an amount that is out of bounds. */
function readInteger(given: string, { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }, param: string): number {
  if (!/^-?\d{1,15}$/.test(given)) throw invalid(`Invalid integer: ${given}`, { code: 'parameter_invalid_integer', param })
  const value = Number(given)
  if (value < min) throw invalid(`This value must be greater than or equal to ${min}.`, { code: tooSmall(param), param })
  if (value > max) throw invalid(`This value must be less than or equal to ${max}.`, { code: tooLarge(param), param })
  return value
}

const tooSmall = (param: string): string => (param === 'amount' ? 'amount_too_small' : 'parameter_invalid_integer')
const tooLarge = (param: string): string => (param === 'amount' ? 'amount_too_large' : 'parameter_invalid_integer')

/** At most 50 entries, names of 40 characters, values of 500; the empty text takes an entry (or all of them) away. */
function readMetadata(given: string | Form, param: string): Values | string {
  if (given === '') return ''
  const entries = Object.entries(groupOf(given, param))
  if (entries.length > 50) throw invalid('You can set up to 50 keys.', { param })
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw invalid('Metadata values must be strings.', { param: `${param}[${name}]` })
    if (name.length > 40) throw invalid('Metadata keys can have up to 40 characters.', { param: `${param}[${name}]` })
    if (value.length > 500) throw invalid('Metadata values can have up to 500 characters.', { param: `${param}[${name}]` })
  }
  return Object.fromEntries(entries) as Values
}

function groupOf(given: string | Form, param: string): Form {
  if (typeof given === 'string') throw invalid(`Invalid object: ${given}`, { param })
  return given
}

const seconds: Field = { kind: 'integer', min: 0 }
const range: Fields = { gt: seconds, gte: seconds, lt: seconds, lte: seconds }

export const textOf = (values: Values, name: string): string | undefined => pick(values, name, 'string')
export const numberOf = (values: Values, name: string): number | undefined => pick(values, name, 'number')
export const flagOf = (values: Values, name: string): boolean | undefined => pick(values, name, 'boolean')
export const groupIn = (values: Values, name: string): Values | undefined => {
  const value = values[name]
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

function pick<K extends 'string' | 'number' | 'boolean'>(
  values: Values,
  name: string,
  kind: K,
): { string: string; number: number; boolean: boolean }[K] | undefined {
  const value = values[name]
  return typeof value === kind ? (value as { string: string; number: number; boolean: boolean }[K]) : undefined
}
