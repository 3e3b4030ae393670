import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { positionOf } from './floating.ts'

const screen = { width: 1000, height: 800 }
const anchor = (left: number, top: number) => ({ left, top, width: 100, height: 40 })
const list = { width: 200, height: 300 }

describe('a list', () => {
  test('a list opens below its field, aligned with its start', () => {
    expect(positionOf(anchor(100, 100), list, screen, { side: 'below', align: 'start', gap: 4 })).toEqual({
      side: 'below',
      left: 100,
      top: 144,
      maxHeight: 648,
    })
  })

  test('a list opens above its field if there is more room', () => {
    expect(positionOf(anchor(100, 700), list, screen, { side: 'below', align: 'start', gap: 4 })).toMatchObject({ side: 'above', top: 396 })
  })

  test('a list opens below its field if there is even less room above', () => {
    const flat = { width: 1000, height: 300 }
    expect(positionOf(anchor(100, 100), list, flat, { side: 'below', align: 'start', gap: 4 })).toMatchObject({
      side: 'below',
      maxHeight: 148,
    })
  })

  test('a list aligns with the centre or the end of its field', () => {
    expect(positionOf(anchor(500, 100), list, screen, { side: 'below', align: 'center', gap: 4 }).left).toBe(450)
    expect(positionOf(anchor(500, 100), list, screen, { side: 'below', align: 'end', gap: 4 }).left).toBe(400)
  })

  test('a list stays on a screen that is wide enough', () => {
    const position = fc.record({ left: fc.integer({ min: -50, max: 1050 }), top: fc.integer({ min: 0, max: 760 }) })
    fc.assert(
      fc.property(position, fc.constantFrom('start', 'center', 'end'), fc.constantFrom('below', 'above'), (origin, align, side) => {
        const { left, top, maxHeight } = positionOf(anchor(origin.left, origin.top), list, screen, { side, align, gap: 4 })
        expect(left).toBeGreaterThanOrEqual(8)
        expect(left + list.width).toBeLessThanOrEqual(992)
        expect(top).toBeGreaterThanOrEqual(8)
        expect(top + Math.min(list.height, maxHeight)).toBeLessThanOrEqual(792)
      }),
    )
  })
})
