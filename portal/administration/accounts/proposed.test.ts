import { expect, test } from 'vitest'
import { proposedPayment } from './proposed.ts'

const lastStatement = (open: { account: number; commission: number }) => ({ number: 'a-2026-11', dueOn: '2026-12-15', due: 100, open })
const oldestOpen = (open: number, number = 'a-2026-11') => ({ number, dueOn: '2026-12-15', open })

test.each([
  ['what is open after a part payment', 90, { account: 60, commission: 0 }, oldestOpen(60), ['received', 60, 'a-2026-11']],
  ['the rest of the oldest statement', 90, { account: 60, commission: 0 }, oldestOpen(25, 'a-2026-09'), ['received', 25, 'a-2026-09']],
  ['no more than is owed after a refund', 40, { account: 60, commission: 0 }, oldestOpen(60), ['received', 40, 'a-2026-11']],
  ['a payout of what is owed to the agency', -36.6, { account: -36.6, commission: 0 }, null, ['paid', 36.6, 'a-2026-11']],
  ['the debt before the commission', 60, { account: 60, commission: -10 }, oldestOpen(60), ['received', 60, 'a-2026-11']],
  ['the commission once the debt is paid', 0, { account: 0, commission: -10 }, null, ['paid', 10, 'a-2026-11']],
  ['nothing of what is paid', 25, { account: 0, commission: 0 }, null, ['received', null, undefined]],
] as const)('the form proposes %s', (_, account, open, oldest, [way, amount, statement]) => {
  expect(proposedPayment({ account, lastStatement: lastStatement(open), oldestOpen: oldest })).toEqual({ way, amount, statement })
})

test('the form proposes nothing before the first statement', () => {
  expect(proposedPayment({ account: 25, lastStatement: null, oldestOpen: null })).toEqual({ way: 'received', amount: null })
})
