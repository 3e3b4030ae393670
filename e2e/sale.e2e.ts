import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { enter, openPortal, type Portal, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Interruptions between the request for a sale and its number: lost responses, reloads, other tabs, another language. Each must end in one sale whose
// number is shown.

let portal: Portal
let network: CardNetwork
let seller: Seller
beforeAll(async () => {
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_only_for_e2e_tests',
    STRIPE_API_URL: network.url,
  })
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
})

const words = () => portal.app.world.words('es-ES')
/** Returns all policies, newest first. */
const policies = () =>
  portal.app.world.database.asService(tx => tx.selectFrom('policies').select(['id', 'status', 'taker']).orderBy('id', 'desc').execute())
const numbers = (page: Page) => page.locator('[data-policy-number]')

/** Saves a quote by a call, and returns its uuid. */
async function quoteOf(name: string): Promise<string> {
  const reply = await registerAs(seller, { saveBudget: true, users: [{ ...ana, ...reach, name }], paxNumber: 1 })
  return reply.body.data.policyUuid
}

/** Opens step 2 of a new sale with its trip and its policyholder. */
async function toPeople(user: User, name: string): Promise<void> {
  await enter(user, 'agent@azahar.example', `/funnel?copy=${await quoteOf(name)}`)
  await user.page.waitForURL(/step=2$/)
  await user.page.locator('[name=phoneNumber]').waitFor()
}

const clickBuy = (page: Page) => page.getByRole('button', { name: /^Vender por/ }).click()

/** Opens step 3 of a new sale, with the declaration ticked. */
async function toPayment(user: User, name: string, how: 'agency' | 'card' = 'agency'): Promise<void> {
  const { page } = user
  await toPeople(user, name)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  if (how === 'card') await page.getByText(words()('payments.by_card'), { exact: true }).click()
  // Buying without the demands-and-needs confirmation focuses its checkbox.
  await clickBuy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
}

test('in a narrow window step 3 begins with its focused field above the footer', async () => {
  const user = await portal.newUser({ width: 820 })
  const { page } = user
  await toPeople(user, 'Estrecha')
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

test('a new tab copies the sale, and selling in one tab completes the copy', async () => {
  const user = await portal.newUser()
  const { page } = user
  await toPayment(user, 'Gemela')
  const copy = await page.context().newPage()
  await copy.goto('/funnel?step=3')
  await copy.getByRole('button', { name: /^Vender por/ }).waitFor()
  // The menu leads back to the same step.
  await page.goto('/policies')
  await page.getByRole('link', { name: words()('shell.menu.funnel_on') }).click()
  await page.waitForURL(/step=3$/)
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  const number = await numbers(page).textContent()
  await expectPage(numbers(copy)).toHaveText(number ?? '')
  for (const tab of [page, copy]) await tab.getByRole('link', { name: words()('shell.menu.funnel'), exact: true }).waitFor()
  await copy.reload()
  await expectPage(numbers(copy)).toHaveText(number ?? '')
  const twins = (await policies()).filter(({ taker, status }) => taker.startsWith('Gemela') && status === 'purchased')
  expect(twins).toHaveLength(1)
  await user.stop()
})

test('a quote’s new price is accepted beside the button to sell, also on a phone', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  const policyUuid = await quoteOf('Aceptada')
  await portal.app.world.database.asService(tx =>
    tx.updateTable('policies').set({ total_cents: 100 }).where('id', '=', policyUuid).execute(),
  )
  const [kept] = await policies()
  await enter(user, 'agent@azahar.example', `/funnel?policy=${policyUuid}`)
  await page.waitForURL(/step=3$/)
  const summary = page.locator('aside[data-foot]')
  const now = await page.locator('output[name=total]').innerText()
  await summary.getByText(words()('funnel.take_up.price_changed', { before: '1,00 €', now })).waitFor()
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
  // The documents also wait for the acceptance, which their button's text says.
  const lack = page.getByText(words()('funnel.before.accept_first'))
  const send = page.getByRole('button', { name: words()('funnel.before.send') })
  await expectPage(send).toHaveAttribute('aria-disabled', 'true')
  await expectPage(send).toHaveAttribute('aria-describedby', (await lack.getAttribute('id')) ?? '')
  // Pressed too early, the button focuses the acceptance and sells nothing.
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
  expect((await policies())[0]).toMatchObject({ id: policyUuid, status: 'purchased' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a card form survives reloads and languages, and locks the page while charging', async () => {
  const user = await portal.newUser()
  const { page } = user
  const english = portal.app.world.words('en-EN')
  await toPayment(user, 'Corte', 'card')
  await clickBuy(page)
  const card = page.locator('[autocomplete=cc-number]')
  await card.waitFor()
  await page.reload()
  await card.waitFor()
  const choose = async (language: string) => {
    await page.getByRole('button', { name: /agent@azahar\.example/ }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
  }
  await choose('English')
  await page.locator('html[lang^=en]').waitFor()
  await card.waitFor()
  const held: Route[] = []
  await page.route('**/v1/payment_intents/*/confirm', route => void held.push(route))
  await card.fill('4242424242424242')
  await page.locator('[autocomplete=cc-exp]').fill('12/39')
  await page.locator('[autocomplete=cc-csc]').fill('123')
  const pay = page.getByRole('button', { name: /^(Vender por|Sell for)/ })
  await pay.click()
  await expect.poll(() => held.length).toBe(1)
  await expectPage(page.getByRole('button', { name: english('funnel.payment.other') })).toBeDisabled()
  await page.getByRole('link', { name: english('funnel.edit_people') }).click()
  await page
    .getByRole('link', { name: english('shell.menu.policies'), exact: true })
    .first()
    .click()
  await choose('Español')
  await page.locator('html[lang^=es]').waitFor()
  expect(page.url()).toMatch(/\/funnel\?step=3$/)
  await expectPage(card).not.toHaveValue('')
  await expectPage(pay).toHaveAttribute('aria-busy', 'true')
  expect(held.length).toBe(1)
  await held[0]?.abort()
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await page.getByRole('link', { name: words()('funnel.edit_people') }).click()
  await page.waitForURL(/step=2$/)
  await page.getByRole('button', { name: words()('funnel.next_payment') }).click()
  await page.getByText(words()('payments.by_account'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await numbers(page).waitFor()
  expect((await policies())[0]).toMatchObject({ taker: 'Corte García López', status: 'purchased' })
  await user.stop()
})
