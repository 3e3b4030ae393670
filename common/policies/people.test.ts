import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import { missingInExtraTravellers, type People, type PeopleSettings, peopleProblems, type User, userFields } from './people.ts'
import { reach } from './testing.ts'
import { customerType, usersExpected } from './types.ts'

const settings: PeopleSettings = { locale: 'es-ES', today: '2026-11-20', showSecondLastName: '1' }
const ana: User = { name: 'Ana', middleName: 'García', lastName: 'López', birthDate: '1990-05-05', docNumber: '12345678Z' }
const leo: User = { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '2020-01-01', docNumber: 'X1234567L' }
const company: User = { ...reach, companyName: 'Azahar, S.L.', docNumber: 'B12345674', identificationTypeId: 4 }

const travelling = (users: User[], paxNumber = users.length): People => ({ roleFirstUser: 1, paxNumber, users })
const told = (people: People, more: Partial<PeopleSettings> = {}) =>
  peopleProblems(people, { ...settings, ...more }).map(({ path, rule }) => `${path} ${rule}`)

describe('peopleProblems', () => {
  it('finds nothing in a complete party of each type', () => {
    expect(told(travelling([{ ...ana, ...reach, identificationTypeId: 3 }, leo]))).toEqual([])
    expect(told({ roleFirstUser: 2, paxNumber: 1, users: [{ ...ana, ...reach }, leo] })).toEqual([])
    expect(told({ roleFirstUser: 3, paxNumber: 2, users: [company, ana, leo] })).toEqual([])
    expect(told({ roleFirstUser: 10, paxNumber: 1, users: [{ ...ana, ...reach }, leo] })).toEqual([])
    expect(told({ roleFirstUser: 11, paxNumber: 1, users: [{ ...ana, ...reach }] })).toEqual([])
    expect(told({ roleFirstUser: 12, paxNumber: 1, users: [company, leo] })).toEqual([])
  })

  it.each(['name', 'middleName', 'lastName', 'birthDate', 'docNumber', 'email', 'phoneNumber', 'address', 'city', 'state', 'zipCode'])(
    'needs the %s of a policyholder',
    field => {
      expect(told(travelling([{ ...ana, ...reach, [field]: ' '.repeat(field.length % 2) }]))).toEqual([`users[0].${field} required`])
      expect(told(travelling([{ ...ana, ...reach, [field]: null }]), { draft: true })).toEqual([])
    },
  )

  it.each(['name', 'middleName', 'lastName', 'birthDate', 'docNumber'])('needs the %s of a traveller', field =>
    expect(
      told(
        travelling([
          { ...ana, ...reach },
          { ...leo, [field]: undefined },
        ]),
      ),
    ).toEqual([`users[1].${field} required`]),
  )

  it.each(['companyName', 'docNumber', 'email', 'phoneNumber', 'address', 'city', 'state', 'zipCode'])('needs the %s of a company', field =>
    expect(told({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, [field]: '' }, leo] })).toEqual([`users[0].${field} required`]),
  )

  it('does without the second surname where the unit does', () => {
    const { lastName: _, ...one } = ana
    expect(told(travelling([{ ...one, ...reach }]), { showSecondLastName: '0' })).toEqual([])
  })

  it.each([
    [{ docNumber: '12345678A' }, 'users[0].docNumber validDocName'],
    [{ birthDate: '1944-12-31' }, 'users[0].birthDate birthDateRange'],
    [{ birthDate: '2008-11-21' }, 'users[0].birthDate olderThan'],
    [{ birthDate: '2026-11-21' }, 'users[0].birthDate birthDateRange'],
    [{ email: 'a@b, c@d.es' }, 'users[0].email email'],
    [{ phoneNumber: '512345678' }, 'users[0].phoneNumber validPhone'],
    [{ zipCode: '53000' }, 'users[0].zipCode validCodPostal'],
    [{ name: 'x'.repeat(101) }, 'users[0].name maxLength'],
    [{ identificationTypeId: 4 }, 'users[0].identificationTypeId identificationType'],
  ])('refuses %j, in a budget too', (changes, problem) => {
    const people = travelling([{ ...ana, ...reach, ...changes }])
    expect(told(people)).toEqual([problem])
    expect(told(people, { draft: true })).toEqual([problem])
  })

  it('judges a phone by the prefix beside it', () => {
    expect(told(travelling([{ ...ana, ...reach, phonePrefix: '+39', phoneNumber: '3471234567' }]))).toEqual([])
    expect(told(travelling([{ ...ana, ...reach, phonePrefix: '+39' }]))).toEqual(['users[0].phoneNumber validPhone'])
  })

  it('lets a child travel and the unit set the age of a policyholder', () => {
    const young = { ...ana, ...reach, birthDate: '2009-11-20' }
    expect(told(travelling([young]))).toEqual(['users[0].birthDate olderThan'])
    expect(told(travelling([young]), { policyHolderMinAge: 17 })).toEqual([])
  })

  it('judges a company by its tax id', () =>
    expect(told({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, docNumber: '12345678Z', identificationTypeId: 3 }, leo] })).toEqual(
      ['users[0].docNumber validateTaxId', 'users[0].identificationTypeId identificationType'],
    ))

  it('counts: as many as travel, and one more who does not; fewer only in a budget', () => {
    expect(told(travelling([{ ...ana, ...reach }], 2))).toEqual(['users extraTravellers'])
    expect(told(travelling([{ ...ana, ...reach }], 2), { draft: true })).toEqual([])
    expect(told(travelling([{ ...ana, ...reach }, leo], 1), { draft: true })).toEqual(['users extraTravellers'])
    expect(told({ roleFirstUser: 2, paxNumber: 2, users: [{ ...ana, ...reach }, leo] })).toEqual(['users extraTravellers'])
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53, '1', 1n, Symbol('1'), Object.create(null), null, undefined])(
    'refuses %s travellers',
    paxNumber => {
      for (const draft of [false, true]) {
        const people = { roleFirstUser: 2, paxNumber, users: [{ ...ana, ...reach }] } as People
        expect(told(people, { draft })).toEqual(['paxNumber required'])
      }
    },
  )

  it('refuses a type that is none', () =>
    expect(told({ roleFirstUser: 4, paxNumber: 1, users: [] })).toEqual(['roleFirstUser customerType']))

  it('answers whatever it is asked', () => {
    const users = fc.oneof(fc.array(fc.oneof(anyValue, anyRecord([...userFields, 'identificationTypeId']))), anyValue)
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(1, 2, 3, 10, 11, 12), anyValue), anyValue, users, fc.boolean(), (type, pax, given, draft) => {
        const people = { roleFirstUser: type, paxNumber: pax, users: given } as People
        // A budget may hold nobody yet.
        expect(peopleProblems(people, { ...settings, draft }).length).toBeGreaterThan(draft ? -1 : 0)
        expect(missingInExtraTravellers(given as User[], pax as number, '1').every(({ key }) => key.startsWith('validation.'))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('does not overlook a hole in the list', () => {
    const users: User[] = [{ ...ana, ...reach }]
    users.length = 2
    expect(told(travelling(users))).toContain('users[1].name required')
  })
})

describe('missingInExtraTravellers', () => {
  it('wants one fewer than travel: neither one missing nor one too many', () => {
    const paths = (given: User[], travelers: number) => missingInExtraTravellers(given, travelers, '1').map(({ path }) => path)
    expect(paths([leo], 2)).toEqual([])
    expect(paths([], 2)).toEqual(['extraTravellers'])
    expect(paths([leo, leo], 2)).toEqual(['extraTravellers'])
  })
})

describe('types', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [10, 2],
    [11, 1],
    [12, 3],
    [0, undefined],
    [4, undefined],
    ['1', undefined],
    [null, undefined],
  ])('customer type %j is %j', (code, type) => expect(customerType(code)).toBe(type))
  it('counts the policyholder who stays at home', () => expect(([1, 2, 3] as const).map(type => usersExpected(type, 4))).toEqual([4, 5, 5]))
})
