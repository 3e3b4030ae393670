import { expect, test } from 'vitest'
import { proposedPayment } from './proposed.ts'

const proposed = (account: number, open?: { account: number; commission: number }) =>
  proposedPayment({ account, lastStatement: open ? { number: 'azahar-2026-11', dueOn: '2026-12-15', due: 100, open } : null })

test.each([
  ['what is open after a part payment', 90, { account: 60, commission: 0 }, { way: 'received', amount: 60 }],
  ['no more than is owed after a refund', 40, { account: 60, commission: 0 }, { way: 'received', amount: 40 }],
  ['a payout of what is owed to the agency', -36.6, { account: -36.6, commission: 0 }, { way: 'paid', amount: 36.6 }],
  ['the debt before the commission', 60, { account: 60, commission: -10 }, { way: 'received', amount: 60 }],
  ['the commission once the debt is paid', 0, { account: 0, commission: -10 }, { way: 'paid', amount: 10 }],
  ['nothing of what is paid', 25, { account: 0, commission: 0 }, { way: 'received', amount: null }],
])('the form proposes %s', (_, account, open, expected) => {
  expect(proposed(account, open)).toEqual(expected)
})

test('the form proposes nothing before the first statement', () => {
  expect(proposed(25)).toEqual({ way: 'received', amount: null })
})
