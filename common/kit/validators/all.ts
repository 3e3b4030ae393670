import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { greaterThan, lessThan, maxLength, min, minLength } from './bounds.ts'
import { cardSecurityCode, isCrecitCardExpirationValid, isCreditCardValid } from './cards.ts'
import { cifControl, passesLuhn } from './checksums.ts'
import { validCodPostal, validPhone } from './contacts.ts'
import { foreignDocument, personName, validDocName, validPassport } from './documents.ts'
import { email, emailPartners } from './emails.ts'
import { birthDateRange, endDateMax, olderThan, policyListDateRange, startDateRange } from './periods.ts'
import { required, requiredIfAgeOver14, requiredPartners } from './presence.ts'
import { inCountry, type RuleContext, type RuleParams, textRule, upperAscii, type Validator } from './rule.ts'

/** spec 5: es-ES Spanish company tax id; it-IT 11-digit VAT; other locales accept anything. */
const validateTaxId: Validator = (value, context) => (isTaxId[context.locale] ? checkTaxId(value, context) : null)

const checkTaxId = textRule((text, { locale }) => isTaxId[locale]?.(upperAscii(text)) ?? true, inCountry('validation.validateTaxId'))

const isTaxId: Partial<Record<Locale, (text: string) => boolean>> = { 'es-ES': isSpanishCompany, 'it-IT': isPartitaIva }

/** Expects a letter for the legal form, seven digits, and a check character: a letter for public bodies and foreigners, a digit for companies. */
function isSpanishCompany(text: string): boolean {
  if (!/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(text)) return false
  const control = cifControl(text.slice(1, 8))
  const digit = text.charAt(8) === String(control)
  const letter = text.charAt(8) === 'JABCDEFGHI'.charAt(control)
  if ('ABEH'.includes(text.charAt(0))) return digit
  return 'NPQRSW'.includes(text.charAt(0)) ? letter : digit || letter
}

/** The first seven digits number the company, of which 0000000 does not exist. */
function isPartitaIva(text: string): boolean {
  return /^\d{11}$/.test(text) && !text.startsWith('0000000') && passesLuhn(text)
}

/** Every form rule of spec 5 by its name there, even if misspelt, and rules of our own. */
export const validators = {
  required,
  email,
  min,
  minLength,
  maxLength,
  olderThan,
  greaterThan,
  lessThan,
  requiredIfAgeOver14,
  validateTaxId,
  validDocName,
  validPassport,
  foreignDocument,
  personName,
  validPhone,
  validCodPostal,
  requiredPartners,
  emailPartners,
  isCreditCardValid,
  isCrecitCardExpirationValid,
  cardSecurityCode,
  birthDateRange,
  startDateRange,
  endDateMax,
  policyListDateRange,
} as const satisfies Record<string, Validator>

export type RuleName = keyof typeof validators

/** A field's rule: a name, or a name with parameters. */
export type Rule = RuleName | readonly [name: RuleName, params: RuleParams]

/** Returns the first rule that the field breaks as a problem, or an empty list. */
export function fieldProblems(path: string, value: unknown, rules: readonly Rule[], context: Omit<RuleContext, 'params'>): Problem[] {
  for (const rule of rules) {
    const [name, params] = typeof rule === 'string' ? [rule, {}] : rule
    const problem = validators[name](value, { ...context, params })
    if (problem) return [{ path, rule: name, ...problem }]
  }
  return []
}
