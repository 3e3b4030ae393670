import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { displayMoment, readDate } from '#common/kit/dates.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { inProcess } from '#server/kit/testing.ts'
import { payBy } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, accessibilityOf, enter, inDays, openPortal, type Portal, type User, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A change of a policy sold by card waits for its payment. That is made, declined, abandoned or postponed. It is made once.

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

const t = () => portal.app.world.words('es-ES')
const panelOf = (page: Page) => page.locator('[data-panel]')
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const cardNumber = (page: Page) => page.locator('[autocomplete=cc-number]')
const amount = { amount: '17,08 €' }

/** Sells an eight-day policy to Italy by card. */
async function sell(): Promise<string> {
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const trip = { startDate: readDate(inDays(11)), endDate: readDate(inDays(18)) }
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, { ...trip, ...gateway })).body.data
  await payBy({ network }, clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID })
  return policyUuid
}
const policyOf = async (policyUuid: string) =>
  (await seller.app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data.policy
const post = (path: string, body: object) => seller.app.ask(`/api/policy/${path}`, { body, headers: seller.headers })

async function open(path: string): Promise<User> {
  const user = await portal.newUser({ chosen: 'es-ES' })
  await enter(user, 'agent@azahar.example', path)
  await waitUntilLoaded(user.page)
  return user
}

/** Requests four more days at the desk of a policy, up to the card form. */
async function askInDesk(uuid: string): Promise<User> {
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await panelOf(page).getByText(t()('changes.by_card', amount)).waitFor()
  await panelOf(page).getByText(t()('changes.valid_once_paid')).waitFor()
  await expectPage(panelOf(page).getByText(t()('changes.at_once'))).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await cardNumber(page).waitFor()
  return user
}

async function typeCard(page: Page, number = '4242424242424242'): Promise<void> {
  await cardNumber(page).fill(number)
  await page.locator('[autocomplete=cc-exp]').fill('12/39')
  await page.locator('[autocomplete=cc-csc]').fill('123')
  await button(page, t()('changes.pay_amount', amount)).click()
}

test('a declined card is reported in the form, and another card pays after 3-D Secure', async () => {
  const uuid = await sell()
  const user = await askInDesk(uuid)
  const { page } = user
  await panelOf(page).getByText(t()('changes.until_paid')).waitFor()
  expect(await accessibilityAtWidths(page)).toEqual([])
  await typeCard(page, '4000000000000002')
  await panelOf(page).getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  expect((await policyOf(uuid)).total).toBe(33.76)
  await typeCard(page, '4000002500003155')
  await page.getByRole('button', { name: words.es.approve }).click()
  await toast(page, t()('changes.done_change'))
  expect(await policyOf(uuid)).toMatchObject({ endDate: readDate(inDays(22)), total: 50.84 })
  await button(page, t()('changes.compare')).waitFor()
  expect(page.url()).not.toContain('desk=')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('an abandoned change keeps the policy unchanged, and the typed values', async () => {
  const uuid = await sell()
  const user = await askInDesk(uuid)
  const { page } = user
  await button(page, t()('changes.abandon')).click()
  await toast(page, t()('changes.abandoned'))
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(22))
  await page.getByText(t()('payments.by_account'), { exact: true }).click()
  await panelOf(page).getByText(t()('changes.card_by_account', amount)).waitFor()
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_change'))
  expect((await policyOf(uuid)).total).toBe(50.84)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a waiting change is shown at its policy after a reload, and paid from there', async () => {
  const uuid = await sell()
  const user = await askInDesk(uuid)
  const { page } = user
  await page.reload()
  await cardNumber(page).waitFor()
  await button(page, t()('changes.pay_later')).click()
  await panelOf(page).getByText(t()('changes.until_paid')).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('c')
  await cardNumber(page).waitFor()
  await typeCard(page)
  await toast(page, t()('changes.done_change'))
  expect((await policyOf(uuid)).total).toBe(50.84)
  await panelOf(page).getByText(t()('changes.until_paid')).waitFor({ state: 'detached' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a card charged without a response is found charged after a reload', async () => {
  const uuid = await sell()
  const body = { policyUuid: uuid, version: 1, change: { endDate: readDate(inDays(22)) }, expectedDifference: 17.08 }
  const { clientSecret } = (await post('change', body)).body.data
  await payBy({ network }, clientSecret)
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  await toast(user.page, t()('changes.done_change'))
  expect((await policyOf(uuid)).total).toBe(50.84)
  await user.stop()
})

test('the reinstatement desk shows until when the refund can be stopped', async () => {
  const uuid = await sell()
  await post('cancel', { policyUuid: uuid, version: 1, expectedRefund: 33.76, reason: 'other' })
  const user = await open(`/policies?policy=${uuid}&desk=reinstate`)
  const { page } = user
  const [movement] = await portal.app.world.database.asService(tx =>
    tx.selectFrom('policy_deeds').select('at').where('policy_id', '=', uuid).execute(),
  )
  const at = displayMoment(new Date(Number(movement?.at) + 59 * 60_000), 'Europe/Madrid').slice(-5)
  await panelOf(page)
    .getByText(t()('changes.refund_stopped', { amount: '33,76 €', at }))
    .waitFor()
  await panelOf(page).getByText(t()('changes.deadline'), { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_reinstatement'))
  expect(network.counters().intents.map(({ refunded }) => refunded)).not.toContain(3376)
  expect(user.problems).toEqual([])
  await user.stop()
})
