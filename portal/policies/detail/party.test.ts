import { expect, test } from 'vitest'
import { partyOf } from './party.ts'

const ana = { name: 'Ana', birthDate: '1990-05-05' }
const unnamed = { name: '', birthDate: null }

test('a saved quote without names has the number and the typed ages of its travellers', () => {
  expect(partyOf([], { travellers: 4, ages: [36, null, 8] }, '2026-12-01')).toEqual({ count: 4, ages: '36, ?, 8, ?', isComplete: false })
})

test('an age by birth date overrides a typed one', () => {
  const party = partyOf([ana, unnamed], { travellers: 2, ages: [20, 34] }, '2026-12-01')
  expect(party).toEqual({ count: 2, ages: '36, 34', isComplete: false })
})

test('a party whose names and birth dates are known is complete', () => {
  expect(partyOf([ana], { travellers: 1 }, '2026-12-01').isComplete).toBe(true)
  expect(partyOf([ana], { travellers: 2 }, '2026-12-01').isComplete).toBe(false)
})
