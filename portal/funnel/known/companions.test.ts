import { expect, test } from 'vitest'
import { type PeopleForm, peopleForm } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { type Companion, companionsLeft, withCompanions } from './companions.ts'

const leo: Companion = {
  name: 'Leo',
  middleName: 'García',
  lastName: 'Gil',
  birthDate: '1988-01-01',
  docNumber: 'X1234567L',
  documentKind: 'national',
}
const eva: Companion = { ...leo, name: 'Eva', birthDate: '2019-03-04', docNumber: '' }
const formOf = (travelers: number, more: Partial<PeopleForm> = {}): PeopleForm => ({
  // Safe: the form reads no other field of a trip.
  ...peopleForm(undefined, { travelers, birthDates: [] as TripForm['birthDates'] } as TripForm),
  name: 'Ana',
  ...more,
})
const noAges = { given: [], startDate: '2027-02-01' }
const namesIn = (form: PeopleForm, companions = [leo, eva], most = 9, ages: Parameters<typeof withCompanions>[3] = noAges) =>
  withCompanions(form, companions, most, ages).rows.map(({ name }) => name)

test('companions fill the rows without a name, then further rows', () => {
  expect(namesIn(formOf(2))).toEqual(['Leo', 'Eva'])
  const typed = formOf(3)
  typed.extraTravellers = typed.extraTravellers.map((row, index) => (index === 0 ? { ...row, name: 'Max' } : row))
  expect(namesIn(typed)).toEqual(['Max', 'Leo', 'Eva'])
  const both = formOf(2)
  expect(namesIn({ ...both, extraTravellers: withCompanions(both, [leo], 9, noAges).rows })).toEqual(['Leo', 'Eva'])
  expect(withCompanions(formOf(2), [leo], 9, noAges)).toMatchObject({
    first: {},
    count: 1,
    rows: [{ middleName: 'García', birthDate: '01/01/1988', docNumber: 'X1234567L', documentKind: 'national' }],
  })
})

test('the product’s limit leaves companions out, and none replaces a typed person', () => {
  expect(namesIn(formOf(2), [leo, eva], 2)).toEqual(['Leo'])
  const full = formOf(2)
  full.extraTravellers = full.extraTravellers.map(row => ({ ...row, docNumber: 'AB1' }))
  expect(withCompanions(full, [leo], 2, noAges)).toMatchObject({ count: 0, rows: [{ docNumber: 'AB1', name: '' }] })
})

test('a companion takes the row with their birth date or age, never another’s', () => {
  const dated = formOf(3)
  dated.extraTravellers = dated.extraTravellers.map((row, index) => ({ ...row, birthDate: index === 0 ? '04/03/2019' : '01/01/1988' }))
  expect(namesIn(dated)).toEqual(['Eva', 'Leo'])
  expect(namesIn(formOf(3), [leo, eva], 9, { given: [36, 7, 39], startDate: '2027-02-01' })).toEqual(['Eva', 'Leo'])
  const other = formOf(2)
  other.extraTravellers = other.extraTravellers.map(row => ({ ...row, birthDate: '05/05/2005' }))
  expect(namesIn(other, [leo])).toEqual(['', 'Leo'])
})

test('a policyholder who does not travel leaves the first row to a companion', () => {
  const { first, rows } = withCompanions(formOf(2, { name: '', policyHolderType: '2' }), [leo, eva], 9, noAges)
  expect([first.name, ...rows.map(({ name }) => name)]).toEqual(['Leo', 'Eva'])
})

test('a companion who already travels is not offered', () => {
  const typed = { name: 'EVA', middleName: 'Garcia', lastName: 'Gil', birthDate: '04/03/2019', docNumber: '' }
  expect(companionsLeft([leo, eva], [typed])).toEqual([leo])
  expect(companionsLeft([leo, eva], [{ docNumber: 'x1234567l' }])).toEqual([eva])
  expect(companionsLeft([leo, eva], [{ ...typed, birthDate: '05/03/2019' }])).toEqual([leo, eva])
})
