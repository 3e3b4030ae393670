import { describe, expect, test } from 'vitest'
import { openOf, openPartsOf, statesOf } from './statement.ts'

const due = (account: number) => ({ account, commission: 0 })
const settled = (received: number, returned = 0) => ({ received, returned, commission: 0 })

test.each([
  [due(100), settled(40), 60],
  [due(100), settled(100), 0],
  [due(100), settled(130), 0],
  [due(100), settled(100, 100), 100],
  [due(100), settled(0, 30), 100],
  [due(-100), settled(0, 40), -60],
  [due(-100), settled(100, 100), -100],
  [due(-100), settled(30), -100],
])('%j, paid by %j, leaves %i open', (due, paid, open) => {
  expect(openOf(due, paid).account).toBe(open)
})

describe('states of an agency’s statements, newest first', () => {
  const november = { due: due(100), dueOn: '2026-12-15', currency: 'EUR', owed: 130 }
  const december = { due: due(130), dueOn: '2027-01-15', currency: 'EUR', owed: 130 }

  test.each([
    ['nothing was paid', settled(0), ['open', 'overdue']],
    ['a cent was paid after the next month had closed', settled(1), ['open', 'overdue']],
    ['the older one was paid', settled(100), ['open', 'paid']],
    ['both were paid', settled(130), ['paid', 'paid']],
    ['a bank took the payment back', settled(100, 100), ['open', 'overdue']],
  ])('%s', (_, paid, states) => {
    const both = [december, november].map(each => ({ ...each, settled: paid }))
    expect(statesOf(both, '2027-01-10')).toEqual(states)
  })

  test('a payment before the next month closed leaves the older due unchanged', () => {
    const both = [
      { ...december, due: due(90), settled: settled(0) },
      { ...november, settled: settled(60) },
    ]
    expect(statesOf(both, '2027-01-10')).toEqual(['open', 'overdue'])
  })

  test('a refund counted in the later statement lowers the older one too', () => {
    const refunded = { ...december, due: due(0), settled: settled(0) }
    expect(statesOf([refunded, { ...november, settled: settled(0) }], '2027-01-10')).toEqual(['paid', 'carried'])
  })

  test('a refund that no statement counts yet lowers all of them', () => {
    const after = (owed: number) =>
      statesOf(
        [december, november].map(each => ({ ...each, settled: settled(0), owed })),
        '2027-02-10',
      )
    expect([after(1), after(0), after(-5)]).toEqual([
      ['overdue', 'overdue'],
      ['open', 'carried'],
      ['open', 'carried'],
    ])
  })

  test('a statement is overdue from the sixth day after its due day', () => {
    const only = [{ ...november, settled: settled(0) }]
    expect(statesOf(only, '2026-12-20')).toEqual(['open'])
    expect(statesOf(only, '2026-12-21')).toEqual(['overdue'])
  })

  test('a statement in another currency is the last of its own currency', () => {
    const pounds = { ...november, currency: 'GBP', settled: settled(0) }
    expect(statesOf([{ ...december, settled: settled(130) }, pounds], '2026-12-20')).toEqual(['paid', 'open'])
  })
})

test('an open amount is split over the statements that added it, oldest first', () => {
  const statement = (name: string, account: number, received = 0) => ({
    name,
    due: { account, commission: 0 },
    settled: { received, returned: 0, commission: 0 },
  })
  const owing = (owed: number, ...statements: ReturnType<typeof statement>[]) =>
    openPartsOf(statements, owed).map(({ statement: { name }, open }) => [name, open])
  const parts = (...statements: ReturnType<typeof statement>[]) => owing(1000, ...statements)
  expect(parts(statement('november', 150), statement('october', 100), statement('september', 40, 40))).toEqual([
    ['october', 100],
    ['november', 50],
  ])
  expect(parts(statement('november', 150, 100), statement('october', 100, 100))).toEqual([['november', 50]])
  // A refund between both lowered the debt.
  expect(parts(statement('november', 30), statement('october', 100))).toEqual([['october', 30]])
  expect(parts(statement('november', -5), statement('october', 100))).toEqual([])
  expect(owing(120, statement('november', 150), statement('october', 100))).toEqual([
    ['october', 100],
    ['november', 20],
  ])
  expect(owing(0, statement('november', 150), statement('october', 100))).toEqual([])
  expect(parts()).toEqual([])
})
