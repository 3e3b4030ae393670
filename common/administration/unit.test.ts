import { expect, test } from 'vitest'
import { brisa } from './testing.ts'
import { type UnitInput, unitProblems } from './unit.ts'

const unit: UnitInput = { key: 'brisa', ...brisa, earliestBirthDate: null, quoteHours: null }
const problemsOf = (change: Partial<UnitInput>) => unitProblems({ ...unit, ...change }).map(({ path, rule }) => `${path} ${rule}`)

test('a complete business unit is valid', () => {
  expect(unitProblems(unit)).toEqual([])
})

test.each<[string, Partial<UnitInput>, string[]]>([
  ['a key with a capital', { key: 'Brisa' }, ['key unit_key']],
  ['no key', { key: '' }, ['key required']],
  ['blanks', { brandName: '  ', legalName: '' }, ['brandName required', 'legalName required']],
  ['a tax ID with a wrong check digit', { taxId: 'B12345670' }, ['taxId validateTaxId']],
  ['an unknown time zone', { timeZone: 'Europe/Atlantis' }, ['timeZone time_zone']],
  ['an offset instead of a time zone', { timeZone: '+02:00' }, ['timeZone time_zone']],
  ['an unknown currency', { currency: 'ZZZ' }, ['currency currency']],
  ['a colour by name', { accent: 'red' }, ['accent colour']],
  [
    'email addresses',
    { supportEmail: 'x', contactInfo: { email: 'y', phone: '+34 1' } },
    ['supportEmail email', 'contactInfo.email email', 'contactInfo.phone phone'],
  ],
  [
    'an account number with a wrong digit',
    { billingInfo: { iban: 'ES9121000418450200051333', email: 'a@b.example' } },
    ['billingInfo.iban iban'],
  ],
  ['hours of saved quotes below a day', { quoteHours: 23 }, ['quoteHours span']],
  ['hours of saved quotes above thirty days', { quoteHours: 721 }, ['quoteHours span']],
  ['whole hours of saved quotes within thirty days', { quoteHours: 720 }, []],
  ['session limits out of range', { sessionIdleHours: 0, sessionDays: 366 }, ['sessionIdleHours span', 'sessionDays span']],
])('%s', (_name, change, expected) => {
  expect(problemsOf(change)).toEqual(expected)
})

test('a unit abroad skips the country’s own rules', () => {
  const address = { street: 'Rue 1', zipCode: '1204', city: 'Genève', state: 'Genève', country: 756 }
  expect(problemsOf({ locale: 'fr-FR', taxId: 'CHE-123', address })).toEqual([])
  expect(problemsOf({ address: { ...address, country: 724 } })).toEqual(['address.zipCode validCodPostal'])
})
