import type { Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'
import { type RuleProblem, isNothing, numberParam, type RuleParams, textParam, type Validator } from './rule.ts'

/** spec 5: minimum character count. */
export const min: Validator = (value, { params }) => tooShort(value, numberParam(params, 'min'), 'validation.min')

export const minLength: Validator = (value, { params }) => tooShort(value, numberParam(params, 'limit'), 'validation.minLength')

export const maxLength: Validator = (value, { params }) => {
  const limit = numberParam(params, 'limit')
  if (isNothing(value) || limit === undefined) return null
  return lengthOf(value, limit) <= limit ? null : { key: 'validation.maxLength', params: { limit } }
}

/** spec 5: numeric bound, the bound itself excluded. */
export const greaterThan: Validator = (value, { locale, params }) =>
  boundProblem(value, locale, params, 'validation.greaterThan', (number, limit) => number > limit)

export const lessThan: Validator = (value, { locale, params }) =>
  boundProblem(value, locale, params, 'validation.lessThan', (number, limit) => number < limit)

function tooShort(value: unknown, limit: number | undefined, key: string): RuleProblem | null {
  if (isNothing(value) || limit === undefined) return null
  return lengthOf(value, limit) >= limit ? null : { key, params: { limit } }
}

/**
 * Returns the length of a text, a list or a number's digits. A character such as é counts once, however encoded. Reads at most four code units per
 * character of the limit, as no character has more.
 */
function lengthOf(value: unknown, limit: number): number {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'number') return String(value).length
  if (typeof value !== 'string') return Number.NaN
  return codePoints(composed(value.slice(0, 4 * (Math.max(0, Math.ceil(limit)) + 1))))
}

/** Counts a surrogate pair as one character. */
const codePoints = (text: string): number => text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)

function boundProblem(
  value: unknown,
  locale: Locale,
  params: RuleParams | undefined,
  key: string,
  holds: (number: number, limit: number) => boolean,
): RuleProblem | null {
  if (isNothing(value)) return null
  const number = readNumber(value, locale)
  if (number === undefined) return { key: 'validation.invalidNumber' }
  const limit = numberParam(params, 'limit')
  if (limit === undefined || holds(number, limit)) return null
  return { key, params: { limit, currency: textParam(params, 'currency') ?? '€' } }
}

/** Reads a number or its text, without exponents or thousands separators. The language decides if a comma is the decimal sign. */
function readNumber(value: unknown, locale: Locale): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > longestNumber) return undefined
  const text = value.trim()
  const decimal = locale === 'en-EN' ? text : text.replace(',', '.')
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(decimal) ? Number(decimal) : undefined
}

const longestNumber = 40
