import { expect, test } from 'vitest'
import { stateOf } from './payment-state.ts'

test.each([
  ['settled', 0, 'policies.payment_settled'],
  ['settled', 17.08, 'policies.payment_partly_refunded'],
  ['settled', 50.84, 'policies.payment_refunded'],
  ['unwanted', 50.84, 'policies.payment_unwanted'],
] as const)('a payment that is %s, with %d given back, reads %s', (state, refunded, label) => {
  expect(stateOf({ state, amount: 50.84, refunded }).label).toBe(label)
})
