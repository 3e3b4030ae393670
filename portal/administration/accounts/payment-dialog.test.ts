import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { proposedPayment } = await importInPage(() => import('./payment-dialog.tsx'))

const lastStatement = (open: { account: number; commission: number }) => ({ number: 'a-2026-11', dueOn: '2026-12-15', due: 100, open })
const part = (open: number, number = 'a-2026-11') => ({ number, dueOn: '2026-12-15', open })

test.each([
  ['what is open after a part payment', 90, { account: 60, commission: 0 }, [part(60)], ['received', 60, [['a-2026-11', 60]]]],
  [
    'all that is outstanding, by its statements',
    90,
    { account: 60.3, commission: 0 },
    [part(25.1, 'a-2026-09'), part(35.2)],
    [
      'received',
      60.3,
      [
        ['a-2026-09', 25.1],
        ['a-2026-11', 35.2],
      ],
    ],
  ],
  [
    'no more than is owed after a refund',
    40,
    { account: 60, commission: 0 },
    [part(25, 'a-2026-09'), part(35)],
    [
      'received',
      40,
      [
        ['a-2026-09', 25],
        ['a-2026-11', 15],
      ],
    ],
  ],
  ['a payout of what is owed to the agency', -36.6, { account: -36.6, commission: 0 }, [], ['paid', 36.6, [['a-2026-11', 36.6]]]],
  ['the debt before the commission', 60, { account: 60, commission: -10 }, [part(60)], ['received', 60, [['a-2026-11', 60]]]],
  ['the commission once the debt is paid', 0, { account: 0, commission: -10 }, [], ['paid', 10, [['a-2026-11', 10]]]],
  ['nothing of what is paid', 25, { account: 0, commission: 0 }, [], ['received', null, []]],
] as const)('the form proposes %s', (_, account, open, openStatements, [way, amount, parts]) => {
  expect(proposedPayment({ account, lastStatement: lastStatement(open), openStatements: [...openStatements] })).toEqual({
    way,
    amount,
    parts: parts.map(([number, part]) => ({ number, amount: part })),
  })
})

test('the form proposes nothing before the first statement', () => {
  expect(proposedPayment({ account: 25, lastStatement: null, openStatements: [] })).toEqual({ way: 'received', amount: null, parts: [] })
})
