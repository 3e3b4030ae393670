import type { UnitFacts } from '#common/administration/schemas/unit.ts'
import { unitProblems } from '#common/administration/unit.ts'
import { displayDate, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'

/** A unit in the form's format: choices and numbers may be empty. */
export type UnitValues = Omit<
  UnitFacts,
  | 'country'
  | 'address'
  | 'showSecondLastName'
  | 'sessionIdleHours'
  | 'sessionDays'
  | 'timeZone'
  | 'currency'
  | 'earliestBirthDate'
  | 'quoteHours'
> & {
  earliestBirthDate: string
  quoteHours: NumberValue
  key?: string
  country: number | null
  timeZone: string | null
  currency: string | null
  showSecondLastName: boolean
  address: Omit<UnitFacts['address'], 'country'> & { country: number | null }
  sessionIdleHours: NumberValue
  sessionDays: NumberValue
}

export const valuesOf = ({ showSecondLastName, earliestBirthDate, ...facts }: UnitFacts): UnitValues => ({
  ...facts,
  earliestBirthDate: displayDate(earliestBirthDate) ?? '',
  showSecondLastName: showSecondLastName === '1',
})

/** Spain, Portugal, and the countries of America that speak Spanish. */
const withSecondLastNames = new Set([724, 620, 32, 68, 152, 170, 188, 192, 214, 218, 222, 320, 340, 484, 558, 591, 600, 604, 630, 858, 862])

/** True if people in a country (ISO 3166-1 number) have two surnames, so that a new unit there asks for both. */
export const hasSecondLastNames = (country: number | null): boolean => country !== null && withSecondLastNames.has(country)

/** Returns the initial values of the form, with the region of the administrator's own unit. */
export const freshValues = (locale: UnitFacts['locale'], country: number, timeZone: string, currency: string): UnitValues => ({
  key: '',
  brandName: '',
  legalName: '',
  taxId: '',
  managementGroup: '',
  locale,
  country,
  timeZone,
  currency,
  showSecondLastName: hasSecondLastNames(country),
  accent: '#33566b',
  supportEmail: '',
  address: { street: '', zipCode: '', city: '', state: '', country },
  contactInfo: { email: '', phone: '' },
  billingInfo: { iban: '', email: '' },
  sessionIdleHours: null,
  sessionDays: null,
  earliestBirthDate: '',
  quoteHours: null,
  copiesOfChanges: false,
  distributionRole: 'agent',
  twoFactorRequired: false,
})

/** Returns the problems by the service's rules, and those of countries not chosen yet. */
export function unitFormProblems(values: UnitValues): Problem[] {
  const missingCountry = (path: string, country: number | null): Problem[] =>
    country === null ? [{ path, rule: 'country', key: 'administration.fault.country' }] : []
  return [
    ...unitProblems(values),
    ...missingCountry('country', values.country),
    ...missingCountry('address.country', values.address.country),
  ]
}

/** Returns valid form values in the format of the call. */
export function factsIn(form: UnitValues): UnitFacts {
  const values = { ...form }
  delete values.key
  const numberOrNull = (value: NumberValue) => (typeof value === 'number' ? value : null)
  return {
    ...values,
    country: values.country ?? 0,
    timeZone: values.timeZone ?? '',
    currency: values.currency ?? '',
    showSecondLastName: values.showSecondLastName ? '1' : '0',
    address: { ...values.address, country: values.address.country ?? 0 },
    earliestBirthDate: readDate(values.earliestBirthDate) ?? null,
    quoteHours: numberOrNull(values.quoteHours),
    sessionIdleHours: numberOrNull(values.sessionIdleHours),
    sessionDays: numberOrNull(values.sessionDays),
  }
}
