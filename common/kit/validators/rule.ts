import { intlTag, type Locale } from '#common/kit/locales.ts'

/** What a rule may know beside the value: the unit's language and country, today there, and the rule's own parameters. */
export type RuleContext = { locale: Locale; today: string; params?: RuleParams }

export type RuleParams = Readonly<Record<string, unknown>>

/** A problem that does not know yet at which field it stands. */
export type Finding = { key: string; params?: Record<string, string | number> }

/** Total: any value gives an answer, none throws, and none takes longer than it takes to read the value once. */
export type Validator = (value: unknown, context: RuleContext) => Finding | null

/** Nothing was entered. Only the `required` rules mind that; blanks are something, and not well-formed. */
export const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** A rule on text: nothing is no fault; what is no text, or longer than any such thing can be, is one before any pattern sees it. */
export const textRule =
  (isWellFormed: (text: string, context: RuleContext) => boolean, finding: (context: RuleContext) => Finding): Validator =>
  (value, context) => {
    if (isNothing(value)) return null
    return typeof value === 'string' && value.length <= longestText && isWellFormed(value, context) ? null : finding(context)
  }

/** An e-mail address, the longest of them all, has at most 254 characters. */
const longestText = 254

/** The country whose usage a language stands for, as the messages choose by it. */
export const countryOf = (locale: Locale): string => intlTag(locale).slice(3)

export const inCountry =
  (key: string): ((context: RuleContext) => Finding) =>
  ({ locale }) => ({ key, params: { country: countryOf(locale) } })

/** A parameter that is a number; one that is none does not bind. */
export function numberParam(params: RuleParams | undefined, name: string): number | undefined {
  const given = params?.[name]
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined
}

export const textParam = (params: RuleParams | undefined, name: string): string | undefined => {
  const given = params?.[name]
  return typeof given === 'string' ? given : undefined
}

/** a to z only: `ı`, `ß` and their like stay what they are, so that no other letter turns into one of a document's (D64). */
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, letters => letters.toUpperCase())
