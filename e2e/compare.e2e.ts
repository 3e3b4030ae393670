import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSnow } from '#server/policies/testing.ts'
import { enter, inDays, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The comparison of products: of the chosen ones on their page, and of those that suit the trip in a sale.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const dialogOf = (page: Page) => page.getByRole('dialog', { name: words()('compare.title') })

/** Returns the row with this heading. */
const rowOf = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('row').filter({ has: dialog.page().getByRole('rowheader', { name, exact: true }) })
/** Returns the texts of a row, one per product. */
const cellsOf = async (dialog: Locator, name: string): Promise<string[]> =>
  (await rowOf(dialog, name).getByRole('cell').allInnerTexts()).map(text => text.replaceAll('\u00a0', ' '))
const productsIn = async (dialog: Locator): Promise<string[]> =>
  (await dialog.getByRole('columnheader').allInnerTexts()).slice(1).map(text => text.split('\n')[0] ?? '')

const choiceOf = (page: Page, name: string): Locator =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
    .getByLabel('Comparar')

async function compareOnProducts(page: Page, ...names: string[]): Promise<Locator> {
  for (const name of names) {
    await choiceOf(page, name).check()
  }
  await page.getByRole('button', { name: words()('products.compare', { count: names.length }) }).click()
  const dialog = dialogOf(page)
  await dialog.waitFor()
  return dialog
}

/** On such days, a trip also suits the product for snow. */
const start = inSnow(20, 8)

/** Fills in a week in Italy, about three weeks from now. */
async function fillTrip(page: Page, within: Locator | Page): Promise<void> {
  await within.locator('[name=startDate]').fill(inDays(start))
  await within.locator('[name=endDate]').fill(inDays(start + 7))
  await within.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
}

test('a sale compares the products that suit its trip, and keeps what is typed there', async () => {
  // Its files are not in the browser's cache, from which they would be loaded without a connection.
  const user = await portal.newUser({ own: true })
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page, page)
  // A comparison that cannot be loaded says so and can be retried, and so can its prices.
  await page.context().setOffline(true)
  const button = page.getByRole('button', { name: t('products.compare', { count: 0 }) })
  await button.click()
  await page.getByText(t('shell.offline')).waitFor()
  await page.context().setOffline(false)
  await page.waitForFunction(() => navigator.onLine)
  // The browser remembers the failure, so the portal reloads the page. The trip is kept.
  await Promise.all([page.waitForEvent('load'), button.click()])
  await page.route('**/api/quotes/compare', route => route.fulfill({ status: 500, json: { code: 500 } }))
  await button.click()
  const dialog = dialogOf(page)
  const retry = dialog.getByRole('button', { name: t('shell.try_again') })
  await retry.waitFor()
  await expect.poll(() => cellsOf(dialog, t('compare.medical'))).toHaveLength(4)
  await page.unroute('**/api/quotes/compare')
  await retry.click()
  await expect.poll(async () => (await cellsOf(dialog, t('compare.price')))[0]).toMatch(/^\d+,\d\d €/)
  // The failures above are logged, and nothing after them.
  user.problems.length = 0
  await expect
    .poll(() => productsIn(dialog))
    .toEqual(['Viaje Esencial', 'Nieve y Esquí', 'Multiviaje Anual', 'Viaje Total con Cancelación'])
  await dialog.getByText(t('compare.choose', { count: 4, all: 8 })).click()
  const choice = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  // A fifth tick is not accepted, and the reason is shown.
  await choice('Grupos Asistencia').press('Space')
  await page
    .getByText(t('compare.choose_hint', { fewest: 2, most: 4 }))
    .nth(1)
    .waitFor()
  await expectPage(choice('Grupos Asistencia')).not.toBeChecked()
  await choice('Nieve y Esquí').uncheck()
  await choice('Grupos Asistencia').check()
  // A product that cannot be sold says why, and offers no choice.
  await expect.poll(async () => (await productsIn(dialog)).at(-1)).toBe('Grupos Asistencia')
  const refused = rowOf(dialog, t('compare.price')).getByRole('cell').last()
  await expectPage(refused).toContainText(t('compare.not_for_trip'))
  await expectPage(refused).toContainText('Este producto asegura a entre 10 y 200 viajeros; viaja una persona.')
  await expectPage(dialog.getByRole('button', { name: t('compare.choose_named', { product: 'Grupos Asistencia' }) })).toHaveCount(0)

  await dialog.locator('[name=priceTravel]').fill('900')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Enter sent nothing, and the typed price is part of the sale.
  await expectPage(page).not.toHaveURL(/step=2/)
  await button.click()
  await dialog.getByRole('button', { name: t('compare.choose_named', { product: 'Viaje Total con Cancelación' }) }).click()
  await expectPage(page.locator('[data-product][aria-selected=true]')).toContainText('Viaje Total con Cancelación')
  await expectPage(page.locator('[name=priceTravel]')).toHaveValue('900,00')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the comparison works by keyboard alone, also on a phone', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example')
  const dialog = await compareOnProducts(page, 'Viaje Esencial', 'Viaje Total con Cancelación', 'Solo Cancelación')
  const area = dialog.getByRole('group', { name: t('compare.title') })
  await area.focus()
  const scrolled = () => area.evaluate(({ scrollTop }) => scrollTop > 0)
  await expect.poll(() => scrolled()).toBe(false)
  await page.keyboard.press('End')
  await expect.poll(scrolled).toBe(true)
  // The products of a row are below each other, with their names, and nothing is wider than the phone.
  const cells = rowOf(dialog, t('compare.medical')).getByRole('cell')
  await expectPage(cells.getByText('Viaje Esencial', { exact: true })).toBeVisible()
  await expectPage(cells).toHaveCount(3)
  await expect.poll(() => area.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectPage(dialog.locator('details').first()).not.toHaveAttribute('open')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expectPage(dialog.getByRole('checkbox', { name: t('compare.only_differences') })).toBeChecked()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await user.stop()
})
