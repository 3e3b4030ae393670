import { describe, expect, test } from 'vitest'
import { emptyRow, type PeopleForm, peopleForm, type Row } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { type Draft, newDraft, withFirstRow, withHeader, without } from './draft.ts'
import { birthDatesAfter, firstCandidate, firstRowOf, importedFrom, replacedBy, type Target, targetIn } from './target.ts'

const header = ['Nombre', 'Apellido 1', 'Apellido 2', 'F. Nac', 'DNI']
const ana = ['Ana', 'García', 'López', '15/01/1990', '12345678Z']
const luis = ['Luis', 'Pérez', 'Ruiz', '03/02/1988', '11111111H']
const eva = ['Eva', 'García', 'Pérez', '01/06/2019', '']
const family = newDraft([header, ana, luis, eva], true)

const settings = { hasSecondLastName: true, maxTravellers: 9, currency: 'EUR', rate: () => ({ problems: [] }) }
const formOf = (travelers: number, values: Partial<PeopleForm> = {}): Target => {
  // Safe: the form reads no other field of a trip.
  const trip = { travelers, birthDates: [] as TripForm['birthDates'] } as TripForm
  return targetIn({ ...peopleForm(undefined, trip), ...values }, settings)
}
const rowOf = ([name = '', middleName = '', lastName = '', birthDate = '', docNumber = '']: string[]): Row => ({
  ...emptyRow,
  name,
  middleName,
  lastName,
  birthDate,
  docNumber,
})
const firstOf = ([name = '', middleName = '', lastName = '', birthDate = '', documentNumber = '']: string[]) => ({
  name,
  middleName,
  lastName,
  birthDate,
  documentNumber,
})
/** Returns the list as a form first shows it. */
const shown = (draft: Draft, target: Target) => withFirstRow(draft, firstRowOf(draft, target))
const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

describe('the first row of a list', () => {
  test.each([
    ['is the policyholder if the list has as many rows as the trip has travellers', family, formOf(3), 1],
    ['is the policyholder if the trip has another number', family, formOf(1), 1],
    ['is a further traveller if the list has one less', family, formOf(4), undefined],
    ['is a further traveller if another person is typed', family, formOf(3, firstOf(['Zoé', 'Durand'])), undefined],
    ['is a further traveller if others are typed', family, formOf(3, { extraTravellers: [rowOf(['Zoé'])] }), undefined],
    ['is passed over for the row of who is typed, by document', family, formOf(3, firstOf(['', '', '', '', '11111111h'])), 2],
    ['is passed over for the row of who is typed, by name', family, formOf(3, firstOf(['luis', 'perez'])), 2],
    ['is no namesake born on another day', family, formOf(3, firstOf(['Luis', 'Pérez', 'Ruiz', '03/02/1958'])), undefined],
    [
      'is no namesake with another document',
      family,
      formOf(3, firstOf(['Luis', 'Pérez', 'Ruiz', '', '12345678Z'.replace('1', '2')])),
      undefined,
    ],
  ])('%s', (_, draft, target, row) => expect(firstRowOf(draft, target)).toBe(row))

  test('the first row can be made the policyholder, and a traveller again', () => {
    const target = formOf(4)
    const list = shown(family, target)
    expect(firstCandidate(list, target)?.row.name).toBe('Ana')
    const pressed = withFirstRow(list, firstCandidate(list, target)?.sourceRow)
    expect(namesOf(importedFrom(pressed, target, 'instead').rows)).toEqual(['Luis', 'Eva'])
    expect(importedFrom(pressed, target, 'instead').first).toEqual({
      name: 'Ana',
      middleName: 'García',
      lastName: 'López',
      birthDate: '15/01/1990',
      docNumber: '12345678Z',
      documentKind: 'national',
    })
    const back = withFirstRow(pressed, undefined)
    expect(importedFrom(back, target, 'instead')).toMatchObject({ first: {}, count: 3 })
    expect(namesOf(importedFrom(back, target, 'instead').rows)).toEqual(['Ana', 'Luis', 'Eva'])
  })

  test('the first row is proposed as the traveller if the typed person is in the list', () => {
    const target = formOf(3, firstOf(luis))
    expect(firstCandidate(family, target)?.row.name).toBe('Luis')
    expect(namesOf(importedFrom(shown(family, target), target, 'instead').rows)).toEqual(['Ana', 'Eva'])
  })

  test('a first row that is left out makes no other row the policyholder', () => {
    const target = formOf(3)
    expect(without(shown(family, target), 1).firstRow).toBeUndefined()
    expect(without(shown(family, target), 2).firstRow).toBe(1)
  })

  test('a first row turned back into a traveller becomes the policyholder too', () => {
    const list = shown(newDraft([['Inés', 'Gil', 'Mora', 'x', ''], ana, luis], true), formOf(2))
    expect(list.firstRow).toBe(1)
    expect(withHeader(list, false).firstRow).toBe(0)
    expect(withHeader(withHeader(list, false), true).firstRow).toBe(1)
  })
})

describe('a list of N people', () => {
  test('a list of N is N travellers in all with the policyholder, and one more without', () => {
    const target = formOf(3)
    const list = shown(family, target)
    expect(birthDatesAfter(list, target, 'instead')).toEqual(['15/01/1990', '03/02/1988', '01/06/2019'])
    expect(birthDatesAfter(withFirstRow(list, undefined), target, 'instead')).toHaveLength(4)
  })

  test('a list comes after the named travellers, and drops empty rows', () => {
    const target = formOf(3, { ...firstOf(['Zoé', 'Durand', '', '02/02/1970']), extraTravellers: [rowOf(['Noé', 'Durand']), rowOf([])] })
    expect(birthDatesAfter(family, target, 'after')).toEqual(['02/02/1970', '', '15/01/1990', '03/02/1988', '01/06/2019'])
    expect(namesOf(importedFrom(family, target, 'after').rows)).toEqual(['Noé', 'Ana', 'Luis', 'Eva'])
  })

  test('a list has unknown birth dates where it has none', () => {
    const wrong = newDraft([header, ['Ana', 'García', 'López', 'soon', '']], true)
    const target = formOf(1, { birthDate: '05/05/1985' })
    expect(birthDatesAfter(shown(wrong, target), target, 'instead')).toEqual([''])
    // A typed date is kept where the list has none.
    const empty = newDraft([header, ['Ana', 'García', 'López', '', '']], true)
    expect(birthDatesAfter(shown(empty, target), target, 'instead')).toEqual(['05/05/1985'])
  })
})

describe('typed values of the first traveller', () => {
  const [row] = family.items.map(item => item.row)
  if (!row) throw new Error('no row')

  test('typed values are named before a row replaces them', () => {
    expect(replacedBy(row, formOf(3, firstOf(['Zoé', 'Durand', 'Petit', '02/02/1970', '11111111H'])))).toEqual([
      'Zoé',
      'Durand',
      'Petit',
      '02/02/1970',
      '11111111H',
    ])
  })

  test('values in another spelling, or missing in the list, are not replaced', () => {
    expect(replacedBy(row, formOf(3, firstOf(['ANA', 'Garcia', 'López', '15/01/1990', '12.345.678-z'])))).toEqual([])
    const bare = { ...row, birthDate: '', docNumber: '' }
    expect(replacedBy(bare, formOf(3, firstOf(['Ana', 'García', 'López', '02/02/1970', '11111111H'])))).toEqual([])
  })

  test('a new name leaves no second surname of another person', () => {
    expect(replacedBy({ ...row, lastName: '' }, formOf(3, firstOf(['Ana', 'García', 'Vega'])))).toEqual(['Vega'])
  })
})

test('a policyholder who does not travel leaves the first row to the first traveller', () => {
  const target = formOf(3, { policyHolderType: '2', policyHolderName: 'Berta', policyHolderSurname: 'Gil' })
  expect(target.role).toBe('traveller')
  expect(target.users.others.map(({ name }) => name)).toEqual(['Berta'])
  expect(formOf(3, { policyHolderType: '3', businessName: 'Sol, S.L.' }).users.others).toEqual([])
  expect(formOf(3).role).toBe('policyholder')
})
