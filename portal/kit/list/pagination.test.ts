import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { pagesAround } = await importInPage(() => import('./pagination.tsx'))

test.each([
  [1, 1, [1]],
  [3, 7, [1, 2, 3, 4, 5, 6, 7]],
  [1, 20, [1, 2, 3, 4, 5, 'gap-after', 20]],
  [10, 20, [1, 'gap-before', 9, 10, 11, 'gap-after', 20]],
  [20, 20, [1, 'gap-before', 16, 17, 18, 19, 20]],
])('page %d of %d has these buttons', (page, pages, shown) => {
  expect(pagesAround(page, pages)).toEqual(shown)
})

test('the buttons are ordered, constant in number, with first, last and current page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 499 }), (pages, before) => {
      const page = Math.min(pages, before + 1)
      const shown = pagesAround(page, pages)
      const numbers = shown.filter(each => typeof each === 'number')
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
      expect(numbers).toEqual(expect.arrayContaining([1, page, pages]))
      expect(shown).toHaveLength(Math.min(7, pages))
    }),
  )
})
