import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, accessibilityOf, enter, inDays, openPortal, type Portal, type User, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// An agent offers a change; the client opens the link on a phone, and pays, declines, or finds the offer revoked.

let portal: Portal
let network: CardNetwork
let mailbox: Mailbox
let seller: Seller
beforeAll(async () => {
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  mailbox = await openMailbox()
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_only_for_e2e_tests',
    STRIPE_API_URL: network.url,
    SMTP_URL: mailbox.url,
  })
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
  await mailbox.close()
})

const pictures = process.env['SCREENS']
const t = (locale: Locale = 'es-ES') => portal.app.world.words(locale)
const panelOf = (page: Page) => page.locator('[data-panel]')
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const amount = { amount: '17,08 €' }
/** Takes a picture at a width, as the accessibility check leaves another one. */
const picture = async (page: Page, name: string) => {
  if (!pictures) return
  await page.setViewportSize({ width: Number(/\d+/.exec(name)?.[0]), height: 900 })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' })
}

/** Sells eight days to Italy on account, to a client with a new address. */
async function sell(email: string): Promise<string> {
  const trip = { startDate: readDate(inDays(11)), endDate: readDate(inDays(18)) }
  return (await sellAs(seller, { ...trip, users: [{ ...ana, ...reach, email }, leo] })).body.data.policyData.policyUuid
}
const policyOf = async (policyUuid: string) =>
  (await seller.app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data.policy

/** Offers four more days to an address, as the desk does. */
async function offer(policyUuid: string, email: string, version = 1): Promise<void> {
  const change = { policyUuid, version, change: { endDate: readDate(inDays(22)) }, expectedDifference: 17.08 }
  const body = { ...change, settle: { offer: { email } } }
  const offered = await seller.app.ask('/api/policy/change', { body, headers: seller.headers })
  expect(offered.status, offered.text).toBe(200)
}

/** Opens the link in the newest email of an offer to an address, as its reader does. */
async function openLink(user: User, email: string, mailsBefore = 1): Promise<Page> {
  const { page } = user
  const linkOf = () => {
    const mails = mailbox.received.filter(({ to, raw }) => to.includes(email) && raw.includes('/my-policy#'))
    return /\/my-policy#[\w-]{22}/.exec(mails.at(-1)?.raw.replaceAll(/=\r?\n/g, '') ?? '')?.[0]
  }
  await expect
    .poll(() => (mailbox.received.filter(({ to }) => to.includes(email)).length > mailsBefore ? linkOf() : undefined))
    .toBeDefined()
  await page.goto(linkOf() ?? '')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  return page
}

test('an agent offers a change, and the client pays it on a phone by the emailed link', async () => {
  const email = 'pays@example.es'
  const uuid = await sell(email)
  const agent = await portal.newUser({ chosen: 'es-ES' })
  await enter(agent, 'agent@azahar.example', `/policies?policy=${uuid}&desk=change`)
  await waitUntilLoaded(agent.page)
  await agent.page.locator('[name=endDate]').fill('+4')
  await agent.page.locator('[name=endDate]').press('Tab')
  await agent.page.getByRole('radio', { name: t()('changes.by_offer') }).focus()
  await agent.page.keyboard.press('Space')
  await expectPage(agent.page.locator('[name=offerEmail]')).toHaveValue(email)
  await agent.page.locator('[name=offerEmail]').scrollIntoViewIfNeeded()
  await picture(agent.page, 'desk-es-1440')
  expect(await accessibilityAtWidths(agent.page)).toEqual([])
  await agent.page.keyboard.press('Control+Enter')
  await said(agent.page, t()('changes.done_offer', { email }))
  await panelOf(agent.page).getByText(t()('changes.until_answered', { email })).waitFor()
  await picture(agent.page, 'drawer-es-1440')

  const client = await portal.newUser({ width: 390, touch: true })
  const page = await openLink(client, email)
  await page.getByRole('heading', { name: t()('offer.title') }).waitFor()
  await picture(page, 'client-es-390')
  expect(await accessibilityOf(page)).toEqual([])
  expect((await policyOf(uuid)).total).toBe(33.76)
  await page.getByRole('button', { name: t()('offer.pay', amount) }).click()
  await page.locator('[autocomplete=cc-number]').fill('4000002500003155')
  await page.locator('[autocomplete=cc-exp]').fill('12/39')
  await page.locator('[autocomplete=cc-csc]').fill('123')
  await picture(page, 'client-es-390-card')
  expect(await accessibilityOf(page)).toEqual([])
  await page.getByRole('button', { name: t()('offer.pay', amount) }).click()
  await page.getByRole('button', { name: words.es.approve }).click()
  await page.getByRole('heading', { name: t()('offer.paid') }).waitFor()
  await waitUntilLoaded(page)
  await picture(page, 'client-es-390-done')
  expect(await policyOf(uuid)).toMatchObject({ endDate: readDate(inDays(22)), total: 50.84 })
  expect(client.problems).toEqual([])
  await client.stop()

  await agent.page.reload()
  await button(agent.page, t()('changes.compare')).waitFor()
  await panelOf(agent.page).getByText(t()('events.change_offered')).waitFor()
  await expectPage(panelOf(agent.page).getByText(t()('changes.until_answered', { email }))).toHaveCount(0)
  expect(agent.problems).toEqual([])
  await agent.stop()
})

test('an address that is not the policyholder’s only gets the offer', async () => {
  const uuid = await sell('holder@example.es')
  await offer(uuid, 'mistyped@example.es')
  const client = await portal.newUser({ width: 390, touch: true })
  const page = await openLink(client, 'mistyped@example.es', 0)
  await page.getByRole('button', { name: t()('offer.pay', amount) }).waitFor()
  await page.getByText(t()('client.holder_only')).waitFor()
  await picture(page, 'client-es-390-other')
  const text = await page.locator('main').innerText()
  expect(text).toContain(t()('client.number'))
  for (const hidden of [t()('client.people'), t()('client.documents'), 'García', 'Leo']) expect(text).not.toContain(hidden)
  expect(await accessibilityOf(page)).toEqual([])
  expect(client.problems).toEqual([])
  await client.stop()
})

test('a client declines an offer by keyboard, and finds another one revoked', async () => {
  const email = 'declines@example.es'
  const uuid = await sell(email)
  await offer(uuid, email)
  const client = await portal.newUser({ chosen: 'fr-FR' })
  const page = await openLink(client, email)
  const decline = page.getByRole('button', { name: t('fr-FR')('offer.decline') })
  await decline.waitFor()
  await picture(page, 'client-fr-1440')
  await picture(page, 'client-fr-390')
  await decline.focus()
  await page.keyboard.press('Enter')
  // A second Enter is not an answer, and Escape closes the question.
  const asked = page.getByRole('group', { name: t('fr-FR')('offer.decline') })
  await asked.locator('p:focus').waitFor()
  await page.keyboard.press('Enter')
  expect(await accessibilityOf(page)).toEqual([])
  await picture(page, 'client-fr-390-declining')
  await page.keyboard.press('Escape')
  await page.locator('button:focus', { hasText: t('fr-FR')('offer.decline') }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(t('fr-FR')('offer.declined')).waitFor()
  await picture(page, 'client-fr-390-declined')
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(t('fr-FR')('offer.title'))
  const agent = await portal.newUser({ chosen: 'fr-FR' })
  await enter(agent, 'agent@azahar.example', `/policies?policy=${uuid}`)
  await panelOf(agent.page).getByText(t('fr-FR')('events.change_declined')).waitFor()

  await offer(uuid, email)
  await agent.page.reload()
  await button(agent.page, t('fr-FR')('changes.take_offer_back')).click()
  await said(agent.page, t('fr-FR')('changes.offer_taken_back'))
  await page.reload()
  await page.getByText(t('fr-FR')('offer.taken_back')).waitFor()
  expect((await policyOf(uuid)).total).toBe(33.76)
  expect(agent.problems).toEqual([])
  expect(client.problems).toEqual([])
  await agent.stop()
  await client.stop()
})
