import { expect, test } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { documentKindOf } from '#common/policies/import/values.ts'
import { messagesOf } from '#tools/message-ids.ts'
import { type PeopleForm, peopleForm, type Row } from '../people-form.ts'
import type { TripForm } from '../store.ts'
import { pastedInto } from './pasted-into.ts'

const formOf = (travelers: number): PeopleForm =>
  // Safe: the form reads no other field of a trip.
  peopleForm(undefined, { travelers, birthDates: [] as TripForm['birthDates'] } as TripForm)
const paste = (text: string, place: number, column: string, form = formOf(3)) =>
  pastedInto(form, { text, place, column }, true, '2026-11-20')

test('rows pasted into the first name fill the travellers from there on', () => {
  const pasted = paste('Ana\tGarcía\tLópez\t15/01/1990\t12345678Z\nLuis\tPérez\tRuiz\t1988-02-03\t11111111H\n', 0, 'name')
  expect(pasted?.count).toBe(2)
  expect(pasted?.first).toMatchObject({ name: 'Ana', middleName: 'García', lastName: 'López', birthDate: '15/01/1990' })
  expect(pasted?.rows.map(({ name, birthDate, docNumber }) => [name, birthDate, docNumber])).toEqual([
    ['Luis', '03/02/1988', '11111111H'],
    ['', '', ''],
  ])
})

test('a header is recognised and skipped, and names without one are all read', () => {
  expect(paste('Apellidos\tNombre\nGarcía\tAna\nPérez\tLuis', 1, 'name')?.rows.map(({ name, middleName }) => [name, middleName])).toEqual([
    ['Ana', 'García'],
    ['Luis', 'Pérez'],
  ])
  expect(paste('Ana\tGarcía\nLuis\tPérez', 1, 'name')?.rows.map(({ name }) => name)).toEqual(['Ana', 'Luis'])
})

test('rows in the sheet’s order are read with document kinds, and none is a header', () => {
  const list =
    'Pablo\tRuiz\tMora\t03/02/1982\tDNI\t00000001R\nNil\tRuiz\tGil\t11/10/2022\t\t\nZoé\tPetit\tRoy\t01/06/1990\tPasaporte\tX123456'
  const kindOf = ({ name, lastName, birthDate, documentKind, docNumber }: Partial<Row>) => [
    name,
    lastName,
    birthDate,
    documentKind,
    docNumber,
  ]
  for (const text of [list, list.replace('DNI', 'DNI/NIE').replace('Pasaporte', 'passport')]) {
    const pasted = paste(text, 1, 'name')
    expect(pasted?.rows.map(kindOf)).toEqual([
      ['Pablo', 'Mora', '03/02/1982', 'national', '00000001R'],
      ['Nil', 'Gil', '11/10/2022', 'national', ''],
      ['Zoé', 'Roy', '01/06/1990', 'passport', 'X123456'],
    ])
    expect(pasted?.notes.size).toBe(0)
  }
  const one = paste('Pablo\tRuiz\tMora\t\tDNI\t00000001R', 0, 'name')
  expect(one?.first).toMatchObject({ name: 'Pablo', documentKind: 'national', docNumber: '00000001R' })
  // The same from another column on.
  const rest = paste('Ruiz\tMora\t03/02/1982\tNIE\tX1234567L\nRuiz\tGil\t11/10/2022\t\t', 1, 'middleName')
  expect(rest?.rows[0]).toMatchObject({ lastName: 'Mora', birthDate: '03/02/1982', documentKind: 'national', docNumber: 'X1234567L' })
})

test.each(locales)('the form’s kinds of documents are read from a paste in %s', locale => {
  const messages = messagesOf(locale)
  const byCountry = [...(messages.get('funnel.documentKind.national_in') ?? '').matchAll(/\{([^{},]+)\}/g)].map(([, label]) => label ?? '')
  expect(byCountry).toHaveLength(6)
  for (const label of [messages.get('funnel.documentKind.national') ?? '', ...byCountry])
    expect(documentKindOf(label), label).toBe('national')
  expect(documentKindOf(messages.get('funnel.documentKind.passport') ?? '')).toBe('passport')
})

test('more rows than travellers add travellers', () => {
  expect(paste('Ana\nLuis\nEva\nZoé', 1, 'name')?.rows.map(({ name }) => name)).toEqual(['Ana', 'Luis', 'Eva', 'Zoé'])
})

test('cells pasted into another column fill on from there; empty ones replace nothing', () => {
  const form = formOf(3)
  form.extraTravellers = form.extraTravellers.map(row => ({ ...row, name: 'Eva', lastName: 'Gil' }))
  const rows = paste('García\tLópez\nPérez\t', 1, 'middleName', form)?.rows ?? []
  expect(rows.map(({ name, middleName, lastName }) => [name, middleName, lastName])).toEqual([
    ['Eva', 'García', 'López'],
    ['Eva', 'Pérez', 'Gil'],
  ])
  expect(paste('1990-01-15\t12345678Z', 1, 'birthDate')?.rows[0]).toMatchObject({ birthDate: '15/01/1990', docNumber: '12345678Z' })
  expect(paste('Pasaporte\tX12345', 2, 'documentKind')?.rows[1]).toMatchObject({ documentKind: 'passport', docNumber: 'X12345' })
})

test('a row reports changed or skipped cells, and keeps the text of an invalid date', () => {
  const heads = 'Nombre\tApellido 1\tApellido 2\tF. Nac\tDNI\tObservaciones\n'
  const pasted = paste(`${heads}Ana\tGarcía\tLópez\t32541\t12345678Z\tvegana\nLuis\tPérez\tRuiz\t31/02/1988\t11111111H\t`, 1, 'name')
  expect(pasted?.rows.map(({ birthDate }) => birthDate)).toEqual(['02/02/1989', '31/02/1988'])
  expect([...(pasted?.notes ?? [])]).toEqual([
    [
      1,
      [
        { what: 'day_count', texts: ['32541', '02/02/1989'] },
        { what: 'unused', texts: ['vegana'] },
      ],
    ],
    [2, [{ what: 'no_date', texts: ['31/02/1988'] }]],
  ])
  const kinds = paste('Carné joven\tX12345\nPasaporte\tX54321', 1, 'documentKind')
  expect(kinds?.rows.map(({ documentKind, docNumber }) => [documentKind, docNumber])).toEqual([
    ['national', 'X12345'],
    ['passport', 'X54321'],
  ])
  expect([...(kinds?.notes ?? [])]).toEqual([[1, [{ what: 'kind', texts: ['Carné joven'] }]]])
  expect(paste('García\tLópez', 1, 'middleName')?.notes.size).toBe(0)
})

test('a year of two digits is completed as when it is typed', () => {
  const dates = (text: string, column: string) => paste(text, 1, column)?.rows.map(({ birthDate }) => birthDate)
  expect(dates('Ana\tGarcía\tLópez\t12/04/84\nLuis\tPérez\tRuiz\t3.2.19\n', 'name')).toEqual(['12/04/1984', '03/02/2019'])
  expect(dates('Nombre\tF. Nac\nAna García López\t12-04-27', 'name')?.[0]).toBe('12/04/1927')
  expect(dates('12/04/84\n120484\n31/02/84', 'birthDate')).toEqual(['12/04/1984', '12/04/1984', '31/02/84'])
  expect(paste('31/02/84\t12345678Z', 1, 'birthDate')?.notes.get(1)).toEqual([{ what: 'no_date', texts: ['31/02/84'] }])
})

test('an empty text is not a list', () => {
  expect(paste(' \n\t\n', 0, 'name')).toBeUndefined()
})
