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
])('the key %s moves the focus from item %d to item %s', (key, current, next) => {
  expect(nextItem(labels, current, key)).toBe(next)
})

test('no key moves the focus in an empty menu', () => {
  expect(nextItem([], -1, 'ArrowDown')).toBeUndefined()
})
