import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printedIban, type ProfileInput, profileProblems } from './profile.ts'

const spain = { locale: 'es-ES', country: 724 } as const
const azahar: ProfileInput = {
  address: { street: 'Calle de la Paz 12', zipCode: '46003', city: 'València', state: 'Valencia', country: 724 },
  contactInfo: { email: 'hola@azahar.example', phone: '+34 961 000 000' },
  billingInfo: { iban: 'ES91 2100 0418 4502 0005 1332', email: 'facturas@azahar.example' },
}
const rotta: ProfileInput = {
  address: { street: 'Via Garibaldi 7', zipCode: '16124', city: 'Genova', state: 'Genova', country: 380 },
  contactInfo: { email: 'ciao@rotta.example', phone: '+39 010 000 0000' },
  billingInfo: { iban: 'IT60X0542811101000000123456', email: 'fatture@rotta.example' },
}
const problemsOf = (profile: ProfileInput, home: Parameters<typeof profileProblems>[1] = spain) =>
  profileProblems(profile, home).map(({ path, rule }) => `${path} ${rule}`)

test('the agencies of the demo are valid', () => {
  expect(problemsOf(azahar)).toEqual([])
  expect(problemsOf(rotta, { locale: 'it-IT', country: 380 })).toEqual([])
})

test('a profile follows spec 5 in the unit’s own country', () => {
  const { address, contactInfo, billingInfo } = azahar
  expect(problemsOf({ ...azahar, address: { ...address, zipCode: '53001' } })).toEqual(['address.zipCode validCodPostal'])
  expect(problemsOf({ ...azahar, contactInfo: { ...contactInfo, phone: '+34 161 000 000' } })).toEqual(['contactInfo.phone validPhone'])
  expect(problemsOf({ ...azahar, contactInfo: { ...contactInfo, phone: '96-x' } })).toEqual(['contactInfo.phone validPhone'])
  expect(problemsOf({ ...azahar, contactInfo: { email: 'hola@azahar', phone: '' } })).toEqual([
    'contactInfo.email email',
    'contactInfo.phone required',
  ])
  expect(problemsOf({ ...azahar, billingInfo: { ...billingInfo, iban: 'ES92 2100 0418 4502 0005 1332' } })).toEqual([
    'billingInfo.iban iban',
  ])
  expect(problemsOf({ ...azahar, billingInfo: { iban: '', email: ' ' } })).toEqual([
    'billingInfo.iban required',
    'billingInfo.email required',
  ])
})

test('an address abroad only needs an existing country', () => {
  const { address } = azahar
  expect(problemsOf({ ...azahar, address: { ...address, zipCode: 'SW1A 1AA', country: 826 } })).toEqual([])
  expect(problemsOf({ ...azahar, address: { ...address, country: 999 } })).toEqual(['address.country country'])
  expect(problemsOf({ ...azahar, address: { ...address, street: 'x'.repeat(201) } })).toEqual(['address.street maxLength'])
})

test('profileProblems accepts any input', () => {
  const part = fc.record({
    street: fc.anything(),
    zipCode: fc.anything(),
    city: fc.anything(),
    state: fc.anything(),
    country: fc.anything(),
  })
  const contact = fc.record({ email: fc.anything(), phone: fc.anything() })
  const billing = fc.record({ iban: fc.anything(), email: fc.anything() })
  fc.assert(
    fc.property(part, contact, billing, (address, contactInfo, billingInfo) => {
      expect(profileProblems({ address, contactInfo, billingInfo }, spain).length).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('printedIban groups an IBAN by four', () => expect(printedIban('es9121000418450200051332')).toBe('ES91 2100 0418 4502 0005 1332'))
