import { expect, test } from 'vitest'
import { stateOf } from './payment-state.ts'

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
