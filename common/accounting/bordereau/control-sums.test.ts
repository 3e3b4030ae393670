import { expect, test } from 'vitest'
import { type MovementFacts, readMovement } from './row.ts'
import { openSums, unequalUnits } from './control-sums.ts'

const facts: MovementFacts = {
  id: 'one',
  month: '2026-11',
  day: '2026-11-10',
  kind: 'sale',
  renews: false,
  unit: 'azahar',
  unitCountry: 724,
  product: 'ESS',
  certificate: 'AZ-1',
  version: 1,
  startDate: '2026-11-20',
  endDate: '2026-11-27',
  insured: { name: 'P-1', country: 724, isCompany: false },
  zone: 'EU',
  travellers: 1,
  sumInsuredCents: null,
  currency: 'EUR',
  entries: [],
  cancellationCents: 0,
  cumulativeCents: 0,
  commissionPercent: null,
  way: 'account',
  statement: 'azahar-2026-11',
}
const movement = (premium: number, currency = 'EUR') =>
  readMovement({ ...facts, currency, entries: [{ account: 'insurer_premium', cents: -premium }] }, new Map())
const said = (gross: number, currency = 'EUR') => {
  const sums = { rows: 1, gross, commission: 0 }
  return { currency, statement: sums, book: sums }
}

test('differences of two agencies that cancel each other out are found', () => {
  const sums = openSums([
    { unitId: 'azahar', sums: [said(1000)] },
    { unitId: 'rotta', sums: [said(500)] },
    { unitId: 'tramuntana', sums: [said(300)] },
  ])
  sums.add('azahar', movement(999))
  sums.add('rotta', movement(501))
  sums.add('tramuntana', movement(300))
  const all = sums.all()
  expect(all).toMatchObject([{ file: { gross: 1800 }, statements: { gross: 1800 }, book: { gross: 1800 } }])
  expect(unequalUnits(all, ['azahar', 'rotta', 'tramuntana'])).toEqual(['azahar', 'rotta'])
})

test('an agency is compared in each of its currencies', () => {
  const sums = openSums([{ unitId: 'azahar', sums: [said(1000), said(700, 'GBP')] }])
  sums.add('azahar', movement(1000))
  sums.add('azahar', movement(700, 'GBP'))
  expect(unequalUnits(sums.all(), ['azahar'])).toEqual([])
  sums.add('azahar', movement(1, 'GBP'))
  expect(sums.all().map(({ currency, file, units }) => [currency, file.gross, units?.[0]?.file.gross])).toEqual([
    ['EUR', 1000, 1000],
    ['GBP', 701, 701],
  ])
  expect(unequalUnits(sums.all(), ['azahar'])).toEqual(['azahar'])
  expect(() => sums.add('rotta', movement(1))).toThrow('rotta')
})
