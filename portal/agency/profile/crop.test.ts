import fc from 'fast-check'
import { expect, test } from 'vitest'
import { squareOf } from './crop.ts'

test('at first the whole picture, in the middle of its square', () => {
  expect(squareOf({ width: 400, height: 100 }, { zoom: 0, across: 50, down: 50 })).toEqual({ x: 0, y: -150, side: 400 })
  expect(squareOf({ width: 300, height: 300 }, { zoom: 0, across: 0, down: 100 })).toEqual({ x: 0, y: 0, side: 300 })
})

test('magnified, the wish says which part', () => {
  expect(squareOf({ width: 400, height: 400 }, { zoom: 100, across: 0, down: 100 })).toEqual({ x: 0, y: 300, side: 100 })
  expect(squareOf({ width: 400, height: 400 }, { zoom: 100, across: 50, down: 50 })).toEqual({ x: 150, y: 150, side: 100 })
})

test('whatever is wished, the square never leaves a picture that is larger than itself', () => {
  const share = fc.integer({ min: 0, max: 100 })
  const length = fc.integer({ min: 1, max: 2048 })
  fc.assert(
    fc.property(length, length, share, share, share, (width, height, zoom, across, down) => {
      const { x, y, side } = squareOf({ width, height }, { zoom, across, down })
      expect(side).toBeGreaterThan(0)
      for (const [at, whole] of [
        [x, width],
        [y, height],
      ] as const)
        if (whole > side) {
          expect(at).toBeGreaterThanOrEqual(0)
          expect(at + side).toBeLessThanOrEqual(whole + 1e-6)
        }
    }),
  )
})
