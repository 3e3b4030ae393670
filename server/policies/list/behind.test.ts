import { expect, test } from 'vitest'
import { openBehind } from './behind.ts'

/** Work that ends when the test lets it. */
function work(began: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const run = () => {
    began.push(name)
    return promise
  }
  return { run, resolve, reject }
}

test('a user’s newest work takes the place of their waiting work, and running work is finished', async () => {
  const behind = openBehind()
  const began: string[] = []
  // Safe: there are as many names.
  const [a, b, c, d, other] = ['a', 'b', 'c', 'd', 'other'].map(name => work(began, name)) as [Work, Work, Work, Work, Work]
  behind.begin('a', 'ana', a.run)
  behind.begin('a', 'ana', a.run)
  behind.begin('b', 'ana', b.run)
  behind.begin('other', 'leo', other.run)
  behind.begin('c', 'ana', c.run)
  const dropped = behind.ended('c')
  behind.begin('d', 'ana', d.run)
  await dropped
  expect(began).toEqual(['a', 'b'])
  a.resolve()
  await behind.ended('a')
  expect(began).toEqual(['a', 'b', 'other'])
  b.reject(new Error('it took too long'))
  await behind.ended('b')
  expect(began).toEqual(['a', 'b', 'other', 'd'])
  d.resolve()
  other.resolve()
  await Promise.all([behind.ended('d'), behind.ended('other'), behind.ended('never begun')])
  const again = work(began, 'a again')
  behind.begin('a', 'ana', again.run)
  again.resolve()
  await behind.ended('a')
  expect(began).toEqual(['a', 'b', 'other', 'd', 'a again'])
})

type Work = ReturnType<typeof work>
