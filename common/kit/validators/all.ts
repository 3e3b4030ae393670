import type { Problem } from '#common/kit/problems.ts'
import { greaterThan, lessThan, maxLength, min, minLength } from './bounds.ts'
import { cardSecurityCode, isCrecitCardExpirationValid, isCreditCardValid } from './cards.ts'
import { validCodPostal, validPhone } from './contacts.ts'
import { validDocName } from './documents.ts'
import { email, emailPartners } from './emails.ts'
import { birthDateRange, endDateMax, olderThan, policyListDateRange, startDateRange } from './periods.ts'
import { required, requiredIfAgeOver14, requiredPartners } from './presence.ts'
import type { RuleContext, RuleParams, Validator } from './rule.ts'
import { validateTaxId } from './tax-ids.ts'

/** Every form rule of spec 5 under its own name, also where the name is misspelt. */
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

/** A rule of a field: its name, or its name with what it needs to know. */
export type Rule = RuleName | readonly [name: RuleName, params: RuleParams]

/** The first rule that the field breaks, as a problem at that field; an empty list when it breaks none. */
export function fieldProblems(path: string, value: unknown, rules: readonly Rule[], context: Omit<RuleContext, 'params'>): Problem[] {
  for (const rule of rules) {
    const [name, params] = typeof rule === 'string' ? [rule, {}] : rule
    const finding = validators[name](value, { ...context, params })
    if (finding) return [{ path, rule: name, ...finding }]
  }
  return []
}
