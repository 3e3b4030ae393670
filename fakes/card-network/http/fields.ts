import type { Form } from './form.ts'
import { invalid } from './refusals.ts'

/** The type of a parameter. The parameters are in parameters.ts, Stripe's error messages here. */
export type Field =
  | { kind: 'integer'; min: number; max?: number; required?: boolean }
  | { kind: 'text' | 'flag' | 'metadata' | 'seconds'; required?: boolean }
  | { kind: 'currency'; required?: boolean }
  | { kind: 'choice'; of: readonly string[]; required?: boolean }
  | { kind: 'list'; of: Field; required?: boolean }
  | { kind: 'group'; fields: Fields; required?: boolean }

export type Fields = { readonly [name: string]: Field }

type Value = string | number | boolean | Value[] | Values
export type Values = { [name: string]: Value }

/** Returns the typed parameters, or throws Stripe's error for the first invalid one. */
export function readFields(form: Form, fields: Fields, within = ''): Values {
  const named = (name: string): string => (within ? `${within}[${name}]` : name)
  for (const name of Object.keys(form))
    if (!Object.hasOwn(fields, name))
      throw invalid(`Received unknown parameter: ${named(name)}`, { code: 'parameter_unknown', param: named(name) })
  const values: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    const input = form[name]
    if (input !== undefined) values[name] = readField(input, field, named(name))
    else if (field.required) throw invalid(`Missing required param: ${named(name)}.`, { code: 'parameter_missing', param: named(name) })
  }
  return values
}

function readField(input: string | Form, field: Field, param: string): Value {
  if (field.kind === 'metadata') return readMetadata(input, param)
  if (field.kind === 'list') return Object.values(groupOf(input, param)).map((item, at) => readField(item, field.of, `${param}[${at}]`))
  if (field.kind === 'group') return readFields(groupOf(input, param), field.fields, param)
  if (field.kind === 'seconds' && typeof input === 'object') return readFields(input, range, param)
  if (typeof input !== 'string') throw invalid(`Invalid string: ${JSON.stringify(input)}`, { param })
  if (input === '')
    throw invalid(`You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter.`, {
      code: 'parameter_invalid_empty',
      param,
    })
  return readText(input, field, param)
}

function readText(input: string, field: Exclude<Field, { kind: 'list' | 'group' }>, param: string): Value {
  switch (field.kind) {
    case 'integer':
      return readInteger(input, field, param)
    case 'seconds':
      return readInteger(input, { min: 0 }, param)
    case 'flag':
      if (input !== 'true' && input !== 'false') throw invalid(`Invalid boolean: ${input}`, { param })
      return input === 'true'
    case 'currency':
      if (!/^[a-z]{3}$/.test(input)) throw invalid(`Invalid currency: ${input}.`, { param })
      return input
    case 'choice':
      if (!field.of.includes(input)) throw invalid(`Invalid ${param}: must be one of ${field.of.join(', ')}`, { param })
      return input
    case 'text':
    case 'metadata':
      return input
  }
}

/** Reads an integer. Stripe has its own error codes for an amount out of bounds. */
function readInteger(input: string, { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }, param: string): number {
  if (!/^-?\d{1,15}$/.test(input)) throw invalid(`Invalid integer: ${input}`, { code: 'parameter_invalid_integer', param })
  const value = Number(input)
  if (value < min) throw invalid(`This value must be greater than or equal to ${min}.`, { code: tooSmall(param), param })
  if (value > max) throw invalid(`This value must be less than or equal to ${max}.`, { code: tooLarge(param), param })
  return value
}

const tooSmall = (param: string): string => (param === 'amount' ? 'amount_too_small' : 'parameter_invalid_integer')
const tooLarge = (param: string): string => (param === 'amount' ? 'amount_too_large' : 'parameter_invalid_integer')

/** Reads up to 50 entries, with names of 40 and values of 500 characters. An empty text removes an entry, or all. */
function readMetadata(input: string | Form, param: string): Values | string {
  if (input === '') return ''
  const entries = Object.entries(groupOf(input, param))
  if (entries.length > 50) throw invalid('You can set up to 50 keys.', { param })
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw invalid('Metadata values must be strings.', { param: `${param}[${name}]` })
    if (name.length > 40) throw invalid('Metadata keys can have up to 40 characters.', { param: `${param}[${name}]` })
    if (value.length > 500) throw invalid('Metadata values can have up to 500 characters.', { param: `${param}[${name}]` })
  }
  // Safe: each value is a string, as checked above.
  return Object.fromEntries(entries) as Values
}

function groupOf(input: string | Form, param: string): Form {
  if (typeof input === 'string') throw invalid(`Invalid object: ${input}`, { param })
  return input
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
  // Safe: `typeof` has checked it.
  return typeof value === kind ? (value as { string: string; number: number; boolean: boolean }[K]) : undefined
}
