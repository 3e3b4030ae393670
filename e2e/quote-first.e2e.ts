import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#common/kit/locales.ts'
import { inSnow } from '#server/policies/testing.ts'
import { enter, inDays, openPortal, type Portal, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The products page of users who sell: the trip in one line, every product priced, and the way to step 2.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)
const spanish = () => wordsIn('es-ES')
const focusOn = (page: Page, name: string) => page.locator(`[name="${name}"]:focus`).waitFor()
const rows = (page: Page) => page.locator('[data-product]')
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name })

/** On such days, a trip of ten days also suits the product for snow. */
const start = inSnow(20, 10)

/** Types a ten-day trip into the line, from its first field on. */
async function typeTrip(page: Page, destination: string, ages: string): Promise<void> {
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  for (const text of [`+${start}`, '+9', '']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await focusOn(page, 'mainDestination')
  await page.keyboard.type(destination)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(ages)
  await page.keyboard.press('Enter')
  // A price that lacks the cost of the trip leads to it.
  await page.locator(':is([data-product][aria-selected=true], [name=priceTravel]):focus').waitFor()
}

/** Records every layout shift that no input caused. */
const watchShifts = `
  window.shift = 0
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })`

test('the keyboard alone leads from the products to step 2, also in French', async () => {
  const user = await portal.newUser({ chosen: 'fr-FR' })
  const { page } = user
  const [t, essential] = [wordsIn('fr-FR'), 'Voyage Essentiel']
  await page.addInitScript(watchShifts)
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, 'thaï', '34, 36, 8')
  await expectPage(rows(page)).toHaveCount(5)
  await expectPage(page.getByRole('heading', { level: 2 })).toContainText(t('quote.prices', { count: 3 }), { useInnerText: true })
  await page.keyboard.press('ArrowDown')
  const essentials = rowOf(page, essential)
  await essentials.and(page.locator('[aria-selected=true]:focus')).waitFor()
  const price = (await essentials.locator('[role=gridcell]').nth(6).innerText()).trim()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  // Each screen has one main button.
  await expectPage(page.locator('main .bg-accent:visible')).toHaveCount(1)
  await expect.poll(() => page.evaluate<number>('window.shift')).toBeLessThanOrEqual(0.02)

  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.keyboard.press('Enter')
  await focusOn(page, 'zipCode')
  expect(page.url()).toMatch(/\/funnel\?step=2$/)
  await expectPage(page.locator('main')).toContainText(price, { useInnerText: true })
  await waitUntilLoaded(page)
  expect(asked.filter(path => path === '/api/quotes' || path === '/api/quotes/compare')).toEqual([])
  // Step 1 has the same trip.
  await page.goto('/funnel?step=1')
  await expectPage(page.locator('[name=startDate]')).toHaveValue(inDays(start))
  await expectPage(page.locator('[name=ages]')).toHaveValue('34, 36, 8')
  await expectPage(page.locator('[data-product][aria-selected=true]')).toContainText(essential)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('Enter completes the cost of the trip, and goes to a missing field or to the row', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, 'taila', '34, 36, 8')
  await rowOf(page, 'Viaje Total con Cancelación').getByText(spanish()('quote.lacks_cost')).waitFor()
  await page.keyboard.press('Enter')
  await focusOn(page, 'priceTravel')
  await page.keyboard.type('2800')
  await page.keyboard.press('Enter')
  await focusOn(page, 'reservationDate')
  const date = page.locator('[name=reservationDate]')
  const row = page.locator('[data-product][aria-selected=true]:focus')
  for (const [typed, whole] of [
    ['hoy', inDays(0)],
    ['-3', inDays(-3)],
  ] as const) {
    await date.fill('')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await row.waitFor()
    await expectPage(date).toHaveValue(whole)
  }
  // A text that is not a date keeps the focus, and shows an error.
  await date.fill('nunca')
  await page.keyboard.press('Enter')
  await page.locator('[name=reservationDate][aria-invalid=true]:focus').waitFor()
  await date.fill('hoy')
  await page.keyboard.press('Enter')
  await row.waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
  // Step 1 reads the same words, even before the code for them is loaded.
  const held: Route[] = []
  await page.route('**/assets/dates-*.js', route => void held.push(route))
  await page.goto('/funnel?step=1')
  await expectPage(date).toHaveValue(inDays(0))
  await date.fill('-3')
  await page.keyboard.press('Enter')
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.continue()
  await row.waitFor()
  await expectPage(date).toHaveValue(inDays(-3))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('keys choose a product, show covers and save a quote, and their hints disappear', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = spanish()
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, 'ital', '34 36')
  await page.keyboard.press('ArrowDown')
  // The hints of the keys disappear after ten uses.
  const hints = page.locator('main p:has(kbd)').filter({ hasText: t('quote.to_choose') })
  for (let pair = 0; pair < 5; pair++) {
    await hints.waitFor()
    await page.keyboard.press('2')
    await page.keyboard.press('1')
  }
  await hints.waitFor({ state: 'detached' })
  await page.keyboard.press('2')
  // With a modifier a key belongs to the browser, and a held key counts once.
  await page.keyboard.press('Alt+1')
  await page.keyboard.press('Control+d')
  await page.keyboard.down('ArrowDown')
  await page.keyboard.down('ArrowDown')
  await page.keyboard.up('ArrowDown')
  await page.locator('[data-product]:nth-of-type(4)[aria-selected=true]:focus').waitFor()
  await page.keyboard.press('2')
  await expectPage(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('d')
  const details = page.getByRole('dialog', { name: 'Viaje Esencial' })
  await details.getByText(t('products.coverages')).waitFor()
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await rowOf(page, 'Viaje Esencial').focus()
  await page.keyboard.press('g')
  await page.locator('[name=buReference]:focus').waitFor()
  // The dialog is loaded at its first use. The results stay meanwhile, and get the focus back.
  await page.keyboard.press('Escape')
  await rowOf(page, 'Viaje Esencial').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('g')
  await page.locator('[name=buReference]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  // The next sale begins with the catalogue.
  await page.goto('/products')
  await page.getByRole('heading', { level: 2, name: 'Viaje Esencial' }).waitFor()
  await expectPage(page.locator('[name=startDate]')).toHaveValue('')
  expect(user.problems).toEqual([])
  await user.stop()
})

test.each([1440, 820, 390])('selecting another row moves no column and no other row at %i pixels', async width => {
  const user = await portal.newUser({ width })
  const { page } = user
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, 'taila', '34, 36, 8')
  await page.keyboard.press('ArrowUp')
  /** The places of the cells from the first field of the trip, as the page may scroll. */
  const boxes = () =>
    page.locator('.prices [role=row], .prices :is([role=gridcell], [role=columnheader])').evaluateAll(cells => {
      const from = document.querySelector('[data-line]')?.getBoundingClientRect()
      return cells
        .filter(cell => cell.getClientRects().length > 0)
        .map(cell => {
          const { x, y, width, height } = cell.getBoundingClientRect()
          return [x - (from?.x ?? 0), y - (from?.y ?? 0), width, height].map(each => each.toFixed(1)).join(' ')
        })
    })
  // Only a wide screen has the commission in the rows.
  await page
    .locator('.price-row .earns')
    .first()
    .waitFor({ state: width === 1440 ? 'visible' : 'hidden' })
  const before = await boxes()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key)
    await page.locator('[data-product][aria-selected=true]:focus').waitFor()
    expect(await boxes()).toEqual(before)
  }
  await user.stop()
})

test('on a phone, choosing a country closes its list, and the longest button fits', async () => {
  const user = await portal.newUser({ width: 360, chosen: 'fr-FR', touch: true })
  const { page } = user
  await enter(user, 'agent@azahar.example')
  await page.locator('[name=startDate]').fill(inDays(start))
  await page.locator('[name=endDate]').fill(inDays(start + 9))
  await page.locator('[name=mainDestination]').tap()
  await page.locator('[name=mainDestination]').fill('thaï')
  await page.getByRole('option', { name: 'Thaïlande' }).tap()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await rows(page).first().waitFor()
  await page.goto('/funnel?step=1')
  await rows(page).filter({ hasText: 'Voyage Essentiel' }).tap()
  const sell = wordsIn('fr-FR')('products.sell_named', { product: 'Voyage Essentiel' })
  const box = await page.getByRole('button', { name: sell }).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 360)).toBeLessThanOrEqual(360)
  // The footer leaves the screen to a field's keyboard.
  const foot = page.locator('[data-foot]')
  const place = () => foot.evaluate(element => getComputedStyle(element).position)
  await expect.poll(() => place()).toBe('sticky')
  await page.locator('[name=ages]').tap()
  await foot.waitFor({ state: 'hidden' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone the footer has the chosen product, and covers no field typed in', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  const t = spanish()
  await enter(user, 'agent@azahar.example')
  await typeTrip(page, 'taila', '34, 36, 8')
  const foot = page.locator('[data-foot]')
  await page.keyboard.press('ArrowUp')
  await foot.getByText('Viaje Total con Cancelación').waitFor()
  await rowOf(page, 'Viaje Esencial').click()
  const sell = foot.getByRole('button', { name: t('products.sell_named', { product: 'Viaje Esencial' }) })
  await sell.waitFor()
  await expectPage(page.locator('main .bg-accent:visible')).toHaveCount(1)
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
  await page.locator('[name=ages]').focus()
  await foot.waitFor({ state: 'hidden' })
  await page.locator('[name=ages]').blur()
  await sell.click()
  await page.waitForURL(/step=2/)
  await user.stop()
})
