import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, openPortal, type Portal, type User, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'

// The page of saved quotes for their client: opened by a link on a phone, without an account.

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

const pictures = process.env['SCREENS']
const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' })
}
const t = (locale: Locale = 'es-ES') => portal.app.world.words(locale)

const post = (path: string, body: object) => seller.app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const save = async (changes: object = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid

async function linkTo(policyUuid: string, more: object = {}): Promise<string> {
  const { body, text } = await post('quote-link', { policyUuid, ...more })
  expect(body.code, text).toBe(200)
  return new URL(body.data.url).hash
}

async function shown(user: User, hash: string): Promise<Page> {
  const { page } = user
  await page.goto(`/my-quote${hash}`)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await waitUntilLoaded(page)
  return page
}

/** Six weeks, so that a purchase at a distance has a right of withdrawal. */
const start = addDays(today(new Date(), 'Europe/Madrid'), 20)
const long = { startDate: start, endDate: addDays(start, 41) }
const { docNumber: _ana, ...anaWithout } = ana
const { docNumber: _leo, birthDate: _born, ...leoWithout } = leo

/** Presses Tab until the control has the focus. */
async function tabTo(control: Locator, press: Keyboard['press']): Promise<void> {
  await control.waitFor()
  while ((await control.and(control.page().locator(':focus')).count()) === 0) await press('Tab')
}

test('a client completes two passports by keyboard in 33 keys, pays with 3-D Secure, and has the policy', async () => {
  const policyUuid = await save({ ...long, ages: [36, null], users: [{ ...anaWithout, ...reach }, leoWithout] })
  const hash = await linkTo(policyUuid, { message: 'Como hablamos.\nUn saludo' })
  const user = await portal.newUser({ width: 390, touch: true })
  const sent: string[] = []
  user.page.on('request', request => sent.push(request.url()))
  const page = await shown(user, hash)
  const { client, type, press, counted } = keyboardOf(page)
  await expectPage(page).toHaveTitle('Su presupuesto · Viajes Azahar')
  await picture(page, 'es-390-open')
  expect(await accessibilityOf(page)).toEqual([])
  await tabTo(page.getByRole('button', { name: t()('quoted.complete', { count: 3 }) }), press)
  await press('Enter')
  await page.getByRole('heading', { name: 'Datos de Ana García López' }).waitFor()
  await picture(page, 'es-390-complete')
  expect(await accessibilityOf(page)).toEqual([])
  // The heading has the focus; the kind of document and the number follow.
  await press('Tab')
  await type('Pas')
  await press('Tab')
  await client('12')
  await press('Enter')
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await picture(page, 'es-390-complete-wrong')
  await client('AAA123456')
  await press('Enter')
  await page.getByRole('heading', { name: 'Datos de Leo García Gil' }).waitFor()
  await press('Tab')
  await client('01061955')
  await press('Tab')
  await type('Pas')
  await press('Tab')
  await client('BBB123456')
  await press('Enter')
  await page.locator(':focus', { hasText: /^El precio era / }).waitFor()
  await picture(page, 'es-390-completed')
  expect(await accessibilityOf(page)).toEqual([])
  await press('Tab')
  await press('Enter')
  await page.getByRole('heading', { name: t()('answer.before') }).waitFor()
  await press('Tab', 'Space', 'Tab', 'Space', 'Tab', 'Space', 'ArrowRight')
  await expectPage(page.locator('[name=begin][value=no]')).toBeChecked()
  await picture(page, 'es-390-declare')
  expect(await accessibilityOf(page)).toEqual([])
  await press('Enter')
  await page.locator('[autocomplete=cc-number]').waitFor()
  await client('4000002500003155')
  await press('Tab')
  await client('1239')
  await press('Tab')
  await client('123')
  await picture(page, 'es-390-card')
  expect(await accessibilityOf(page)).toEqual([])
  await press('Enter')
  await tabTo(page.getByRole('button', { name: words.es.approve }), press)
  await press('Enter')
  await page.waitForURL(/\/my-policy#/)
  await page.getByRole('button', { name: t()('documents.certificate') }).waitFor()
  await picture(page, 'es-390-policy')
  expect(counted.others).toBeLessThanOrEqual(33)
  const { policy, link } = (await post('detail', { policyUuid })).body.data
  expect([policy.status, link.decision]).toEqual(['purchased', 'bought'])
  // No request but the page's own has the token in its URL, and nothing is stored.
  const token = hash.slice(1)
  expect(sent.filter(url => url.includes(token) && !/^\/my-(quote|policy)$/.test(new URL(url).pathname))).toEqual([])
  const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
  for (const secret of [token, 'Ana', 'AAA123456']) expect(stored).not.toContain(secret)
  // The link now shows the quote as paid, and leads to the policy.
  await page.goto('/verify')
  await shown(user, hash)
  await picture(page, 'es-390-bought')
  await page.getByRole('link', { name: t()('quoted.policy') }).click()
  await page.waitForURL(/\/my-policy#/)
  // The browser logs the wrong number.
  expect(user.problems).toEqual([expect.stringContaining('status of 422')])
  await user.stop()
})

test('a client compares two quotes in French, and declines both by the keyboard', async () => {
  const [one, two] = [await save(long), await save({ buReference: 'B' })]
  const message = 'À demain ! <img src="x" onerror="window.hacked = true">'
  const hash = await linkTo(one, { alternatives: [two], message })
  const user = await portal.newUser({ chosen: 'fr-FR' })
  const page = await shown(user, hash)
  await page.getByText(message).waitFor()
  await expect.poll(() => page.evaluate('window.hacked')).toBeUndefined()
  await expectPage(page.locator('main article')).toHaveCount(2)
  await picture(page, 'fr-1440-open')
  expect(await accessibilityOf(page)).toEqual([])
  await page.getByRole('button', { name: t('fr-FR')('quoted.decline') }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[name=reason]').waitFor()
  // The question has the focus; the name, the reason and the button follow.
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ana García López')
  await page.keyboard.press('Tab')
  // A typed blank would open the list if the machine is slow.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await picture(page, 'fr-1440-decline')
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator(':focus', { hasText: t('fr-FR')('quoted.declined', { agency: 'Viajes Azahar' }) }).waitFor()
  await waitUntilLoaded(page)
  await picture(page, 'fr-1440-declined')
  expect((await post('detail', { policyUuid: two })).body.data.link).toMatchObject({ decision: 'declined', reason: 'too_dear' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a revoked link says that it is no longer valid', async () => {
  const policyUuid = await save()
  const hash = await linkTo(policyUuid)
  await post('quote-link/revoke', { policyUuid })
  const user = await portal.newUser({ width: 390, touch: true })
  await user.page.goto(`/my-quote${hash}`)
  await user.page.getByText(t()('link.dead')).waitFor()
  await picture(user.page, 'es-390-dead')
  await user.stop()
})
