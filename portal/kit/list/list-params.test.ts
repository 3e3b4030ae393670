import { expect, test } from 'vitest'
import { largestPage } from '#common/kit/call.ts'
import { pageIn } from './list-params.ts'

test.each([
  [undefined, 1],
  ['2', 2],
  ['999999', 999_999],
  [String(largestPage), largestPage],
  [String(largestPage + 1), 1],
  ['9'.repeat(400), 1],
  ['0', 1],
  ['-1', 1],
  ['01', 1],
  ['1.5', 1],
  ['2x', 1],
])('the page %s in a URL is page %d', (page, read) => expect(pageIn(page === undefined ? {} : { page })).toBe(read))
