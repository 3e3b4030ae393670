import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLocale, type Locale, locales } from '#common/kit/locales.ts'
import { type Agent, asker, register, sell, signIn as signInAgent } from '#testing/agent.ts'
import { enter, openPortal, type Portal, seedAzahar, type User, waitUntilLoaded } from '../browser.ts'
import { expectPicture, isKeepingAnew, screenTolerance } from './picture.ts'

// Compares twelve screens with stored pictures, in Spanish and in the language with the widest text. Clock, data and numbers are the same in each
// run.

const start = new Date('2027-01-12T10:00:00Z')
let ticks = 0
/** Advances by a millisecond at each reading, so that the order of events is certain. */
const clock = { now: () => new Date(start.getTime() + ticks++) }

let portal: Portal
const users: Partial<Record<Account, User>> = {}
let sold = ''
let budget = ''
let agent: Agent
const trip = { startDate: '2027-01-23', endDate: '2027-01-30' }
beforeAll(async () => {
  portal = await openPortal({}, { clock })
  await seedAzahar(portal, 30, start)
  agent = await signInAgent(
    asker(() => portal.origin),
    'agent@azahar.example',
  )
  budget = await saveQuote()
  sold = (await sell(agent, { startDate: '2027-02-06', endDate: '2027-02-13' })).policyUuid
  await portal.app.world.outbox.drain()
  for (const [subject, description] of [
    ['¿Qué cubre en caso de huelga?', 'El aeropuerto anuncia una huelga.'],
    ['Cambiar la fecha de vuelta', 'Vuelven un día más tarde.'],
  ])
    await fileRequest({ subject, description })
})
afterAll(async () => {
  for (const user of Object.values(users)) await user.stop()
  await portal.stop()
})

const saveQuote = async (): Promise<string> => (await register(agent, { ...trip, saveBudget: true })).body.data.policyUuid

/** Files a support request of the first type without required questions. */
async function fileRequest(text: Record<string, string | undefined>): Promise<void> {
  const { body } = await agent.ask('/api/tickets/forms')
  const type = body.data.find(
    ({ kind, fields }: { kind: string; fields: { required: boolean }[] }) =>
      kind === 'request' && fields.every(({ required }) => !required),
  )
  const contact = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const filed = await agent.ask('/api/tickets/requests', { body: { typeUuid: type.uuid, ...text, ...contact } })
  expect(filed.status, filed.text).toBe(200)
}

type Account = 'manager@azahar.example' | 'admin@portolan.example' | 'signed out'
type Screen = { name: string; as: Account; go: (page: Page) => Promise<unknown> }

const open = (path: () => string) => (page: Page) => page.goto(path())
/** Opens the saved quote at its last step, and goes back from there. */
const step =
  (number: 1 | 2 | 3, quote = () => budget) =>
  async (page: Page) => {
    await page.goto(`/funnel?policy=${quote()}`)
    await page.waitForURL(/step=3$/)
    if (number < 3) await page.goto(`/funnel?step=${number}`)
    if (number === 1) return page.locator('[data-product]').filter({ hasText: '€' }).first().waitFor()
    await page.locator('output[name=total]').filter({ hasText: '€' }).waitFor()
    // The service has confirmed the price computed by the page.
    await page
      .getByText(new RegExp(locales.map(locale => portal.app.world.words(locale)('funnel.confirmed')).join('|')))
      .first()
      .waitFor()
  }
async function buy(page: Page): Promise<void> {
  const own = await saveQuote()
  await step(3, () => own)(page)
  for (const box of await page.locator('#main [type=checkbox]').all()) await box.check()
  await page.locator('#main [type=submit], #main button').filter({ hasText: /€/ }).last().click()
  // The number depends on the earlier sales, which are more when the widest language is measured.
  await page.locator('[data-policy-number]').evaluate(number => {
    number.textContent = '1000035-X'
  })
}

const screens: Screen[] = [
  { name: 'sign-in', as: 'signed out', go: open(() => '/auth/sign-in') },
  { name: 'products', as: 'manager@azahar.example', go: open(() => '/products') },
  { name: 'trip', as: 'manager@azahar.example', go: step(1) },
  { name: 'people', as: 'manager@azahar.example', go: step(2) },
  { name: 'payment', as: 'manager@azahar.example', go: step(3) },
  { name: 'policies', as: 'manager@azahar.example', go: open(() => '/policies') },
  { name: 'policy', as: 'manager@azahar.example', go: open(() => `/policies?policy=${sold}`) },
  { name: 'budgets', as: 'manager@azahar.example', go: open(() => '/policies/saved') },
  { name: 'tickets', as: 'manager@azahar.example', go: open(() => '/customer-service') },
  { name: 'agency', as: 'manager@azahar.example', go: open(() => '/account') },
  // Only the agent's own actions, which happened one after the other.
  { name: 'audit', as: 'admin@portolan.example', go: open(() => '/administration?tab=audit&search=agent@azahar.example') },
  { name: 'success', as: 'manager@azahar.example', go: buy },
]

const table = join(import.meta.dirname, 'pictures/widest.json')
const widest: Record<string, unknown> = JSON.parse(readFileSync(table, 'utf8'))

test.each(screens)('the screen $name looks as in its stored picture in two languages', async screen => {
  if (isKeepingAnew) keepWidest(screen.name, await findWidest(screen))
  const other = widest[screen.name]
  if (!isLocale(other) || other === 'es-ES') throw new Error(`${screen.name} has no widest language`)
  for (const locale of ['es-ES', other] satisfies Locale[]) {
    const page = await show(screen, locale)
    await expectPicture(portal.browser, page, `screens/${screen.name}-${locale.slice(0, 2)}`, screenTolerance)
  }
})

test('no page of the pictures had a problem', () => {
  expect(Object.values(users).flatMap(({ problems }) => problems)).toEqual([])
})

async function show({ as, go }: Screen, locale: Locale): Promise<Page> {
  const user = (users[as] ??= await newUser(as))
  const { page } = user
  await page.context().addCookies([{ name: 'i18n_redirected', value: locale, url: portal.origin }])
  // No sale of the previous screen is in progress. The page of credits stores nothing itself.
  await page.goto('/credits')
  await page.evaluate('localStorage.clear()')
  await go(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator(`html[lang^=${locale.slice(0, 2)}]`).waitFor()
  await waitUntilLoaded(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  return page
}

async function newUser(as: Account): Promise<User> {
  const user = await portal.newUser({ timeZone: 'Europe/Madrid' })
  // The clock stands still, but timers run.
  await user.page.clock.setFixedTime(start)
  await user.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  if (as !== 'signed out') await enter(user, as)
  return user
}

/** Returns the language, apart from Spanish, in which the screen's text is widest. */
async function findWidest(screen: Screen): Promise<Locale> {
  let found: { locale: Locale; width: number } | undefined
  for (const locale of locales.filter(each => each !== 'es-ES')) {
    const width = await (await show(screen, locale)).evaluate<number>(textWidth)
    if (!found || width > found.width) found = { locale, width }
  }
  return found?.locale ?? 'fr-FR'
}

function keepWidest(name: string, locale: Locale): void {
  widest[name] = locale
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(screens.map(each => [each.name, widest[each.name] ?? ''])), null, 2)}\n`)
}

/** Adds up the width of every text on the page, each in one line. */
const textWidth = `(() => {
  const context = document.createElement('canvas').getContext('2d')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let width = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility() || parent.closest('script, style, .sr-only')) continue
    context.font = getComputedStyle(parent).font
    width += context.measureText(node.data.trim()).width
  }
  return width
})()`
