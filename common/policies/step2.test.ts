import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import type { PeopleSettings } from './people.ts'
import { typedPerson } from './testing.ts'
import { peopleOf, type Step2, step2Problems, step2RowProblems } from './step2.ts'
import { step2From } from './step2-from.ts'

const settings: PeopleSettings = { locale: 'es-ES', today: '2026-11-20', showSecondLastName: '1' }
const holder = {
  policyHolderName: 'Eva',
  policyHolderSurname: 'Ruiz',
  policyHolderSecondSurname: 'Sanz',
  policyHolderDocumentNumber: '87654321x',
  policyHolderBirthDate: '01/02/1980',
}
const business = {
  businessName: 'Azahar, S.L.',
  businessNumber: 'b12345674',
  businessProvince: 'Valencia',
  businessCity: 'València',
  businessAddress: 'Calle de la Paz 12',
  businessZipCode: '46003',
}
const leo = { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '01/01/2020', docNumber: 'x1234567l', username: 'leo' }
const form = (id: 1 | 2 | 3, more: Partial<Step2> = {}): Step2 => ({
  ...typedPerson,
  ...holder,
  ...business,
  policyHolderType: { id },
  extraTravellers: [leo],
  ...more,
})
const problemsOf = (step2: Step2, travelers = 2) => step2Problems(step2, travelers, settings).map(({ path, rule }) => `${path} ${rule}`)

/** The birth date decides if a traveller needs a document. */
const ruleOf = (id: number, field: string) => (id !== 1 && field === 'documentNumber' ? 'requiredIfAgeOver14' : 'required')

describe('step2Problems', () => {
  it.each([1, 2, 3] as const)('step2Problems accepts a complete form of type %d', { tags: 'S3.6' }, id =>
    expect(problemsOf(form(id))).toEqual([]),
  )

  it.each([
    [1, 'name'],
    [1, 'middleName'],
    [1, 'lastName'],
    [1, 'documentNumber'],
    [1, 'province'],
    [1, 'zipCode'],
    [1, 'email'],
    [2, 'policyHolderName'],
    [2, 'policyHolderSurname'],
    [2, 'policyHolderSecondSurname'],
    [2, 'policyHolderDocumentNumber'],
    [2, 'policyHolderBirthDate'],
    [2, 'documentNumber'],
    [2, 'birthDate'],
    [2, 'city'],
    [3, 'businessName'],
    [3, 'businessNumber'],
    [3, 'businessProvince'],
    [3, 'businessCity'],
    [3, 'businessAddress'],
    [3, 'businessZipCode'],
    [3, 'phoneNumber'],
    [3, 'middleName'],
  ] as const)('type %d needs %s, and reports it there', { tags: ['S3.6', 'S4.4', 'S4.5'] }, (id, field) =>
    expect(problemsOf(form(id, { [field]: '' }))).toEqual([`${field} ${ruleOf(id, field)}`]),
  )

  it('step2Problems ignores the fields of other types', { tags: 'S4.5' }, () => {
    const none = (fields: object) => Object.fromEntries(Object.keys(fields).map(field => [field, null]))
    expect(problemsOf(form(1, { ...none(holder), ...none(business) }))).toEqual([])
    expect(problemsOf(form(2, none(business)))).toEqual([])
    expect(problemsOf(form(3, none(holder)))).toEqual([])
  })

  it('step2Problems reports a row’s problem at the row', { tags: 'S3.7' }, () => {
    expect(problemsOf(form(1, { extraTravellers: [{ ...leo, docNumber: 'x' }] }))).toEqual(['extraTravellers[0].docNumber validDocName'])
    expect(problemsOf(form(3, { extraTravellers: [leo, { ...leo, docNumber: '87654321X', birthDate: '31/02/2020' }] }), 3)).toEqual([
      'extraTravellers[1].birthDate birthDateRange',
    ])
  })

  it.each([1, 2, 3] as const)('step2Problems reports a wrong count of extra travellers for type %d', { tags: ['S4.6', 'S9.2'] }, id => {
    expect(step2Problems(form(id), 3, settings)).toEqual([
      { path: 'extraTravellers', rule: 'extraTravellers', key: 'validation.peopleCount', params: { expected: 2, given: 1 } },
    ])
  })

  it('step2Problems reports missing travellers at the field of step 1', () =>
    expect(problemsOf(form(1), 0)).toEqual(['travelers required']))

  // Safe: the wrong type is what the test passes.
  it('step2Problems reports an unknown type', () => expect(problemsOf(form(9 as 1))).toEqual(['policyHolderType customerType']))
})

describe('step2RowProblems', () => {
  const row = { name: 'Ana', middleName: 'García', lastName: 'Gil', birthDate: '01/02/1990', docNumber: '12345678Z' }
  const rows = [row, { ...row, docNumber: '12345678A' }, { name: 'Ana' }, row, {}]

  it.each([1, 2, 3] as const)('step2RowProblems reports the same as step2Problems for policyholder type %d', id => {
    const step2: Step2 = { ...row, policyHolderType: { id }, documentNumber: '12345678Z', extraTravellers: rows }
    const all = step2Problems(step2, rows.length + 1, settings)
    for (const index of rows.keys()) {
      const own = all.filter(({ path }) => path.startsWith(`extraTravellers[${index}]`))
      expect(step2RowProblems(step2, index, settings)).toEqual(own)
      expect(own.length, `row ${index}`).toBeGreaterThan(0)
    }
  })
})

describe('a corrupt store', () => {
  const rows = fc.oneof(fc.array(fc.oneof(anyValue, anyRecord(['name', 'birthDate', 'docNumber']))), anyValue)
  const type = fc.oneof(fc.constantFrom({ id: 1 }, { id: 2 }, { id: 3 }), anyValue)
  const spoilt = fc.tuple(anyRecord([...Object.keys(typedPerson), ...Object.keys(holder), ...Object.keys(business)]), type, rows)

  it('a corrupt store is reported and never throws', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          anyValue,
          spoilt.map(([fields, policyHolderType, extraTravellers]) => ({ ...fields, policyHolderType, extraTravellers })),
        ),
        anyValue,
        (form, travelers) => {
          // Safe: wrong types are what the test passes.
          expect(step2Problems(form as Step2, travelers as number, settings).length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 1000 },
    ))
})

describe('peopleOf', () => {
  it('peopleOf sends upper-cased documents and wire dates, and omits empty fields', { tags: ['S3.6', 'S3.9', 'S5.2'] }, () => {
    const { users, roleFirstUser, paxNumber } = peopleOf(form(2, { lastName: '', phonePrefix: null }), 2)
    expect([roleFirstUser, paxNumber]).toEqual([2, 2])
    expect(users).toEqual([
      {
        name: 'Eva',
        middleName: 'Ruiz',
        lastName: 'Sanz',
        birthDate: '1980-02-01',
        docNumber: '87654321X',
        email: 'ana@example.es',
        phoneNumber: '612345678',
        address: 'Calle Mayor 1',
        state: 'Madrid',
        city: 'Madrid',
        zipCode: '28001',
        identificationTypeId: 3,
      },
      { name: 'Ana', middleName: 'García', birthDate: '1990-05-05', docNumber: '12345678Z', identificationTypeId: 3 },
      { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '2020-01-01', docNumber: 'X1234567L', identificationTypeId: 3 },
    ])
  })

  it('peopleOf sends a company with its own fields', { tags: ['S3.6', 'S3.9', 'S7.19'] }, () => {
    const [first] = peopleOf(form(3), 2).users
    expect(first).toEqual({
      companyName: 'Azahar, S.L.',
      docNumber: 'B12345674',
      identificationTypeId: 4,
      email: 'ana@example.es',
      phonePrefix: '+34',
      phoneNumber: '612345678',
      address: 'Calle de la Paz 12',
      state: 'Valencia',
      city: 'València',
      zipCode: '46003',
    })
  })
})

describe('step2From', () => {
  it.each([1, 2, 3] as const)('step2From returns the registered form of type %d', id => {
    const registered = peopleOf(form(id), 2)
    expect(peopleOf(step2From(registered), 2)).toEqual(registered)
    expect(step2Problems(step2From(registered), 2, settings)).toEqual([])
  })

  it('step2From reads the codes of other systems, and leaves gaps empty', () => {
    expect(step2From({ roleFirstUser: 12, users: [] }).policyHolderType.id).toBe(3)
    expect(step2From({ roleFirstUser: 1, users: [{ name: 'Ana' }] })).toMatchObject({ name: 'Ana', birthDate: '', extraTravellers: [] })
  })

  it('step2From shows dates as DD/MM/YYYY', () =>
    expect(step2From({ roleFirstUser: 1, users: [{ birthDate: '1990-05-04' }, { birthDate: '2020-01-02' }] })).toMatchObject({
      birthDate: '04/05/1990',
      extraTravellers: [{ birthDate: '02/01/2020' }],
    }))
})
