import { isCountry } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { isNothing } from '#common/kit/validators/rule.ts'

/** The part of its profile that an agency may change, not yet checked. */
export type ProfileInput = {
  address: { street: unknown; zipCode: unknown; city: unknown; state: unknown; country: unknown }
  contactInfo: { email: unknown; phone: unknown }
  billingInfo: { iban: unknown; email: unknown }
}

/** The agency's own country, and its language. */
export type Home = { locale: Locale; country: number }

/** Returns the problems of a profile. Postal code and phone follow spec 5 for the agency's own country, if that has formats of its own. */
export function profileProblems({ address, contactInfo, billingInfo }: ProfileInput, { locale, country }: Home): Problem[] {
  const home = address.country === country ? localeOfCountry(country) : undefined
  const check = (path: string, value: unknown, ...rules: Rule[]) =>
    fieldProblems(path, value, ['required', ...rules], { locale: home ?? locale, today: '' })
  const short: Rule = ['maxLength', { limit: 200 }]
  return [
    ...check('address.street', address.street, short),
    ...check('address.zipCode', address.zipCode, home ? 'validCodPostal' : ['maxLength', { limit: 20 }]),
    ...check('address.city', address.city, short),
    ...check('address.state', address.state, short),
    ...countryProblems(address.country),
    ...check('contactInfo.email', contactInfo.email, 'email'),
    ...check(
      'contactInfo.phone',
      dialled(contactInfo.phone),
      ...(home ? (['validPhone'] as const) : [['maxLength', { limit: 30 }] as const]),
    ),
    ...ibanProblems(billingInfo.iban),
    ...check('billingInfo.email', billingInfo.email, 'email'),
  ]
}

/** Removes the spaces, dots and brackets that agencies write in phone numbers. */
const dialled = (phone: unknown): unknown => (typeof phone === 'string' ? phone.trim().replaceAll(/(?<=[\d)])[ .]|[()]/g, '') : phone)

const countryProblems = (country: unknown): Problem[] =>
  typeof country === 'number' && isCountry(country) ? [] : [{ path: 'address.country', rule: 'country', key: 'agency.fault.country' }]

function ibanProblems(iban: unknown): Problem[] {
  const path = 'billingInfo.iban'
  if (isNothing(iban)) return [{ path, rule: 'required', key: 'validation.required' }]
  return typeof iban === 'string' && isIban(iban.trim()) ? [] : [{ path, rule: 'iban', key: 'agency.fault.iban' }]
}

/** Groups an IBAN by four, as banks print it: ES91 2100 0418 … */
export const printedIban = (iban: string): string =>
  (
    iban
      .replaceAll(/\s/g, '')
      .toUpperCase()
      .match(/.{1,4}/g) ?? []
  ).join(' ')

/** The maximum size of a logo, in bytes. */
export const logoBytes = 1024 * 1024
