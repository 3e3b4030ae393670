import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#common/kit/locales.ts'
import { openScreen, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { inSnow } from '#server/policies/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const wordsIn = (locale: Locale) => app.world.words(locale)
const spanish = () => wordsIn('es-ES')
const focusOn = (page: Screen, name: string) => page.locator(`[name="${name}"]:focus`).waitFor()
const rows = (page: Screen) => page.locator('[data-product]')
const rowOf = (page: Screen, name: string) => rows(page).filter({ hasText: name })
const namesOf = (page: Screen) => page.locator('[data-product] [role=gridcell]:nth-child(2) p:first-child')
const namesIn = (page: Screen): Promise<string[]> => namesOf(page).allTextContents()

/** Types ten days into the line, from its first field on. Then a trip suits the product for snow, too. */
async function typeTrip(page: Screen, destination: string, ages: string): Promise<void> {
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  for (const text of [`+${inSnow(20, 10)}`, '+9', '']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await focusOn(page, 'mainDestination')
  await page.keyboard.type(destination)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(ages)
  await page.keyboard.press('Enter')
  await page.locator('[data-product][aria-selected=true]:focus').waitFor()
}

test('a missing detail of a price is asked in its row, and prices every product that needs it', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'taila', '34, 36, 8')
  const total = rowOf(page, 'Viaje Total con Cancelación')
  await total.getByText(t('quote.lacks_cost')).waitFor()
  await page.keyboard.press('Enter')
  await focusOn(page, 'priceTravel')
  // In a field the keys are text.
  await page.keyboard.type('39d2')
  await expectScreen(page.locator('[name=priceTravel]')).toHaveValue('39d2')
  await expectScreen(total).toHaveAttribute('aria-selected', 'true')
  await page.getByText(t('quote.by_price'), { exact: true }).click()
  const unpriced = await namesIn(page)
  await total.click()
  await page.locator('[name=priceTravel]').fill('3900')
  await page.keyboard.press('Tab')
  await page.keyboard.type('-3')
  await page.keyboard.press('Shift+Tab')
  // While a field of the row has the focus, no row moves.
  await total.getByText('3.900 €').waitFor()
  await page.locator('.prices[aria-busy=false]').waitFor()
  await expect.poll(() => namesIn(page)).toEqual(unpriced)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expectScreen(page.getByRole('heading', { level: 2 })).toContainText(t('quote.prices', { count: 4 }))
  await total.getByText('3.900 €').waitFor()
  await expectScreen(rowOf(page, 'Solo cancelación')).toHaveText(/\d+,\d\d\s€/)

  await expect.poll(() => namesIn(page)).toEqual(['Viaje Esencial', 'Cancelación', 'Nieve y Esquí', 'Viaje Total con Cancelación'])
  await page.getByText(t('quote.by_commission'), { exact: true }).click()
  await expectScreen(namesOf(page).first()).toHaveText('Viaje Total con Cancelación')
  // The order is remembered, and so is the trip.
  await page.reload()
  await rows(page).first().waitFor()
  await expectScreen(page.getByRole('radio', { name: t('quote.by_commission') })).toBeChecked()
  await total.click()
  // The covers of a row have no second button to sell.
  await page.getByRole('button', { name: t('quote.covers') }).click()
  await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor()
  await expectScreen(page.locator('dialog a[href*="/funnel"]')).toHaveCount(0)
  await page.keyboard.press('Escape')
  // A phone has a second one at its foot.
  await page
    .getByRole('button', { name: t('products.sell_named', { product: 'Viaje Total con Cancelación' }) })
    .first()
    .click()
  await page.waitForURL(/step=2/)
})

test('a product that is not for this trip says why, and leads to the field that mends it', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  // A page just opened has the words of its refusals: one without them would be logged as an error.
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  await page.keyboard.type('20112020')
  await page.keyboard.press('Tab')
  await page.locator('[data-line] [name=startDate][aria-invalid=true]').waitFor()
  await page.locator('[name=startDate]').fill('')
  await page.locator('[name=startDate]').blur()
  await typeTrip(page, 'taila', '2x')
  const refused = page.getByRole('region', { name: t('compare.not_for_trip') }).getByRole('listitem')
  const groups = refused.filter({ hasText: 'Grupos Asistencia' })
  await groups.getByText('Este producto asegura de 10 a 200 viajeros').waitFor()
  await groups.getByRole('button', { name: t('quote.mend_travellers') }).click()
  await focusOn(page, 'ages')
  await page.keyboard.type('20x')
  await rowOf(page, 'Grupos Asistencia').waitFor()
  // A product for groups fits a group best. Prices without ages say that they may change, whatever else is missing.
  await expectScreen(namesOf(page).first()).toHaveText('Grupos Asistencia')
  const heading = page.locator('main h2')
  await heading.getByText(t('quote.provisional')).waitFor()
  await heading.getByText(t('quote.lacking', { count: 1 })).waitFor()
  // A text that is neither ages nor a number is refused with both forms, and stays.
  await page.locator('[name=ages]').fill('forty')
  await page.keyboard.press('Tab')
  await page.getByText(t('validation.travellers')).waitFor()
  await expectScreen(page.locator('[name=ages]')).toHaveValue('forty')
  await page.locator('[name=ages]').fill('20x')
  await page.getByText(t('validation.travellers')).waitFor({ state: 'detached' })
  await refused
    .filter({ hasText: 'Escapada' })
    .getByRole('button', { name: t('quote.mend_to') })
    .click()
  await focusOn(page, 'mainDestination')
  await page.keyboard.press('Tab')
  await page.keyboard.type('3x')
  // A trip that every product refuses says so at its field.
  await page.locator('[name=startDate]').fill('01/01/2020')
  await page.keyboard.press('Tab')
  await page.locator('[name=startDate][aria-invalid=true]').waitFor()
  await page.getByText(t('quote.unfinished')).waitFor()
  await page.locator('[data-product]').getByText('€').first().waitFor()
})

test('a lone number of the line is an age, and one press reads it as a count', async () => {
  const t = wordsIn('fr-FR')
  const page = await openScreen(app, '/products', agent, { language: 'fr-FR' })
  const ages = page.locator('[name=ages]')
  await page.getByText(t('line.count', { count: 1 }), { exact: true }).waitFor()
  await ages.fill('17')
  const [one, many] = [t('line.lone_age', { age: 17 }), t('line.count', { count: 17 })]
  await page.getByRole('button', { name: t('line.read_otherwise', { read: one, otherwise: many, other: '17x' }) }).click()
  await expectScreen(ages).toHaveValue('17x')
  const back = page.getByRole('button', { name: t('line.read_otherwise', { read: many, otherwise: one, other: '17' }) })
  await back.waitFor()
  // Step 1 has the same trip, and reads the same text.
  await page.goto('/funnel?step=1')
  const travelers = page.locator('[name=travelers]')
  await expectScreen(travelers).toHaveValue('17')
  await ages.fill('18')
  await expectScreen(travelers).toHaveValue('1')
  await ages.fill('40x16')
  await expectScreen(travelers).toHaveValue('40')
  await ages.fill('12x')
  await page.keyboard.press('Tab')
  await expectScreen(ages).toHaveValue('')
  await expectScreen(travelers).toHaveValue('12')
})

test('commission is hidden while the client looks on, on every page and in its order', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await page.getByText(t('products.commission', { percent: 28 })).waitFor()
  await typeTrip(page, 'taila', '40')
  const byFit = await namesIn(page)
  await page.getByText(t('quote.by_commission'), { exact: true }).click()
  await expect.poll(() => namesIn(page)).not.toEqual(byFit)
  await rows(page).first().focus()
  await page.keyboard.press('Control+.')
  await page.getByText(t('keys.commission_hidden')).waitFor()
  await expect.poll(() => namesIn(page)).toEqual(byFit)
  await expectScreen(page.getByRole('radio', { name: t('quote.by_fit') })).toBeChecked()
  await expectScreen(page.locator('main')).not.toHaveText(/comisión/i)
  await page.reload()
  await rows(page).first().waitFor()
  await expectScreen(page.locator('main')).not.toHaveText(/comisión/i)
  await page.keyboard.press('Control+.')
  await page.getByRole('columnheader', { name: t('quote.your_commission') }).waitFor()
})
