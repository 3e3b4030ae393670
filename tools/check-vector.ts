import { isDate, displayDate, parseDate } from '#common/kit/dates.ts'
import { type Locale, locales } from '#common/kit/locales.ts'
import { type RuleName, validators } from '#common/kit/validators/all.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import type { RuleParams } from '#common/kit/validators/rule.ts'
import { missingInExtraTravellers } from '#common/policies/people.ts'
import { missingInTrip } from '#common/quotes/trip.ts'
import { tripInForm } from '#common/quotes/trip-codecs.ts'

/** A line of a vectors file: the expected result of a rule, in one language or (`*`) in all five. */
export type Vector = {
  rule: string
  locale: string
  value: unknown
  valid: boolean
  params?: RuleParams
  today?: string
  expected?: unknown
  why?: string
}

/** Returns how the rule's result differs from the expected one, in one line, or undefined. */
export function mismatchOf(given: unknown): string | undefined {
  if (!isVector(given)) return 'is no vector: rule, locale, value and valid are needed'
  const judge = judgeOf(given.rule)
  if (!judge) return `unknown rule '${given.rule}'`
  const asked = given.locale === '*' ? locales : locales.filter(locale => locale === given.locale)
  if (asked.length === 0) return `unknown locale '${given.locale}'`
  for (const locale of asked) {
    const { valid, result } = judge(given, locale)
    if (valid !== given.valid) return `said ${validity(valid)} in ${locale}, expected ${validity(given.valid)}`
    if ('expected' in given && given.expected !== (result ?? null)) {
      return `gave ${JSON.stringify(result ?? null)} in ${locale}, expected ${JSON.stringify(given.expected)}`
    }
  }
  return undefined
}

function isVector(given: unknown): given is Vector {
  if (typeof given !== 'object' || given === null) return false
  if (!('rule' in given && 'locale' in given && 'value' in given && 'valid' in given)) return false
  return typeof given.rule === 'string' && typeof given.locale === 'string' && typeof given.valid === 'boolean'
}

type Judgement = { valid: boolean; result?: unknown }
type Judge = (vector: Vector, locale: Locale) => Judgement

function judgeOf(rule: string): Judge | undefined {
  if (Object.hasOwn(otherJudges, rule)) return otherJudges[rule]
  if (!Object.hasOwn(validators, rule)) return undefined
  return ({ value, params = {}, today = someDay }, locale) => ({
    // Safe: the guard above has checked it.
    valid: validators[rule as RuleName](value, { locale, today: isDate(today) ? today : someDay, params }) === null,
  })
}

/** The date of vectors without one: the day on which they were written. */
const someDay = '2026-11-20'

/** The rules that do not validate a single field. */
const otherJudges: Readonly<Record<string, Judge>> = {
  parseDate: ({ value }) => found(parseDate(value)),
  displayDate: ({ value }) => found(displayDate(value)),
  documentNumberSent: ({ value, params }) => {
    const result = documentNumberSent(value)
    return { valid: params?.expected === undefined || result === params.expected, result }
  },
  step1Complete: ({ value, params }) => ({
    valid: missingInTrip(tripInForm(objectOf(value)), { hasAmountCancellation: params?.hasAmountCancellation === true }).length === 0,
  }),
  extraTravellersComplete: ({ value, params, today = someDay }) => {
    const { travelers, showSecondLastName } = params ?? {}
    const missing = missingInExtraTravellers(
      Array.isArray(value) ? value : [],
      typeof travelers === 'number' ? travelers : 1,
      typeof showSecondLastName === 'string' ? showSecondLastName : undefined,
      today,
    )
    return { valid: missing.length === 0 }
  },
}

const found = (result: string | undefined): Judgement => ({ valid: result !== undefined, result })

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

const validity = (valid: boolean): string => (valid ? 'valid' : 'invalid')
