import { expect, test } from 'vitest'
import type { PersonFields, PersonFound } from '#common/quotes/paste-people/person.ts'
import { emptyRow, type PeopleForm, peopleForm } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { droppedBy, othersTyped, partsOf, withPeople } from './fill-people.ts'

const trip = (travelers: number): TripForm => ({
  startDate: '',
  endDate: '',
  coverageScope: null,
  mainDestination: [],
  travelers,
  priceTravel: null,
  reservationDate: '',
  birthDates: [],
})
const person = (value: PersonFields, isSure = true): PersonFound => ({ value, at: [0, 1], isSure, doubts: [], travels: true })
const maria = person({
  name: 'María',
  middleName: 'García',
  lastName: 'López',
  birthDate: '1985-03-12',
  documentKind: 'passport',
  docNumber: 'PAB123456',
  email: 'maria@correo.example',
  phone: '+351912345678',
})
const carlos = person({ name: 'Carlos', middleName: 'Ruiz', birthDate: '1982-10-03' })
const empty = peopleForm(undefined, trip(1))

test('pasted people fill the first traveller, the contact data and the other rows', () => {
  const form = withPeople(empty, partsOf([maria, carlos], empty, true))
  expect(form).toMatchObject({
    name: 'María',
    middleName: 'García',
    lastName: 'López',
    birthDate: '12/03/1985',
    documentNumber: 'PAB123456',
    email: 'maria@correo.example',
    phonePrefix: '+351',
    phoneNumber: '912345678',
  })
  expect(form.extraTravellers).toEqual([{ ...emptyRow, name: 'Carlos', middleName: 'Ruiz', birthDate: '03/10/1982' }])
})

test('a part that is left out keeps the values of the form', () => {
  const typed: PeopleForm = { ...empty, phonePrefix: '+34', phoneNumber: '600112233' }
  const parts = partsOf([maria], typed, true).filter(({ part }) => part === 'name')
  expect(withPeople(typed, parts)).toEqual({ ...typed, name: 'María', middleName: 'García', lastName: 'López' })
})

test('a traveller who is already typed keeps the row, and replaced values are named', () => {
  const typed: PeopleForm = {
    ...peopleForm(undefined, trip(2)),
    name: 'Carlos',
    middleName: 'RUIZ',
    birthDate: '04/10/1982',
  }
  const parts = partsOf([maria, carlos], typed, true)
  expect(parts.map(({ key, traveller, typed }) => [key, traveller, typed])).toEqual([
    ['name 0', 1, []],
    ['facts 0', 1, []],
    ['name 1', 0, []],
    ['facts 1', 0, ['04/10/1982']],
  ])
  // Only the policyholder has an address and a telephone.
  expect(parts[1]?.value).toEqual({ birthDate: '1985-03-12', docNumber: 'PAB123456', documentKind: 'passport' })
})

test('people beyond the rows get new rows, and typed names are kept', () => {
  const typed: PeopleForm = { ...empty, name: 'Ana', middleName: 'Vega' }
  const form = withPeople(typed, partsOf([maria, carlos], typed, true))
  expect([form.name, ...form.extraTravellers.map(({ name }) => name)]).toEqual(['Ana', 'María', 'Carlos'])
})

test('a unit with one surname gets both in it', () => {
  const [name] = partsOf([maria], empty, false)
  expect(name?.value).toEqual({ name: 'María', middleName: 'García López' })
})

test('a fact that may be another person’s is a part of its own, not ticked', () => {
  const parts = partsOf([{ ...maria, doubts: ['docNumber', 'documentKind'] }], empty, true)
  expect(parts.map(({ part, isSure, value }) => [part, isSure, Object.keys(value).join()])).toEqual([
    ['name', true, 'name,middleName,lastName'],
    ['facts', true, 'birthDate,email,phone'],
    ['doubts', false, 'docNumber,documentKind'],
  ])
})

test('a doubtful name is marked, and the person’s other facts are not', () => {
  const parts = partsOf([{ ...carlos, isSure: false }], empty, true)
  expect(parts.map(({ part, isSure }) => [part, isSure])).toEqual([
    ['name', false],
    ['facts', true],
  ])
})

test.each([
  ['+34600112233', '+34', '600112233'],
  ['+12125550142', '+1', '2125550142'],
  ['+351912345678', '+351', '912345678'],
  ['612345678', '', '612345678'],
])('the telephone %s has the prefix %j', (phone, phonePrefix, phoneNumber) => {
  expect(withPeople(empty, partsOf([person({ phone })], empty, true))).toMatchObject({ phonePrefix, phoneNumber })
})

test('a number of travellers names how many named ones it leaves out', () => {
  const typed = withPeople(empty, partsOf([maria, carlos], empty, true))
  const travelers = (value: number) => droppedBy({ field: 'travelers', value, at: [0, 1], isSure: true }, typed)
  expect([travelers(1), travelers(2), travelers(3)]).toEqual([1, 0, 0])
  expect(droppedBy({ field: 'priceTravel', value: 1, at: [0, 1], isSure: true }, typed)).toBe(0)
})

test('a text without any of the typed names is about other people', () => {
  const typed: PeopleForm = { ...withPeople(empty, partsOf([maria, carlos], empty, true)), businessName: 'Viajes SL' }
  const luis = person({ name: 'Luis', middleName: 'Sanz' })
  const others = (people: PersonFound[], form = typed) => othersTyped(people, form, true)
  expect(others([luis])).toEqual(['María García López', 'Carlos Ruiz', 'Viajes SL'])
  expect(others([luis, { ...carlos, isSure: true }])).toEqual([])
  expect(others([luis], empty)).toEqual([])
  // An address or a doubtful name does not show that the people are others.
  expect(others([person({ email: 'luis@correo.example' })])).toEqual([])
  expect(others([{ ...luis, isSure: false }])).toEqual([])
  const apart: PeopleForm = { ...empty, name: 'Eva', middleName: 'Gil', policyHolderName: 'Luis', policyHolderSurname: 'Sanz' }
  expect(others([luis], apart)).toEqual([])
})
