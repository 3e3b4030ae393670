import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { trackRequest, useConnection, watchConnection } from './connection.ts'

const online = () => useConnection.getState().online
const browser = new EventTarget()
vi.stubGlobal('window', browser)
afterAll(() => vi.unstubAllGlobals())
watchConnection()
beforeEach(() => void browser.dispatchEvent(new Event('online')))

test('a request without a response means offline, and a later response online', () => {
  trackRequest()('none')
  expect(online()).toBe(false)
  trackRequest()('response')
  expect(online()).toBe(true)
})

test('a response to a request from before the loss does not mean online', () => {
  const report = trackRequest()
  browser.dispatchEvent(new Event('offline'))
  report('response')
  expect(online()).toBe(false)
  browser.dispatchEvent(new Event('online'))
  expect(online()).toBe(true)
})

test('a service under maintenance is online, until a response ends the maintenance', () => {
  trackRequest()('maintenance')
  expect(useConnection.getState()).toEqual({ online: true, maintenance: true, slow: 0 })
  trackRequest()('none')
  trackRequest()('response')
  expect(useConnection.getState()).toEqual({ online: true, maintenance: false, slow: 0 })
})
