import type { Problem } from '#common/kit/problems.ts'
import { greaterThan, lessThan, maxLength, min, minLength } from './bounds.ts'
import { cardSecurityCode, isCrecitCardExpirationValid, isCreditCardValid } from './cards.ts'
import { validCodPostal, validPhone } from './contacts.ts'
import { foreignDocument, personName, validDocName, validPassport } from './documents.ts'
import { email, emailPartners } from './emails.ts'
import { birthDateRange, endDateMax, olderThan, policyListDateRange, startDateRange } from './periods.ts'
import { required, requiredIfAgeOver14, requiredPartners } from './presence.ts'
import type { RuleContext, RuleParams, Validator } from './rule.ts'
import { validateTaxId } from './tax-ids.ts'

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
