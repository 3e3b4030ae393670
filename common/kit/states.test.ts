import { expect, test } from 'vitest'
import { openChangeLife } from '#common/changes/state.ts'
import { paymentLife, refundLife } from '#common/payments/states.ts'
import { policyLife, type StoredStatus } from '#common/policies/states.ts'
import { leadingTo, mayFollow } from './states.ts'

test('a state follows those that name it, and no other', () => {
  expect([mayFollow(policyLife, 'pending', 'purchased'), mayFollow(policyLife, 'purchased', 'pending')]).toEqual([true, false])
  expect(leadingTo(policyLife, 'deleted')).toEqual(['budgeted', 'pending'])
})

test('nothing leads from a sold policy to one that is not sold', () => {
  const unsold = new Set<StoredStatus>(['budgeted', 'pending', 'deleted'])
  const reached = new Set<StoredStatus>(['purchased'])
  for (const status of reached) for (const next of policyLife[status]) reached.add(next)
  expect([...reached].filter(status => unsold.has(status))).toEqual([])
})

test('only an open payment is settled, as the function that writes a sale checks', () => {
  expect(leadingTo(paymentLife, 'settled')).toEqual(['open'])
})

test('a change that has ended, and a refund that was stopped, stay so', () => {
  const ended = ['done', 'declined', 'expired', 'taken_back'] as const
  expect(ended.flatMap(state => openChangeLife[state])).toEqual([])
  expect(refundLife.stopped).toEqual([])
})
