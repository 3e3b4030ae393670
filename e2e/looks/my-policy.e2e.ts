import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { inProcess, type TestApp } from '#server/kit/testing.ts'
import { type Seller, sellerOf } from '#server/policies/testing.ts'
import { sellTo } from '#server/client/testing.ts'
import { accessibilityAtWidths, openPortal, type Portal, type User, waitUntilLoaded } from '../browser.ts'

// The page of a policy's client, in each of its states.

let portal: Portal
let app: TestApp
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  app = inProcess(portal.app)
  seller = await sellerOf(app)
})
afterAll(() => portal.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 20)
const distance = { channel: 'distance', startDate: start, endDate: addDays(start, 41) }
const pictures = process.env['SCREENS']

async function shown(user: User, token: string): Promise<Page> {
  const { page } = user
  await page.goto(`/my-policy#${token}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  return page
}

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' })
}
const t = (key: PlainMessageId, locale: Locale = 'es-ES') => portal.app.world.words(locale)(key)

test('the page passes axe in every state', async () => {
  const sold = await sellTo(app, seller, distance)
  const late = await sellTo(app, seller)
  for (const chosen of ['fr-FR', 'es-ES'] as const) {
    const user = await portal.newUser({ chosen })
    const { page } = user
    const found: object[] = []
    const check = async (name: string) => {
      // Nothing is loading before the first rendering either.
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitUntilLoaded(page)
      found.push(...(await accessibilityAtWidths(page)).map(violation => ({ on: name, ...violation })))
      for (const width of pictures ? [390, 820, 1440] : []) {
        await page.setViewportSize({ width, height: 900 })
        await picture(page, `${chosen.slice(0, 2)}-${name}-${width}`)
      }
    }
    await shown(user, late.token)
    await check('no-right')
    await page.getByRole('button', { name: t('client.change', chosen) }).click()
    await check('change')
    await page.goto('/verify')
    await shown(user, sold.token)
    await check('policy')
    const press = (key: PlainMessageId) => page.getByRole('button', { name: t(key, chosen) }).click()
    await press('client.withdraw_here')
    await check('statement')
    await press('client.continue')
    await check('confirm')
    if (chosen === 'es-ES') {
      await press('client.withdraw_confirm')
      await page.getByRole('heading', { name: t('client.received', chosen) }).waitFor()
      await check('received')
    }
    await page.goto('/my-policy')
    await check('find')
    expect(found).toEqual([])
    await user.stop()
  }
})
