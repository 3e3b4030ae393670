import { expect, test } from 'vitest'
import { openTurns } from './renderer.ts'

test('the owner who was served longest ago comes next, with jobs in their order', () => {
  const turns = openTurns<{ owner: string; nth: number }>()
  const add = (owner: string, ...jobs: number[]) => {
    for (const nth of jobs) turns.add({ owner, nth })
  }
  const take = () => Object.values(turns.take() ?? {}).join('')
  add('a', 1, 2, 3, 4)
  add('b', 1, 2)
  expect([take(), take(), take()]).toEqual(['a1', 'b1', 'a2'])
  add('c', 1, 2)
  expect(turns.size).toBe(5)
  expect([take(), take(), take(), take()]).toEqual(['b2', 'a3', 'c1', 'a4'])
  add('a', 5)
  expect(turns.take(new Set('ac'))).toBeUndefined()
  expect([turns.sizeOf('a'), turns.sizeOf('b'), turns.sizeOf('c')]).toEqual([1, 0, 1])
  expect(turns.takeAll().map(({ owner, nth }) => owner + nth)).toEqual(['c2', 'a5'])
  expect([turns.size, turns.take()]).toEqual([0, undefined])
})
