import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { usersMe } from '#common/session/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const me = '/api/users/me'

let app: TestApp
let browser: Browser
let page: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo('agent@azahar.example')
  page = await openPage()
})
afterEach(async () => {
  page.forgetSession()
  await browser.close()
})

async function openPage() {
  const [{ checkConnection }, { useConnection, watchConnection }, { queries }, { ask }, { forgetSession }] = await Promise.all([
    import('./reconnect.ts'),
    import('#portal/kit/connection.ts'),
    import('#portal/kit/queries.ts'),
    import('#portal/kit/ask.ts'),
    import('#portal/session/sign-out.ts'),
  ])
  watchConnection()
  /** Loads a part of the page. Its name is its content. */
  const load = (name: string) => queries.fetchQuery({ queryKey: [name], queryFn: async () => (await ask(usersMe, {})).email })
  const shown = (name: string) => queries.getQueryState([name])?.status
  return { checkConnection, useConnection, load, shown, forgetSession }
}

const connection = () => page.useConnection.getState()
const lose = () => {
  browser.connection = () => Promise.reject(new TypeError('no connection'))
}
const mend = () => {
  browser.connection = send => send()
}

test('a part that could not be loaded is loaded once the service is back', async () => {
  lose()
  await expect(page.load('list')).rejects.toThrow()
  expect([connection().online, page.shown('list')]).toEqual([false, 'error'])
  mend()
  await page.checkConnection()
  expect([connection().online, page.shown('list')]).toEqual([true, 'success'])
})

test('a part that was loaded before the loss is not loaded again', async () => {
  await page.load('list')
  lose()
  await expect(page.load('detail')).rejects.toThrow()
  mend()
  browser.asked.length = 0
  await page.checkConnection()
  // The check itself, and the part that had failed.
  expect(browser.asked).toEqual([me, me])
})

test('a check that finds no service leaves the page offline and loads nothing', async () => {
  lose()
  await expect(page.load('list')).rejects.toThrow()
  await page.checkConnection()
  expect([connection().online, page.shown('list')]).toEqual([false, 'error'])
})

test('a browser without a network sends no request', async () => {
  browser.tab.window.navigator.onLine = false
  browser.asked.length = 0
  await page.checkConnection()
  expect(browser.asked).toEqual([])
})

test('maintenance is shown until the service serves requests again', async () => {
  browser.connection = () => Promise.resolve(Response.json({ code: 503, error: 'service.away' }, { status: 503 }))
  await page.checkConnection()
  expect(connection()).toEqual({ online: true, maintenance: true, slow: 0 })
  mend()
  await page.checkConnection()
  expect(connection()).toEqual({ online: true, maintenance: false, slow: 0 })
})

test('a network that the browser lost and found again is shown at once', () => {
  browser.tab.window.dispatchEvent(new Event('offline'))
  expect(connection().online).toBe(false)
  browser.tab.window.dispatchEvent(new Event('online'))
  expect(connection().online).toBe(true)
})
