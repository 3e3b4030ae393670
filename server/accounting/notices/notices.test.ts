import { expect, test } from 'vitest'
import { limitLevel } from './notices.ts'

test.each([
  [100_00, 100_00, 0],
  [100_00, 20_01, 0],
  [100_00, 20_00, 80],
  [100_00, 5_01, 80],
  [100_00, 5_00, 95],
  [100_00, 1, 95],
  [100_00, 0, 100],
  [100_00, -50_00, 100],
  [0, 0, 100],
])('a limit of %i cents with %i left is used to level %i', (limit, headroom, level) => {
  expect(limitLevel(limit, headroom)).toBe(level)
})
