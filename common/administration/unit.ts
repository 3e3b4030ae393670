import { readDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { quoteHours } from '#common/kit/validators/periods.ts'
import { isNothing } from '#common/kit/validators/rule.ts'

/** A business unit as a form or a call sends it, before any check. */
export type UnitInput = {
  key?: unknown
  brandName: unknown
  legalName: unknown
  taxId: unknown
  managementGroup: unknown
  locale: Locale
  timeZone: unknown
  currency: unknown
  accent: unknown
  supportEmail: unknown
  address: { street: unknown; zipCode: unknown; city: unknown; state: unknown; country: unknown }
  contactInfo: { email: unknown; phone: unknown }
  billingInfo: { iban: unknown; email: unknown }
  sessionIdleHours: unknown
  sessionDays: unknown
  earliestBirthDate: unknown
  quoteHours: unknown
}

/** Returns the problems of a business unit. Tax ID and postal code follow spec 5 for its country, if that has formats of its own. */
export function unitProblems(unit: UnitInput): Problem[] {
  const { address, contactInfo, billingInfo, locale } = unit
  const home = typeof address.country === 'number' ? localeOfCountry(address.country) : undefined
  const check = (path: string, value: unknown, rules: readonly Rule[]) =>
    fieldProblems(path, value, rules, { locale: home ?? locale, today: '' })
  const must = (path: string, value: unknown, own: Own) =>
    check(path, value, ['required']).concat(isBlank(value) ? [] : ownProblems(path, value, own))
  return [
    ...('key' in unit ? must('key', unit.key, 'unit_key') : []),
    ...check('brandName', unit.brandName, ['required']),
    ...check('legalName', unit.legalName, ['required']),
    ...check('taxId', unit.taxId, home ? ['required', 'validateTaxId'] : ['required']),
    ...check('managementGroup', unit.managementGroup, ['required']),
    ...must('timeZone', unit.timeZone, 'time_zone'),
    ...must('currency', unit.currency, 'currency'),
    ...must('accent', unit.accent, 'colour'),
    ...check('supportEmail', unit.supportEmail, ['required', 'email']),
    ...check('address.street', address.street, ['required']),
    ...check('address.zipCode', address.zipCode, home ? ['required', 'validCodPostal'] : ['required']),
    ...check('address.city', address.city, ['required']),
    ...check('address.state', address.state, ['required']),
    ...check('contactInfo.email', contactInfo.email, ['required', 'email']),
    ...must('contactInfo.phone', contactInfo.phone, 'phone'),
    ...must('billingInfo.iban', billingInfo.iban, 'iban'),
    ...check('billingInfo.email', billingInfo.email, ['required', 'email']),
    ...spanProblems('sessionIdleHours', unit.sessionIdleHours, { least: 1, most: 720 }),
    ...spanProblems('sessionDays', unit.sessionDays, { least: 1, most: 365 }),
    ...boundProblems(unit.earliestBirthDate),
    ...spanProblems('quoteHours', unit.quoteHours, quoteHours),
  ]
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

type Own = keyof typeof own

/** The rules of fields that only the administration enters, besides those of spec 5. */
const own = {
  unit_key: { holds: value => /^[a-z][a-z0-9-]{1,30}$/.test(value), key: 'administration.fault.key' },
  time_zone: { holds: isTimeZone, key: 'administration.fault.time_zone' },
  currency: { holds: isCurrency, key: 'administration.fault.currency' },
  colour: { holds: value => /^#[0-9a-f]{6}$/.test(value), key: 'administration.fault.colour' },
  phone: { holds: value => /^\+?[\d ()-]{6,39}$/.test(value), key: 'administration.fault.phone' },
  iban: { holds: isIban, key: 'administration.fault.iban' },
} as const satisfies Record<string, { holds: (value: string) => boolean; key: string }>

const ownProblems = (path: string, value: unknown, rule: Own): Problem[] =>
  typeof value === 'string' && own[rule].holds(value) ? [] : [{ path, rule, key: own[rule].key }]

/** An empty value is valid: the service's default applies. */
function spanProblems(path: string, value: unknown, { least, most }: { least: number; most: number }): Problem[] {
  if (value === null || value === undefined || value === '') return []
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
  return fits ? [] : [{ path, rule: 'span', key: 'administration.fault.span', params: { least, most } }]
}

/** An empty value is valid: the limit of spec 5 applies. */
function boundProblems(value: unknown): Problem[] {
  if (isNothing(value)) return []
  const date = readDate(value)
  const fits = date !== undefined && date >= '1900-01-01' && date <= '2000-01-01'
  return fits ? [] : [{ path: 'earliestBirthDate', rule: 'bound', key: 'administration.fault.earliest_birth' }]
}

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code)
}
