import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, openPortal, type Portal, waitUntilLoaded } from '../browser.ts'

// The page of saved quotes for their client, in each of its states. This installation has no cards, so a quote is accepted.

let portal: Portal
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(() => portal.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 20)
const { docNumber: _ana, birthDate: _born, ...unfinished } = ana
const pictures = process.env['SCREENS']

const post = (path: string, body: object) => seller.app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const save = async (changes: object = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid
const long = { startDate: start, endDate: addDays(start, 41) }

/** Makes a link of two quotes, the first of which lacks most facts of its policyholder. */
async function link(): Promise<string> {
  const [one, two] = [
    await save({ ...long, ages: [36, 38], users: [unfinished, leo] }),
    await save({ ...long, users: [{ ...ana, ...reach }, leo] }),
  ]
  const { body, text } = await post('quote-link', { policyUuid: one, alternatives: [two], message: 'Como hablamos.\nUn saludo' })
  expect(body.code, text).toBe(200)
  return new URL(body.data.url).hash
}

test.each(['es-ES', 'fr-FR'] as const)('the page passes axe in every state in %s, prints, and never scrolls sideways', async chosen => {
  const [accepted, declined] = [await link(), await link()]
  const user = await portal.newUser({ chosen })
  const { page } = user
  const t = portal.app.world.words(chosen)
  const found: object[] = []
  const check = async (name: string) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilLoaded(page)
    found.push(...(await accessibilityAtWidths(page)).map(violation => ({ on: name, ...violation })))
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) found.push({ on: name, width })
      if (pictures) await shoot(page, `look-${chosen.slice(0, 2)}-${name}-${width}`)
    }
  }
  const press = (key: PlainMessageId) =>
    page
      .getByRole('button', { name: t(key), exact: true })
      .last()
      .click()
  const open = async (hash: string) => {
    await page.goto('/verify')
    await page.goto(`/my-quote${hash}`)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  }
  await open(accepted)
  await check('open')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 688, height: 1000 })
  if (pictures) await shoot(page, `look-${chosen.slice(0, 2)}-print`)
  const paper = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body)
    const buttons = [...document.querySelectorAll('main button:not(li button), header label')].filter(each => each.checkVisibility())
    return [backgroundColor, color, buttons.length, document.documentElement.scrollWidth > window.innerWidth]
  })
  expect(paper).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 0, false])
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.getByRole('button', { name: /\(\d+ / }).click()
  await page.getByRole('heading', { level: 3, name: /Ana/ }).waitFor()
  await check('complete')
  await press('client.back')
  await press('quoted.accept')
  await page.getByRole('heading', { name: t('answer.before_accept') }).waitFor()
  await press('quoted.accept')
  await check('declare')
  for (const name of ['needs', 'received']) await page.locator(`[name=${name}]`).check()
  await page.locator('[name=begin]').last().check()
  await press('quoted.accept')
  await page.getByText(t('quoted.not_insured')).waitFor()
  await check('accepted')
  await open(declined)
  await press('quoted.decline')
  await page.locator('[name=reason]').waitFor()
  await check('decline')
  await page.locator('[name=name]').fill('Ana García López')
  await press('quoted.decline_confirm')
  await page.getByText(t('quoted.declined', { agency: 'Viajes Azahar' })).waitFor()
  await check('declined')
  await page.goto('/my-quote')
  await check('dead')
  expect(found).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

const shoot = (page: Page, name: string) =>
  page.screenshot({ path: join(pictures ?? '', `${name}.png`), fullPage: true, animations: 'disabled' })
