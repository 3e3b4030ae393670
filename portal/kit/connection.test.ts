import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { asking, useConnection, watchConnection } from './connection.ts'

const online = () => useConnection.getState().online
const browser = new EventTarget()
vi.stubGlobal('window', browser)
afterAll(() => vi.unstubAllGlobals())
watchConnection()
beforeEach(() => void browser.dispatchEvent(new Event('online')))

test('without an answer the connection is lost, and an answer to what is asked then brings it back', () => {
  asking()('nothing')
  expect(online()).toBe(false)
  asking()('answer')
  expect(online()).toBe(true)
})

test('an answer that was under way when the line went proves nothing', () => {
  const heard = asking()
  browser.dispatchEvent(new Event('offline'))
  heard('answer')
  expect(online()).toBe(false)
  browser.dispatchEvent(new Event('online'))
  expect(online()).toBe(true)
})

test('a service that cannot answer now is reached, but away until it answers', () => {
  asking()('away')
  expect(useConnection.getState()).toEqual({ online: true, away: true })
  asking()('nothing')
  asking()('answer')
  expect(useConnection.getState()).toEqual({ online: true, away: false })
})
