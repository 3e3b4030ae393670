import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityOf, openUserPage, type User } from '../browser.ts'
import { type KitPage, openKitPage } from '../kit-page.ts'

// The gallery of parts, in all their colours and widths. Screens have no colour that it lacks.

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
