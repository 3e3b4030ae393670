import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityOf, openUserPage, type User } from '../browser.ts'
import { type KitPage, openKitPage } from '../kit-page.ts'

// The gallery of components, in all colours and widths. Screens use only colours that it shows.

let kit: KitPage
let user: User
beforeAll(async () => {
  kit = await openKitPage()
  user = await openUserPage(kit.browser, kit.origin, { locale: 'en-GB' })
  await user.page.goto('/dev/ui')
  await user.page.getByRole('heading', { level: 1 }).waitFor()
})
afterAll(() => kit.stop())

describe.each([1440, 820, 390])('at %d pixels', width => {
  test.each([
    { theme: 'light', density: 'comfortable' },
    { theme: 'dark', density: 'compact' },
  ])('the components pass axe and fit the screen ($theme, $density)', async ({ theme, density }) => {
    const { page } = user
    await page.setViewportSize({ width, height: 900 })
    await page.locator('[name=theme]').selectOption(theme)
    await page.locator('[name=density]').selectOption(density)
    expect(await accessibilityOf(page)).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(user.problems).toEqual([])
  })
})

test('a light accent gets dark text and passes axe', async () => {
  await user.page.locator('[name=theme]').selectOption('light')
  await user.page.locator('[name=accent]').selectOption('#ffd400')
  expect(await accessibilityOf(user.page)).toEqual([])
})

test('lists, menus, calendars, windows, alerts, toasts and a rejected form pass axe', async () => {
  const { page } = user
  await page.locator('[name=accent]').selectOption('#1f5f8b')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const passes = async (what: string, seen: Locator) => {
    await seen.waitFor()
    expect(await accessibilityOf(page), what).toEqual([])
    await page.keyboard.press('Escape')
    await seen.waitFor({ state: 'hidden' })
  }
  await page.locator('#typed-fields [name=startDate]').press('ArrowDown')
  await passes('a calendar', page.getByRole('grid'))
  await page.locator('#lists [name=country]').fill('cote d')
  await passes('a list', page.getByRole('listbox'))
  await button('Actions: AZ-2026-104250').click()
  await passes('a menu', page.getByRole('menu'))
  await button('Dialog').click()
  await passes('a dialog', page.getByRole('dialog'))
  const left = () => page.locator('main').evaluate(main => main.getBoundingClientRect().left)
  const before = await left()
  await button('Drawer').click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => left()).toBe(before)
  await passes('a drawer', page.getByRole('dialog'))
  for (const mode of ['info', 'warning', 'error', 'confirm']) {
    await button(`Alert: ${mode}`).click()
    await passes(mode, page.getByRole('alertdialog'))
  }
  await button('Alert: confirm that fails').click()
  await button('Delete').click()
  await page.getByText('That did not work. Try again.').waitFor()
  await passes('a failure', page.getByRole('alertdialog'))
  await button('Toast: error').click()
  const toast = page.locator('[aria-live=assertive]').getByText('The policy was sent')
  await toast.hover()
  expect(await accessibilityOf(page), 'a toast').toEqual([])
  // The form with its errors comes last, as they stay.
  await button('Save').click()
  await page.getByText('5 fields need your attention').waitFor()
  expect(await accessibilityOf(page), 'a rejected form').toEqual([])
  expect(user.problems).toEqual([])
})
