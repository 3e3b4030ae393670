import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountIn } from './amount.ts'
import { columnsOf } from './columns.ts'
import { matchList, type OwnPolicy } from './match.ts'

const own: OwnPolicy[] = [
  { number: 'AZ-1000-01', reference: 'EXP 77', gross: 3376, commission: 874 },
  { number: 'AZ-1000-02', reference: 'EXP 78', gross: 56_148, commission: 15_575 },
  { number: 'AZ-1000-03', reference: '', gross: 13_472, commission: 2740 },
  { number: 'AZ-1000-04', reference: '', gross: 0, commission: 0 },
]
const states = (csv: string) => {
  const { problems, rows } = matchList(csv, own)
  return problems.length > 0 ? problems : rows.map(({ state, number, reference }) => [state, number || reference])
}

test('a list is compared policy by policy, by number or by reference', () => {
  const csv = 'Nº de póliza;Expediente;Importe;Comisión\naz100001;;33,76;8,74\n;exp-78;561,40;155,75\nAZ-9;;10;1\n;Total;;\n'
  expect(states(csv.replace(';Total;;\n', ';;605,16;165,49\n'))).toEqual([
    ['differs', 'AZ-1000-02'],
    ['missing_here', 'AZ-9'],
    ['missing_there', 'AZ-1000-03'],
    ['matched', 'AZ-1000-01'],
  ])
  const [first] = matchList(csv, own).rows
  expect(first).toMatchObject({ ours: { gross: 56_148, commission: 15_575 }, theirs: { gross: 56_140, commission: 15_575 } })
})

test.each(['Total', 'TOTAL', 'Total:', 'Totale', 'Totaux', 'Total general', 'Total geral', 'Grand total', 'Suma', 'Sous-total'])(
  'the row of sums %j is no policy, in either column',
  word => {
    const csv = `Policy;Reference;Amount\nAZ-1000-01;;33.76\n${word};3 lines;33.76\n;${word};33.76\n`
    expect(matchList(csv, own).rows.filter(({ state }) => state === 'missing_here')).toEqual([])
  },
)

test('a row whose number only begins as a row of sums is a policy', () => {
  expect(matchList('Policy;Amount\nTOTAL-17;5', own).rows[0]).toMatchObject({ state: 'missing_here', number: 'TOTAL-17' })
})

test('the lines of one policy are added up, and an amount that a list has not got is not compared', () => {
  expect(states('Policy,Premium\nAZ-1000-01,20\nAZ-1000-01,13.76\nAZ-1000-02,561.48\nAZ-1000-03,"134.72"')).toEqual([
    ['matched', 'AZ-1000-01'],
    ['matched', 'AZ-1000-02'],
    ['matched', 'AZ-1000-03'],
  ])
})

test('a reference of two policies tells neither', () => {
  const twice = own.map(policy => ({ ...policy, reference: 'SAME' }))
  expect(matchList('reference;amount\nsame;33.76', twice).rows.filter(({ state }) => state === 'missing_here')).toHaveLength(1)
})

test.each([
  ['Numéro de police|Prime TTC|Commission', { number: 0, gross: 1, commission: 2 }],
  ['Numero polizza|Premio lordo|Provvigioni', { number: 0, gross: 1, commission: 2 }],
  ['Apólice|Valor|Comissão', { number: 0, gross: 1, commission: 2 }],
  ['Policy number|Booking ref.|Total premium', { number: 0, reference: 1, gross: 2 }],
  ['Localizador|Importe póliza', { reference: 0, gross: 1 }],
])('the columns of %j are recognised', (heads, expected) => {
  expect(columnsOf(heads.split('|'))).toEqual({ number: -1, reference: -1, commission: -1, ...expected })
})

test.each([
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['1 234,5 €', 123_450],
  ['-50.84', -5084],
  ['50,84-', -5084],
  ['(50.84)', -5084],
  ['EUR 7', 700],
  ['1.234', 123_400],
  ['33.760000000000005', 3376],
  ['1.234.567,8', 123_456_780],
  ['', undefined],
  ['x', undefined],
  ['1.2.3', undefined],
  ['1,234,56', undefined],
  ['12..5', undefined],
])('the amount %j is %j cents', (text, cents) => {
  expect(amountIn(text)).toBe(cents)
})

test('every amount that is written with a comma or a point is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.boolean(), (cents, isComma) => {
      const text = (cents / 100).toFixed(2)
      expect(amountIn(isComma ? text.replace('.', ',') : text)).toBe(cents + 0)
    }),
  )
})

test('a list without known columns, without lines or with an amount that is none is refused', () => {
  expect(states('')).toEqual([{ fault: 'empty' }])
  expect(states('a;b\n1;2')).toEqual([{ fault: 'columns' }])
  expect(states('policy;amount\n')).toEqual([{ fault: 'empty' }])
  expect(states('November\npolicy;amount\nAZ-1000-01;12\nAZ-1000-02;abc\nAZ-1000-03;1.2.3')).toEqual([
    { fault: 'amount', line: 4 },
    { fault: 'amount', line: 5 },
  ])
  expect(states(`policy;amount\n${'A1;1\n'.repeat(50_001)}`)).toEqual([{ fault: 'many' }])
})
