import { isCountry } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { isIban } from '#common/kit/validators/accounts.ts'
import { fieldProblems, type Rule } from '#common/kit/validators/all.ts'
import { isNothing } from '#common/kit/validators/rule.ts'

/** What an agency may change of itself, as a form or a call gives it (api.md, Agency). */
export type ProfileGiven = {
  address: { street: unknown; zipCode: unknown; city: unknown; state: unknown; country: unknown }
  contactInfo: { email: unknown; phone: unknown }
  billingInfo: { iban: unknown; email: unknown }
}

/** Where the unit is at home, and by which language its rules go. */
export type Home = { locale: Locale; country: number }

/** Can this be saved? Postal code and telephone follow spec 5 where the address is in the unit's own country. */
export function profileProblems({ address, contactInfo, billingInfo }: ProfileGiven, { locale, country }: Home): Problem[] {
  const judge = (path: string, value: unknown, ...rules: Rule[]) =>
    fieldProblems(path, value, ['required', ...rules], { locale, today: '' })
  const home = address.country === country
  const short: Rule = ['maxLength', { limit: 200 }]
  return [
    ...judge('address.street', address.street, short),
    ...judge('address.zipCode', address.zipCode, home ? 'validCodPostal' : ['maxLength', { limit: 20 }]),
    ...judge('address.city', address.city, short),
    ...judge('address.state', address.state, short),
    ...countryProblems(address.country),
    ...judge('contactInfo.email', contactInfo.email, 'email'),
    ...judge(
      'contactInfo.phone',
      dialled(contactInfo.phone),
      ...(home ? (['validPhone'] as const) : [['maxLength', { limit: 30 }] as const]),
    ),
    ...ibanProblems(billingInfo.iban),
    ...judge('billingInfo.email', billingInfo.email, 'email'),
  ]
}

/** An agency writes its number as its customers read it; what is dialled has no blanks, dots and brackets. */
const dialled = (phone: unknown): unknown => (typeof phone === 'string' ? phone.trim().replaceAll(/(?<=[\d)])[ .]|[()]/g, '') : phone)

const countryProblems = (country: unknown): Problem[] =>
  typeof country === 'number' && isCountry(country) ? [] : [{ path: 'address.country', rule: 'country', key: 'agency.fault.country' }]

function ibanProblems(iban: unknown): Problem[] {
  const path = 'billingInfo.iban'
  if (isNothing(iban)) return [{ path, rule: 'required', key: 'validation.required' }]
  return typeof iban === 'string' && isIban(iban.trim()) ? [] : [{ path, rule: 'iban', key: 'agency.fault.iban' }]
}

/** ES91 2100 0418 …: as banks print it. */
export const printedIban = (iban: string): string =>
  (
    iban
      .replaceAll(/\s/g, '')
      .toUpperCase()
      .match(/.{1,4}/g) ?? []
  ).join(' ')
