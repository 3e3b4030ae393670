import { afterEach, expect, test, vi } from 'vitest'
import { followService, serviceNow } from './time.ts'

afterEach(() => {
  vi.useRealTimers()
  followService(Date.now())
})

test('the portal counts on from the service’s time, whatever the browser’s clock says', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-24T12:00:00Z') })
  const at = Date.parse('2031-05-01T00:00:00Z')
  followService(at)
  vi.advanceTimersByTime(1000)
  expect(serviceNow()).toBe(at + 1000)
})
