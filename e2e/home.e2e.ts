import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { type Agent, asker, register, signIn } from '#testing/agent.ts'
import { enter, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The first page after the sign-in: the tasks of the day, what can be continued, and the price from which each product is on sale.

let portal: Portal
let agent: Agent
let t: Words
const [taskName, money] = [/€/, /\d\s€/]
beforeAll(async () => {
  portal = await openPortal()
  t = portal.app.world.words('es-ES')
  agent = await signIn(
    asker(() => portal.origin),
    'agent@azahar.example',
  )
  for (const days of [0, 1, 2, 3]) await saveQuote(days)
})
afterAll(() => portal.stop())

async function saveQuote(departsIn: number): Promise<string> {
  const startDate = addDays(today(new Date(), 'Europe/Madrid'), departsIn)
  return (await register(agent, { startDate, endDate: addDays(startDate, 7), saveBudget: true })).body.data.policyUuid
}

test.each([
  [1440, 3],
  [820, 2],
  [390, 1],
])('at %i pixels the first page shows %i tasks of the day, which lead to their list', async (width, many) => {
  const user = await portal.newUser({ width })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  const tasks = page.getByRole('region', { name: t('day.title') }).getByRole('listitem')
  await expectPage(tasks.filter({ visible: true })).toHaveCount(many)
  await page.getByRole('link', { name: t('day.all', { count: 4 }) }).waitFor()
  await tasks.first().getByRole('link', { name: taskName }).click()
  await page.waitForURL(/\/policies\/saved\?policy=/)
  await page.locator('[data-panel] h2').first().waitFor()
  await user.stop()
})

test('tasks that could not be loaded can be asked for again', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'manager@azahar.example', '/account')
  await page.route('**/api/policy/day', route => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('link', { name: t('shell.menu.home') }).click()
  const strip = page.getByRole('region', { name: t('day.title') })
  await strip.getByText(t('day.failed')).waitFor()
  await page.unroute('**/api/policy/day')
  await strip.getByRole('button', { name: t('shell.try_again') }).click()
  await strip.getByRole('link', { name: taskName }).first().waitFor()
  user.problems.length = 0
  await user.stop()
})

test('tasks that arrive while a field has the focus do not move it', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'manager@azahar.example', '/account')
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/policy/day', async route => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('link', { name: t('shell.menu.home') }).click()
  const departure = page.locator('[name=startDate]')
  await departure.focus()
  await page.keyboard.type('+20')
  const before = await departure.boundingBox()
  const answered = page.waitForResponse('**/api/policy/day')
  answer.resolve()
  await answered
  // Tab writes the date, which renders the page while nothing has the focus.
  await page.keyboard.press('Tab')
  await expectPage(page.locator('[name=endDate]')).toBeFocused()
  await expectPage(departure).toHaveValue(displayDate(addDays(today(new Date(), 'Europe/Madrid'), 20)) ?? '')
  await expect.poll(() => departure.boundingBox()).toEqual(before)
  const strip = page.getByRole('region', { name: t('day.title') })
  await expectPage(strip).toHaveCount(0)
  // They come once the fields are left.
  await page.locator('#main h1').click()
  await strip.waitFor()
  await user.stop()
})

test('the newest quotes can be continued, and each product shows from which price it is sold', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'manager@azahar.example')
  const quotes = page.getByRole('region', { name: t('day.newest') })
  await expectPage(quotes.getByRole('listitem')).toHaveCount(3)
  const product = (name: string) =>
    page
      .getByRole('list', { name: t('products.title') })
      .getByRole('listitem')
      .filter({ hasText: name })
  await product('Viaje Esencial')
    .getByText(t('products.from', { price: '4,56 €' }), { exact: true })
    .waitFor()
  await product('Grupos Asistencia')
    .getByText(t('products.from_many', { price: '16,23 €', count: 10 }), { exact: true })
    .waitFor()
  await expectPage(product('Viaje Total con Cancelación').getByText('€')).toHaveCount(0)
  await quotes
    .getByRole('link', { name: t('day.resume') })
    .first()
    .click()
  await page.waitForURL(/\/funnel\?step=3$/)
  await page.getByRole('link', { name: t('shell.menu.home') }).click()
  // The trip of the sale has its prices instead.
  await page.locator('[data-product]').filter({ hasText: '€' }).first().waitFor()
  await expectPage(quotes).toHaveCount(0)
  await user.stop()
})

test('starting over leads back to the first field, and an offline trip states no cover of a zone', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example')
  const day = (days: number) => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
  await page.locator('[name=startDate]').fill(day(20))
  await page.locator('[name=endDate]').fill(day(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('34')
  const essential = page.locator('[data-product]').filter({ hasText: 'Viaje Esencial' })
  await essential.locator('.total').getByText(money).waitFor()
  const medical = essential.locator('.cover').first()
  await expectPage(medical).toContainText(money)
  await page.route('**/api/quotes/compare', route => route.abort())
  await page.locator('[name=ages]').fill('34, 36')
  await page.keyboard.press('Tab')
  await expectPage(medical).toHaveText(/–$/)
  await page.unroute('**/api/quotes/compare')
  await page.getByRole('button', { name: t('funnel.start_over') }).click()
  await expectPage(page.locator('[name=startDate]')).toBeFocused()
  user.problems.length = 0
  await user.stop()
})

test('a sale whose payment is under way is led back to its step', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', `/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  const boxes = page.locator('#main [type=checkbox]')
  await expectPage(boxes.first()).toBeVisible()
  for (const box of await boxes.all()) await box.check()
  // No response arrives.
  await page.route('**/api/policy/purchase', () => undefined)
  const sent = page.waitForRequest('**/api/policy/purchase')
  await page.keyboard.press('Control+Enter')
  await sent
  await page.goto('/products')
  await page.getByRole('link', { name: `${t('shell.menu.funnel_on')} · Viaje Esencial` }).click()
  await page.waitForURL(/\/funnel\?step=3$/)
  await user.stop()
})
