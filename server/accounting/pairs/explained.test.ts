import { expect, test } from 'vitest'
import type { MovementKind } from '#common/accounting/book.ts'
import { commissionTakenBack } from './explained.ts'

/** Names each movement by its kind and index, as `sale0`. */
const taken = (...movements: [kind: MovementKind, earned: number][]) =>
  Object.fromEntries(
    [...commissionTakenBack(movements.map(([kind, earned], index) => ({ id: `${kind}${index}`, kind, earned })))].map(([id, of]) => [
      id,
      of.map(movement => movement.id),
    ]),
  )

test('a cancellation takes back the commission of the sale and of a change', () => {
  expect(taken(['sale', 874], ['change', 442], ['cancellation', -1316])).toEqual({ cancellation2: ['sale0', 'change1'] })
})

test('a change to a lower price takes back a part of the sale, which stays earned', () => {
  expect(taken(['sale', 15_575], ['change', -1183], ['withdrawal', -14_392])).toEqual({ change1: ['sale0'], withdrawal2: ['sale0'] })
})

test('an undo takes back only the change before it', () => {
  expect(taken(['sale', 874], ['change', 442], ['undo', -442], ['cancellation', -874])).toEqual({
    undo2: ['change1'],
    cancellation3: ['sale0'],
  })
})

test('undoing a lower price earns again, and the sale’s commission is taken back once', () => {
  expect(taken(['sale', 874], ['change', -100], ['undo', 100], ['cancellation', -874])).toEqual({
    change1: ['sale0'],
    cancellation3: ['sale0'],
  })
})

test('a second cancellation takes back the reinstatement, not the sale', () => {
  expect(taken(['sale', 874], ['cancellation', -874], ['reinstatement', 874], ['cancellation', -874])).toEqual({
    cancellation1: ['sale0'],
    cancellation3: ['reinstatement2'],
  })
})

test('a cancellation without a refund takes nothing back', () => {
  expect(taken(['sale', 874], ['cancellation', 0], ['reinstatement', 0], ['withdrawal', -874])).toEqual({ withdrawal3: ['sale0'] })
})
