import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bordereauAmounts, isEqual, noSums, transactionOf, withRow } from './amounts.ts'
import { type BookedMovement, entriesOfMovement, entriesOfSale, type Lines, type MovementKind } from '../book.ts'

const spanish = (premium: number, [ips, lea, re]: [number, number, number], commission: number): Lines => ({
  premium,
  taxes: [
    { code: 'IPS', amount: ips },
    { code: 'CCS-LEA', amount: lea },
    { code: 'CCS-RE', amount: re },
  ],
  commission,
})
const total = ({ premium, taxes }: Lines): number => taxes.reduce((sum, { amount }) => sum + amount, premium)
const sale = (lines: Lines) => entriesOfSale({ lines, way: { gateway: 'Deferred', amount: total(lines) } })
const movement = (before: Lines, after: Lines, gateway = 'Deferred', more: Partial<BookedMovement> = {}) => {
  const difference = total(after) - total(before)
  return entriesOfMovement({
    before,
    after,
    reverses: false,
    taxesKept: new Set(),
    charge: Math.max(0, difference),
    refund: Math.max(0, -difference),
    stopped: 0,
    waived: 0,
    ways: difference === 0 ? [] : [{ gateway, amount: Math.abs(difference) }],
    ...more,
  })
}

const none = spanish(0, [0, 0, 0], 0)
const ess = spanish(3120, [250, 5, 1], 874)
const longer = spanish(4700, [376, 7, 1], 1316)
const tot = spanish(51916, [4153, 78, 1], 15575)
const freeLook = spanish(47974, [3838, 72, 1], 14392)
const study = spanish(12455, [996, 19, 2], 2740)

test('the bordereau of the November example adds up to the cent', () => {
  const rows = [sale(ess), movement(ess, longer), sale(tot), movement(longer, none), sale(study), movement(tot, freeLook, 'StripeV2')].map(
    bordereauAmounts,
  )
  expect(rows.map(({ gross, commission }) => [gross, commission])).toEqual([
    [3376, 874],
    [1708, 442],
    [56148, 15575],
    [-5084, -1316],
    [13472, 2740],
    [-4263, -1183],
  ])
  const premium = 12455 + 47974
  const named = (['New', 'Additional', 'New', 'Cancellation', 'New', 'Return'] as const).map((name, index) => [name, rows[index]] as const)
  expect(named.reduce((sums, [name, row]) => (row ? withRow(sums, row, name) : sums), noSums)).toEqual({
    rows: 6,
    transactions: {
      New: { rows: 3, gross: 3376 + 56148 + 13472 },
      Additional: { rows: 1, gross: 1708 },
      Cancellation: { rows: 1, gross: -5084 },
      Return: { rows: 1, gross: -4263 },
    },
    premium,
    taxes: {
      IPS: { amount: 996 + 3838, kept: 0 },
      'CCS-LEA': { amount: 19 + 72, kept: 0 },
      'CCS-RE': { amount: 2 + 1, kept: 0 },
    },
    gross: 65357,
    commission: 17132,
    net: 65357 - 17132,
  })
})

test('a tax that the state keeps is returned in the row and marked as kept', () => {
  const row = bordereauAmounts(movement(ess, none, 'Deferred', { taxesKept: new Set(['CCS-RE']) }))
  expect(row.gross).toBe(-3376)
  expect(row.taxes).toContainEqual({ code: 'CCS-RE', amount: -1, kept: 1 })
  expect(row.taxes).toContainEqual({ code: 'IPS', amount: -250, kept: 0 })
})

test('a row has the difference in price that its movement makes, however its money moves', () => {
  const cents = fc.integer({ min: 0, max: 5_000_000 })
  const lines = fc.tuple(cents, fc.tuple(cents, cents, cents), cents).map(parts => spanish(...parts))
  fc.assert(
    fc.property(lines, lines, fc.subarray(['IPS', 'CCS-RE']), fc.boolean(), (before, after, kept, reverses) => {
      const row = bordereauAmounts(movement(before, after, 'StripeV2', { taxesKept: new Set(kept), reverses }))
      expect(row.gross).toBe(total(after) - total(before))
      expect(row.commission).toBe(after.commission - before.commission)
    }),
  )
})

test.each<[MovementKind, number, string]>([
  ['sale', 3376, 'New'],
  ['change', 1708, 'Additional'],
  ['change', 0, 'Additional'],
  ['change', -4263, 'Return'],
  ['undo', -1708, 'Return'],
  ['undo', 4263, 'Additional'],
  ['cancellation', -5084, 'Cancellation'],
  ['withdrawal', -3376, 'Withdrawal'],
  ['reinstatement', 5084, 'Reinstatement'],
])('a %s of %i cents is named %s', (kind, gross, transaction) => {
  expect(transactionOf({ kind, renews: false }, gross)).toBe(transaction)
})

test('only the sale of a next term is a renewal', () => {
  const named = (['sale', 'change', 'cancellation'] as const).map(kind => transactionOf({ kind, renews: true }, 3376))
  expect(named).toEqual(['Renewal', 'Additional', 'Cancellation'])
})

test.each([{ rows: 5 }, { gross: 65356 }, { commission: 17131 }])('a bordereau does not match where another book has %j', other => {
  const own = { ...noSums, rows: 6, gross: 65357, commission: 17132 }
  const same = { rows: 6, gross: 65357, commission: 17132 }
  expect(isEqual(own, [same, same])).toBe(true)
  expect(isEqual(own, [same, { ...same, ...other }])).toBe(false)
})
