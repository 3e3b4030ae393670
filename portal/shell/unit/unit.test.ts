import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '#portal/kit/testing.ts'
import { openScreen, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const [agent, multi] = ['agent@azahar.example', 'multi@portolan.example']
const missing = 'No se han podido cargar los datos de la agencia.'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const isPayload = (path: string) => path.includes('_payload.json')
const failed = (status: number) => Response.json({ code: status, error: 'internal', errorMessage: 'No', requestId: '1' }, { status })

/** Answers the payloads of pages with an error until the returned function is called. Other calls work. */
function failPayloads({ browser }: Pick<Screen, 'browser'>, status = 500): () => void {
  browser.asked.length = 0
  browser.connection = (send, path) => (isPayload(path) ? Promise.resolve(failed(status)) : send())
  return () => {
    browser.connection = send => send()
  }
}

const payloadsOf = ({ browser }: Screen) => browser.asked.filter(isPayload).length
/** Returns and clears the lines of the console, where failures are logged. */
const takeLog = ({ problems }: Screen) => problems.splice(0).map(line => line.replace(/ failed:.*/s, ''))
const productsOf = (page: Screen) => page.locator('main ul[aria-label] > li')
const menuOf = (page: Screen) => page.getByRole('link', { name: 'Pólizas', exact: true }).first()

/** Removes the agency's data from the browser, as before a user's first sign-in. */
async function forgetKept({ browser }: Screen): Promise<void> {
  const { whenWritten } = await import('#portal/kit/kept/encrypted-storage.ts')
  await whenWritten()
  for (const key of Object.keys(browser.localStorage)) if (/settings|products/.test(key)) browser.localStorage.removeItem(key)
}

test('a reload shows the settings and products stored in the browser', { tags: 'S8.14' }, async () => {
  const page = await openScreen(app, '/products', agent)
  await productsOf(page).first().waitFor()
  const shown = productsOf(page).count()
  failPayloads(page)
  await page.reload()
  await expectScreen(productsOf(page)).toHaveCount(shown)
  await expectScreen(page.getByRole('alert')).toHaveCount(0)
  expect(takeLog(page)).toEqual(['loading settings and products'])
})

test('stored settings and products are loaded anew at the next page, if possible', { tags: 'S8.14' }, async () => {
  const page = await openScreen(app, '/products', agent)
  const brand = (name: string) => page.locator('aside').getByText(name).first()
  await brand('Viajes Azahar').waitFor()
  failPayloads(page)
  await page.reload()
  await brand('Viajes Azahar').waitFor()
  // Requested by the page as it is loaded, and by the shell.
  await expect.poll(() => payloadsOf(page)).toBe(2)
  page.browser.connection = async (send, path) => {
    const reply = await send()
    return isPayload(path) ? Response.json(JSON.parse((await reply.text()).replaceAll('Viajes Azahar', 'Azahar y Mar'))) : reply
  }
  await page.goto('/policies')
  await brand('Azahar y Mar').waitFor()
  takeLog(page)
})

test('the shell works without settings, and opens the page once they are loaded', { tags: 'S8.14' }, async () => {
  const page = await openScreen(app, '/products', agent)
  await productsOf(page).first().waitFor()
  const answer = failPayloads(page)
  await forgetKept(page)
  await page.reload()
  await page.getByRole('heading', { name: missing }).waitFor()
  await menuOf(page).waitFor()
  await page.locator('aside').getByText('Viajes Azahar').first().waitFor()
  // The user's menu works, and another page shows the same message.
  await page.goto('/policies')
  await page.getByRole('heading', { name: missing }).waitFor()
  await page.goto('/products')
  await page.getByRole('heading', { name: missing }).waitFor()
  answer()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await productsOf(page).first().waitFor()
  expect(takeLog(page)[0]).toBe('loading settings and products')
})

test('missing settings are loaded once the connection is back', { tags: 'S8.14' }, async () => {
  const page = await openScreen(app, '/products', agent)
  await productsOf(page).first().waitFor()
  const answer = failPayloads(page, 503)
  await forgetKept(page)
  await page.reload()
  await page.getByRole('heading', { name: missing }).waitFor()
  await expect.poll(() => payloadsOf(page)).toBeGreaterThanOrEqual(6)
  answer()
  const { checkConnection } = await import('../reconnect.ts')
  await checkConnection()
  await productsOf(page).first().waitFor()
  takeLog(page)
})

test('a failure to load names in a new language is logged, without a message', { tags: 'S8.14' }, async () => {
  const page = await openScreen(app, '/products', agent)
  await productsOf(page).first().waitFor()
  failPayloads(page)
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  await expect.poll(() => page.problems.length).toBeGreaterThan(0)
  expect(takeLog(page)).toEqual(['loading settings'])
  await expectScreen(page.getByRole('alert')).toHaveCount(0)
})

test('an agency that cannot be opened is named, and the current one stays', async () => {
  const page = await openScreen(app, '/policies', multi)
  const button = page.locator('aside').getByRole('button', { name: 'Viajes Azahar' })
  await button.waitFor()
  const answer = failPayloads(page)
  await button.click()
  await page.getByRole('menuitemradio', { name: 'Rotta' }).click()
  const alert = page.locator('aside [role=alert]')
  await expectScreen(alert).toContainText('No se ha podido abrir')
  await button.waitFor()
  expect(takeLog(page)).toEqual(['changing the agency'])
  // Another click opens the menu instead.
  answer()
  await button.click()
  await alert.waitFor({ state: 'detached' })
  await page.getByRole('menuitemradio', { name: 'Rotta' }).click()
  await page.locator('aside').getByRole('button', { name: 'Rotta' }).waitFor()
  await page.waitForURL(/\/products$/)
  await productsOf(page).first().waitFor()
})

test('the pauses grow from 5 seconds to 5 minutes', async () => {
  const browser = openBrowser()
  onTestFinished(() => browser.close())
  const { pauseAfter } = await import('./unit-reload.tsx')
  expect([1, 2, 3, 6, 7, 50].map(failures => pauseAfter(failures) / 1000)).toEqual([5, 10, 20, 160, 300, 300])
})
