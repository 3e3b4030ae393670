import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { squareOf } = await importInPage(() => import('./crop-dialog.tsx'))

test('at zoom 0 the square contains the whole picture, centred', () => {
  expect(squareOf({ width: 400, height: 100 }, { zoom: 0, across: 50, down: 50 })).toEqual({ x: 0, y: -150, side: 400 })
  expect(squareOf({ width: 300, height: 300 }, { zoom: 0, across: 0, down: 100 })).toEqual({ x: 0, y: 0, side: 300 })
})

test('at zoom 100 the position decides which part is kept', () => {
  expect(squareOf({ width: 400, height: 400 }, { zoom: 100, across: 0, down: 100 })).toEqual({ x: 0, y: 300, side: 100 })
  expect(squareOf({ width: 400, height: 400 }, { zoom: 100, across: 50, down: 50 })).toEqual({ x: 150, y: 150, side: 100 })
})

test('the square never leaves a picture larger than itself, at any zoom or position', () => {
  const percent = fc.integer({ min: 0, max: 100 })
  const pixels = fc.integer({ min: 1, max: 2048 })
  fc.assert(
    fc.property(pixels, pixels, percent, percent, percent, (width, height, zoom, across, down) => {
      const { x, y, side } = squareOf({ width, height }, { zoom, across, down })
      expect(side).toBeGreaterThan(0)
      for (const [start, length] of [
        [x, width],
        [y, height],
      ] as const)
        if (length > side) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(start + side).toBeLessThanOrEqual(length + 1e-6)
        }
    }),
  )
})
