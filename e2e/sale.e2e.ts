import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { enter, fill, inDays, keptAt, openPortal, type Portal } from './browser.ts'

// What comes between asking for a sale and its number: lost replies, reloads, other tabs, another language. One sale, and its number is shown.

let portal: Portal
let network: CardNetwork
beforeAll(async () => {
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_walks_alone',
    STRIPE_API_URL: network.url,
  })
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
})

const words = () => portal.app.world.words('es-ES')
/** All that there is, the newest first. */
const policies = () =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['id', 'product_id', 'status', 'taker']).orderBy('id', 'desc').execute(),
  )
const numbers = (page: Page) => page.locator('[data-policy-number]')

async function tripOf(page: Page): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  await page.getByRole('button', { name: words()('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
}

async function peopleOf(page: Page, name: string): Promise<void> {
  const [documentNumber, birthDate] = ['12345678Z', '15/01/1990']
  await fill(page, { name, middleName: 'García', lastName: 'López', documentNumber, birthDate, province: 'valencia' })
  await page.keyboard.press('Enter')
  await fill(page, { city: 'alzira' })
  await page.getByRole('option', { name: 'Alzira' }).click()
  await fill(page, { address: 'Calle Mayor 1', zipCode: '46600', email: 'ana@example.com', phoneNumber: '612345678' })
}

/** Kept as a budget, whose price is told then. */
async function keep(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: words()('funnel.save_budget') }).click()
  await page.waitForURL(/\/policies\/saved\?policy=/)
  return page.getByRole('dialog').locator('[data-total]').textContent()
}

const buy = (page: Page) => page.getByRole('button', { name: /^Vender por/ }).click()

/** As far as step 3, with all that it asks for. */
async function toPayment(page: Page, name: string, how: 'agency' | 'card' = 'agency'): Promise<void> {
  await tripOf(page)
  await peopleOf(page, name)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  if (how === 'card') await page.getByText(words()('funnel.payment.card'), { exact: true }).click()
  // Whoever forgets to ask the client is led to where that stands.
  await buy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
}

test('a budget that was kept in one tab is not overwritten by the next client’s sale in another', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await tripOf(page)
  await peopleOf(page, 'Primera')
  await keep(page)
  const [budget] = await policies()
  const other = await page.context().newPage()
  await other.goto('/products')
  await other.locator(`a[href*="${budget?.product_id}"]`).first().waitFor()
  await page.goto(`/funnel?policy=${budget?.id}`)
  await page.waitForURL(/step=3$/)
  await keep(page)

  await other.locator(`a[href*="${budget?.product_id}"]`).first().click()
  await other.locator('[name=startDate]').waitFor()
  await toPayment(other, 'Segunda')
  await buy(other)
  await numbers(other).waitFor()
  expect((await policies()).map(({ status, taker }) => `${taker} ${status}`)).toEqual([
    'Segunda García López purchased',
    'Primera García López budgeted',
  ])
  await user.stop()
})

test('two clients are on the phone: each tab has its own sale, also after a reload, and a third begins with what was typed last', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await tripOf(page)
  const begin = (of: Page) => of.locator('[name=startDate]').inputValue()
  const first = JSON.parse(await keptAt(page, 'funnel')).state.trip.startDate
  const other = await page.context().newPage()
  await other.goto('/funnel?step=1')
  await other.locator('[name=startDate]').waitFor()
  expect(await begin(other)).toBe(first)
  await fill(other, { startDate: inDays(40), endDate: inDays(47) })
  await other.keyboard.press('Tab')
  await expect.poll(() => keptAt(page, 'funnel')).toContain(inDays(47))
  await peopleOf(page, 'Primera')
  await page.goto('/policies')
  // The way back leads to where one was.
  await page.getByRole('link', { name: words()('shell.menu.funnel_on') }).click()
  await page.waitForURL(/step=2$/)
  for (const tab of [page, other]) await tab.goto('/funnel?step=1')
  expect([await begin(page), await begin(other)]).toEqual([first, inDays(40)])
  await other.locator('[name=travelers]').fill('3')
  await other.keyboard.press('Tab')
  await expect.poll(() => keptAt(page, 'funnel').then(text => JSON.parse(text).state.trip.travelers)).toBe(3)
  const third = await page.context().newPage()
  await third.goto('/funnel?step=1')
  expect(await begin(third)).toBe(inDays(40))
  await user.stop()
})

test('what is sold in one tab is sold in the other, which had begun with a copy of it', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Gemela')
  const copy = await page.context().newPage()
  await copy.goto('/funnel?step=3')
  await copy.getByRole('button', { name: /^Vender por/ }).waitFor()
  await buy(page)
  const number = await numbers(page).textContent()
  await expect.poll(() => numbers(copy).textContent()).toBe(number)
  for (const tab of [page, copy]) await tab.getByRole('link', { name: words()('shell.menu.funnel'), exact: true }).waitFor()
  await copy.reload()
  expect(await numbers(copy).textContent()).toBe(number)
  expect((await policies()).filter(({ taker }) => taker.startsWith('Gemela'))).toHaveLength(1)
  await user.stop()
})

test('a budget that is taken up and deleted meanwhile takes nothing along of what was typed: it is bought as a new sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await tripOf(page)
  await peopleOf(page, 'Huérfana')
  await keep(page)
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
  await buy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
  await buy(page)
  await page.getByText(words()('funnel.buy.budget_gone')).waitFor()
  await buy(page)
  await numbers(page).waitFor()
  expect((await policies()).filter(({ taker }) => taker.startsWith('Huérfana')).map(({ status }) => status)).toEqual([
    'purchased',
    'deleted',
  ])
  await user.stop()
})

test('a budget that is kept in step 1 keeps the birth dates, and the price that they make; the menu says that a sale was begun, and that it is over', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  const entry = (label: 'shell.menu.funnel' | 'shell.menu.funnel_on') => page.getByRole('link', { name: words()(label) })
  await entry('shell.menu.funnel').waitFor()
  const born = ['birthDates.0.date', 'birthDates.1.date'].map(name => page.locator(`[name="${name}"]`))
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.locator('[name=travelers]').fill('2')
  await page.getByRole('button', { name: words()('funnel.ages') }).click()
  await born[0]?.fill('01/02/1950')
  await born[1]?.fill('03/04/1952')
  const shown = page.locator('output[name=total]')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  const price = await shown.first().textContent()
  await entry('shell.menu.funnel_on').waitFor()
  expect(await keep(page)).toBe(price)
  expect(await page.getByText(words()('policies.provisional')).count()).toBe(0)
  const kept = page.url()
  await page.keyboard.press('Escape')
  await entry('shell.menu.funnel').click()
  await page.waitForURL(/\/funnel/)
  expect(await page.locator('[name=startDate]').inputValue()).toBe('')
  await page.goto(kept)
  await page.getByRole('link', { name: words()('policies.resume') }).click()
  await page.waitForURL(/\/funnel\?step=/)
  await page.goto('/funnel?step=1')
  expect(await Promise.all(born.map(field => field.inputValue()))).toEqual(['01/02/1950', '03/04/1952'])
  await born[1]?.fill('03/04/1990')
  await page.getByText(words()('funnel.confirmed')).waitFor()
  await expect.poll(() => shown.first().textContent()).not.toBe(price)
  const other = await shown.first().textContent()
  expect(await keep(page)).toBe(other)
  await user.stop()
})

test('a reply that is lost is asked for again as it was, also in another language; another tab takes nothing of it away', async () => {
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
  await buy(page)
  await page.getByText(words()('funnel.buy.lost')).waitFor()
  await page.unroute('**/api/policy/purchase')
  await page.context().addCookies([{ name: 'i18n_redirected', value: 'fr-FR', url: portal.origin }])
  await page.reload()
  await numbers(page).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-FR')
  const [sold] = await policies()
  expect(sold).toMatchObject({ taker: 'Perdida García López', status: 'purchased' })
  await page.locator(`a[href*="${sold?.id}"]`).click()
  await page.waitForURL(/\/policies\?/)
  await page.goBack()
  await numbers(page).waitFor()
  await user.stop()
})

test('a service that is away for a moment is no last word: what is asked then is the same sale', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Ausente')
  const before = await policies()
  const away = { code: 503, error: 'service.unavailable', errorMessage: 'Vuelvo enseguida', requestId: '' }
  let tries = 0
  await page.route('**/api/policy/register', async route => {
    tries++
    if (tries === 1) await route.fetch().then(() => route.abort())
    else if (tries <= 3) await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: away })
    else await route.continue()
  })
  await buy(page)
  await page.getByText('Vuelvo enseguida').waitFor()
  await page.getByRole('button', { name: words()('shell.try_again') }).click()
  await numbers(page).waitFor()
  expect((await policies()).length - before.length).toBe(1)
  await user.stop()
})

test('a reload while the sale is being asked for takes it up; one steps back to mend something, and pays what it costs then', async () => {
  const user = await portal.newUser()
  const { page } = user
  const card = page.locator('[autocomplete=cc-number]')
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Recarga', 'card')
  const before = await policies()
  network.fault({ fault: 'delay', ms: 6000, times: 1, method: 'POST', path: '/v1/payment_intents' })
  await buy(page)
  await expect.poll(async () => (await policies()).length).toBe(before.length + 1)
  await page.reload()
  await card.waitFor()
  await page.getByRole('link', { name: words()('funnel.edit_people') }).click()
  await page.locator('[name=phoneNumber]').fill('612345679')
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.getByText(words()('funnel.payment.card'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  await buy(page)
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

test('nobody leaves a card while it is asked; whose line breaks then may leave, and pays otherwise', async () => {
  const user = await portal.newUser()
  const { page } = user
  const leave = page.getByRole('link', { name: words()('funnel.edit_people') })
  const otherwise = page.getByRole('button', { name: words()('funnel.payment.other') })
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Corte', 'card')
  await buy(page)
  await page.locator('[autocomplete=cc-number]').waitFor()
  const held: Route[] = []
  await page.route('**/v1/payment_intents/*/confirm', route => void held.push(route))
  await payBy(page, /^Vender por/)
  await expect.poll(() => held.length).toBe(1)
  expect(await otherwise.isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: words()('funnel.back') }).isDisabled()).toBe(true)
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
  expect(await page.locator('[autocomplete=cc-number]').inputValue()).not.toBe('')
  expect(await pay.getAttribute('aria-busy')).toBe('true')
  expect(held.length).toBe(1)
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await page.locator('html[lang^=es]').waitFor()
  await held[0]?.abort()
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await leave.click()
  await page.waitForURL(/step=2$/)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.getByText(words()('funnel.payment.agency'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  await buy(page)
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ taker: 'Corte García López', status: 'purchased' })
  await user.stop()
})

test('the language is changed while the card’s form is open: it pays, and the number is shown', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await toPayment(page, 'Lengua', 'card')
  await buy(page)
  await page.locator('[autocomplete=cc-number]').waitFor()
  await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.locator('html[lang^=en]').waitFor()
  await payBy(page, /^Sell for/)
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ taker: 'Lengua García López', status: 'purchased' })
  await user.stop()
})
