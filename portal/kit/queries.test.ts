import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { policyDay } from '#common/policies/day-calls.ts'
import { keptMs, keepReplies } from './ask.ts'
import { loadingOf, queries } from './queries.ts'

let requests: string[] = []
beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url)
    return Response.json({ code: 200, data: 'sent later' })
  })
})
afterEach(() => {
  queries.clear()
  vi.unstubAllGlobals()
})

/** Opens a query as a page does, and returns what its first rendering shows. */
function open(key: string) {
  const observer = new QueryObserver(queries, queries.defaultQueryOptions({ queryKey: [key], ...loadingOf(policyDay, {}) }))
  const { data } = observer.getCurrentResult()
  return { data, close: observer.subscribe(() => {}) }
}

test('a response sent with the page is used at once, by the first query only', async () => {
  keepReplies({ day: { path: policyDay.path, request: {}, data: 'came with the page' } })
  const first = open('first')
  expect(first.data).toBe('came with the page')
  expect(requests).toEqual([])
  const next = open('next')
  expect(next.data).toBeUndefined()
  expect(requests).toEqual([policyDay.path])
  first.close()
  next.close()
})

test('a response that came with the page long ago is not used', () => {
  vi.useFakeTimers()
  keepReplies({ day: { path: policyDay.path, request: {}, data: 'came with the page' } })
  vi.advanceTimersByTime(keptMs)
  const late = open('late')
  expect(late.data).toBeUndefined()
  expect(requests).toEqual([policyDay.path])
  late.close()
  vi.useRealTimers()
})

test('a query without a network is sent at once, so that it fails instead of waiting', () => {
  onlineManager.setOnline(false)
  const { close } = open('offline')
  expect(queries.getQueryState(['offline'])?.fetchStatus).toBe('fetching')
  close()
  onlineManager.setOnline(true)
})
