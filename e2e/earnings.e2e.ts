import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf, toSnow } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const app = inProcess(portal.app)
  await sellAs(await sellerOf(app))
  const manager = await sellerOf(app, 'manager@azahar.example')
  await sellAs(manager, toSnow(manager))
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')

test('an accountant follows earnings to the policy by keyboard and asks about one', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings')
  const rows = page.locator('#main tr[tabindex]')
  await expectPage(rows).toHaveCount(2)
  const product = page.getByRole('button', { name: 'Viaje Esencial' })
  await product.focus()
  await page.keyboard.press('Enter')
  await expectPage(rows).toHaveCount(1)
  await expectPage(product).toHaveAttribute('aria-pressed', 'true')
  const number = (await rows.locator('td, th').nth(2).textContent()) ?? ''
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-panel]').getByText(number).first().waitFor()
  await page.goBack()
  await expectPage(rows).toHaveCount(1)
  await page.getByRole('button', { name: t('accounting.show_all') }).click()
  await expectPage(rows).toHaveCount(2)
  await rows.first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name=text]').click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/earnings')
  await page.getByRole('tab', { name: t('accounting.statements') }).click()
  await page.getByText(t('accounting.no_statements')).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a manager sets an agent’s share by keyboard, and the earnings show it', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'manager@azahar.example', '/account?tab=users')
  const openForm = async () => {
    await page.getByRole('button', { name: t('agency.users.actions_of', { name: 'Lucía Ferrer' }) }).press('Enter')
    await page.getByRole('menuitem', { name: t('agency.users.change') }).press('Enter')
    return page.getByRole('dialog', { name: t('agency.users.change') })
  }
  const form = await openForm()
  const field = form.getByLabel(t('agency.users.share'))
  await field.fill('100,5')
  await field.press('Enter')
  await form.getByText(t('agency.fault.share')).waitFor()
  await field.fill('32,5')
  await field.press('Enter')
  await form.waitFor({ state: 'detached' })
  await expectPage((await openForm()).getByLabel(t('agency.users.share'))).toHaveValue('32,5')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.goto('/earnings?by=agent')
  const table = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: t('accounting.share_percent') }) })
  // 32.5 % of 8.74, computed by hand: 2.8405.
  await expect.poll(() => cellsOf(table.getByRole('row', { name: /Lucía Ferrer/ }))).toEqual(['1', '33,76 €', '8,74 €', '32,5', '2,84 €'])
  const others = await cellsOf(table.getByRole('row').filter({ hasNotText: 'Lucía Ferrer' }).last())
  expect(others.slice(-2)).toEqual(['–', '–'])
  await page.getByText(t('accounting.share_note')).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  // A phone shows name, commission and share, and nothing beyond its edge.
  await page.setViewportSize({ width: 360, height: 800 })
  const shown = table.getByRole('columnheader')
  await shown.filter({ hasText: t('accounting.share') }).waitFor()
  await expectPage(shown).toHaveCount(4)
  await expect
    .poll(() => table.evaluate(it => it.getBoundingClientRect().right <= (it.parentElement?.getBoundingClientRect().right ?? 0)))
    .toBe(true)
  await page.getByRole('tab', { name: t('accounting.by_product') }).click()
  await table.waitFor({ state: 'detached' })
  expect(user.problems).toEqual([])
  await user.stop()
})

const cellsOf = async (row: Locator): Promise<string[]> =>
  (await row.getByRole('cell').allTextContents()).map(text => text.replaceAll(/\s/g, ' '))
