import { expect, test } from 'vitest'
import type { TaxOfMovement } from './row.ts'
import { addTaxes, dueOf430, taxReturns, type TaxSum } from './tax-return.ts'

const ips = (amount: number, taxable: number, kept = 0): TaxOfMovement => ({ code: 'IPS', country: 724, rate: 8, taxable, amount, kept })
const of = (code: string, country: number, amount: number): TaxOfMovement => ({ ...ips(amount, amount * 10), code, country })
function sumsOf(movements: TaxOfMovement[][], isLongElsewhere = false): TaxSum[] {
  const sums = new Map<string, TaxSum>()
  for (const taxes of movements) addTaxes(sums, { taxes, isLongElsewhere })
  return [...sums.values()]
}

test('an amount returned in the month is subtracted from its tax and from its base', () => {
  expect(sumsOf([[ips(250, 3120)], [ips(-250, -3120)], [ips(996, 12455)]])).toEqual([
    { country: 724, code: 'IPS', rate: 8, deeds: 3, base: 12455, tax: 996, flagged: 0 },
  ])
})

test('a tax that the state keeps stays declared although the client got it back', () => {
  expect(sumsOf([[ips(250, 3120)], [ips(-250, -3120, 250)]])).toMatchObject([{ base: 3120, tax: 250 }])
})

test('a month with two rates of a tax has two lines', () => {
  expect(sumsOf([[ips(250, 3120)], [{ ...ips(187, 3120), rate: 6 }]]).map(({ rate, tax }) => [rate, tax])).toEqual([
    [8, 250],
    [6, 187],
  ])
})

test('each tax is in one file, and the surcharges of the Consorcio have their own', () => {
  const taxes = sumsOf([[of('IPS', 724, 1), of('CCS-RE', 724, 2), of('CCS-LEA', 724, 3)], [of('IMP-ASS', 380, 4)], [of('IPT-H', 826, 5)]])
  const codeOf = (id: number) => ({ 380: 'IT', 826: 'GB' })[id] ?? ''
  expect(taxReturns(taxes, codeOf).map(({ name, taxes }) => [name, taxes.map(({ code }) => code)])).toEqual([
    ['tax-es-430', ['IPS']],
    ['tax-es-consorcio', ['CCS-LEA', 'CCS-RE']],
    ['tax-gb', ['IPT-H']],
    ['tax-it', ['IMP-ASS']],
  ])
})

test('a long policy of a policyholder living elsewhere is flagged at each of its taxes', () => {
  expect(sumsOf([[ips(250, 3120), of('CCS-RE', 724, 1)]], true).map(({ flagged }) => flagged)).toEqual([1, 1])
})

test.each([
  ['2026-11', '2026-12-20'],
  ['2026-12', '2027-01-20'],
  ['2026-07', '2026-09-20'],
])('the Spanish tax of %s is due on %s', (month, due) => {
  expect(dueOf430(month)).toBe(due)
})
