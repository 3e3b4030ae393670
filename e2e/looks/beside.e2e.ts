import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityOf, enter, openPortal, type Portal, seedAzahar, waitUntilLoaded } from '../browser.ts'

// A row's details beside its list, and the bar of the selected rows.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 60)
})
afterAll(() => portal.stop())
const panelOf = (page: Page) => page.locator('[data-panel]')
const rowAt = (page: Page, index: number) => page.locator('tbody:not(.opacity-50) tr[tabindex]').nth(index)

test('beside an open panel at 1440 pixels, no tab and no row of the list is covered', async () => {
  const user = await portal.newUser({ chosen: 'es-ES', width: 1440 })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration')
  for (const path of [...['units', 'users', 'accounts', 'audit'].map(tab => `/administration?tab=${tab}`), '/policies']) {
    await page.goto(path)
    await rowAt(page, 1).waitFor()
    await waitUntilLoaded(page)
    await rowAt(page, 1).click()
    await panelOf(page).getByRole('heading', { level: 2 }).waitFor()
    // The panel has slid in completely, except for the width of a scrollbar.
    const panelX = async () => (await panelOf(page).boundingBox())?.x ?? 0
    await expect.poll(panelX, { message: path }).toBeLessThanOrEqual(880)
    const edge = await panelX()
    for (const part of [page.locator('#main [role=tablist]').first(), page.locator('#main tbody').first(), rowAt(page, 1)]) {
      const box = await part.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(edge)
    }
    await expect.poll(() => page.locator('#main').evaluate(main => main.scrollWidth - main.clientWidth), { message: path }).toBe(0)
    // The last tab can be pressed.
    const tab = page.locator('#main [role=tab]').last()
    await tab.scrollIntoViewIfNeeded()
    await tab.click({ trial: true, timeout: 5000 })
    expect(await accessibilityOf(page), path).toEqual([])
  }
  // On a tablet the panel takes two thirds, and the list the rest.
  await page.setViewportSize({ width: 820, height: 900 })
  await expect.poll(async () => (await panelOf(page).boundingBox())?.x).toBeLessThanOrEqual(260)
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})
