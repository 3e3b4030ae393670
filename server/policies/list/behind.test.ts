import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openBehind } from './behind.ts'

/** Work that ends when the test lets it, in the order in which it began. */
function openWorks() {
  const behind = openBehind<string>()
  const began: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const begin = (name: string, userId: string, isWanted?: () => boolean) =>
    behind.begin(name, { userId, ...(isWanted ? { isWanted } : {}) }, () => {
      began.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    })
  return {
    began,
    begin,
    end: async (name: string) => {
      ends.get(name)?.resolve(`of ${name}`)
      await setImmediate()
    },
    fail: async (name: string) => {
      ends.get(name)?.reject(new Error('it took too long'))
      await setImmediate()
    },
  }
}

const yes = () => true

test('two pieces of work run at once, one per user, and each name once for all callers', async () => {
  const { began, begin, end } = openWorks()
  const first = begin('a', 'ana', yes)
  const same = begin('a', 'leo', yes)
  void begin('b', 'ana', yes)
  void begin('c', 'leo', yes)
  void begin('d', 'eva', yes)
  expect(began).toEqual(['a', 'c'])
  await end('c')
  expect(began).toEqual(['a', 'c', 'd'])
  await end('a')
  expect(await Promise.all([first, same])).toEqual(['of a', 'of a'])
  expect(began).toEqual(['a', 'c', 'd', 'b'])
})

test('a user’s newer work replaces waiting work, unless another tab still awaits it', async () => {
  const { began, begin, end } = openWorks()
  void begin('a', 'ana')
  const early = begin('b', 'ana')
  let isOpen = true
  const left = begin('c', 'ana', () => isOpen)
  const tab = begin('d', 'ana', yes)
  isOpen = false
  void begin('e', 'ana')
  await expect(early).rejects.toThrow('request.too_many')
  await expect(left).rejects.toThrow('request.too_many')
  await end('a')
  await end('d')
  expect([await tab, began]).toEqual(['of d', ['a', 'd', 'e']])
})

test('work whose last caller has left meanwhile does not begin', async () => {
  const { began, begin, end } = openWorks()
  let isOpen = true
  void begin('a', 'ana', yes)
  const left = begin('b', 'ana', () => isOpen)
  isOpen = false
  await end('a')
  await expect(left).rejects.toThrow('request.too_many')
  expect(began).toEqual(['a'])
})

test('waiting callers get the failure, and the next work begins', async () => {
  const { began, begin, fail, end } = openWorks()
  const failed = begin('a', 'ana', yes)
  void begin('b', 'ana', yes)
  await fail('a')
  await expect(failed).rejects.toThrow('it took too long')
  const again = begin('a', 'leo', yes)
  await end('a')
  expect([await again, began]).toEqual(['of a', ['a', 'b', 'a']])
})
