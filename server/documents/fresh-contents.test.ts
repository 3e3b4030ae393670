import { expect, test } from 'vitest'
import { openFreshContents } from './fresh-contents.ts'

const content = (bytes: number) => Buffer.alloc(bytes)

test('the oldest contents make room for new ones', () => {
  const contents = openFreshContents(10)
  for (const name of ['one', 'two', 'three']) contents.keep(name, content(4))
  expect(['one', 'two', 'three'].map(name => contents.get(name)?.length)).toEqual([undefined, 4, 4])
})

test('a content that is kept again counts once', () => {
  const contents = openFreshContents(10)
  for (const bytes of [4, 6, 4]) contents.keep('one', content(bytes))
  contents.keep('two', content(6))
  expect(['one', 'two'].map(name => contents.get(name)?.length)).toEqual([4, 6])
})

test('a content that is larger than all room is not kept, and neither is one that was dropped', () => {
  const contents = openFreshContents(10)
  contents.keep('one', content(4))
  contents.keep('large', content(11))
  expect(contents.get('large')).toBeUndefined()
  expect(contents.get('one')).toHaveLength(4)
  contents.drop('one')
  expect(contents.get('one')).toBeUndefined()
  contents.keep('next', content(10))
  expect(contents.get('next')).toHaveLength(10)
})
