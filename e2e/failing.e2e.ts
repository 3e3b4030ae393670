import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Screens when something is missing: translations, a response, the server, or the session.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const translate = (locale: 'es-ES' | 'en-EN') => portal.app.world.words(locale)
const navigationsOf = (page: Page) => {
  const urls: string[] = []
  page.on('request', (request: Request) => request.isNavigationRequest() && urls.push(request.url()))
  return urls
}

test('signing in and out logs nothing and sends no needless request', async () => {
  const user = await portal.newUser()
  const { page } = user
  const logged: string[] = []
  page.on('console', message => logged.push(message.text()))
  const payloads: string[] = []
  page.on('request', request => request.url().includes('_payload.json') && payloads.push(request.url()))
  await page.goto('/')
  await page.waitForURL(/\/auth\/sign-in$/)
  await page.locator('[name=email]').waitFor()
  expect([logged, payloads]).toEqual([[], []])
  await enter(user, 'agent@azahar.example')
  // Signing out cancels a request without a response.
  await page.route('**/api/tickets/unread', () => undefined)
  const request = page.waitForRequest('**/api/tickets/unread')
  const cancelled = page.waitForEvent('requestfailed', request => request.url().endsWith('/unread'))
  await page.reload()
  await page.locator('#main h1').waitFor()
  await request
  expect(payloads.length).toBe(2)
  const ended = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await Promise.all([cancelled, ended])
  await page.waitForURL(/sign-in/)
  // The browser forgets the user only after that response.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('portolan.session'))).toBeNull()
  await page.goto('/policies')
  await page.waitForURL(/sign-in\?redirect=/)
  expect([logged, payloads.length]).toEqual([[], 2])
  await user.stop()
})

describe('translations that fail to load', () => {
  test('translations missing at start cause a reload, then English, then an error screen', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const pages = navigationsOf(page)
    await page.route(/\/words-[^/]+\/es-ES\/common\.js/, route => route.abort())
    await page.goto('/auth/sign-in')
    await page.getByRole('heading', { name: translate('en-EN')('session.sign_in.title') }).waitFor()
    expect(pages.length).toBe(2)
    // Without any translation the error screen still uses the chosen language.
    await page.unroute(/\/words-[^/]+\/es-ES\/common\.js/)
    await page.route(/\/words-/, route => route.abort())
    await page.goto('/auth/sign-in')
    await page.getByRole('heading', { name: translate('es-ES')('shell.wrong') }).waitFor()
    await page.unroute(/\/words-/)
    await page.getByRole('link', { name: translate('es-ES')('shell.home') }).click()
    await page.getByRole('heading', { name: translate('es-ES')('session.sign_in.title') }).waitFor()
    await user.stop()
  })

  test('the current language stays until a newly chosen one loads', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await enter(user, 'agent@azahar.example')
    const choose = async () => {
      await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
      await page.getByRole('menuitemradio', { name: 'Français' }).click()
    }
    // The page counts as already reloaded, so it does not reload again.
    await page.evaluate("sessionStorage.setItem('portolan.reloaded', String(Date.now()))")
    await page.route(/\/words-[^/]+\/fr-FR\//, route => route.abort())
    await choose()
    await page.getByText(translate('es-ES')('shell.offline')).waitFor()
    await page.getByRole('link', { name: 'Pólizas' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pólizas' }).waitFor()
    await page.unroute(/\/words-[^/]+\/fr-FR\//)
    await choose()
    await page.getByRole('heading', { level: 1, name: 'Contrats' }).waitFor()
    await user.stop()
  })
})

describe('maintenance', () => {
  test('during maintenance pages and calls respond with 503, health checks with 200', async () => {
    const closed = await openPortal({ MAINTENANCE: 'true' })
    const user = await closed.newUser({ locale: 'fr-FR', width: 390 })
    const { page } = user
    const reply = await page.goto('/policies?search=x')
    expect([reply?.status(), reply?.headers()['retry-after']]).toEqual([503, '30'])
    const titles = await page.getByRole('heading').allTextContents()
    expect(titles).toEqual(
      (['fr-FR', 'en-EN', 'es-ES', 'it-IT', 'pt-PT'] as const).map(locale => closed.app.world.words(locale)('lost.maintenance_title')),
    )
    expect(await accessibilityOf(page)).toEqual([])
    const status = async (path: string) => (await page.request.get(path)).status()
    expect([await status('/api/users/me'), await status('/products/_payload.json'), await status('/geo/countries')]).toEqual([
      503, 503, 503,
    ])
    expect([await status('/health/live'), await status('/health/ready'), await status('/favicon.svg')]).toEqual([200, 200, 200])
    expect(user.problems.filter(text => !text.includes('status of 503'))).toEqual([])
    // The page notices by itself when maintenance ends.
    await page.clock.install()
    await page.reload()
    await page.route('**/policies?search=x', route => route.fulfill({ body: 'open again' }))
    await page.clock.runFor(6000)
    await page.getByText('open again').waitFor()
    await user.stop()
    await closed.stop()
  })

  test('an open page shows the maintenance, keeps its input and recovers by itself', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await enter(user, 'agent@azahar.example', '/policies')
    await page.clock.install()
    const refusal = { code: 503, error: 'service.unavailable', errorMessage: 'Vaya', requestId: '1' }
    await page.route('**/api/**', route => route.fulfill({ status: 503, json: refusal, headers: { 'retry-after': '30' } }))
    await page.locator('[name=searchData]').fill('garcía')
    await page.clock.runFor(5000)
    await page.getByText(translate('es-ES')('shell.maintenance')).waitFor()
    await page.getByText(translate('es-ES')('ui.list_failed')).waitFor()
    expect(await accessibilityOf(page)).toEqual([])
    await page.unroute('**/api/**')
    await page.clock.runFor(6000)
    await page.getByText(translate('es-ES')('shell.maintenance')).waitFor({ state: 'detached' })
    await page.getByText(translate('es-ES')('policies.none_found')).waitFor()
    await expectPage(page.locator('[name=searchData]')).toHaveValue('garcía')
    await user.stop()
  })

  test('without a database the maintenance page is shown', async () => {
    const closed = await openPortal()
    const user = await closed.newUser({ chosen: 'es-ES' })
    const { page } = user
    expect((await page.goto('/auth/sign-in'))?.status()).toBe(200)
    await closed.app.world.database.close()
    expect((await page.goto('/auth/sign-in'))?.status()).toBe(503)
    await page.getByRole('heading', { level: 1, name: translate('es-ES')('lost.maintenance_title') }).waitFor()
    await user.stop()
    // Stopping rejects, because the database is already closed.
    await closed.stop().catch(() => undefined)
  })
})
