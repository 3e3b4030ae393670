import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveRoles } from '#server/session/testing.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const app = inProcess(portal.app)
  await sellAs(await sellerOf(app))
  const manager = await sellerOf(app, 'manager@azahar.example')
  const ski = manager.products.find(({ code }) => code === 'SNO').uuid
  await sellAs(manager, { productUUID: ski })
})
afterAll(() => portal.stop())

const t = (id: string) => portal.app.world.words('es-ES')(id)

test('an accountant follows the earnings of a product down to the policy, by keys', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings')
  const rows = page.locator('#main tr[tabindex]')
  await expect.poll(() => rows.count()).toBe(2)
  const product = page.getByRole('button', { name: 'Viaje Esencial' })
  await product.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBe(1)
  expect(await product.getAttribute('aria-pressed')).toBe('true')
  const number = (await rows.locator('td, th').nth(2).textContent()) ?? ''
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-panel]').getByText(number).first().waitFor()
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: t('accounting.show_all') }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('tab', { name: t('accounting.statements') }).click()
  await page.getByText(t('accounting.no_statements')).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a user who sees only own sales sees what those earned, and no statements', async () => {
  await giveRoles(inProcess(portal.app), 'manager@azahar.example', ['freelancer'])
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'manager@azahar.example', '/earnings')
  await expect.poll(() => page.locator('#main tr[tabindex]').count()).toBe(1)
  expect(await page.getByRole('tab', { name: t('accounting.statements') }).count()).toBe(0)
  expect(user.problems).toEqual([])
  await user.stop()
  await giveRoles(inProcess(portal.app), 'manager@azahar.example', ['manager'])
})

test('an administrator books a payment of an agency, which then owes less', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  const row = page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' })
  const owed = await row.locator('td').nth(1).textContent()
  await row.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Viajes Azahar' })
  await drawer.getByRole('button', { name: t('administration.account_payment') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  await form.getByRole('button', { name: t('administration.account_book') }).click()
  await form.getByText(t('administration.fault.amount')).waitFor()
  await form.locator('[name=amount]').fill('10,5')
  await form.locator('[name=reference]').fill('N43-17')
  expect(await accessibilityOf(page)).toEqual([])
  await form.locator('[name=reference]').press('Enter')
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => row.locator('td').nth(1).textContent()).not.toBe(owed)
  expect(user.problems).toEqual([])
  await user.stop()
})
