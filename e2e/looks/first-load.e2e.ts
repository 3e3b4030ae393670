import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from '#bench/pages.ts'
import { enter, waitUntilLoaded, openPortal, type Portal, signIn } from '../browser.ts'

// The cost of opening a page for the first time: the amount loaded, and the layout shift.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const limits = new Map<string, number>(pages.map(({ path, limit }) => [path, limit]))
const maxShift = 0.02
/** Parts of pages that load more when they are shown, measured for their layout shifts only. */
const tabs = [
  '/account?tab=users',
  '/account?tab=me',
  '/administration?tab=users',
  '/administration?tab=audit',
  '/administration?tab=work',
  '/administration?tab=payments',
  '/administration?tab=accounts',
  '/administration?tab=catalogue',
]

type Shift = { by: number; what: string[] }

/** Records every layout shift from the start that no input caused. */
const watchShifts = `
  window.shifts = []
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push({ by: value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? '') })
  }).observe({ type: 'layout-shift', buffered: true })`

const loadedAssets = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(js|css)$/.test(name))
  .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, size: encodedBodySize }))`

/** Opens a page and waits until it is loaded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
}

const agentsPages = [...limits.keys()].filter(path => path !== '/administration' && path !== '/earnings')

test.each([
  { email: 'agent@azahar.example', width: 1440, paths: agentsPages },
  { email: 'agent@azahar.example', width: 390, paths: agentsPages },
  { email: 'admin@portolan.example', width: 1440, paths: ['/auth/sign-in', '/earnings', '/administration', ...tabs] },
])('at $width pixels every page of $email meets its size and layout-shift limits', async ({ email, width, paths }) => {
  const user = await portal.newUser({ width, chosen: 'fr-FR', own: true })
  const { page } = user
  const debuggerSession = await page.context().newCDPSession(page)
  await debuggerSession.send('Network.enable')
  // The latency makes every loading state visible.
  await debuggerSession.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 200,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await page.addInitScript(watchShifts)
  for (const path of paths) {
    const limit = limits.get(path)
    await debuggerSession.send('Network.clearBrowserCache')
    await open(page, path)
    const shifts = await page.evaluate<Shift[]>('window.shifts')
    expect(
      shifts.reduce((sum, { by }) => sum + by, 0),
      `${path} shifts: ${shifts.flatMap(({ what }) => what).join('\n')}`,
    ).toBeLessThanOrEqual(maxShift)
    if (limit === undefined) continue
    const assets = await page.evaluate<{ name: string; size: number }[]>(loadedAssets)
    const weight = assets.reduce((sum, { size }) => sum + size, 0) / 1000
    expect(weight, `${path} is measured`).toBeGreaterThan(50)
    expect(weight, `${path} in kB: ${assets.map(({ name, size }) => `${name} ${size}`).join(', ')}`).toBeLessThanOrEqual(limit)
    // The HTML names every chunk, so that none is discovered late (portal/page-chunks.ts).
    const named = await (await page.request.get(path)).text()
    expect(
      assets.flatMap(({ name }) => (named.includes(name) ? [] : [name])),
      `${path} names these chunks too late`,
    ).toEqual([])
    if (path === '/auth/sign-in') {
      await signIn(user, email)
      await page.waitForURL(/\/products$/)
    }
  }
  expect(user.problems).toEqual([])
  await user.stop()
})

test.each([1440, 390])('at %d pixels nothing moves when the font arrives after the page', async width => {
  const user = await portal.newUser({ width, chosen: 'fr-FR', own: true })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/account')
  const font = Promise.withResolvers<void>()
  await page.addInitScript(watchShifts)
  await page.route('**/*.woff2', async route => {
    await font.promise
    await route.continue()
  })
  // The load event waits for the font.
  await page.goto('/products', { waitUntil: 'commit' })
  await page.locator('#main h1').waitFor()
  await waitUntilLoaded(page)
  await page.locator('[name=compare]').first().waitFor()
  const before = await page.evaluate<Shift[]>('window.shifts')
  font.resolve()
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
  const shifts = (await page.evaluate<Shift[]>('window.shifts')).slice(before.length)
  expect(
    shifts.reduce((sum, { by }) => sum + by, 0),
    shifts.flatMap(({ what }) => what).join('\n'),
  ).toBeLessThanOrEqual(maxShift)
  await user.stop()
})

test('the files of a page have their headers, and a worker has its security policy', async () => {
  const user = await portal.newUser({ own: true })
  await enter(user, 'agent@azahar.example', '/products')
  const ofConnection = new Set(['connection', 'date', 'keep-alive'])
  const headersOf = async (path: string) => {
    const names = Object.keys((await user.page.request.get(path)).headers())
    return names.filter(name => !ofConnection.has(name)).sort()
  }
  const needed = [
    'cache-control',
    'content-encoding',
    'content-length',
    'content-type',
    'cross-origin-resource-policy',
    'vary',
    'x-content-type-options',
  ]
  const [script = ''] = await user.page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter(name => name.endsWith('.js'))`,
  )
  expect(await headersOf(script)).toEqual(needed)
  const worker = readdirSync(join(import.meta.dirname, '../../dist/portal/assets')).find(name => /\.worker-[^.]*\.js$/.test(name))
  expect(await headersOf(`/assets/${worker}`)).toEqual([...needed, 'content-security-policy'].sort())
  await user.stop()
})
