import { expect, test } from 'vitest'
import { differencesOf } from './compare.ts'
import type { PolicyVersion } from './versions.tsx'

const ana = { personUuid: 'A', name: 'Ana', middleName: 'García', lastName: 'López', docNumber: '12345678Z', email: 'ana@example.es' }
const leo = { personUuid: 'B', name: 'Leo', middleName: 'Gil', lastName: '', docNumber: 'X1234567L', email: '' }
const sale: PolicyVersion = {
  version: 1,
  number: 1,
  at: '2026-11-20T10:00:00.000Z',
  who: 'Lucía',
  kind: 'sale',
  basis: null,
  reason: null,
  note: null,
  startDate: '2026-12-01',
  endDate: '2026-12-08',
  people: 2,
  total: 33.76,
  trip: { countryOriginId: 724, countriesDestinationId: '380,250', insurancedAmount: null, reservationDate: null },
  users: [ana, leo],
  premium: 31.2,
  taxes: [{ code: 'IPS', label: 'IPS', amount: 2.5 }],
  fields: [],
  difference: 0,
  kept: 0,
  commission: null,
  files: [],
}
const compared = (changes: Partial<PolicyVersion>) =>
  differencesOf(sale, { ...sale, version: 2, ...changes }, id => String(id)).map(({ field, was, is }) => [field, was, is])

test('equal versions have no differences, whatever the order of countries', () => {
  expect(compared({ trip: { ...sale.trip, countriesDestinationId: '250,380' } })).toEqual([])
})

test('only differing lines are compared, a tax under its own name', () => {
  expect(compared({ endDate: '2026-12-12', premium: 47, total: 50.84, taxes: [{ code: 'IPS', label: 'IPS', amount: 3.76 }] })).toEqual([
    ['endDate', '2026-12-08', '2026-12-12'],
    ['premium', 31.2, 47],
    ['tax', 2.5, 3.76],
    ['total', 33.76, 50.84],
  ])
})

test('a corrected name is that person’s difference; a swap is one leaving, one joining', () => {
  expect(compared({ users: [{ ...ana, lastName: 'Lopes' }, leo] })).toEqual([['name', 'Ana García López', 'Ana García Lopes']])
  expect(compared({ users: [ana, { ...leo, personUuid: 'C', name: 'Eva' }] })).toEqual([
    ['person', 'Leo Gil', null],
    ['person', null, 'Eva Gil'],
  ])
})

test('another country of origin or policyholder is a difference', () => {
  expect(compared({ trip: { ...sale.trip, countryOriginId: 250 }, users: [leo, ana] })).toEqual([
    ['origin', '724', '250'],
    ['holder', 'Ana García López', 'Leo Gil'],
  ])
})
