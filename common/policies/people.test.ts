import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import {
  customerType,
  missingInExtraTravellers,
  type People,
  peopleProblems,
  type PeopleSettings,
  type User,
  usersExpected,
} from './people.ts'
import { personFieldNames } from '#common/people/person.ts'
import { reach } from './testing.ts'

const settings: PeopleSettings = { locale: 'es-ES', today: '2026-11-20', showSecondLastName: '1' }
const ana: User = { name: 'Ana', middleName: 'García', lastName: 'López', birthDate: '1990-05-05', docNumber: '12345678Z' }
const leo: User = { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '2010-01-01', docNumber: 'X1234567L' }
const company: User = { ...reach, companyName: 'Azahar, S.L.', docNumber: 'B12345674', identificationTypeId: 4 }

const travelling = (users: User[], paxNumber = users.length): People => ({ roleFirstUser: 1, paxNumber, users })
const problemsOf = (people: People, more: Partial<PeopleSettings> = {}) =>
  peopleProblems(people, { ...settings, ...more }).map(({ path, rule }) => `${path} ${rule}`)

describe('peopleProblems', () => {
  it('peopleProblems accepts a complete party of each type', { tags: 'S4.5' }, () => {
    expect(problemsOf(travelling([{ ...ana, ...reach, identificationTypeId: 3 }, leo]))).toEqual([])
    expect(problemsOf({ roleFirstUser: 2, paxNumber: 1, users: [{ ...ana, ...reach }, leo] })).toEqual([])
    expect(problemsOf({ roleFirstUser: 3, paxNumber: 2, users: [company, ana, leo] })).toEqual([])
    expect(problemsOf({ roleFirstUser: 10, paxNumber: 1, users: [{ ...ana, ...reach }, leo] })).toEqual([])
    expect(problemsOf({ roleFirstUser: 11, paxNumber: 1, users: [{ ...ana, ...reach }] })).toEqual([])
    expect(problemsOf({ roleFirstUser: 12, paxNumber: 1, users: [company, leo] })).toEqual([])
  })

  it.each(['name', 'middleName', 'lastName', 'birthDate', 'docNumber', 'email', 'phoneNumber', 'address', 'city', 'state', 'zipCode'])(
    'the %s of a policyholder is required',
    field => {
      expect(problemsOf(travelling([{ ...ana, ...reach, [field]: ' '.repeat(field.length % 2) }]))).toEqual([`users[0].${field} required`])
      expect(problemsOf(travelling([{ ...ana, ...reach, [field]: null }]), { draft: true })).toEqual([])
    },
  )

  it.each(["D'Alò", 'Mª José', 'Jean-Éric', 'ª', 'O', '李小龍', 'Juan Ⅲ', 'Zoe\u0308'])('the name %s is accepted', name =>
    expect(problemsOf(travelling([{ ...ana, ...reach, name, lastName: name }]))).toEqual([]),
  )

  it('a company’s name may have digits', () =>
    expect(problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, companyName: 'Viajes 2000' }, leo] })).toEqual([]))

  it.each(['name', 'middleName', 'lastName', 'birthDate'])('the %s of a traveller is required', { tags: ['S3.7', 'S4.6'] }, field =>
    expect(
      problemsOf(
        travelling([
          { ...ana, ...reach },
          { ...leo, [field]: undefined },
        ]),
      ),
    ).toEqual([`users[1].${field} required`]),
  )

  it.each(['companyName', 'docNumber', 'email', 'phoneNumber', 'address', 'city', 'state', 'zipCode'])(
    'the %s of a company is required',
    { tags: 'S4.5' },
    field =>
      expect(problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, [field]: '' }, leo] })).toEqual([
        `users[0].${field} required`,
      ]),
  )

  it('no second surname is required if the unit uses none', { tags: ['S3.2', 'S4.4'] }, () => {
    const { lastName: _, ...one } = ana
    const party = travelling([{ ...one, ...reach }])
    expect(problemsOf(party, { showSecondLastName: '0' })).toEqual([])
    for (const showSecondLastName of ['1', undefined])
      expect(problemsOf(party, { showSecondLastName })).toEqual(['users[0].lastName required'])
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
    [{ name: '150392' }, 'users[0].name personName'],
    [{ middleName: '12345678z' }, 'users[0].middleName personName'],
    [{ lastName: 'Gil ٣' }, 'users[0].lastName personName'],
    [{ lastName: '--' }, 'users[0].lastName personName'],
    [{ identificationTypeId: 4 }, 'users[0].identificationTypeId identificationType'],
  ])(
    'a person with %j is refused, in a saved quote too',
    { tags: ['S5.3', 'S5.10', 'S5.12', 'S5.16', 'S5.17', 'S5.18'] },
    (changes, problem) => {
      const people = travelling([{ ...ana, ...reach, ...changes }])
      expect(problemsOf(people)).toEqual([problem])
      expect(problemsOf(people, { draft: true })).toEqual([problem])
    },
  )

  describe('the document of a traveller', () => {
    const young = (birthDate: string | null, docNumber: string | null = '') =>
      travelling([
        { ...ana, ...reach },
        { ...leo, birthDate, docNumber },
      ])
    const start = { startDate: '2026-12-01' }

    it.each([
      ['2012-12-01', ['users[1].docNumber requiredIfAgeOver14']],
      ['2012-12-02', []],
      ['2026-11-20', []],
    ])('the document is optional for a birth on %s: under 14 at the start', { tags: 'S5.14' }, (birthDate, problems) => {
      expect(problemsOf(young(birthDate), start)).toEqual(problems)
      expect(problemsOf(young(birthDate, null), start)).toEqual(problems)
      expect(problemsOf(young(birthDate), { ...start, draft: true })).toEqual([])
      const extras = [{ ...leo, birthDate, docNumber: '' }]
      expect(missingInExtraTravellers(extras, 2, '1', start.startDate)).toHaveLength(problems.length)
    })

    it('a document must be well-formed if present, and is required without a birth date', () => {
      expect(problemsOf(young('2020-01-01', '12345678A'), start)).toEqual(['users[1].docNumber validDocName'])
      expect(problemsOf(young(null), start)).toEqual(['users[1].birthDate required', 'users[1].docNumber required'])
    })
  })

  describe('a person', () => {
    const holder = { ...ana, ...reach }
    const noDocument = { ...leo, birthDate: '2020-01-01', docNumber: '' }

    const cases: [what: string, users: User[], problems: string[]][] = [
      ['is on a policy once', [holder, leo], []],
      ['is not there twice, with the same document', [holder, leo, leo], ['users[2].docNumber samePerson']],
      ['is not there twice, without a document', [holder, noDocument, { ...noDocument, name: ' LÉO' }], ['users[2].name samePerson']],
      [
        'is not there twice, with a letter of no width',
        [holder, noDocument, { ...noDocument, name: 'Le\u200bo' }],
        ['users[2].name samePerson'],
      ],
      [
        'is not there twice, also with a passport',
        [holder, { ...ana, documentKind: 'passport', docNumber: 'AB123456' }],
        ['users[1].name samePerson'],
      ],
      ['shares no document', [holder, { ...leo, docNumber: '12345678z' }], ['users[1].docNumber sameDocument']],
      ['may have a namesake born on the same day', [holder, leo, { ...leo, docNumber: '87654321X' }], []],
      ['may have a namesake born on another day', [holder, noDocument, { ...noDocument, birthDate: '2020-01-02' }], []],
      [
        'may have a passport with the number of another’s identity card',
        [holder, { ...leo, documentKind: 'passport', docNumber: '12345678Z' }],
        [],
      ],
    ]
    it.each(cases)('%s', (_what, users, problems) => {
      expect(problemsOf(travelling(users))).toEqual(problems)
      expect(problemsOf(travelling(users), { draft: true })).toEqual(problems)
    })

    it('a policyholder who stays at home is not a traveller', () =>
      expect(problemsOf({ roleFirstUser: 2, paxNumber: 1, users: [holder, ana] })).toEqual(['users[1].docNumber samePerson']))

    it('a person may have the company’s number', () =>
      expect(
        problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [company, { ...leo, documentKind: 'passport', docNumber: 'B12345674' }] }),
      ).toEqual([]))
  })

  describe('a person with a passport', () => {
    it.each(['AB12C', 'x1234567', 'A'.repeat(20)])('a passport may have the number %s', docNumber => {
      expect(problemsOf(travelling([{ ...ana, ...reach, documentKind: 'passport', docNumber }]))).toEqual([])
      expect(
        problemsOf(
          travelling([
            { ...ana, ...reach },
            { ...leo, documentKind: 'passport', docNumber: docNumber.slice(0, 19) },
          ]),
        ),
      ).toEqual([])
    })

    it.each(['AB12', 'A'.repeat(21), 'AB 1234', 'AB-1234', 'ÁB1234'])('a passport may not have the number %j', docNumber =>
      expect(problemsOf(travelling([{ ...ana, ...reach, documentKind: 'passport', docNumber }]))).toEqual([
        'users[0].docNumber validPassport',
      ]),
    )

    it('an unknown kind of document, and a company with a passport, are refused', () => {
      // Safe: the rules accept any input.
      expect(problemsOf(travelling([{ ...ana, ...reach, documentKind: 'visa' as 'passport' }]))).toEqual([
        'users[0].documentKind documentKind',
      ])
      expect(problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, documentKind: 'passport' }, leo] })).toEqual([
        'users[0].documentKind documentKind',
      ])
    })
  })

  it('formats follow the unit’s country; any text is accepted where they are unknown', () => {
    const swiss = { ...reach, phonePrefix: '+41', phoneNumber: '791234567', zipCode: '1204' }
    const geneva = travelling([
      { ...ana, ...swiss, docNumber: 'S1234567' },
      { ...leo, docNumber: 'E7654321' },
    ])
    expect(problemsOf(geneva, { locale: 'fr-FR', country: 756 })).toEqual([])
    expect(
      problemsOf(
        { roleFirstUser: 3, paxNumber: 1, users: [{ ...company, ...swiss, docNumber: 'CHE-123.456.789' }, ana] },
        { locale: 'it-IT', country: 756 },
      ),
    ).toEqual([])
    // An agency in Spain whose language is French still expects Spanish documents.
    expect(problemsOf(travelling([{ ...ana, ...reach }]), { locale: 'fr-FR', country: 724 })).toEqual([])
    expect(problemsOf(travelling([{ ...ana, ...reach, docNumber: '12AB34567' }]), { locale: 'fr-FR', country: 724 })).toEqual([
      'users[0].docNumber validDocName',
    ])
  })

  describe('a policyholder abroad', () => {
    const home = { country: 724 }
    const french = { ...ana, ...reach, docNumber: '880692310285', zipCode: '75001', phonePrefix: '', phoneNumber: '0612345678' }
    const [inFrance, inPeru] = [{ residenceCountryId: 250 }, { residenceCountryId: 604 }]

    it('a policyholder abroad is checked by the formats of the country of residence', () => {
      expect(problemsOf(travelling([{ ...french, ...inFrance }]), home)).toEqual([])
      expect(problemsOf(travelling([french]), home)).toEqual([
        'users[0].phoneNumber validPhone',
        'users[0].zipCode validCodPostal',
        'users[0].docNumber validDocName',
      ])
      expect(problemsOf(travelling([{ ...ana, ...reach, residenceCountryId: 724 }]), home)).toEqual([])
    })

    it('a policyholder may live in a country without known formats or postal codes', () => {
      const peruvian = { ...french, ...inPeru, docNumber: '45879632', zipCode: '', phoneNumber: '987654321' }
      expect(problemsOf(travelling([peruvian]), home)).toEqual([])
      expect(problemsOf(travelling([{ ...peruvian, docNumber: 'a', phoneNumber: '1' }]), home)).toEqual([
        'users[0].phoneNumber validPhone',
        'users[0].docNumber foreignDocument',
      ])
      expect(
        problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, ...inPeru, docNumber: '20100070970' }, leo] }, home),
      ).toEqual([])
    })

    it('a policyholder abroad may travel with people with documents of either country', () => {
      const abroad = { ...french, ...inFrance }
      expect(problemsOf(travelling([abroad, leo]), home)).toEqual([])
      expect(problemsOf(travelling([abroad, { ...leo, docNumber: '12AB34567' }]), home)).toEqual([])
      expect(problemsOf(travelling([french, { ...leo, docNumber: '12AB34567' }]), home)).toContain('users[1].docNumber validDocName')
      // The form asks for that of the policyholder's country.
      expect(peopleProblems(travelling([abroad, { ...leo, docNumber: '?!' }]), { ...settings, ...home })).toContainEqual(
        expect.objectContaining({ path: 'users[1].docNumber', params: { country: 'FR' } }),
      )
    })
  })

  describe('a product for people of the country of origin', () => {
    const fromSpain = { country: 724, insures: 'origin' as const, origin: 724 }
    const at = (residenceCountryId: number | null) => ({ residenceCountryId })
    const french = { ...ana, ...reach, ...at(250), docNumber: '880692310285', zipCode: '75001', phonePrefix: '', phoneNumber: '0612345678' }

    it('a traveller stated to live elsewhere is refused, in a saved quote too', { tags: 'S4.5' }, () => {
      const refused = ['users[0].residenceCountryId residence']
      expect(problemsOf(travelling([french]), fromSpain)).toEqual(refused)
      expect(problemsOf(travelling([french]), { ...fromSpain, draft: true })).toEqual(refused)
      expect(
        problemsOf(
          travelling([
            { ...ana, ...reach },
            { ...leo, ...at(250) },
          ]),
          fromSpain,
        ),
      ).toEqual(['users[1].residenceCountryId residence'])
      expect(problemsOf(travelling([{ ...ana, ...reach, ...at(724) }]), { ...fromSpain, origin: 250 })).toEqual(refused)
    })

    it('a traveller who lives in the origin or states no residence is accepted', () => {
      expect(problemsOf(travelling([french]), { ...fromSpain, origin: 250 })).toEqual([])
      for (const here of [{}, at(null), at(724)]) expect(problemsOf(travelling([{ ...ana, ...reach, ...here }]), fromSpain)).toEqual([])
      expect(problemsOf(travelling([{ ...ana, ...reach, ...at(null) }]), { ...fromSpain, origin: 250 })).toEqual([])
    })

    it('a policyholder from anywhere is accepted if not insured', () => {
      expect(problemsOf({ roleFirstUser: 2, paxNumber: 1, users: [french, leo] }, fromSpain)).toEqual([])
      const abroad = { ...company, ...at(604), docNumber: '20100070970' }
      expect(problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [abroad, leo] }, fromSpain)).toEqual([])
      expect(problemsOf({ roleFirstUser: 2, paxNumber: 1, users: [french, { ...leo, ...at(250) }] }, fromSpain)).toEqual([
        'users[1].residenceCountryId residence',
      ])
    })

    it('every residence is accepted by a product that insures anyone or does not say', () => {
      for (const insures of ['anyone', undefined] as const) expect(problemsOf(travelling([french]), { ...fromSpain, insures })).toEqual([])
    })
  })

  it('a phone is checked by its country code', () => {
    expect(problemsOf(travelling([{ ...ana, ...reach, phonePrefix: '+39', phoneNumber: '3471234567' }]))).toEqual([])
    expect(problemsOf(travelling([{ ...ana, ...reach, phonePrefix: '+39' }]))).toEqual(['users[0].phoneNumber validPhone'])
  })

  it('children may travel, and the policyholder’s minimum age is the unit’s', () => {
    const young = { ...ana, ...reach, birthDate: '2009-11-20' }
    expect(problemsOf(travelling([young]))).toEqual(['users[0].birthDate olderThan'])
    expect(problemsOf(travelling([young]), { policyHolderMinAge: 17 })).toEqual([])
  })

  it('a company’s tax ID is checked', { tags: ['S3.9', 'S5.15'] }, () =>
    expect(
      problemsOf({ roleFirstUser: 3, paxNumber: 1, users: [{ ...company, docNumber: '12345678Z', identificationTypeId: 3 }, leo] }),
    ).toEqual(['users[0].docNumber validateTaxId', 'users[0].identificationTypeId identificationType']),
  )

  it('one user is required per traveller and policyholder; quotes may have fewer', () => {
    expect(problemsOf(travelling([{ ...ana, ...reach }], 2))).toEqual(['users extraTravellers'])
    expect(problemsOf(travelling([{ ...ana, ...reach }], 2), { draft: true })).toEqual([])
    expect(problemsOf(travelling([{ ...ana, ...reach }, leo], 1), { draft: true })).toEqual(['users extraTravellers'])
    expect(problemsOf({ roleFirstUser: 2, paxNumber: 2, users: [{ ...ana, ...reach }, leo] })).toEqual(['users extraTravellers'])
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53, '1', 1n, Symbol('1'), Object.create(null), null, undefined])(
    'the number of %s travellers is refused',
    paxNumber => {
      for (const draft of [false, true]) {
        // Safe: a wrong type is what the test passes.
        const people = { roleFirstUser: 2, paxNumber, users: [{ ...ana, ...reach }] } as People
        expect(problemsOf(people, { draft })).toEqual(['paxNumber required'])
      }
    },
  )

  it('peopleProblems refuses an unknown type', { tags: 'S3.8' }, () =>
    expect(problemsOf({ roleFirstUser: 4, paxNumber: 1, users: [] })).toEqual(['roleFirstUser customerType']),
  )

  it('peopleProblems accepts any input', () => {
    const users = fc.oneof(fc.array(fc.oneof(anyValue, anyRecord([...personFieldNames, 'identificationTypeId']))), anyValue)
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(1, 2, 3, 10, 11, 12), anyValue), anyValue, users, fc.boolean(), (type, pax, input, draft) => {
        // Safe: wrong types are what the test passes.
        const people = { roleFirstUser: type, paxNumber: pax, users: input } as People
        // A saved quote may have no users yet.
        expect(peopleProblems(people, { ...settings, insures: 'origin', origin: 724, draft }).length).toBeGreaterThan(draft ? -1 : 0)
        // Safe: wrong types are what the test passes.
        expect(missingInExtraTravellers(input as User[], pax as number, '1').every(({ key }) => key.startsWith('validation.'))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('a gap in the list is reported', () => {
    const users: User[] = [{ ...ana, ...reach }]
    users.length = 2
    expect(problemsOf(travelling(users))).toContain('users[1].name required')
  })
})

describe('missingInExtraTravellers', () => {
  it('one row less than travellers is required, each complete', { tags: ['S3.7', 'S4.6', 'S9.2'] }, () => {
    const paths = (users: User[], travelers: number) => missingInExtraTravellers(users, travelers, '1').map(({ path }) => path)
    expect(paths([leo], 2)).toEqual([])
    expect(paths([], 2)).toEqual(['extraTravellers'])
    expect(paths([leo, leo], 2)).toEqual(['extraTravellers'])
    expect(paths([leo, { ...leo, name: '' }], 3)).toEqual(['extraTravellers[1].name'])
    expect(missingInExtraTravellers([], 3, '1')[0]?.params).toEqual({ expected: 2, given: 0 })
  })
})

describe('types', () => {
  it.each([
    [1, [1, 11]],
    [2, [2, 10]],
    [3, [3, 12]],
  ])('%j has the customer types %j', { tags: 'S3.8' }, (type, codes) => expect(codes.map(customerType)).toEqual([type, type]))
  it.each([0, 4, '1', null])('customer type %j is unknown', code => expect(customerType(code)).toBeUndefined())
  it('types count a policyholder who does not travel', () =>
    expect(([1, 2, 3] as const).map(type => usersExpected(type, 4))).toEqual([4, 5, 5]))
})
