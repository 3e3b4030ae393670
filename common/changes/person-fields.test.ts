import { describe, expect, test } from 'vitest'
import { fieldsChanged } from '#common/changes/asked/fields.ts'
import { readPeople } from '#common/changes/asked/asked.ts'
import { documentsBetween, offeredChanges } from './differences.ts'
import type { Person } from '#common/changes/state.ts'
import { sold } from '#common/changes/testing.ts'
import { byKind, copiedName, type Party, type PersonField, personFieldNames, personFields } from '#common/people/person.ts'
import { peopleOf } from '#common/policies/step2.ts'
import { step2From } from '#common/policies/step2-from.ts'

/** Two different values for each kind of field. */
const values = byKind({
  text: ['Mora', 'Vega'],
  documentNumber: ['12345678Z', 'X1234567L'],
  day: ['1990-05-04', '1991-05-04'],
  country: [724, 250],
  documentKind: ['national', 'passport'],
})

const trip = { startDate: '2026-12-01', endDate: '2026-12-08', origin: 724, destinations: [380] }
const person = (facts: Party): Person => ({ name: 'Ana', birthDate: '1990-01-15', ...facts, personUuid: 'A' })
const versions = (field: PersonField) => {
  const [was, is] = values[field].map(value => ({ trip, people: [person({ [field]: value })], reference: null, locale: 'es-ES' }))
  if (!was || !is) throw new Error('no values')
  return { was, is }
}

describe.each(personFieldNames)('a new %s', field => {
  const { part, shown } = personFields[field]
  const { was, is } = versions(field)

  test('the documents named in a field’s row are made anew', () => {
    const anew = { contract: ['supplement', 'certificate'], certificate: ['certificate'], nowhere: [] }
    expect(documentsBetween(was, is, 0)).toEqual(anew[shown])
  })

  test('a new value is shown in an offer, and is a difference between two versions', () => {
    const { people, contact } = offeredChanges(was, is)
    expect([people.map(({ what }) => what), contact]).toEqual(part === 'who' ? [['corrected'], false] : [[], true])
    expect(fieldsChanged(was, is).map(({ path }) => path)).toEqual([`users[A].${field}`])
  })

  test('a new value is a change of identity, or of contact details', () => {
    const policy = sold({ product: 'ESS', soldAt: '2026-11-20T10:00:00Z', trip, people: was.people })
    const { names, births, contact } = readPeople(policy, [{ personUuid: 'A', [field]: values[field][1] }]).touched
    expect([names || births, contact]).toEqual([part === 'who', part !== 'who'])
  })
})

/** The type of form of each of the two users, by kind of policyholder. */
const forms = { 1: ['holder', undefined], 2: ['holder', 'traveller'], 3: ['company', 'traveller'] } as const

test.each([1, 2, 3] as const)('a form of type %i returns every fact for which it has a field', type => {
  const users = forms[type].map(place =>
    Object.fromEntries(
      personFieldNames.flatMap(field => {
        const { form } = personFields[field]
        const places = place === undefined ? ['row'] : type === 1 ? ['traveller', place] : [place]
        return places.some(each => each in form) ? [[field, values[field][0]]] : []
      }),
    ),
  )
  expect(peopleOf(step2From({ roleFirstUser: type, users }), 2).users).toMatchObject(users)
})

test.each(['traveller', 'row', 'holder', 'company', 'column', 'copied'] as const)('no two fields have the same %s', key => {
  const names = personFieldNames.flatMap(field => {
    const { form, column }: { form: Readonly<Record<string, string>>; column: string } = personFields[field]
    return (key === 'column' ? column : key === 'copied' ? copiedName(field) : form[key]) ?? []
  })
  expect(names).toEqual([...new Set(names)])
})
