import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let browser: Browser
let logged: unknown[]
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
  logged = []
  vi.spyOn(console, 'warn').mockImplementation(line => void logged.push(line))
})
afterEach(() => browser.close())

const listPlaces = async (path: string) => (await import('./places.ts')).listPlaces(path)

test('the places of the shared geography are listed, and requested without the session', { tags: 'S7.20' }, async () => {
  let sent: RequestInit | undefined
  browser.connection = (send, _path, init) => {
    sent = init
    return send()
  }
  expect(await listPlaces('cities/380010')).toContainEqual({
    id: 380010001,
    name: 'Arenzano',
    zipCode: '16011',
    zipCodes: ['16011'],
  })
  expect([logged, sent?.headers]).toEqual([[], undefined])
})

const genova = { id: 380010, name: 'Genova', code: 'GE' }
test.each([
  ['a reply without success', () => Promise.resolve(Response.json({ success: false, content: [genova] }))],
  ['a reply that names no success', () => Promise.resolve(Response.json({ content: [genova] }))],
  ['a reply that is not JSON', () => Promise.resolve(new Response('<html>'))],
  ['a lost connection', () => Promise.reject(new TypeError('the connection is lost'))],
])('%s leaves the list empty and is logged', { tags: ['S8.10', 'S8.13'] }, async (_case, respond) => {
  browser.connection = respond
  expect(await listPlaces('states/380')).toEqual([])
  expect(logged).toEqual([expect.stringMatching(/^loading states\/380 failed: /)])
})

test('an unknown country has no places, which is logged', { tags: 'S8.10' }, async () => {
  expect(await listPlaces('states/999')).toEqual([])
  expect(logged).toEqual([expect.stringContaining('states/999')])
})

test('a list that failed is asked for again, and not kept as empty', async () => {
  browser.connection = () => Promise.reject(new DOMException('too slow', 'TimeoutError'))
  const { findPlaces } = await import('./places.ts')
  const { queries } = await import('#portal/kit/queries.ts')
  const load = () => queries.fetchQuery({ queryKey: ['states', 380], queryFn: () => findPlaces('states/380'), staleTime: 86_400_000 })
  await expect(load()).rejects.toThrow('too slow')
  expect(logged).toHaveLength(1)
  browser.connection = send => send()
  expect((await load()).length).toBeGreaterThan(0)
})
