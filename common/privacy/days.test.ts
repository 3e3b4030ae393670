import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysInMonth } from '#common/kit/dates.ts'
import { answerDue, receivedDays, receivedProblems } from './days.ts'

const day = fc.integer({ min: 0, max: 40_000 }).map(number => new Date(number * 86_400_000).toISOString().slice(0, 10))

test.each([
  ['2026-01-30', 0, '2026-02-28'],
  ['2026-01-31', 0, '2026-02-28'],
  ['2028-01-31', 0, '2028-02-29'],
  ['2026-02-28', 0, '2026-03-28'],
  ['2026-08-31', 0, '2026-09-30'],
  ['2026-12-31', 0, '2027-01-31'],
  // Not 28 April, which counting from the last day of February would give.
  ['2026-01-31', 2, '2026-04-30'],
  ['2026-12-31', 2, '2027-03-31'],
])('a request of %s, extended by %i months, is due on %s', (receivedOn, extendedBy, due) => {
  expect(answerDue(receivedOn, extendedBy)).toBe(due)
})

test('an answer is due on the same day of a later month, or on its last day', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 2 }), (receivedOn, extendedBy) => {
      const due = answerDue(receivedOn, extendedBy)
      const [year, month, dayOfMonth] = parts(receivedOn)
      const [dueYear, dueMonth, dueDay] = parts(due)
      expect(dueYear * 12 + dueMonth).toBe(year * 12 + month + 1 + extendedBy)
      expect(dueDay).toBe(Math.min(dayOfMonth, daysInMonth(dueYear, dueMonth)))
      // A later request is never due earlier.
      expect(answerDue(addDays(receivedOn, 1), extendedBy) >= due).toBe(true)
    }),
  )
})
const parts = (date: string): [number, number, number] => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return [year, month, day]
}

test('a request can be recorded on its day and for sixty days after', () => {
  const rule = (receivedOn: string, today: string) => receivedProblems(receivedOn, today).map(problem => problem.rule)[0]
  fc.assert(
    fc.property(day, fc.integer({ min: -200, max: 200 }), (today, ago) => {
      const expected = ago < 0 ? 'future' : ago > receivedDays ? 'past' : undefined
      expect(rule(addDays(today, -ago), today)).toBe(expected)
    }),
  )
  for (const none of ['', '2026-02-30', '31/01/2026']) expect(rule(none, '2026-03-01')).toBe('validDate')
})
