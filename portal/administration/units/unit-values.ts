import type { UnitFacts } from '#common/administration/schemas/unit.ts'
import { unitProblems } from '#common/administration/unit.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'

/** A unit as its form holds it. */
export type UnitValues = Omit<
  UnitFacts,
  'country' | 'address' | 'showSecondLastName' | 'sessionIdleHours' | 'sessionDays' | 'timeZone' | 'currency'
> & {
  key?: string
  country: number | null
  timeZone: string | null
  currency: string | null
  showSecondLastName: boolean
  address: Omit<UnitFacts['address'], 'country'> & { country: number | null }
  sessionIdleHours: NumberValue
  sessionDays: NumberValue
}

export const valuesOf = ({ showSecondLastName, ...facts }: UnitFacts): UnitValues => ({
  ...facts,
  showSecondLastName: showSecondLastName === '1',
})

/** A new one begins where its administrator's own is at home. */
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
  showSecondLastName: true,
  accent: '#33566b',
  supportEmail: '',
  address: { street: '', zipCode: '', city: '', state: '', country },
  contactInfo: { email: '', phone: '' },
  billingInfo: { iban: '', email: '' },
  sessionIdleHours: null,
  sessionDays: null,
  twoFactorRequired: false,
})

/** The rules of the service, and a country where none is chosen. */
export function unitFormProblems(values: UnitValues): Problem[] {
  const none = (path: string, country: number | null): Problem[] =>
    country === null ? [{ path, rule: 'country', key: 'administration.fault.country' }] : []
  return [...unitProblems(values), ...none('country', values.country), ...none('address.country', values.address.country)]
}

/** As the call takes it, once the rules are content. */
export function factsIn(given: UnitValues): UnitFacts {
  const values = { ...given }
  delete values.key
  const whole = (value: NumberValue) => (typeof value === 'number' ? value : null)
  return {
    ...values,
    country: values.country ?? 0,
    timeZone: values.timeZone ?? '',
    currency: values.currency ?? '',
    showSecondLastName: values.showSecondLastName ? '1' : '0',
    address: { ...values.address, country: values.address.country ?? 0 },
    sessionIdleHours: whole(values.sessionIdleHours),
    sessionDays: whole(values.sessionDays),
  }
}
