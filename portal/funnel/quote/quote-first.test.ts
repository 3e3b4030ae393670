import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, displayDate, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { answer, fieldsOf, openScreen, refusal, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import type { Locator } from '#portal/screen/testing-locator.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { inSnow } from '#server/policies/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
const wordsIn = (locale: Locale) => app.world.words(locale)
const spanish = () => wordsIn('es-ES')
const focusOn = (page: Screen, name: string) => page.locator(`[name="${name}"]:focus`).waitFor()
const rows = (page: Screen) => page.locator('[data-product]')
const rowOf = (page: Screen, name: string) => rows(page).filter({ hasText: name })
const namesOf = (page: Screen) => page.locator('[data-product] [role=gridcell]:nth-child(2) p:first-child')
const namesIn = (page: Screen): Promise<string[]> => namesOf(page).allTextContents()

/** On such days, a trip of ten days also suits the product for snow. */
const start = inSnow(20, 10)

/** Types a ten-day trip into the line, from its first field on. */
async function typeTrip(page: Screen, destination: string, ages: string): Promise<void> {
  await page.keyboard.press('n')
  await fillTrip(page, destination, ages)
}

/** Types a trip once its first field has the focus. */
async function fillTrip(page: Screen, destination: string, ages: string): Promise<void> {
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

test('a missing detail is asked in the second line of the trip, and prices all products that need it', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'taila', '34, 36, 8')
  const total = rowOf(page, 'Viaje Total con Cancelación')
  await total.getByText(t('quote.lacks_cost')).waitFor()
  await page.keyboard.press('Enter')
  await focusOn(page, 'priceTravel')
  // In a field, the shortcut keys are text.
  await page.keyboard.type('39d2')
  await expectScreen(page.locator('[name=priceTravel]')).toHaveValue('39d2')
  await expectScreen(total).toHaveAttribute('aria-selected', 'true')
  await page.getByText(t('quote.by_price'), { exact: true }).click()
  await total.click()
  await page.locator('[name=priceTravel]').fill('3900')
  await page.keyboard.press('Tab')
  await page.keyboard.type('-3')
  await page.keyboard.press('Shift+Tab')
  await total.getByText('3.900 €').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expectScreen(page.getByRole('heading', { level: 2 })).toContainText(t('quote.prices', { count: 5 }))
  await total.getByText('3.900 €').waitFor()
  await expectScreen(rowOf(page, 'Solo cancelación')).toHaveText(/\d+,\d\d\s€/)

  await expect
    .poll(() => namesIn(page))
    .toEqual(['Viaje Esencial', 'Solo Cancelación', 'Nieve y Esquí', 'Viaje Total con Cancelación', 'Multiviaje Anual'])
  await page.getByText(t('quote.by_commission'), { exact: true }).click()
  await expectScreen(namesOf(page).first()).toHaveText('Multiviaje Anual')
  // The order and the trip are restored.
  await page.reload()
  await rows(page).first().waitFor()
  await expectScreen(page.getByRole('radio', { name: t('quote.by_commission') })).toBeChecked()
  await total.click()
  // The covers of a row have no second button to sell.
  await page.getByRole('button', { name: t('quote.covers') }).click()
  await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor()
  await expectScreen(page.locator('dialog a[href*="/funnel"]')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('products.sell_named', { product: 'Viaje Total con Cancelación' }) }).click()
  await page.waitForURL(/step=2/)
})

test('arrows lead from the cost of the trip to the rows, and a row chosen by them is sold', async () => {
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'taila', '34')
  await focusOn(page, 'priceTravel')
  const selected = page.locator('[data-product][aria-selected=true]:focus')
  // There is no row above the first.
  await page.keyboard.press('ArrowUp')
  await expectScreen(selected).toContainText('Viaje Total con Cancelación')
  await page.keyboard.press('Enter')
  await focusOn(page, 'priceTravel')
  await page.keyboard.press('ArrowDown')
  await expectScreen(selected).toContainText('Viaje Esencial')
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
})

test('a product that refuses the trip says all its reasons in one sentence', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  // A freshly opened page has the messages of its refusals; a missing one would be logged as an error.
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  await page.keyboard.type('20112020')
  await page.keyboard.press('Tab')
  await page.locator('[data-line] [name=startDate][aria-invalid=true]').waitFor()
  await page.locator('[name=startDate]').fill('')
  await page.locator('[name=startDate]').blur()
  await typeTrip(page, 'taila', '2x')
  const refused = page.getByRole('region', { name: t('compare.not_for_trip') }).getByRole('listitem')
  await refused.filter({ hasText: 'Grupos Asistencia' }).getByText('Este producto asegura a entre 10 y 200 viajeros').waitFor()
  await page.locator('[name=ages]').fill('20x')
  await rowOf(page, 'Grupos Asistencia').waitFor()
  // A product for groups suits a group best. Prices without ages say that they may change, whatever else is missing.
  await expectScreen(namesOf(page).first()).toHaveText('Grupos Asistencia')
  const heading = page.locator('main h2')
  await heading.getByText(t('quote.provisional')).waitFor()
  await heading.getByText(t('quote.lacking', { count: 1 })).waitFor()
  // A change of dates does not help, so none is offered.
  const home = refused.filter({ hasText: 'Escapada' })
  await home.getByText(/^Solo para viajes a España; además, .*este producto asegura a entre 1 y 9 viajeros; viajan 20\.$/).waitFor()
  await expectScreen(home.getByRole('button')).toHaveCount(0)
  // A text that is neither ages nor a number is refused with an example of both, and kept.
  await page.locator('[name=ages]').fill('forty')
  await page.keyboard.press('Tab')
  await page.getByText(t('validation.travellers')).waitFor()
  await expectScreen(page.locator('[name=ages]')).toHaveValue('forty')
  await page.locator('[name=ages]').fill('3x')
  await page.getByText(t('validation.travellers')).waitFor({ state: 'detached' })
  // A trip that every product refuses has the message at its field.
  await page.locator('[name=startDate]').fill('01/01/2020')
  await page.keyboard.press('Tab')
  await page.locator('[name=startDate][aria-invalid=true]').waitFor()
  await page.getByText(t('quote.unfinished')).waitFor()
  await page.locator('[data-product]').getByText('€').first().waitFor()
})

test('a button changes the dates where that is enough, chooses the product, and can be undone', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'ital', '20')
  const [endDate, studies] = [page.locator('[name=endDate]'), 'Estudios y Larga Estancia']
  const selected = page.locator('[data-product][aria-selected=true]')
  await expectScreen(selected).toContainText('Viaje Total con Cancelación')
  const later = inDays(start + 27)
  const cure = page
    .getByRole('listitem')
    .filter({ hasText: studies })
    .getByRole('button', { name: t('quote.return_on', { date: later }) })
  await cure.click()
  await expectScreen(endDate).toHaveValue(later)
  await expectScreen(selected).toContainText(studies)
  await expectScreen(selected).toHaveText(/\d,\d\d\s€/)
  const undo = page.getByRole('button', { name: t('funnel.undo') })
  await undo.click()
  await expectScreen(endDate).toHaveValue(inDays(start + 9))
  await expectScreen(selected).toContainText('Viaje Total con Cancelación')
  // After another change, undo would overwrite that.
  await cure.click()
  await undo.waitFor()
  await page.locator('[name=ages]').fill('21')
  await undo.waitFor({ state: 'detached' })
  await expectScreen(endDate).toHaveValue(later)
})

test('another row keeps the focus in the rows after the sale had come to step 2', async () => {
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'ital', '34')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
  await page.goto('/funnel?step=1')
  await rows(page).nth(1).focus()
  for (const digit of ['2', '3']) {
    await page.keyboard.press(digit)
    await rows(page)
      .nth(Number(digit) - 1)
      .and(page.locator('[aria-selected=true]:focus'))
      .waitFor()
  }
  // After a look at the comparison, the focus is on its button.
  const compare = page.getByRole('button', { name: spanish()('products.compare', { count: 0 }) })
  await compare.click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
  await expectScreen(compare).toBeFocused()
  await expectScreen(rows(page).nth(2)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
})

test('a birth date has another age after the trip’s first day has moved', async () => {
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'ital', '33')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
  // Two days after the trip begins, they are 34.
  const born = addMonths(addDays(today(new Date(), 'Europe/Madrid'), start + 2), -34 * 12)
  await page.locator('[name=birthDate]').fill(displayDate(born) ?? '')
  await page.keyboard.press('Tab')
  await page.goto('/funnel?step=1')
  await expectScreen(page.locator('[name=ages]')).toHaveValue('33')
  await page.locator('[name=startDate]').fill(inDays(start + 3))
  await page.keyboard.press('Tab')
  await expectScreen(page.locator('[name=ages]')).toHaveValue('34')
  await rowOf(page, 'Viaje Esencial').click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
  await page.locator('[name=birthDate]').waitFor()
  await expectScreen(page.getByText(spanish()('funnel.age_differs', { age: 34, given: 33 }))).toHaveCount(0)
})

test('the annual product has a price beside the single trip, and is sold with its own dates', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'taila', '34')
  const annual = rowOf(page, 'Multiviaje Anual')
  const first = addDays(today(new Date(), 'Europe/Madrid'), Math.min(start, 60))
  const [from, to] = [first, addDays(addMonths(first, 12), -1)].map(day => displayDate(day) ?? '')
  await annual.getByText(t('compare.term', { from: from ?? '', to: to ?? '' })).waitFor()
  const price = await annual.locator('[role=gridcell]').last().textContent()
  await annual.click()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/step=2$/)
  await page.getByText(t('funnel.line.term', { from: from ?? '', to: to ?? '', months: 12 })).waitFor()
  await expectScreen(page.locator('[name=total]')).toHaveText(price)
  // The typed trip is kept.
  await page.getByRole('link', { name: t('funnel.edit_trip') }).click()
  await page.waitForURL(/step=1$/)
  await expectScreen(page.locator('[name=startDate]')).toHaveValue(inDays(start))
  await expectScreen(page.locator('[name=endDate]')).toHaveValue(inDays(start + 9))
  await expectScreen(page.locator('[data-product][aria-selected=true]')).toContainText('Multiviaje Anual')
})

test('the product that suits best is selected, unless one was chosen in this sale', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  const selected = page.locator('[data-product][aria-selected=true]')
  const [total, essential] = ['Viaje Total con Cancelación', 'Viaje Esencial']
  await typeTrip(page, 'taila', '34')
  await expectScreen(selected).toContainText(total)
  await rowOf(page, essential).click()
  await expectScreen(selected).toContainText(essential)
  // The choice is kept with the sale, and ends with it.
  await page.goto('/policies')
  await page.goto('/products')
  await expectScreen(selected).toContainText(essential)
  await page.getByRole('button', { name: t('funnel.start_over') }).click()
  await fillTrip(page, 'taila', '34')
  await expectScreen(selected).toContainText(total)
  // Opening the sale chooses nothing.
  await page.goto('/funnel')
  await page.goto('/products')
  await expectScreen(selected).toContainText(total)
})

test('a chosen product that refuses the trip stays chosen, with its reason, and is not sold', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  await typeTrip(page, 'taila', '34')
  await rowOf(page, 'Viaje Esencial').click()
  await page.locator('[name=ages]').fill('20x')
  await page.locator('[name=ages]').press('Enter')
  const selected = page.locator('[data-product][aria-selected=true]:focus')
  await selected.getByText(t('compare.not_for_trip')).waitFor()
  await expectScreen(selected).toContainText('Viaje Esencial')
  await page.getByText(/asegura a entre 1 y 9 viajeros; viajan 20/).waitFor()
  await page.keyboard.press('Enter')
  await expectScreen(page.getByRole('button', { name: t('products.sell_named', { product: 'Viaje Esencial' }) })).toHaveCount(0)
  expect(page.url()).toMatch(/\/products/)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)
  // Step 2 has as many people as are travelling, of the product that was chosen last.
  await page.getByText('Grupos Asistencia').waitFor()
})

test('a lone number in the line is an age, and one press makes it a count', async () => {
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
  // Step 1 has the same line.
  await page.goto('/funnel?step=1')
  await expectScreen(ages).toHaveValue('17x')
})

test('commission is hidden while the client can see the screen, on every page', async () => {
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

test('prices that cannot be loaded are requested again, and the latest response wins', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  const restore = answer(page, '/api/quotes/compare', () => refusal(500, 'internal', 'no'))
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  await page.locator('[name=startDate]').fill(inDays(start))
  await page.locator('[name=endDate]').fill(inDays(start + 7))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Tab')
  const retry = page.getByRole('button', { name: t('shell.try_again') })
  await retry.waitFor()
  // Without prices, none is called final or provisional.
  await expectScreen(page.locator('main h2')).toHaveText(t('quote.prices', { count: 0 }))
  restore()
  await retry.click()
  await rows(page).first().waitFor()
  const essential = rowOf(page, 'Viaje Esencial').locator('[role=gridcell]').nth(6)
  const forOne = await essential.textContent()
  // The response for one traveller comes before that for two.
  const held = Promise.withResolvers<undefined>()
  const sent: number[] = []
  const replied: number[] = []
  answer(page, '/api/quotes/compare', async (init, send) => {
    const paxNumber = Number(fieldsOf(init)['paxNumber'])
    sent.push(paxNumber)
    if (paxNumber === 2) await held.promise
    const reply = await send()
    replied.push(paxNumber)
    return reply
  })
  await page.locator('[name=ages]').fill('2x')
  await expect.poll(() => sent).toEqual([2])
  // Until then, the prices for one are marked as such.
  await page.locator('.prices[aria-busy=true]').waitFor()
  await page
    .locator('th[scope=col], [role=columnheader]')
    .filter({ hasText: t('quote.price_for', { count: 1 }) })
    .first()
    .waitFor()
  await page.locator('[name=ages]').fill('3x')
  await expectScreen(essential).not.toHaveText(forOne)
  const forThree = await essential.textContent()
  held.resolve(undefined)
  await expect.poll(() => replied).toContain(2)
  await expectScreen(essential).toHaveText(forThree)
})

const productNames = ['Viaje Esencial', 'Viaje Total con Cancelación', 'Solo Cancelación', 'Escapada']
/** Returns the row with this heading. */
const comparedBy = (dialog: Locator, name: string): Locator => dialog.getByRole('rowheader', { name, exact: true }).locator('..')
/** Returns the texts of a row, one per product, without its name, which a phone shows. */
const cellsOf = async (dialog: Locator, name: string): Promise<string[]> =>
  (await comparedBy(dialog, name).getByRole('cell').allTextContents()).map(text => {
    const product = productNames.find(each => text.startsWith(each)) ?? ''
    return text.slice(product.length).replaceAll('\u00a0', ' ')
  })
const productsIn = async (dialog: Locator): Promise<string[]> =>
  (await dialog.locator('thead th').allTextContents()).flatMap(text => productNames.filter(name => text.startsWith(name)))
const choiceOf = (page: Screen, name: string): Locator =>
  page.getByRole('heading', { level: 2, name, exact: true }).locator('..').locator('..').getByLabel('Comparar')
async function compareOnProducts(page: Screen, ...names: string[]): Promise<Locator> {
  for (const name of names) await choiceOf(page, name).check()
  await page.getByRole('button', { name: spanish()('products.compare', { count: names.length }) }).click()
  const dialog = page.getByRole('dialog', { name: spanish()('compare.title') })
  await dialog.waitFor()
  return dialog
}

test('products are compared by covers, and missing data of prices is asked for', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  // Pressed too early, the button focuses the first product that can be ticked.
  await page.getByRole('button', { name: t('products.compare', { count: 0 }) }).click()
  await page.getByText(t('products.compare_more')).waitFor()
  await page.locator('[name=compare]:focus').waitFor()
  const dialog = await compareOnProducts(page, 'Viaje Total con Cancelación', 'Viaje Esencial', 'Solo Cancelación')
  await expect.poll(() => productsIn(dialog)).toEqual(['Viaje Esencial', 'Viaje Total con Cancelación', 'Solo Cancelación'])
  // The same cover has two names in these products, and the third has no such cover.
  const repatriation = await cellsOf(dialog, t('compare.repatriation'))
  expect(repatriation[1]).toBe('Repatriación sanitariasin límite')
  expect(repatriation[2]).toBe(t('compare.not_covered'))
  await expectScreen(dialog.getByRole('rowheader')).toHaveCount(11)
  await expect
    .poll(() => cellsOf(dialog, t('compare.price')))
    .toEqual([
      expect.stringMatching(/^–\s*28 % de comisión/),
      expect.stringMatching(/^–\s*30 % de comisión/),
      expect.stringMatching(/^–\s*25 % de comisión/),
    ])

  await dialog.locator('[name=startDate]').fill(inDays(start))
  await dialog.locator('[name=endDate]').fill(inDays(start + 7))
  await dialog.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
  const price = (column: number) => cellsOf(dialog, t('compare.price')).then(cells => cells[column] ?? '')
  await expect.poll(() => price(0)).toMatch(/^\d+,\d\d €\s*Su comisión: \d+,\d\d € \(28 %\)\s*Provisional/)
  // The cheapest comes first, and those that lack the trip's price ask for it in one column.
  await expect.poll(() => productsIn(dialog)).toEqual(['Viaje Esencial', 'Viaje Total con Cancelación', 'Solo Cancelación'])
  await expect.poll(() => price(2)).toContain('Indique el precio del viaje y la fecha de reserva en Viaje Total con Cancelación.')
  await expectScreen(dialog.getByText(t('compare.not_for_trip'))).toHaveCount(0)
  await dialog.locator('[name=priceTravel]').fill('2400')
  await dialog.locator('[name=reservationDate]').fill(inDays(-1))
  await expect.poll(() => price(1)).toMatch(/^\d+,\d\d €/)
  await expect.poll(() => price(2)).toMatch(/^\d+,\d\d €/)
  // The columns do not move while one of their fields has the focus.
  await expectScreen(dialog.locator('[name=reservationDate]')).toBeFocused()
  await dialog.getByText(t('compare.only_differences')).click()
  await dialog.getByText(t('compare.choose', { count: 3, all: 8 })).click()

  await dialog.getByRole('link', { name: t('products.sell_named', { product: 'Solo Cancelación' }), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: t('funnel.step1') }).waitFor()
  await expectScreen(page.locator('[data-product][aria-selected=true]')).toContainText('Solo Cancelación')
  await expectScreen(page.locator('[name=priceTravel]')).toHaveValue('2.400,00')
  await expectScreen(page.locator('[name=startDate]')).toHaveValue(inDays(start))
})

test('a user who may not sell compares covers without prices and commissions', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', 'viewer@azahar.example')
  // On request, only differing covers are shown, and the others in one line.
  const two = await compareOnProducts(page, 'Viaje Esencial', 'Escapada')
  const alike = comparedBy(two, t('compare.alike'))
  const luggage = two.getByRole('rowheader', { name: new RegExp(`^${t('compare.luggage')}`) })
  await expectScreen(luggage).toContainText(t('compare.alike'))
  await expectScreen(alike).toHaveCount(0)
  await two.getByRole('checkbox', { name: t('compare.only_differences') }).check()
  await expectScreen(luggage).toHaveCount(0)
  await expectScreen(alike).toContainText(t('compare.luggage'))
  const [essential = '', home = ''] = await cellsOf(two, t('compare.medical'))
  expect(essential).toMatch(/^Gastos médicos, Europa\s*Distinto:\s*60\.000 €/)
  expect(home).toBe(t('compare.alike'))
  await page.keyboard.press('Escape')
  await two.waitFor({ state: 'detached' })
  await choiceOf(page, 'Escapada').click()
  const dialog = await compareOnProducts(page, 'Viaje Esencial', 'Solo Cancelación')
  await expectScreen(dialog.getByRole('rowheader').first()).toHaveText(t('compare.cancellation'))
  await expectScreen(dialog.getByText(/comisión/)).toHaveCount(0)
  await expectScreen(dialog.locator('[name=startDate], [name=priceTravel]')).toHaveCount(0)
  await expectScreen(dialog.getByRole('link')).toHaveCount(0)
})

test('a city finds its country, a region and a cruise choose nothing', async () => {
  const t = spanish()
  const page = await openScreen(app, '/products', agent)
  const destination = page.locator('[name=mainDestination]')
  const options = page.getByRole('option')
  const chosen = (name: string) => page.getByRole('button', { name: t('ui.combobox.remove', { name }) })
  await page.keyboard.press('n')
  await focusOn(page, 'startDate')
  await destination.focus()
  await page.keyboard.type('nueva york')
  await options.getByText('Estados Unidos').waitFor()
  await page.keyboard.press('Tab')
  await chosen('Estados Unidos').waitFor()
  await destination.focus()
  await page.keyboard.type('europa')
  await options.getByText('Alemania').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expectScreen(chosen('Alemania')).toHaveCount(0)
  await destination.focus()
  await page.keyboard.type('crucero')
  await page.getByText(t('ui.combobox.cruise')).waitFor()
  await page.keyboard.press('Tab')
  await chosen('Estados Unidos').waitFor()
})
