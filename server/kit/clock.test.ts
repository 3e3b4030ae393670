import { expect, test } from 'vitest'
import { timeOrderedIds } from './clock.ts'

test('ids are unique UUIDs of version 7 that begin with the time', () => {
  const ids = timeOrderedIds({ now: () => new Date('2026-11-20T09:00:00.123Z') })
  const made = Array.from({ length: 1000 }, () => ids.next())
  expect(new Set(made).size).toBe(1000)
  for (const id of made) expect(id).toMatch(/^01a1f82f-1efb-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const early = timeOrderedIds({ now: () => new Date(1000) }).next()
  expect(early).toMatch(/^00000000-03e8-7/)
})
