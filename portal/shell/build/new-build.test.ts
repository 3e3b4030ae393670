import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const rules = { '/old': { redirect: '/policies' } }

let app: TestApp
let browser: Browser
/** The build that the service serves. */
let latest: string
beforeAll(async () => {
  app = await testApp({ ROUTE_RULES: JSON.stringify(rules) })
  latest = (await app.ask('/builds/latest.json')).body.id
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
})
afterEach(async () => {
  vi.useRealTimers()
  await browser.close()
})

/** Opens a page of this build, or without one, as from the development server. */
async function openPage(build?: string) {
  const { elements } = browser.tab.window
  if (build) elements.set('meta[name=portolan-build]', { content: build })
  return { ...(await import('./new-build.ts')), ...(await import('./new-build.ts')) }
}

const dead = () => Promise.reject(new TypeError('no connection'))
const lose = () => {
  browser.connection = dead
}

test('a page of an older build finds the new one, once', { tags: 'S7.22' }, async () => {
  const { findNewBuild } = await openPage('older')
  expect(await findNewBuild()).toBe(true)
  expect(await findNewBuild()).toBe(false)
})

test('two simultaneous checks find a new build once', async () => {
  const { findNewBuild } = await openPage('older')
  const found = await Promise.all([findNewBuild(), findNewBuild()])
  expect(found.filter(Boolean)).toHaveLength(1)
})

test('a page finds another build after the one that it offered', async () => {
  const { findNewBuild } = await openPage('older')
  expect(await findNewBuild()).toBe(true)
  browser.connection = async send => Response.json({ ...(await (await send()).json()), id: 'newer still' })
  expect(await findNewBuild()).toBe(true)
  expect(await findNewBuild()).toBe(false)
})

test('a page of the latest build finds none', { tags: 'S7.22' }, async () => {
  const { findNewBuild } = await openPage(latest)
  expect(await findNewBuild()).toBe(false)
})

test('a page that names no build finds none', async () => {
  const { findNewBuild } = await openPage()
  expect(await findNewBuild()).toBe(false)
})

test.each([
  ['no response', dead],
  ['an error', () => Promise.resolve(Response.json({ id: 'of an error' }, { status: 503 }))],
  ['a page of another host', () => Promise.resolve(new Response('<html>'))],
])('%s does not count as a new build, which the next check finds', async (_case, respond) => {
  const { findNewBuild } = await openPage('older')
  browser.connection = respond
  expect(await findNewBuild()).toBe(false)
  browser.connection = send => send()
  expect(await findNewBuild()).toBe(true)
})

test('a page uses the redirects of its own build', { tags: 'S7.22' }, async () => {
  const { loadRouteRules, routeRulesNow } = await openPage(latest)
  expect(routeRulesNow()).toEqual({})
  await loadRouteRules()
  expect(routeRulesNow()).toEqual(rules)
})

test.each([undefined, 'older'])('a page of build %s uses no redirects of another build', { tags: 'S7.22' }, async build => {
  const { loadRouteRules, routeRulesNow } = await openPage(build)
  await loadRouteRules()
  expect(routeRulesNow()).toEqual({})
})

test('a page keeps its redirects if they cannot be loaded again', async () => {
  const { loadRouteRules, routeRulesNow } = await openPage(latest)
  await loadRouteRules()
  lose()
  await loadRouteRules()
  expect(routeRulesNow()).toEqual(rules)
})

/** Opens a page that reloads when chunks are gone. */
async function openReloading({ isShown }: { isShown: boolean }) {
  vi.useFakeTimers({ toFake: ['Date'] })
  const page = browser.tab.window
  page.elements.set('#portal', { hasChildNodes: () => isShown })
  const { reloadWhenChunksAreGone } = await openPage('older')
  reloadWhenChunksAreGone()
  /** Makes a chunk fail, and returns whether the page handles the error itself. */
  const loseChunk = () => !page.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  return { loseChunk, left: page.left, page }
}

test('a page that shows nothing yet reloads at once when a chunk is gone', async () => {
  const { loseChunk, left } = await openReloading({ isShown: false })
  lose()
  expect(loseChunk()).toBe(true)
  expect(left).toEqual(['reload'])
  expect(browser.asked).toEqual([])
})

test('a page that shows something reloads when the service responds', async () => {
  const { loseChunk, left } = await openReloading({ isShown: true })
  expect(loseChunk()).toBe(false)
  expect(left).toEqual([])
  await expect.poll(() => left).toEqual(['reload'])
})

test('a page that shows something stays while the service is silent, and reloads later', async () => {
  const { loseChunk, left } = await openReloading({ isShown: true })
  const isTried = Promise.withResolvers<void>()
  browser.connection = () => {
    isTried.resolve()
    return dead()
  }
  loseChunk()
  await isTried.promise
  const replied = Promise.withResolvers<string[]>()
  browser.connection = async send => {
    const reply = await send()
    replied.resolve([...left])
    return reply
  }
  vi.setSystemTime(Date.now() + 30_000)
  loseChunk()
  expect(await replied.promise).toEqual([])
  await expect.poll(() => left).toEqual(['reload'])
})

test('a page reloads at most once in thirty seconds', async () => {
  const { loseChunk, left } = await openReloading({ isShown: false })
  loseChunk()
  vi.setSystemTime(Date.now() + 29_999)
  expect(loseChunk()).toBe(false)
  expect(left).toEqual(['reload'])
  vi.setSystemTime(Date.now() + 1)
  loseChunk()
  expect(left).toEqual(['reload', 'reload'])
})

test('a page of a browser without a network does not reload', async () => {
  const { loseChunk, left, page } = await openReloading({ isShown: false })
  page.navigator.onLine = false
  expect(loseChunk()).toBe(false)
  expect(left).toEqual([])
})
