import { expect, test } from 'vitest'
import { bordereauColumns, bordereauRow, type MovementFacts, type KnownTaxes, readMovement } from './row.ts'

const spain: KnownTaxes = new Map([
  ['IPS', { country: 724, rate: 8, sharePercent: 100 }],
  ['CCS-LEA', { country: 724, rate: 0.15, sharePercent: 100 }],
  ['CCS-RE', { country: 724, rate: 0.0003, sharePercent: null }],
])

const sale: MovementFacts = {
  id: '019a0000-0000-7000-8000-000000000001',
  month: '2026-11',
  day: '2026-11-02',
  kind: 'sale',
  renews: false,
  unit: 'azahar',
  unitCountry: 724,
  product: 'ESS',
  certificate: 'PA-0000001',
  version: 1,
  startDate: '2026-11-20',
  endDate: '2026-11-27',
  insured: { name: 'P-1', country: 724, isCompany: false },
  zone: 'europe',
  travellers: 2,
  sumInsuredCents: null,
  currency: 'EUR',
  entries: [
    { account: 'tax:CCS-RE', cents: -1 },
    { account: 'tax:IPS', cents: -250 },
    { account: 'tax:CCS-LEA', cents: -5 },
    { account: 'insurer_premium', cents: -3120 },
    { account: 'commission_payable', cents: -874 },
    { account: 'commission_expense', cents: 874 },
    { account: 'agency_account', cents: 3376 },
  ],
  cancellationCents: 0,
  cumulativeCents: 3376,
  commissionPercent: 28,
  way: 'account',
  statement: 'azahar-2026-11',
}
const period = { month: '2026-11', from: '2026-11-01', to: '2026-11-30' }
const codeOf = (id: number) => ({ 724: 'ES', 380: 'IT' })[id] ?? String(id)
const rowOf = (facts: MovementFacts, known = spain) => bordereauRow(readMovement(facts, known), period, codeOf)

test('a row has a cell for each column, in their order', () => {
  expect(Object.keys(rowOf(sale))).toEqual(Object.keys(bordereauColumns))
})

test('a sale is a new row of its month, with its taxes in the catalogue’s order', () => {
  expect(rowOf(sale)).toMatchObject({
    corrects: null,
    transaction: 'New',
    transactionDate: '2026-11-02',
    effectiveDate: '2026-11-20',
    agreementNo: 'MER-TRV-01',
    grossPremium: 33.76,
    premium: 31.2,
    tax1Jurisdiction: 'ES',
    tax1Type: 'IPS',
    tax1Rate: 8,
    tax1Taxable: 31.2,
    tax1Amount: 2.5,
    tax2Type: 'CCS-LEA',
    tax2Amount: 0.05,
    tax3Type: 'CCS-RE',
    tax3Taxable: null,
    tax3Amount: 0.01,
    commission: 8.74,
    net: 25.02,
    riskCountry: 'ES',
    residesElsewhere: null,
  })
})

test('the sale of a next term is a renewal from its first day', () => {
  expect(rowOf({ ...sale, renews: true })).toMatchObject({ transaction: 'Renewal', effectiveDate: '2026-11-20' })
})

test('a late movement names the month it belongs to', () => {
  expect(rowOf({ ...sale, month: '2026-10', day: '2026-10-31' }).corrects).toBe('2026-10')
})

test.each([
  ['2027-03-19', 380, null],
  ['2027-03-20', 380, 'yes'],
  ['2027-03-20', 724, null],
])('a policy until %s, policyholder in %i, is flagged if over four months', (endDate, country, flagged) => {
  expect(rowOf({ ...sale, endDate, insured: { ...sale.insured, country } }).residesElsewhere).toBe(flagged)
})

test('a movement with more taxes than the file has columns is never cut short', () => {
  const entries = [...sale.entries, { account: 'tax:IMP-ASS' as const, cents: -1 }]
  expect(() => rowOf({ ...sale, entries })).toThrow('more than 3 taxes')
})

test('a part of the premium goes to the cancellation cover, the rest to travel', () => {
  expect(rowOf({ ...sale, cancellationCents: 1000 })).toMatchObject({ premium: 31.2, travelPremium: 21.2, cancellationPremium: 10 })
})
