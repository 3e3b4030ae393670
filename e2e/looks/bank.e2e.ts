import { afterAll, beforeAll, expect, test } from 'vitest'
import { camt, camtDetails, camtEntry } from '#common/accounting/bank/testing.ts'
import { today } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from '../browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')
const day = `<Dt>${today(new Date(), 'UTC')}</Dt>`
const file = (content: string, name = 'extracto.xml') => ({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })

test.each([1440, 820, 390])('the entries of a bank’s file fit a screen %i wide', async width => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await page.setViewportSize({ width, height: 900 })
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  await page.getByRole('button', { name: t('bank.button') }).click()
  const dialog = page.getByRole('dialog', { name: t('bank.title') })
  const text = 'Transferencia de la liquidación de noviembre azahar-2026-11 con una referencia larguísima'
  const entries = Array.from({ length: 25 }, (_, index) =>
    camtEntry({ amount: `${index + 1}.00`, servicer: `W-${index}`, day, details: camtDetails({ text }) }),
  )
  await dialog.locator('[name=bankFile]').setInputFiles(file(camt(entries)))
  await dialog.getByText(t('bank.count', { count: 25, booked: 0 })).waitFor()
  const sizes = await dialog.evaluate(element => [
    element.scrollWidth - element.clientWidth,
    element.getBoundingClientRect().right - innerWidth,
  ])
  expect(sizes.every(size => size <= 0)).toBe(true)
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('an agency’s account fits a phone, and so does the question on a repeated payment', async () => {
  await sellAs(await sellerOf(inProcess(portal.app)))
  const user = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).click()
  const panel = page.getByRole('region', { name: 'Viajes Azahar' })
  const open = panel.getByRole('button', { name: t('administration.account_payment') })
  const book = async (amount: string) => {
    const form = page.getByRole('dialog', { name: t('administration.account_payment') })
    await form.getByLabel(t('administration.account_amount')).fill(amount)
    await form.getByLabel(t('administration.account_reference')).fill('N43-1')
    await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  }
  await open.click()
  await book('5,39')
  await panel
    .getByRole('region', { name: t('administration.bookings') })
    .getByText('N43-1')
    .waitFor()
  const sizes = await panel.evaluate(element => [
    element.scrollWidth - element.clientWidth,
    element.getBoundingClientRect().right - innerWidth,
  ])
  expect(sizes.every(size => size <= 0)).toBe(true)
  await open.click()
  await book('5,39')
  await page.getByRole('alertdialog', { name: t('administration.account_again_title') }).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  // The question leads back to the form.
  await page.keyboard.press('Escape')
  await book('999')
  await page.getByRole('alertdialog', { name: t('administration.account_beyond_title') }).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await user.stop()
})
