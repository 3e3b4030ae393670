import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BookedMovement,
  entriesOfChargeback,
  entriesOfDuty,
  entriesOfMovement,
  entriesOfRefund,
  entriesOfSale,
  entriesOfUnwanted,
  type Entry,
  type Lines,
  type GatewayAmount,
} from './book.ts'

const total = ({ premium, taxes }: Lines): number => taxes.reduce((sum, { amount }) => sum + amount, premium)
const sum = (entries: readonly Entry[], account?: Entry['account']): number =>
  entries.reduce((cents, entry) => (account === undefined || entry.account === account ? cents + entry.cents : cents), 0)
const balances = (entries: readonly Entry[]) =>
  Object.fromEntries(
    [...new Set(entries.map(({ account }) => account))].map(account => [account, sum(entries, account)]).filter(([, cents]) => cents !== 0),
  )
const spanish = (premium: number, [ips, lea, re]: [number, number, number], commission: number): Lines => ({
  premium,
  taxes: [
    { code: 'IPS', amount: ips },
    { code: 'CCS-LEA', amount: lea },
    { code: 'CCS-RE', amount: re },
  ],
  commission,
})
const none = spanish(0, [0, 0, 0], 0)
const account = (amount: number): GatewayAmount => ({ gateway: 'Deferred', amount })
const card = (amount: number): GatewayAmount => ({ gateway: 'StripeV2', amount })

const movement = (before: Lines, after: Lines, more: Partial<BookedMovement> = {}): BookedMovement => {
  const difference = total(after) - total(before)
  return {
    before,
    after,
    reverses: false,
    taxesKept: new Set(['CCS-RE']),
    charge: Math.max(0, difference),
    refund: Math.max(0, -difference),
    stopped: 0,
    waived: 0,
    ways: difference === 0 ? [] : [account(Math.abs(difference))],
    ...more,
  }
}

const ess = spanish(3120, [250, 5, 1], 874)
const longer = spanish(4700, [376, 7, 1], 1316)
const tot = spanish(51916, [4153, 78, 1], 15575)

describe('the entries of a movement', () => {
  test('a sale on account books agency, insurer, state and commission', () => {
    expect(balances(entriesOfSale({ lines: ess, way: account(3376) }))).toEqual({
      agency_account: 3376,
      insurer_premium: -3120,
      'tax:IPS': -250,
      'tax:CCS-LEA': -5,
      'tax:CCS-RE': -1,
      commission_payable: -874,
      commission_expense: 874,
    })
  })

  test('a sale by card leaves the money with the card network', () => {
    expect(balances(entriesOfSale({ lines: tot, way: card(56148) }))).toMatchObject({ card_clearing: 56148, commission_payable: -15575 })
  })

  test('a change books the differences alone', () => {
    expect(balances(entriesOfMovement(movement(ess, longer)))).toEqual({
      agency_account: 1708,
      insurer_premium: -1580,
      'tax:IPS': -126,
      'tax:CCS-LEA': -2,
      commission_payable: -442,
      commission_expense: 442,
    })
  })

  const italian: Lines = {
    premium: 3120,
    taxes: [
      { code: 'IMP-ASS', amount: 172 },
      { code: 'IMP-INF', amount: 23 },
      { code: 'IMP-ALT', amount: 99 },
    ],
    commission: 780,
  }
  const ended: Lines = { premium: 0, taxes: italian.taxes.map(tax => ({ ...tax, amount: 0 })), commission: 0 }
  const taxesKept = new Set(['IMP-ASS', 'IMP-INF', 'IMP-ALT'])

  test('a refund of kept taxes is paid by the insurer, until the policy is reinstated', () => {
    const cancelled = entriesOfMovement(movement(italian, ended, { taxesKept }))
    expect(balances(cancelled)).toMatchObject({ agency_account: -3414, 'tax:IMP-ASS': 172, 'tax:IMP-ASS kept': -172, insurer_cost: 294 })
    const reinstated = entriesOfMovement(movement(ended, italian, { taxesKept, reverses: true }))
    expect(balances([...cancelled, ...reinstated])).toEqual({})
  })

  test('a movement that keeps a part of the premium leaves kept taxes unchanged', () => {
    const left: Lines = { ...italian, premium: 1248, commission: 312 }
    expect(balances(entriesOfMovement(movement(italian, left, { taxesKept })))).toEqual({
      agency_account: -1872,
      insurer_premium: 1872,
      commission_payable: 468,
      commission_expense: -468,
    })
  })

  test('a refund by card is owed until it leaves, and no longer once it is stopped', () => {
    const cancelled = entriesOfMovement(movement(ess, none, { ways: [card(3376)], taxesKept: new Set() }))
    expect(balances(cancelled)).toMatchObject({ refunds_payable: -3376 })
    const sale = entriesOfSale({ lines: ess, way: card(3376) })
    expect(balances([...sale, ...cancelled, ...entriesOfRefund(3376)])).toEqual({})
    const back = entriesOfMovement(movement(none, ess, { reverses: true, taxesKept: new Set(), charge: 0, stopped: 3376, ways: [] }))
    expect(balances([...sale, ...cancelled, ...back])).toEqual(balances(sale))
  })

  test('an amount too small for a card is written off, and restored with the change', () => {
    const dearer = spanish(3150, [252, 5, 1], 882)
    const changed = entriesOfMovement(movement(ess, dearer, { waived: 32, ways: [] }))
    expect(balances(changed)).toMatchObject({ write_off: 32, insurer_premium: -30 })
    const undone = entriesOfMovement(movement(dearer, ess, { reverses: true, waived: -32, ways: [] }))
    expect(balances([...changed, ...undone])).toEqual({})
  })

  test('an amount that no payment can take back is owed', () => {
    expect(balances(entriesOfMovement(movement(ess, none, { ways: [account(3000)] })))).toMatchObject({
      agency_account: -3000,
      refunds_payable: -376,
    })
  })
})

test('the worked November adds up to the cent', () => {
  const freeLook = spanish(47974, [3838, 72, 1], 14392)
  const study = spanish(12455, [996, 19, 2], 2740)
  const movements = [
    entriesOfSale({ lines: ess, way: account(3376) }),
    entriesOfMovement(movement(ess, longer)),
    entriesOfSale({ lines: tot, way: card(56148) }),
    entriesOfMovement(movement(longer, none)),
    entriesOfSale({ lines: study, way: account(13472) }),
    entriesOfMovement(movement(tot, freeLook, { ways: [card(4263)] })),
  ]
  expect(movements.map(entries => -sum(entries, 'commission_payable'))).toEqual([874, 442, 15575, -1316, 2740, -1183])
  const month = movements.flat()
  const [owes, earned] = [sum(month, 'agency_account'), -sum(month, 'commission_payable')]
  expect([owes, earned, earned - owes]).toEqual([13472, 17132, 3660])
  expect(sum(month, 'card_clearing') + sum(month, 'refunds_payable')).toBe(56148 - 4263)
})

const cents = fc.integer({ min: 0, max: 5_000_000 })
const lines = fc.record({
  premium: cents,
  taxes: fc.uniqueArray(fc.record({ code: fc.constantFrom('IPS', 'CCS-RE', 'IMP-ASS', 'TSCA'), amount: cents }), {
    selector: ({ code }) => code,
  }),
  commission: cents,
})
const ways = (amount: number, cardShare: number): GatewayAmount[] => {
  const byCard = Math.round(amount * cardShare)
  return [card(byCard), account(amount - byCard)].filter(way => way.amount > 0)
}

describe('any lines and ways', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const kept = fc.uniqueArray(fc.constantFrom<string>('IPS', 'CCS-RE', 'IMP-ASS')).map(codes => new Set(codes))

  test('the entries of every movement add up to nothing', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), kept, share, share, (before, after, reverses, taxesKept, cardShare, part) => {
        const made = movement(before, after, { reverses, taxesKept })
        const stopped = Math.round(made.charge * part)
        const waived = made.refund > 0 ? -Math.round(made.refund * part) : 0
        const charge = made.charge - stopped
        const entries = entriesOfMovement({ ...made, charge, stopped, waived, ways: ways(charge + made.refund + waived, cardShare) })
        expect(sum(entries)).toBe(0)
        expect(sum(entriesOfSale({ lines: before, way: card(total(before)) }))).toBe(0)
      }),
    )
  })

  test('a sale and its full refund leave only the taxes that the state keeps', () => {
    fc.assert(
      fc.property(lines, kept, fc.constantFrom(card, account), (sold, taxesKept, way) => {
        const back = movement(sold, none, { taxesKept, ways: total(sold) === 0 ? [] : [way(total(sold))] })
        const left = way === card ? entriesOfRefund(total(sold)) : []
        const all = [...entriesOfSale({ lines: sold, way: way(total(sold)) }), ...entriesOfMovement(back), ...left]
        const taxes = sold.taxes.filter(({ code, amount }) => taxesKept.has(code) && amount > 0)
        const insurerPays = taxes.reduce((cost, { amount }) => cost + amount, 0)
        expect(balances(all)).toEqual({
          ...Object.fromEntries(taxes.map(({ code, amount }) => [`tax:${code} kept`, -amount])),
          ...(insurerPays > 0 ? { insurer_cost: insurerPays } : {}),
        })
      }),
    )
  })

  test('a movement that is reversed leaves nothing', () => {
    fc.assert(
      fc.property(lines, kept, (sold, taxesKept) => {
        const there = movement(sold, none, { taxesKept })
        const back = movement(none, sold, { taxesKept, reverses: true })
        expect(balances([...entriesOfMovement(there), ...entriesOfMovement(back)])).toEqual({})
      }),
    )
  })

  test('refunds, unmatched payments, chargebacks and duties balance and can be reversed', () => {
    fc.assert(
      fc.property(cents, amount => {
        for (const entriesOf of [entriesOfRefund, entriesOfUnwanted, entriesOfChargeback, entriesOfDuty]) {
          expect(sum(entriesOf(amount))).toBe(0)
          expect(balances([...entriesOf(amount), ...entriesOf(-amount)])).toEqual({})
        }
      }),
    )
  })
})
