import { expect, test } from 'vitest'
import { nextItem } from './menu.tsx'

const labels = ['Open', 'Download', 'Send', 'Delete']

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 3, 0],
  ['ArrowUp', 0, 3],
  ['ArrowUp', -1, 3],
  ['Home', 2, 0],
  ['End', 0, 3],
  ['d', 0, 1],
  ['D', 1, 3],
  ['d', 3, 1],
  ['x', 0, undefined],
  [' ', 0, undefined],
  ['Shift', 0, undefined],
])('%s from item %d leads to %s', (key, at, to) => {
  expect(nextItem(labels, at, key)).toBe(to)
})

test('an empty menu leads nowhere', () => {
  expect(nextItem([], -1, 'ArrowDown')).toBeUndefined()
})
