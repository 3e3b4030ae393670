import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { enter, openPortal, type Portal, seedAzahar, waitUntilLoaded } from '../browser.ts'

// Pages on A4 are black on white, without bars and buttons.

let portal: Portal
let sold = ''
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 20)
  sold = (await sellAs(await sellerOf(inProcess(portal.app)))).body.data.policyData.policyUuid
})
afterAll(() => portal.stop())

/** Returns the controls that are still printed. Headings of a table and the names in it are left out, though they are buttons. */
const pressed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, a.select-none, [type=checkbox], aside, nav, header + header, .places, [data-foot]')]
      .filter(each => each.checkVisibility() && !each.closest('th, td') && !each.matches('[role=tab][aria-selected=true]'))
      .map(each => each.outerHTML.slice(0, 120)),
  )

test.each([
  ['a policy', () => `/policies?policy=${sold}&as=page`, '#main h2'],
  ['a policy beside its list', () => `/policies?policy=${sold}`, '[data-panel] h2'],
  ['the products', () => '/products', '#main h2'],
  ['the earnings', () => '/earnings', '#main table'],
  ['a statement', () => '/earnings?tab=statements', '#main h1'],
])('on paper %s is black on white, without bars and buttons', async (_name, path, shown) => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  await page.goto(path())
  await page.locator(shown).first().waitFor({ state: 'attached' })
  await waitUntilLoaded(page)
  const style = page.waitForResponse(/later-parts-.*\.css/)
  await page.keyboard.press('Shift')
  await (await style).finished()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 688, height: 1000 })
  expect(await pressed(page)).toEqual([])
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body)
        return [backgroundColor, color, document.documentElement.scrollWidth > window.innerWidth]
      }),
    )
    .toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', false])
  expect(user.problems).toEqual([])
  await user.stop()
})
