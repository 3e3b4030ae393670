import { createDecipheriv } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Words } from '#common/kit/words/words.ts'
import { type App, type AppOptions, openApp } from '#server/app.ts'
import { idleRenderers, testConfig, testDatabase } from '#server/kit/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { runRetention } from '#server/privacy/retention/run.ts'
import { demoScope } from '#server/session/testing.ts'
import { type Contexts, contextsOf, sharedBrowser } from './shared-browser.ts'
import { followPage } from './trail.ts'

export type User = { page: Page; problems: string[]; stop(): Promise<void> }
/**
 * The browser's language, width, time zone, the portal language chosen before, and if it is a phone. `own`: a browser context that no other test has
 * used, for tests of what is loaded or stored. `inHaste`: the user presses twelve keys a second.
 */
export type UserOptions = {
  locale?: string
  width?: number
  chosen?: Locale
  timeZone?: string
  touch?: boolean
  own?: boolean
  inHaste?: boolean
}
export type Portal = { app: App; origin: string; browser: Browser; newUser(as?: UserOptions): Promise<User>; stop(): Promise<void> }

/** Starts the real server on its own port, and a real browser. */
export async function openPortal(environment: Record<string, string> = {}, options: AppOptions = {}): Promise<Portal> {
  const app = await openApp(testConfig(environment), await testDatabase(), { idleRenderers, ...options })
  await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  // Does the nightly work now. The service would otherwise block expired invented policies while a test shows them.
  await runRetention(app.world, today(app.world.businessClock.now(), 'UTC'))
  app.start()
  const origin = app.context.http.listeningOrigin
  const browser = await sharedBrowser()
  const users = usersOf(browser, origin)
  return {
    app,
    origin,
    browser,
    newUser: as => users.newUser(as),
    async stop() {
      await users.close()
      await app.stop()
    },
  }
}

/** Adds this many policies to Viajes Azahar, the same ones in each run. */
export const seedAzahar = ({ app }: Portal, many: number, now = new Date()): Promise<number> =>
  seedPolicies(app.world, [{ scope: demoScope('azahar'), many }], { seed: 5, now, show: () => undefined })

/** Opens a page of that origin, in a new context. */
export const openUserPage = (browser: Browser, origin: string, as?: UserOptions): Promise<User> =>
  openUserIn(contextsOf(browser, origin), { ...as, own: true })

type UserOpener = { newUser(as?: UserOptions): Promise<User>; close(): Promise<void> }

/** Opens the users of that origin, one after the other in the same contexts. */
function usersOf(browser: Browser, origin: string): UserOpener {
  const contexts = contextsOf(browser, origin)
  return { newUser: as => openUserIn(contexts, as), close: () => contexts.close() }
}

/** Opens a page that records every page error, console error and console warning. */
async function openUserIn(contexts: Contexts, options: UserOptions = {}): Promise<User> {
  const { locale = 'es-ES', width = 1440, chosen, timeZone, touch = false, own = false, inHaste = false } = options
  const kept = { locale, hasTouch: touch, isMobile: touch, ...(timeZone ? { timezoneId: timeZone } : {}) }
  const { context, release } = await contexts.take(kept, own)
  if (chosen) await context.addCookies([{ name: 'i18n_redirected', value: chosen, url: contexts.baseURL }])
  const page = await context.newPage()
  await page.addInitScript(inHaste ? typeFast : lookBeforeKeys)
  followPage(page)
  await page.setViewportSize({ width, height: 900 })
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => {
    // The browser logs every 401, 403 and 402 (a declined card), even those that the portal handles. On a busy machine the preloaded font may be used
    // later than the browser expects.
    const isExpected = /status of 40[123]|\.woff2 was preloaded using link preload but not used within a few seconds/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected) problems.push(message.text())
  })
  return { page, problems, stop: release }
}

/**
 * The time that the page sees of a key, by the number of keys before it. A test presses keys in no time, and the portal takes keys without a pause for
 * text that was typed ahead (portal/kit/shortcuts/typing-guard.ts). So a user looks for a second before each key, and one in haste presses twelve a
 * second, however slow the machine is.
 */
const timeOfKeys = (time: string) => `{
  let keys = 0
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get() { return ${time} } })
  addEventListener('keydown', () => void keys++, { capture: true })
}`
const lookBeforeKeys = timeOfKeys('get.call(this) + keys * 1000')
const typeFast = timeOfKeys('this instanceof KeyboardEvent ? keys * 83 : get.call(this)')

/** Returns the portal's messages in a language. The portal may open later. */
export const wordsOf =
  (portal: () => Portal, locale: Locale): Words =>
  (id, ...params) =>
    portal().app.world.words(locale)(id, ...params)

/** Returns the day this many days from today in the demo's time zone, as a user types it. */
export const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''

export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

/** Goes to step 2 with the essential product, or with the one that is already selected. */
export async function toPeople(page: Page, { chosen = false } = {}): Promise<void> {
  const row = chosen
    ? page.locator('[data-product][aria-selected=true]')
    : page.locator('[data-product]', { hasText: /ess?en[ctz]/i }).first()
  await row.click()
  await page.keyboard.press('Control+Enter')
}

/** Returns the first names in the sheet of travellers, all read at once. Reading them one by one would wait for a row that was just removed. */
export const rowNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLInputElement>('input[data-column=name]')].map(({ value }) => value))

/** Saves the sale as a quote with the button of that name, under the suggested reference. */
export async function saveQuote(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.locator('[name=buReference]').press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
}

export type Violation = { id: string; nodes: string[] }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the violations that axe finds once all animations have ended. The debugger injects axe, because the page's content security policy does not
 * apply to it.
 */
export async function accessibilityOf(page: Page): Promise<Violation[]> {
  const session = await page.context().newCDPSession(page)
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
  // Computing unused results would double the time. Of the assets that axe preloads, the enabled rules only read the media; the style sheets are for
  // css-orientation-lock, which is experimental and off.
  const options = JSON.stringify({ resultTypes: ['violations'], preload: { assets: ['media'] } })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(${waitForAnimations})().then(() => axe.run(${options})).then(found => found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(node => node.html) })))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  // Safe: the expression above returns violations.
  return result.value as Violation[]
}

/** Waits in a loop: an element that inherits an animated colour starts its own animation when the first one ends. */
const waitForAnimations = `async () => {
  for (;;) {
    const running = document.getAnimations().filter(one => one.playState === 'running' && one.effect.getTiming().iterations !== Infinity)
    if (running.length === 0) return
    await Promise.all(running.map(one => one.finished.catch(() => {})))
  }
}`

/**
 * Returns the violations in the widest and the narrowest layout. The gallery of components is also checked in dark mode and at 820 pixels
 * (e2e/looks/gallery.e2e.ts).
 */
export async function accessibilityAtWidths(page: Page): Promise<(Violation & { at: number })[]> {
  const found: (Violation & { at: number })[] = []
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    // Animations caused by the change have started after two frames.
    await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
    found.push(...(await accessibilityOf(page)).map(violation => ({ ...violation, at: width })))
  }
  return found
}

/** Waits until nothing on the page is loading. */
export const waitUntilLoaded = (page: Page): Promise<void> => page.locator('html:not(:has([aria-busy=true]))').waitFor()

export async function signIn({ page }: User, email: string, password = 'portolan-demo'): Promise<void> {
  await page.goto('/auth/sign-in')
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.locator('[type=submit]').click()
}

/** Returns the decrypted entry of the local storage, or '' if there is none. The key comes from the page's session. */
export async function storedAt(page: Page, name: string): Promise<string> {
  const written = await page.evaluate<string>(`localStorage.getItem('portolan.${name}') ?? ''`)
  if (!written) return ''
  const reply = await page.request.get('/api/users/me')
  // Safe: the call responds in this format.
  const { data } = (await reply.json()) as { data: { businessUnits: { browserKey: string }[] } }
  const bytes = Buffer.from(written.replace(/^sealed /, ''), 'base64')
  const key = Buffer.from(data.businessUnits[0]?.browserKey ?? '', 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(`portolan.${name}`))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
}

/**
 * Opens the page as a signed-in user. The session is begun by the calls of the form, so that the browser loads one page instead of three.
 * e2e/sign-in.e2e.ts and others type into the form.
 */
export async function enter({ page }: User, email: string, path = '/products'): Promise<void> {
  const begun = await page.request.post('/api/auth/login', { data: { email, password: 'portolan-demo' } })
  // Safe: the call responds in this format.
  const { data } = (await begun.json()) as { data: { callback: string } }
  const token = new URLSearchParams(data.callback.split('?')[1]).get('token')
  await page.request.post('/api/auth/session', { data: { token }, failOnStatusCode: true })
  await page.goto(path)
  await page.locator('#main h1').waitFor()
}
