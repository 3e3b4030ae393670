import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, displayDate, readDate } from '#common/kit/dates.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { enter, fill, inDays, storedAt, openPortal, type Portal, saveQuote as saveQuoteAs } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Interruptions between the request for a sale and its number: lost responses, reloads, other tabs, another language.
// Each must end in one sale whose number is shown.

let portal: Portal
let network: CardNetwork
beforeAll(async () => {
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_only_for_e2e_tests',
    STRIPE_API_URL: network.url,
  })
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
})

const words = () => portal.app.world.words('es-ES')
/** Returns all policies, newest first. */
const policies = () =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['id', 'product_id', 'status', 'taker']).orderBy('id', 'desc').execute(),
  )
const numbers = (page: Page) => page.locator('[data-policy-number]')

async function fillTrip(page: Page): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.getByText(words()('funnel.provisional')).waitFor()
  await page.getByRole('button', { name: words()('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
}

async function fillPeople(page: Page, name: string): Promise<void> {
  const [documentNumber, birthDate] = ['12345678Z', '15/01/1990']
  await fill(page, { name, middleName: 'García', lastName: 'López', documentNumber, birthDate, province: 'valencia' })
  await page.keyboard.press('Enter')
  await fill(page, { city: 'alzira' })
  await page.getByRole('option', { name: 'Alzira' }).click()
  await fill(page, { address: 'Calle Mayor 1', zipCode: '46600', email: 'ana@example.com', phoneNumber: '612345678' })
}

/** Saves the quote and returns its price. */
async function saveQuote(page: Page): Promise<string | null> {
  await saveQuoteAs(page, words()('funnel.save_budget'))
  return page.locator('[data-panel] [data-total]').textContent()
}

const totalIn = (page: Page) => page.locator('output[name=total]').innerText()
const clickBuy = (page: Page) => page.getByRole('button', { name: /^Vender por/ }).click()

/** Fills the funnel up to step 3. */
async function toPayment(page: Page, name: string, how: 'agency' | 'card' = 'agency'): Promise<void> {
  await fillTrip(page)
  await fillPeople(page, name)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  if (how === 'card') await page.getByText(words()('payments.by_card'), { exact: true }).click()
  // Buying without the demands-and-needs confirmation focuses its checkbox.
  await clickBuy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
}

test('in a narrow window step 3 begins with its focused field above the foot', async () => {
  const user = await portal.newUser({ width: 820 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page)
  await fillPeople(page, 'Estrecha')
  await page.setViewportSize({ width: 820, height: 640 })
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/step=3$/)
  const declaration = page.locator('[name=demandsAndNeeds]:focus')
  await declaration.waitFor()
  const gap = async () => {
    const [field, foot] = [await declaration.boundingBox(), await page.locator('[data-foot]').boundingBox()]
    return (foot?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)
  }
  await expect.poll(gap, { timeout: 5000 }).toBeGreaterThanOrEqual(0)
  await user.stop()
})

test('a quote saved in one tab is not overwritten by a sale in another tab', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page)
  await fillPeople(page, 'Primera')
  await saveQuote(page)
  const [budget] = await policies()
  const other = await page.context().newPage()
  await other.goto('/products')
  await other.locator(`a[href*="${budget?.product_id}"]`).first().waitFor()
  await page.goto(`/funnel?policy=${budget?.id}`)
  await page.waitForURL(/step=3$/)
  await saveQuote(page)

  await other.locator(`a[href*="${budget?.product_id}"]`).first().click()
  // The products page has fields of these names, too, and is shown until the funnel has loaded.
  await other.waitForURL(/\/funnel/)
  await other.getByRole('button', { name: words()('funnel.next_people') }).waitFor()
  await toPayment(other, 'Segunda')
  await clickBuy(other)
  await numbers(other).waitFor()
  expect((await policies()).map(({ status, taker }) => `${taker} ${status}`)).toEqual([
    'Segunda García López purchased',
    'Primera García López budgeted',
  ])
  await user.stop()
})

test('each tab keeps its own sale after a reload; a new tab copies the latest one', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page)
  const startDateOf = (of: Page) => of.locator('[name=startDate]').inputValue()
  const first = JSON.parse(await storedAt(page, 'funnel')).state.trip.startDate
  const other = await page.context().newPage()
  await other.goto('/funnel?step=1')
  await other.locator('[name=startDate]').waitFor()
  await expect.poll(() => startDateOf(other)).toBe(first)
  await fill(other, { startDate: inDays(40), endDate: inDays(47) })
  await other.keyboard.press('Tab')
  await expect.poll(() => storedAt(page, 'funnel')).toContain(inDays(47))
  await fillPeople(page, 'Primera')
  await page.goto('/policies')
  // The menu leads back to the same step.
  await page.getByRole('link', { name: words()('shell.menu.funnel_on') }).click()
  await page.waitForURL(/step=2$/)
  for (const tab of [page, other]) await tab.goto('/funnel?step=1')
  expect([await startDateOf(page), await startDateOf(other)]).toEqual([first, inDays(40)])
  await other.locator('[name=travelers]').fill('3')
  await other.keyboard.press('Tab')
  await expect.poll(() => storedAt(page, 'funnel').then(text => JSON.parse(text).state.trip.travelers)).toBe(3)
  const third = await page.context().newPage()
  await third.goto('/funnel?step=1')
  await expect.poll(() => startDateOf(third)).toBe(inDays(40))
  await user.stop()
})

test('a sale in one tab also completes its copy in another tab', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Gemela')
  const copy = await page.context().newPage()
  await copy.goto('/funnel?step=3')
  await copy.getByRole('button', { name: /^Vender por/ }).waitFor()
  await clickBuy(page)
  const number = await numbers(page).textContent()
  await expectPage(numbers(copy)).toHaveText(number ?? '')
  for (const tab of [page, copy]) await tab.getByRole('link', { name: words()('shell.menu.funnel'), exact: true }).waitFor()
  await copy.reload()
  await expectPage(numbers(copy)).toHaveText(number ?? '')
  expect((await policies()).filter(({ taker }) => taker.startsWith('Gemela'))).toHaveLength(1)
  await user.stop()
})

test('a booking pasted after a sale fills step 2, and the sold client is not named', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Vendida')
  await clickBuy(page)
  await numbers(page).waitFor()
  await page.goto('/products')
  const paste = async () => {
    await page.getByRole('button', { name: words()('line.paste') }).click()
    await page.locator('[name=pasted]:focus').waitFor()
    const trip = [`Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`, `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`]
    await page.keyboard.insertText(['1.GOMEZ RUIZ/PEDRO MR', ' 7 APE-PEDRO@CORREO.EXAMPLE/P1', ...trip].join('\n'))
    const dialog = page.getByRole('dialog')
    await dialog.locator('mark').first().waitFor()
    await expectPage(dialog).not.toContainText('Vendida', { useInnerText: true })
    await dialog.getByRole('button', { name: words()('paste.fill') }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(words()('paste.filled_people', { count: 1 })).waitFor()
  }
  await paste()
  // Undone, the sold client is not the new sale's either.
  await page.getByRole('button', { name: words()('paste.undo') }).click()
  await paste()
  await expectPage(page.locator('#main')).not.toContainText('Vendida', { useInnerText: true })
  const sell = page.getByRole('button', { name: words()('products.sell'), exact: false })
  await sell.first().click()
  await page.waitForURL(/step=2$/)
  const values = (...names: string[]) => Promise.all(names.map(name => page.locator(`form [name="${name}"]`).inputValue()))
  await page.locator('[name=name]').waitFor()
  await expect
    .poll(() => values('name', 'middleName', 'lastName', 'documentNumber', 'email'))
    .toEqual(['Pedro', 'Gomez', 'Ruiz', '', 'pedro@correo.example'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a quote’s new price is accepted beside the button that sells it, also on a phone', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page)
  await fillPeople(page, 'Aceptada')
  await saveQuote(page)
  const [kept] = await policies()
  await portal.app.world.database.asService(tx =>
    tx
      .updateTable('policies')
      .set({ total_cents: 100 })
      .where('id', '=', kept?.id ?? '')
      .execute(),
  )
  await page.goto(`/funnel?policy=${kept?.id}`)
  await page.waitForURL(/step=3$/)
  const summary = page.locator('aside[data-foot]')
  await summary.getByText(words()('funnel.take_up.price_changed', { before: '1,00 €', now: await totalIn(page) })).waitFor()
  await expectPage(page.getByText('1,00 €')).toHaveCount(1)
  const [accept, sell] = [
    summary.getByRole('button', { name: words()('funnel.accept_price') }),
    summary.getByRole('button', { name: /^Vender por/ }),
  ]
  // Both are on the screen, which is scrolled to the top.
  for (const button of [accept, sell]) expect((await button.boundingBox())?.y).toBeLessThan(900 - 44)
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  for (const button of [accept, sell]) {
    const { x = 0, width = 390 } = (await button.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(390)
  }
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  // The documents wait for the acceptance, too, and say so beside their button.
  const lack = page.getByText(words()('funnel.before.accept_first'))
  const send = page.getByRole('button', { name: words()('funnel.before.send') })
  await expectPage(send).toHaveAttribute('aria-disabled', 'true')
  await expectPage(send).toHaveAttribute('aria-describedby', (await lack.getAttribute('id')) ?? '')
  // Pressed too early, the sale leads to the acceptance and sells nothing.
  await sell.click()
  await accept.and(page.locator(':focus')).waitFor()
  expect((await policies())[0]).toEqual(kept)
  await accept.click()
  await summary.locator('button:focus', { hasText: /^Vender por/ }).waitFor()
  await expectPage(accept).toHaveCount(0)
  await expectPage(lack).toHaveCount(0)
  await page.locator('[name=demandsAndNeeds]').check()
  await sell.click()
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ id: kept?.id, status: 'purchased' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a quote deleted after it was resumed keeps its input and is bought as a new sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fillTrip(page)
  await fillPeople(page, 'Huérfana')
  await saveQuote(page)
  await page.getByRole('link', { name: words()('policies.resume') }).click()
  await page.waitForURL(/\/funnel\?step=/)
  const [kept] = await policies()
  await portal.app.world.database.asService(tx =>
    tx
      .updateTable('policies')
      .set({ status: 'deleted' })
      .where('id', '=', kept?.id ?? '')
      .execute(),
  )
  await page.goto('/funnel?step=3')
  await clickBuy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
  await clickBuy(page)
  await page.getByText(words()('funnel.buy.budget_gone')).waitFor()
  await clickBuy(page)
  await numbers(page).waitFor()
  expect((await policies()).filter(({ taker }) => taker.startsWith('Huérfana')).map(({ status }) => status)).toEqual([
    'purchased',
    'deleted',
  ])
  await user.stop()
})

test('a quote saved in step 1 keeps ages and price and ends the open sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  const entry = (label: 'shell.menu.funnel' | 'shell.menu.funnel_on') => page.getByRole('link', { name: words()(label) })
  await entry('shell.menu.funnel').waitFor()
  const ages = page.locator('[name=ages]')
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await ages.fill('76 74')
  const shown = page.locator('output[name=total]')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  const price = await shown.first().textContent()
  await entry('shell.menu.funnel_on').waitFor()
  expect(await saveQuote(page)).toBe(price)
  await expectPage(page.getByText(words()('policies.provisional'))).toHaveCount(0)
  const kept = page.url()
  await page.keyboard.press('Escape')
  await entry('shell.menu.funnel').click()
  await page.waitForURL(/\/funnel/)
  await expectPage(page.locator('[name=startDate]')).toHaveValue('')
  await page.goto(kept)
  await page.getByRole('link', { name: words()('policies.resume') }).click()
  await page.waitForURL(/\/funnel\?step=/)
  await page.goto('/funnel?step=1')
  await expectPage(ages).toHaveValue('76, 74')
  await ages.fill('76, 36')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  await expectPage(shown.first()).not.toHaveText(price ?? '')
  const other = await shown.first().textContent()
  expect(await saveQuote(page)).toBe(other)
  await user.stop()
})

test('a lost response is requested again, even after a change of language', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Perdida')
  const other = await page.context().newPage()
  await other.goto('/funnel?step=1')
  await other.locator('[name=startDate]').waitFor()
  await page.route('**/api/policy/purchase', async route => {
    await route.fetch()
    await route.abort()
  })
  await clickBuy(page)
  await page.getByText(words()('funnel.buy.lost')).waitFor()
  await page.unroute('**/api/policy/purchase')
  await page.context().addCookies([{ name: 'i18n_redirected', value: 'fr-FR', url: portal.origin }])
  await page.reload()
  await numbers(page).waitFor()
  await expectPage(page.locator('html')).toHaveAttribute('lang', 'fr-FR')
  const [sold] = await policies()
  expect(sold).toMatchObject({ taker: 'Perdida García López', status: 'purchased' })
  await page.locator(`a[href*="${sold?.id}"]`).click()
  await page.waitForURL(/\/policies\?/)
  await page.goBack()
  await numbers(page).waitFor()
  await user.stop()
})

test('a retry after a short outage completes the same sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Ausente')
  const before = await policies()
  const outage = { code: 503, error: 'service.unavailable', errorMessage: 'Vuelvo enseguida', requestId: '' }
  let tries = 0
  await page.route('**/api/policy/register', async route => {
    tries++
    if (tries === 1) await route.fetch().then(() => route.abort())
    else if (tries <= 3) await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: outage })
    else await route.continue()
  })
  await clickBuy(page)
  await page.getByText('Vuelvo enseguida').waitFor()
  await page.getByRole('button', { name: words()('shell.try_again') }).click()
  await numbers(page).waitFor()
  expect((await policies()).length - before.length).toBe(1)
  await user.stop()
})

test('a sale resumes after a reload and can be corrected before it is paid', async () => {
  const user = await portal.newUser()
  const { page } = user
  const card = page.locator('[autocomplete=cc-number]')
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Recarga', 'card')
  const before = await policies()
  network.fault({ fault: 'delay', ms: 6000, times: 1, method: 'POST', path: '/v1/payment_intents' })
  await clickBuy(page)
  await expect.poll(async () => (await policies()).length).toBe(before.length + 1)
  await page.reload()
  await card.waitFor()
  await page.getByRole('link', { name: words()('funnel.edit_people') }).click()
  await page.locator('[name=phoneNumber]').fill('612345679')
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.getByText(words()('payments.by_card'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await card.waitFor()
  expect((await policies()).length).toBe(before.length + 1)
  await user.stop()
})

async function payBy(page: Page, button: RegExp): Promise<void> {
  await page.locator('[autocomplete=cc-number]').fill('4242424242424242')
  await page.locator('[autocomplete=cc-exp]').fill('12/39')
  await page.locator('[autocomplete=cc-csc]').fill('123')
  await page.getByRole('button', { name: button }).click()
}

test('a card payment cannot be left until its connection breaks', async () => {
  const user = await portal.newUser()
  const { page } = user
  const leave = page.getByRole('link', { name: words()('funnel.edit_people') })
  const otherMethod = page.getByRole('button', { name: words()('funnel.payment.other') })
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Corte', 'card')
  await clickBuy(page)
  await page.locator('[autocomplete=cc-number]').waitFor()
  const held: Route[] = []
  await page.route('**/v1/payment_intents/*/confirm', route => void held.push(route))
  await payBy(page, /^Vender por/)
  await expect.poll(() => held.length).toBe(1)
  await expectPage(otherMethod).toBeDisabled()
  const pay = page.getByRole('button', { name: /^(Vender por|Sell for)/ })
  await leave.click()
  await page
    .getByRole('link', { name: words()('shell.menu.policies'), exact: true })
    .first()
    .click()
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.locator('html[lang^=en]').waitFor()
  expect(page.url()).toMatch(/\/funnel\?step=3$/)
  await expectPage(page.locator('[autocomplete=cc-number]')).not.toHaveValue('')
  await expectPage(pay).toHaveAttribute('aria-busy', 'true')
  expect(held.length).toBe(1)
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await page.locator('html[lang^=es]').waitFor()
  await held[0]?.abort()
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await leave.click()
  await page.waitForURL(/step=2$/)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.getByText(words()('payments.by_account'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ taker: 'Corte García López', status: 'purchased' })
  await user.stop()
})

test('changing the language while the card form is open does not lose the sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Lengua', 'card')
  await clickBuy(page)
  await page.locator('[autocomplete=cc-number]').waitFor()
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.locator('html[lang^=en]').waitFor()
  await payBy(page, /^Sell for/)
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ taker: 'Lengua García López', status: 'purchased' })
  await user.stop()
})

test('an annual policy is shown by its zone, its term and its longest trip, not as one trip', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=productUUID]').selectOption({ label: 'Multiviaje Anual' })
  await page.getByText(words()('funnel.endDate_term', { months: 12, tripDays: 60 })).waitFor()
  const start = readDate(inDays(20)) ?? ''
  const [from, to] = [inDays(20), displayDate(addDays(addMonths(start, 12), -1)) ?? '']
  await fill(page, { startDate: from, endDate: to, mainDestination: 'tail' })
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: words()('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  const facts = [words()('funnel.line.term', { from, to, months: 12 }), 'Mundo', words()('funnel.line.many', { tripDays: 60 })]
  const line = page.getByRole('region', { name: words()('funnel.trip.title') })
  await expectPage(line).toContainText('Mundo')
  await fillPeople(page, 'Anual')
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  for (const fact of facts) await line.getByText(fact, { exact: true }).waitFor()
  await expectPage(line).not.toContainText('Tailandia')
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await numbers(page).waitFor()
  for (const fact of facts) await expectPage(page.getByRole('status').filter({ has: numbers(page) })).toContainText(fact)
  await expectPage(page.locator('figure figcaption')).toHaveText(words()('funnel.cover.trip_only', { from, to, trips: 'several' }))
  expect(user.problems).toEqual([])
  await user.stop()
})
