import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { inProcess } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, inDays, openPortal, type Portal, type User, waitUntilLoaded } from '../browser.ts'

// The footer of a policy's panel, and toasts above it.

let portal: Portal
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(() => portal.stop())

const t = () => portal.app.world.words('es-ES')
const panelOf = (page: Page) => page.locator('[data-panel]')
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

/** Sells an eight-day policy to Italy that departs in this many days, and returns its id. */
async function sell(departsIn = 11, more: Record<string, unknown> = {}): Promise<string> {
  const trip = { startDate: readDate(inDays(departsIn)), endDate: readDate(inDays(departsIn + 7)) }
  return (await sellAs(seller, { ...trip, ...more })).body.data.policyData.policyUuid
}

async function open(path: string, width = 1440): Promise<User> {
  const user = await portal.newUser({ chosen: 'es-ES', width, touch: width < 500 })
  await enter(user, 'agent@azahar.example', path)
  await waitUntilLoaded(user.page)
  return user
}

/** Returns the number of lines that the buttons of a footer take. */
async function linesIn(foot: Locator): Promise<number> {
  const tops: number[] = await foot.locator('a, button').evaluateAll(buttons => {
    const shown = buttons.map(button => button.getBoundingClientRect()).filter(({ width }) => width > 0)
    // Two words of different heights may be on one line.
    return shown.map(({ top, height }) => Math.round(top + height / 2))
  })
  return new Set(tops).size
}

async function boxOf(part: Locator): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const box = await part.boundingBox()
  if (!box) throw new Error('It is not shown.')
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width }
}

const colourOf = (part: Locator): Promise<string> => part.evaluate(element => getComputedStyle(element).color)

test.each(locales)('in %s the footer of a policy and a quote is one line, on a phone with a menu', async locale => {
  const words = portal.app.world.words(locale)
  const sold = await sell()
  const saved = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
  const user = await portal.newUser({ chosen: locale, width: 1440 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const foot = panelOf(page).locator('footer')
  for (const [path, last] of [
    [`/policies?policy=${sold}`, words('policies.cancel')],
    [`/policies/saved?policy=${saved}`, words('policies.delete')],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await foot.getByRole('button', { name: last }).waitFor()
    await expect.poll(() => linesIn(foot)).toBe(1)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(() => linesIn(foot), { message: `at ${width} pixels` }).toBeLessThanOrEqual(width === 390 ? 1 : 2)
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await foot.getByRole('button', { name: words('policies.more') }).click()
    await page.getByRole('menuitem', { name: last }).waitFor()
    expect(await accessibilityOf(page)).toEqual([])
  }
  await page.goto(`/policies?policy=${sold}`)
  await foot.getByRole('button', { name: words('policies.more') }).click()
  await page.getByRole('menuitem', { name: words('policies.cancel') }).click()
  await page.waitForURL(/desk=cancel/)
  await page.goBack()
  await foot.getByRole('button', { name: words('policies.more') }).waitFor()
  await page.keyboard.press('Delete')
  await page.waitForURL(/desk=cancel/)
  expect(user.problems).toEqual([])
  await user.stop()
})

test.each([1440, 820, 390])('at %d pixels a toast covers neither the heading of the panel nor its footer', async width => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`, width)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_change'))
  await button(page, t()('policies.change')).waitFor()
  const shown = page.locator('[data-toast]')
  await shown.hover()
  const box = await boxOf(shown)
  for (const part of [':scope > header', '[data-total]', ':scope > footer']) {
    const { top, bottom, left } = await boxOf(panelOf(page).locator(part))
    expect(box.right <= left || box.bottom <= top || box.top >= bottom, part).toBe(true)
  }
  // Its cross is as visible as its text.
  await expect.poll(() => colourOf(shown.getByRole('button', { name: t()('ui.close') }))).toBe(await colourOf(shown))
  expect(user.problems).toEqual([])
  await user.stop()
})
