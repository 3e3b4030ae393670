import { afterAll, beforeAll, expect, test } from 'vitest'
import { camt, camtDetails, camtEntry } from '#common/accounting/bank/testing.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
let owed: number
beforeAll(async () => {
  portal = await openPortal()
  owed = (await sellAs(await sellerOf(inProcess(portal.app)))).body.data.policyData.total
})
afterAll(() => portal.stop())

const t = (id: string, facts?: Record<string, string | number>) => portal.app.world.words('es-ES')(id, facts)

test('payments by hand are asked about when unlikely, listed and reversed once, and no more than is owed is written off', async () => {
  const user = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).click()
  const panel = page.getByRole('region', { name: 'Viajes Azahar' })
  const list = panel.getByRole('region', { name: t('administration.bookings') })
  const reference = 'N43-1'
  const book = async (amount: number) => {
    await panel.getByRole('button', { name: t('administration.account_payment') }).click()
    const form = page.getByRole('dialog', { name: t('administration.account_payment') })
    await form.getByLabel(t('administration.account_amount')).fill(amount.toFixed(2).replace('.', ','))
    await form.getByLabel(t('administration.account_reference')).fill(reference)
    await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  }
  await book(5.39)
  await list.getByText(reference).waitFor()
  // The very same again: once asked about, and not booked by going back.
  await book(5.39)
  const again = page.getByRole('alertdialog', { name: t('administration.account_again_title') })
  await again.getByText(`referencia ${reference}`).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await again.getByRole('button', { name: t('administration.account_change') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  await expectPage(form.getByLabel(t('administration.account_reference'))).toHaveValue(reference)
  await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  await again.getByRole('button', { name: t('administration.account_again_button') }).click()
  await expectPage(list.getByText(reference)).toHaveCount(2)
  // More than the agency owes: the balance before and after, and that it is a credit.
  await book(owed + 10)
  const beyond = page.getByRole('alertdialog', { name: t('administration.account_beyond_title') })
  await beyond.getByText(t('administration.account_after', { of: 'account' })).waitFor()
  await expectPage(beyond).toContainText('saldo a favor')
  expect(await accessibilityOf(page)).toEqual([])
  await beyond.getByRole('button', { name: t('administration.account_beyond_button') }).click()
  await expectPage(list.getByText(reference)).toHaveCount(3)
  const sizes = await panel.evaluate(element => [
    element.scrollWidth - element.clientWidth,
    element.getBoundingClientRect().right - innerWidth,
  ])
  expect(sizes.every(size => size <= 0)).toBe(true)
  // All of them are taken back, the newest first, each once.
  for (const left of [2, 1, 0]) {
    const buttons = list.getByRole('button', { name: 'Revertir la anotación' })
    await buttons.first().press('Enter')
    const reversing = page.getByRole('dialog', { name: t('administration.booking_reverse_title') })
    await reversing.getByLabel(t('administration.reason')).fill('Era de otra agencia')
    await reversing.getByRole('button', { name: t('administration.booking_reverse') }).click()
    await reversing.waitFor({ state: 'detached' })
    await expectPage(buttons).toHaveCount(left)
  }
  await expectPage(list.getByText(reference)).toHaveCount(6)
  await panel.getByRole('button', { name: t('administration.account_write_off') }).click()
  const off = page.getByRole('dialog', { name: t('administration.account_write_off') })
  await off.getByLabel(t('administration.account_amount')).fill('99999')
  await off.getByLabel(t('administration.reason')).fill('Una disputa resuelta')
  await off.getByRole('button', { name: t('administration.account_write_off') }).click()
  await off.getByText('La agencia debe').waitFor()
  expect(user.problems).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('409')))
  await user.stop()
})

test('an entry of a bank’s file that looks like a payment booked by hand is not picked, and says which', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).click()
  await page.getByRole('button', { name: t('administration.account_payment') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  await form.getByLabel(t('administration.account_amount')).fill('3,21')
  const paidOn = await form.getByRole('textbox', { name: t('administration.account_paid_on') }).inputValue()
  const near = `<Dt>${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}</Dt>`
  await form.getByLabel(t('administration.account_reference')).fill('TR-2211')
  await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  await page.getByText('TR-2211').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('bank.button') }).click()
  const dialog = page.getByRole('dialog', { name: t('bank.title') })
  const content = camt([
    camtEntry({ amount: '3.21', servicer: 'B-1', day: near, details: camtDetails({ text: 'azahar' }) }),
    camtEntry({ amount: '3.22', servicer: 'B-2', day: near, details: camtDetails({ text: 'azahar' }) }),
  ])
  await dialog.locator('[name=bankFile]').setInputFiles({ name: 'extracto.xml', mimeType: 'text/xml', buffer: Buffer.from(content) })
  await dialog.getByText(t('bank.by_hand', { date: paidOn, reference: 'TR-2211' })).waitFor()
  const boxes = dialog.getByRole('checkbox')
  await expect.poll(() => boxes.evaluateAll((all: HTMLInputElement[]) => all.map(({ checked }) => checked))).toEqual([false, true])
  expect(await accessibilityOf(page)).toEqual([])
  await boxes.first().check()
  await dialog.getByRole('button', { name: t('bank.book', { count: 2 }) }).click()
  await expectPage(dialog.getByText(t('bank.booked_for', { agency: 'Viajes Azahar' }))).toHaveCount(2)
  expect(user.problems).toEqual([])
  await user.stop()
})
