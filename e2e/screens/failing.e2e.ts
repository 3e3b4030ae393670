import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityOf, enter, openPortal, type Portal } from '../browser.ts'

// What is shown when something is not there: a file of words, an answer, the service itself, or somebody who is signed in.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const says = (locale: 'es-ES' | 'en-EN') => portal.app.world.words(locale)
const pagesAsked = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request: Request) => request.isNavigationRequest() && asked.push(request.url()))
  return asked
}

test('signed out, the way to the sign-in is quiet, and nobody is asked for in vain', async () => {
  const user = await portal.newUser()
  const { page } = user
  const said: string[] = []
  page.on('console', message => said.push(message.text()))
  const payloads: string[] = []
  page.on('request', request => request.url().includes('_payload.json') && payloads.push(request.url()))
  await page.goto('/')
  await page.waitForURL(/\/auth\/sign-in$/)
  await page.locator('[name=email]').waitFor()
  expect([said, payloads]).toEqual([[], []])
  await enter(user, 'agent@azahar.example')
  // What is never answered is given up by whoever leaves.
  await page.route('**/api/tickets/unread', () => undefined)
  const asked = page.waitForRequest('**/api/tickets/unread')
  const givenUp = page.waitForEvent('requestfailed', request => request.url().endsWith('/unread'))
  await page.reload()
  await page.locator('#main h1').waitFor()
  await asked
  expect(payloads.length).toBe(2)
  // Only then is the cookie gone.
  const ended = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await Promise.all([givenUp, ended])
  await page.waitForURL(/sign-in/)
  // And only then has the browser forgotten whose it was.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('portolan.session'))).toBeNull()
  await page.goto('/policies')
  await page.waitForURL(/sign-in\?redirect=/)
  expect([said, payloads.length]).toEqual([[], 2])
  await user.stop()
})

describe('words that cannot be had', () => {
  test('at the start: the page is loaded anew, once, and then speaks English', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    const pages = pagesAsked(page)
    await page.route(/\/words-[^/]+\/es-ES\/common\.js/, route => route.abort())
    await page.goto('/auth/sign-in')
    await page.getByRole('heading', { name: says('en-EN')('session.sign_in.title') }).waitFor()
    expect(pages.length).toBe(2)
    await user.stop()
  })

  test('in no language at all: the error screen in the language that was wished for, and a way home', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await page.route(/\/words-/, route => route.abort())
    await page.goto('/auth/sign-in')
    await page.getByRole('heading', { name: says('es-ES')('shell.wrong') }).waitFor()
    await page.unroute(/\/words-/)
    await page.getByRole('link', { name: says('es-ES')('shell.home') }).click()
    await page.getByRole('heading', { name: says('es-ES')('session.sign_in.title') }).waitFor()
    await user.stop()
  })

  test('of a language that is chosen: the present one stays, on the next page too, until it can be had', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await enter(user, 'agent@azahar.example')
    const choose = async () => {
      await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
      await page.getByRole('menuitemradio', { name: 'Français' }).click()
    }
    // It has been loaded anew already, in vain.
    await page.evaluate("sessionStorage.setItem('portolan.reloaded', String(Date.now()))")
    await page.route(/\/words-[^/]+\/fr-FR\//, route => route.abort())
    await choose()
    await page.getByText(says('es-ES')('shell.offline')).waitFor()
    await page.getByRole('link', { name: 'Pólizas' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pólizas' }).waitFor()
    await page.unroute(/\/words-[^/]+\/fr-FR\//)
    await choose()
    await page.getByRole('heading', { level: 1, name: 'Contrats' }).waitFor()
    await user.stop()
  })
})

test('a call that is never answered ends, and says so', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example')
  await page.route('**/api/policy/list', () => undefined)
  await page.clock.install()
  const asked = page.waitForRequest('**/api/policy/list')
  await page.getByRole('link', { name: 'Pólizas' }).click()
  await asked
  await page.clock.runFor(21_000)
  await page.getByText(says('es-ES')('ui.list_failed')).waitFor()
  await page.getByText(says('es-ES')('shell.offline')).waitFor()
  await user.stop()
})

describe('while the service is looked after', () => {
  test('every page says so in five languages, nobody’s call is carried out, and those who watch over it are answered', async () => {
    const closed = await openPortal({ MAINTENANCE: 'true' })
    const user = await closed.newUser({ locale: 'fr-FR', width: 390 })
    const { page } = user
    const reply = await page.goto('/policies?search=x')
    expect([reply?.status(), reply?.headers()['retry-after']]).toEqual([503, '30'])
    const titles = await page.getByRole('heading').allTextContents()
    expect(titles).toEqual(
      (['fr-FR', 'en-EN', 'es-ES', 'it-IT', 'pt-PT'] as const).map(locale => closed.app.world.words(locale)('shell.maintenance_title')),
    )
    expect(await accessibilityOf(page)).toEqual([])
    const status = async (path: string) => (await page.request.get(path)).status()
    expect([await status('/api/users/me'), await status('/products/_payload.json'), await status('/geo/countries')]).toEqual([
      503, 503, 503,
    ])
    expect([await status('/health/live'), await status('/health/ready'), await status('/favicon.svg')]).toEqual([200, 200, 200])
    expect(user.complaints.filter(text => !text.includes('status of 503'))).toEqual([])
    // It is over: the page notices by itself.
    await page.clock.install()
    await page.reload()
    await page.route('**/policies?search=x', route => route.fulfill({ body: 'open again' }))
    await page.clock.runFor(6000)
    await page.getByText('open again').waitFor()
    await user.stop()
    await closed.stop()
  })

  test('a page that is open says so, keeps what was typed, and goes on by itself', async () => {
    const user = await portal.newUser({ chosen: 'es-ES' })
    const { page } = user
    await enter(user, 'agent@azahar.example', '/policies')
    await page.clock.install()
    const refusal = { code: 503, error: 'service.unavailable', errorMessage: 'Vaya', requestId: '1' }
    await page.route('**/api/**', route => route.fulfill({ status: 503, json: refusal, headers: { 'retry-after': '30' } }))
    await page.locator('[name=searchData]').fill('garcía')
    await page.clock.runFor(5000)
    await page.getByText(says('es-ES')('shell.maintenance')).waitFor()
    await page.getByText(says('es-ES')('ui.list_failed')).waitFor()
    expect(await accessibilityOf(page)).toEqual([])
    await page.unroute('**/api/**')
    await page.clock.runFor(6000)
    await page.getByText(says('es-ES')('shell.maintenance')).waitFor({ state: 'detached' })
    await page.getByText(says('es-ES')('policies.none_found')).waitFor()
    expect(await page.locator('[name=searchData]').inputValue()).toBe('garcía')
    await user.stop()
  })

  test('without its database it shows the same page', async () => {
    const shut = await openPortal()
    const user = await shut.newUser({ chosen: 'es-ES' })
    const { page } = user
    expect((await page.goto('/auth/sign-in'))?.status()).toBe(200)
    await shut.app.world.database.close()
    expect((await page.goto('/auth/sign-in'))?.status()).toBe(503)
    await page.getByRole('heading', { level: 1, name: says('es-ES')('shell.maintenance_title') }).waitFor()
    await user.stop()
    // All of it ends but the database, which has ended already.
    await shut.stop().catch(() => undefined)
  })
})
