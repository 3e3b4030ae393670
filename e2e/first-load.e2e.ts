import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atRest, openPortal, type Portal, signIn } from './browser.ts'

// What a page costs whoever opens it for the first time: how much is loaded, and how much of it moves under his eyes.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

/** design.md §8: script and style as they come over the line, in kB. */
const limits = {
  '/auth/forgot': 110,
  '/auth/reset?token=none': 110,
  '/auth/invitation?token=none': 110,
  '/verify': 110,
  '/auth/sign-in': 110,
  '/products': 130,
  '/funnel': 190,
  '/policies': 170,
  '/policies/saved': 170,
  '/account': 170,
  '/claim': 170,
  '/customer-service': 170,
  '/credits': 170,
  '/administration': 170,
}
const mostShift = 0.02

type Moved = { by: number; what: string[] }

/** Kept in the page from its beginning: what the browser reports as moved without anybody having touched anything. */
const watchShifts = `
  window.moved = []
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.moved.push({ by: value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? '') })
  }).observe({ type: 'layout-shift', buffered: true })`

const loadedParts = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(js|css)$/.test(name))
  .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, size: encodedBodySize }))`

/** The page when it has come to rest, over a line that is slow enough for everything to be seen on its way. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await atRest(page)
}

const agentsPages = Object.keys(limits).filter(path => path !== '/administration')

test.each([
  { email: 'agent@azahar.example', width: 1440, paths: agentsPages },
  { email: 'agent@azahar.example', width: 390, paths: agentsPages },
  { email: 'admin@portolan.example', width: 1440, paths: ['/auth/sign-in', '/administration'] },
])('at $width pixels every page of $email keeps to its weight, and to its place while it loads', async ({ email, width, paths }) => {
  const user = await portal.newUser({ width, chosen: 'fr-FR' })
  const { page } = user
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', { offline: false, latency: 200, downloadThroughput: -1, uploadThroughput: -1 })
  await page.addInitScript(watchShifts)
  for (const path of paths) {
    const limit = limits[path as keyof typeof limits]
    await line.send('Network.clearBrowserCache')
    await open(page, path)
    const parts = await page.evaluate<{ name: string; size: number }[]>(loadedParts)
    const weight = parts.reduce((sum, { size }) => sum + size, 0) / 1000
    expect(weight, `${path} is measured`).toBeGreaterThan(50)
    expect(weight, `${path} in kB: ${parts.map(({ name, size }) => `${name} ${size}`).join(', ')}`).toBeLessThanOrEqual(limit)
    // All of it was named in the page itself: nothing had to be found out step by step (portal/page-chunks.ts).
    const named = await (await page.request.get(path)).text()
    expect(
      parts.flatMap(({ name }) => (named.includes(name) ? [] : [name])),
      `${path} finds out late`,
    ).toEqual([])
    const moved = await page.evaluate<Moved[]>('window.moved')
    expect(
      moved.reduce((sum, { by }) => sum + by, 0),
      `${path} moves: ${moved.flatMap(({ what }) => what).join('\n')}`,
    ).toBeLessThanOrEqual(mostShift)
    if (path === '/auth/sign-in') {
      await signIn(user, email)
      await page.waitForURL(/\/products$/)
    }
  }
  expect(user.complaints).toEqual([])
  await user.stop()
})
