import { afterEach, expect, test, vi } from 'vitest'
import { freshForMs, openFreshContents } from './files.ts'

afterEach(() => void vi.useRealTimers())

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

test('a content is forgotten a minute after it was last kept, though nothing asks for it', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const contents = openFreshContents(10)
  contents.keep('one', content(4))
  vi.advanceTimersByTime(freshForMs - 1)
  contents.keep('one', content(4))
  vi.advanceTimersByTime(freshForMs - 1)
  expect(contents.get('one')).toHaveLength(4)
  vi.advanceTimersByTime(1)
  expect(contents.get('one')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})
