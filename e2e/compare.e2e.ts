import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSnow } from '#server/policies/testing.ts'
import { accessibilityOf, enter, inDays, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The comparison of products: of the chosen ones on their page, and of those that suit the trip in a sale.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
const dialogOf = (page: Page) => page.getByRole('dialog', { name: words()('compare.title') })

/** Returns the row with this head. */
const rowOf = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('row').filter({ has: dialog.page().getByRole('rowheader', { name, exact: true }) })
/** Returns the texts of a row, one for each product. */
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

/** In so many days a trip suits the product for snow, too. */
const start = inSnow(20, 8)

/** Fills in a week in Italy, about three weeks from now. */
async function fillTrip(page: Page, within: Locator | Page): Promise<void> {
  await within.locator('[name=startDate]').fill(inDays(start))
  await within.locator('[name=endDate]').fill(inDays(start + 7))
  await within.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
}

test('products are compared by covers, and what their prices lack is asked in the comparison', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example')
  // Pressed too early, the button leads to the first product that can be ticked.
  await page.getByRole('button', { name: t('products.compare', { count: 0 }) }).click()
  await page.getByText(t('products.compare_more')).waitFor()
  await page.locator('[name=compare]:focus').waitFor()
  const dialog = await compareOnProducts(page, 'Viaje Total con Cancelación', 'Viaje Esencial', 'Cancelación')
  await expect.poll(() => productsIn(dialog)).toEqual(['Viaje Esencial', 'Viaje Total con Cancelación', 'Cancelación'])
  // The same cover has two names in these products, and the third has no such cover.
  const repatriation = await cellsOf(dialog, t('compare.repatriation'))
  expect(repatriation[1]).toBe('Repatriación sanitaria\nilimitado')
  expect(repatriation[2]).toBe(t('compare.not_covered'))
  await expectPage(dialog.getByRole('rowheader')).toHaveCount(11)
  await expect
    .poll(() => cellsOf(dialog, t('compare.price')))
    .toEqual([
      expect.stringMatching(/^–\s+28 % de comisión/),
      expect.stringMatching(/^–\s+30 % de comisión/),
      expect.stringMatching(/^–\s+25 % de comisión/),
    ])

  await fillTrip(page, dialog)
  const price = (column: number) => cellsOf(dialog, t('compare.price')).then(cells => cells[column] ?? '')
  await expect.poll(() => price(0)).toMatch(/^\d+,\d\d €\s+Su comisión: \d+,\d\d € \(28 %\)\s+Provisional/)
  // The cheapest stands first, and those that lack the price of the trip ask for it in one column.
  await expect.poll(() => productsIn(dialog)).toEqual(['Viaje Esencial', 'Viaje Total con Cancelación', 'Cancelación'])
  await expect.poll(() => price(2)).toContain('Indique el precio del viaje y la fecha de reserva en Viaje Total con Cancelación.')
  await expectPage(dialog.getByText(t('compare.not_for_trip'))).toHaveCount(0)
  await dialog.locator('[name=priceTravel]').fill('2400')
  await dialog.locator('[name=reservationDate]').fill(inDays(-1))
  await expect.poll(() => price(1)).toMatch(/^\d+,\d\d €/)
  await expect.poll(() => price(2)).toMatch(/^\d+,\d\d €/)
  // The columns stay while the focus is in their field.
  await expectPage(dialog.locator('[name=reservationDate]')).toBeFocused()
  await dialog.getByText(t('compare.only_differences')).click()
  await dialog.getByText(t('compare.choose', { count: 3, all: 8 })).click()
  expect(await accessibilityOf(page)).toEqual([])

  await dialog.getByRole('link', { name: t('products.sell_named', { product: 'Cancelación' }), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: t('funnel.step1') }).waitFor()
  await expectPage(page.locator('[name=productUUID] option:checked')).toHaveText('Cancelación')
  await expectPage(page.locator('[name=priceTravel]')).toHaveValue('2.400,00')
  await expectPage(page.locator('[name=startDate]')).toHaveValue(inDays(start))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a sale compares the products that suit its trip, and takes over what is typed there', async () => {
  // Its files are not in the browser's cache, from which they would be loaded without a connection.
  const user = await portal.newUser({ own: true })
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page, page)
  // A comparison that cannot be loaded says so and can be tried again, and so can its prices.
  await page.context().setOffline(true)
  const button = page.getByRole('button', { name: t('funnel.compare') })
  await button.click()
  await page.getByText(t('shell.offline')).waitFor()
  await page.context().setOffline(false)
  await page.waitForFunction(() => navigator.onLine)
  // The browser remembers the failure, so the portal loads the page again. The trip is kept.
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
  await expect.poll(() => productsIn(dialog)).toEqual(['Viaje Esencial', 'Nieve y Esquí', 'Viaje Total con Cancelación', 'Cancelación'])
  await dialog.getByText(t('compare.choose', { count: 4, all: 8 })).click()
  const choice = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  // A fifth tick is not taken, and the reason is said.
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
  await expectPage(refused).toContainText('Este producto asegura de 10 a 200 viajeros; ha pedido 1.')
  await expectPage(dialog.getByRole('button', { name: t('compare.choose_named', { product: 'Grupos Asistencia' }) })).toHaveCount(0)

  await dialog.locator('[name=priceTravel]').fill('900')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Enter sent nothing, and the typed price is part of the sale.
  await expectPage(page).not.toHaveURL(/step=2/)
  await button.click()
  await dialog.getByRole('button', { name: t('compare.choose_named', { product: 'Viaje Total con Cancelación' }) }).click()
  await expectPage(page.locator('[name=productUUID] option:checked')).toHaveText('Viaje Total con Cancelación')
  await expectPage(page.locator('[name=priceTravel]')).toHaveValue('900,00')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the comparison is used by the keyboard alone, also on a phone', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example')
  const dialog = await compareOnProducts(page, 'Viaje Esencial', 'Viaje Total con Cancelación', 'Cancelación')
  const area = dialog.getByRole('group', { name: t('compare.title') })
  await area.focus()
  const scrolled = () => area.evaluate(({ scrollTop }) => scrollTop > 0)
  await expect.poll(() => scrolled()).toBe(false)
  await page.keyboard.press('End')
  await expect.poll(scrolled).toBe(true)
  // The products of a row stand below each other, named, and nothing is wider than the phone.
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

test('a user who may not sell compares the covers without prices and commissions', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'viewer@azahar.example')
  // Without a button to sell, the one for the details stands at the edge of its card.
  const card = page
    .locator('#main li')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .first()
  const [icon, details] = [await card.locator('header > span').boundingBox(), await card.locator('footer button').first().boundingBox()]
  expect(details?.x).toBe(icon?.x)
  // Only what tells the products apart is shown on request, and the rest in one line.
  const two = await compareOnProducts(page, 'Viaje Esencial', 'Escapada')
  const alike = rowOf(two, t('compare.alike'))
  const luggage = two.getByRole('rowheader', { name: new RegExp(`^${t('compare.luggage')}`) })
  await expectPage(luggage).toContainText(t('compare.alike'), { useInnerText: true })
  await expectPage(alike).toHaveCount(0)
  await two.getByRole('checkbox', { name: t('compare.only_differences') }).check()
  await expectPage(luggage).toHaveCount(0)
  await expectPage(alike).toContainText(t('compare.luggage'), { useInnerText: true })
  const [essential = '', home = ''] = await cellsOf(two, t('compare.medical'))
  expect(essential).toMatch(/^Gastos médicos, Europa\s+≠\s+Distinto:\s+60\.000 €/)
  expect(home).toBe(t('compare.alike'))
  await page.keyboard.press('Escape')
  await two.waitFor({ state: 'detached' })
  await choiceOf(page, 'Escapada').uncheck()
  const dialog = await compareOnProducts(page, 'Viaje Esencial', 'Cancelación')
  await expectPage(dialog.getByRole('rowheader').first()).toHaveText(t('compare.cancellation'), { useInnerText: true })
  await expectPage(dialog.getByText(/comisión/)).toHaveCount(0)
  await expectPage(dialog.locator('[name=startDate], [name=priceTravel]')).toHaveCount(0)
  await expectPage(dialog.getByRole('link')).toHaveCount(0)
  expect(user.problems).toEqual([])
  await user.stop()
})
