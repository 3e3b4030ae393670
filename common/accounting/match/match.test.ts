import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountIn, decimalSignOf } from './amount.ts'
import { columnsOf } from './columns.ts'
import { matchList, type OwnPolicy } from './match.ts'

const own: OwnPolicy[] = [
  { id: 'p1', number: 'AZ-1000-01', reference: 'EXP 77', gross: 3376, commission: 874 },
  { id: 'p2', number: 'AZ-1000-02', reference: 'EXP 78', gross: 56_148, commission: 15_575 },
  { id: 'p3', number: 'AZ-1000-03', reference: '', gross: 13_472, commission: 2740 },
  { id: 'p4', number: 'AZ-1000-04', reference: '', gross: 0, commission: 0 },
]
const states = (csv: string) => {
  const { problems, rows } = matchList(csv, own)
  return problems.length > 0 ? problems : rows.map(({ state, number, reference }) => [state, number || reference])
}

test('a list is compared by policy, by number or by reference', () => {
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
  'the row of sums %j is not a policy, in either column',
  word => {
    const csv = `Policy;Reference;Amount\nAZ-1000-01;;33.76\n${word};3 lines;33.76\n;${word};33.76\n`
    expect(matchList(csv, own).rows.filter(({ state }) => state === 'missing_here')).toEqual([])
  },
)

test('a row whose number only begins like a row of sums is a policy', () => {
  expect(matchList('Policy;Amount\nTOTAL-17;5', own).rows[0]).toMatchObject({ state: 'missing_here', number: 'TOTAL-17' })
})

test('lines of one policy are added up; an amount missing in the list is not compared', () => {
  expect(states('Policy,Premium\nAZ-1000-01,20\nAZ-1000-01,13.76\nAZ-1000-02,561.48\nAZ-1000-03,"134.72"')).toEqual([
    ['matched', 'AZ-1000-01'],
    ['matched', 'AZ-1000-02'],
    ['matched', 'AZ-1000-03'],
  ])
})

test('a reference that two policies share matches neither', () => {
  const twice = own.map(policy => ({ ...policy, reference: 'SAME' }))
  expect(matchList('reference;amount\nsame;33.76', twice).rows.filter(({ state }) => state === 'missing_here')).toHaveLength(1)
})

test.each([
  ['Numéro de police|Prime TTC|Commission', { number: 0, gross: 1, commission: 2 }],
  ['Numero polizza|Premio lordo|Provvigioni', { number: 0, gross: 1, commission: 2 }],
  ['Apólice|Valor|Comissão', { number: 0, gross: 1, commission: 2 }],
  ['Policy number|Booking ref.|Total premium', { number: 0, reference: 1, gross: 2 }],
  ['Localizador|Importe póliza', { reference: 0, gross: 1 }],
  ['Póliza|Importe en divisa|Moneda', { number: 0, gross: 1, currency: 2 }],
])('the columns of %j are recognised', (heads, expected) => {
  expect(columnsOf(heads.split('|'))).toEqual({ number: -1, reference: -1, commission: -1, currency: -1, ...expected })
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
  ['0,710', 71],
  ['1234,560', 123_456],
  ['0,715', 'decimals'],
  ['', 'amount'],
  ['33.7654', 'decimals'],
  ['33.7650', 'decimals'],
  ['0,759', 'decimals'],
  ['5-5', 'amount'],
  ['3-3.77', 'amount'],
  ['-5.00-', 'amount'],
  ['(5.00', 'amount'],
  ['x', 'amount'],
  ['1.2.3', 'amount'],
  ['1,234,56', 'amount'],
  ['12..5', 'amount'],
  ['12,', 'amount'],
])('the amount %j is %j cents', (text, expected) => {
  const amount = amountIn(text)
  expect(typeof amount === 'string' ? amount : amount.cents).toBe(expected)
})

test.each([
  [['38,710', '42,74', '−15,73'], ','],
  [['38,710', '1.234.567'], ','],
  [['38,710', '1,234.5'], '.'],
  [['38,710', '0,710'], ','],
  [['38,710', '12'], undefined],
  [['38,710', '1,5', '1.5'], undefined],
  [['38,710', 'x,12'], undefined],
])('the column %j has the decimal sign %j', (cells, sign) => {
  expect(decimalSignOf(cells)).toBe(sign)
})

test.each([
  ['38,710', ',', { cents: 3871, unclear: false }],
  ['38,710', '.', { cents: 3_871_000, unclear: false }],
  ['38,710', undefined, { cents: 3_871_000, unclear: true }],
  ['38,715', ',', 'decimals'],
  ['1.234,710', ',', { cents: 123_471, unclear: false }],
  ['12.5', ',', { cents: 1250, unclear: false }],
  ['12', undefined, { cents: 1200, unclear: false }],
] as const)('where the column has it so, %j with %j is %j', (text, sign, expected) => {
  expect(amountIn(text, sign)).toEqual(expected)
})

test('a column’s decimal sign comes from one of its cells, or from the other amounts', () => {
  const list = (...amounts: string[]) => matchList(`Poliza;Importe;Comision\n${amounts.join('\n')}`, own)
  const [first] = list('az-1000-01;38,710;8,74', 'az-1000-02;42,74;1').rows
  expect(first?.theirs).toEqual({ gross: 3871, commission: 874 })
  expect(list('az-1000-01;38,710;8,74').rows[0]?.theirs).toEqual({ gross: 3871, commission: 874 })
  expect(list('az-1000-01;38,715;8,74').problems).toEqual([{ fault: 'decimals', line: 2 }])
  expect(list('az-1000-02;1;1', 'az-1000-01;38,710;8').unclear).toEqual([3])
  expect(list('az-1000-01;38,71;8').unclear).toEqual([])
  expect(list(...Array.from({ length: 30 }, () => 'az-1000-01;38.710;1')).unclear).toHaveLength(30)
})

test('an amount in another currency is not compared, and its currency is shown', () => {
  const rowsOf = (csv: string, currency = 'EUR') => matchList(csv, own, currency).rows.filter(({ theirs }) => theirs)
  for (const cell of ['33,76 USD', 'USD33,76', '$33,76'])
    expect(rowsOf(`Poliza;Importe\naz-1000-01;${cell}`)).toMatchObject([{ state: 'differs', number: 'AZ-1000-01', currency: 'USD' }])
  expect(rowsOf('Poliza;Importe;Divisa\naz-1000-01;33,76;GBP')).toMatchObject([{ state: 'differs', currency: 'GBP' }])
  expect(rowsOf('Poliza;Importe\nX-1;£ 12')).toMatchObject([{ state: 'missing_here', currency: 'GBP', theirs: { gross: 1200 } }])
  for (const cell of ['33,76 €', 'EUR 33,76', '33,76'])
    expect(rowsOf(`Poliza;Importe\naz-1000-01;${cell}`)).toMatchObject([{ state: 'matched', currency: null }])
  expect(rowsOf('Poliza;Importe\naz-1000-01;$33,76', 'MXN')).toMatchObject([{ state: 'matched', currency: null }])
  expect(rowsOf('Poliza;Importe\naz-1000-01;20 USD\naz-1000-01;13,76')).toMatchObject([
    { state: 'differs', currency: 'USD', theirs: { gross: null } },
  ])
})

test('a cell is a number or a reference by its value, whatever the heading', () => {
  expect(states('Poliza;Importe\nexp-77;33,76\n')).toContainEqual(['matched', 'AZ-1000-01'])
  expect(states('Expediente;Importe\naz-1000-01;33,76\n')).toContainEqual(['matched', 'AZ-1000-01'])
  expect(states('Poliza;Expediente;Importe\nexp 77;az-1000-02;561,48\n')).toContainEqual(['matched', 'AZ-1000-02'])
})

test('every amount written with a comma or a point is read correctly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.boolean(), (cents, isComma) => {
      const text = (cents / 100).toFixed(2)
      expect(amountIn(isComma ? text.replace('.', ',') : text)).toEqual({ cents: cents + 0, unclear: false })
    }),
  )
})

test('a list without known columns, without lines or with an invalid amount is refused', () => {
  expect(states('')).toEqual([{ fault: 'empty' }])
  expect(states('a;b\n1;2')).toEqual([{ fault: 'columns' }])
  expect(states('policy;amount\n')).toEqual([{ fault: 'empty' }])
  expect(states('November\npolicy;amount\nAZ-1000-01;12\nAZ-1000-02;abc\nAZ-1000-03;1.2.3')).toEqual([
    { fault: 'amount', line: 4 },
    { fault: 'amount', line: 5 },
  ])
  expect(states(`policy;amount\n${'A1;1\n'.repeat(50_001)}`)).toEqual([{ fault: 'many' }])
})
