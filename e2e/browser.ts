import { createDecipheriv } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { type App, openApp } from '#server/app.ts'
import { testConfig, testDatabase } from '#server/kit/testing.ts'
import { openBrowser } from '#tools/open-browser.ts'

export type User = { page: Page; complaints: string[]; stop(): Promise<void> }
/** Whose browser it is: what it wishes, and the language that was chosen in it before. */
export type UserOptions = { locale?: string; width?: number; chosen?: Locale }
export type Portal = { app: App; origin: string; newUser(as?: UserOptions): Promise<User>; stop(): Promise<void> }

/** The real service on a port of its own, and a real browser before it. */
export async function openPortal(environment: Record<string, string> = {}): Promise<Portal> {
  const app = await openApp(testConfig(environment), await testDatabase())
  await app.front.http.listen({ port: 0, host: '127.0.0.1' })
  app.start()
  const origin = app.front.http.listeningOrigin
  const browser = await openBrowser()
  return {
    app,
    origin,
    newUser: (as = {}) => openUserPage(browser, origin, as),
    async stop() {
      await browser.close()
      await app.stop()
    },
  }
}

/** A fresh browser window that takes down every error, every broken policy and every message on the console. */
export async function openUserPage(
  browser: Browser,
  origin: string,
  { locale = 'es-ES', width = 1440, chosen }: UserOptions = {},
): Promise<User> {
  const context = await browser.newContext({ baseURL: origin, locale, viewport: { width, height: 900 } })
  context.setDefaultTimeout(60_000)
  if (chosen) await context.addCookies([{ name: 'i18n_redirected', value: chosen, url: origin }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    // The browser itself reports a 401, 403 or a declined card's 402 that the portal asked for and understands.
    if (['error', 'warning'].includes(message.type()) && !/status of 40[123]/.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints, stop: () => context.close() }
}

/** A day from today on, as it is typed; where the demo's business is. */
export const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''

export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

export type Violation = { id: string; nodes: string[] }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong with the page as it stands, when what moves has come to rest; of all its rules, or of those that are named. It comes
 * in by the debugger, which the page's policy does not bind.
 */
export async function accessibilityOf(page: Page, ...rules: string[]): Promise<Violation[]> {
  const session = await page.context().newCDPSession(page)
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
  const options = rules.length > 0 ? JSON.stringify({ runOnly: rules }) : '{}'
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(${rest})().then(() => axe.run(${options})).then(found => found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(node => node.html) })))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return result.value as Violation[]
}

/** What inherits a colour that moves begins to move when that has come to rest. */
const rest = `async () => {
  for (;;) {
    const moving = document.getAnimations().filter(one => one.playState === 'running' && one.effect.getTiming().iterations !== Infinity)
    if (moving.length === 0) return
    await Promise.all(moving.map(one => one.finished.catch(() => {})))
  }
}`

const widths = [1440, 820, 390]

/**
 * The same for a screen or window as it stands at three widths, light and dark. Of the dark only the colours are judged: all else is the same
 * as in the light.
 */
export async function accessibilityEverywhere(page: Page): Promise<(Violation & { at: string })[]> {
  const found: (Violation & { at: string })[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    // Between the widest and the narrowest nothing has a colour that neither of them has.
    for (const colorScheme of width === 820 ? (['light'] as const) : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme })
      // What begins to move because of it has begun when two frames have been shown.
      await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
      const violations = await accessibilityOf(page, ...(colorScheme === 'dark' ? ['color-contrast'] : []))
      found.push(...violations.map(violation => ({ ...violation, at: `${width} pixels, ${colorScheme}` })))
    }
  }
  await page.setViewportSize({ width: widths[0] ?? 0, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

/** Nothing of the page is on its way any more. */
export const atRest = (page: Page): Promise<void> => page.locator('html:not(:has([aria-busy=true]))').waitFor()

export async function signIn({ page }: User, email: string, password = 'portolan-demo'): Promise<void> {
  await page.goto('/auth/sign-in')
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.locator('[type=submit]').click()
}

/** What a page has kept for all tabs under a name, opened with the key that its living session gets. Nothing where there is none. */
export async function keptAt(page: Page, name: string): Promise<string> {
  const written = await page.evaluate<string>(`localStorage.getItem('portolan.${name}') ?? ''`)
  if (!written) return ''
  const reply = await page.request.get('/api/users/me')
  const { data } = (await reply.json()) as { data: { businessUnits: { browserKey: string }[] } }
  const bytes = Buffer.from(written.replace(/^sealed /, ''), 'base64')
  const key = Buffer.from(data.businessUnits[0]?.browserKey ?? '', 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(`portolan.${name}`))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
}

/** Signed in, on the page that is asked for. */
export async function enter(user: User, email: string, path = '/products'): Promise<void> {
  await signIn(user, email)
  await user.page.locator('#main h1').waitFor()
  if (path === '/products') return
  await user.page.goto(path)
  await user.page.locator('#main h1').waitFor()
}
