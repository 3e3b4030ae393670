import { intlTag, type Locale } from '#common/kit/locales.ts'

/** The context of a rule: the unit's language and country, its current day, and the rule's parameters. */
export type RuleContext = { locale: Locale; today: string; params?: RuleParams }

export type RuleParams = Readonly<Record<string, unknown>>

/** A problem that has no path yet. */
export type RuleProblem = { key: string; params?: Record<string, string | number> }

/** Total: accepts any value, never throws, and reads the value at most once. */
export type Validator = (value: unknown, context: RuleContext) => RuleProblem | null

/** True if nothing was entered, which only the `required` rules refuse. Spaces are an entry, and invalid. */
export const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Makes a rule for text. An empty value is valid; non-text and overlong text fail before any pattern runs. */
export const textRule =
  (
    isWellFormed: (text: string, context: RuleContext) => boolean,
    problem: (context: RuleContext, text: string) => RuleProblem,
  ): Validator =>
  (value, context) => {
    if (isNothing(value)) return null
    const text = typeof value === 'string' && value.length <= longestText ? value : undefined
    return text !== undefined && isWellFormed(text, context) ? null : problem(context, text ?? '')
  }

/** The longest valid text is an email address, of at most 254 characters. */
const longestText = 254

/** Returns the country of a language, by which messages choose their text. */
export const countryOf = (locale: Locale): string => intlTag(locale).slice(3)

export const inCountry =
  (key: string): ((context: RuleContext) => RuleProblem) =>
  ({ locale }) => ({ key, params: { country: countryOf(locale) } })

/** Returns a numeric parameter. A missing or other value sets no limit. */
export function numberParam(params: RuleParams | undefined, name: string): number | undefined {
  const value = params?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const textParam = (params: RuleParams | undefined, name: string): string | undefined => {
  const value = params?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Upper-cases a to z only, so that no other letter turns into one of a document number. */
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, letters => letters.toUpperCase())
