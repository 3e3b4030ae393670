import { expect, test } from 'vitest'
import { compare } from './record.ts'

test('a comparison names each number that rose, fell, appeared or vanished', () => {
  const recorded = { server: { as: 3, any: 1 }, portal: { as: 2 } }
  expect(compare(recorded, { server: { as: 4, '!': 1 }, portal: { as: 2 } })).toEqual({
    risen: ['server: as 3 -> 4', 'server: ! 0 -> 1'],
    fallen: ['server: any 1 -> 0'],
  })
  expect(compare(recorded, recorded)).toEqual({ risen: [], fallen: [] })
})
