import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { partyOf, stateOf } = await importInPage(() => import('./properties.tsx'))

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

test.each([
  ['settled', 0, 'policies.payment_settled'],
  ['settled', 17.08, 'policies.payment_partly_refunded'],
  ['settled', 50.84, 'policies.payment_refunded'],
  ['unwanted', 50.84, 'policies.payment_unwanted'],
] as const)('a payment that is %s, with %d given back, reads %s', (state, refunded, label) => {
  const transfers: [] = []
  expect(stateOf({ state, amount: 50.84, refunded, transfers }).label).toBe(label)
})

test('a payment refunded by bank transfer is shown as refunded', () => {
  const transfers = [{ amount: 33.76, at: '2026-11-24T10:00:00.000Z', reference: 'SCT 2026-118' }]
  expect(stateOf({ state: 'settled', amount: 50.84, refunded: 17.08, transfers }).label).toBe('policies.payment_refunded')
})
