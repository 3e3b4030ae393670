import { afterAll, beforeAll, expect, test } from 'vitest'
import { camt, camtDetails, camtEntry } from '#common/accounting/bank/testing.ts'
import { today } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
let owed: number
beforeAll(async () => {
  portal = await openPortal()
  const sold = await sellAs(await sellerOf(inProcess(portal.app)))
  owed = sold.body.data.policyData.total
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')
const day = `<Dt>${today(new Date(), 'UTC')}</Dt>`
const file = (content: string, name = 'extracto.xml') => ({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })

test('an administrator books the payments of a bank’s file by keyboard, each once', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  const account = page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).locator('td').nth(1)
  const before = await account.textContent()
  await page.getByRole('button', { name: t('bank.button') }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('bank.title') })
  const input = dialog.locator('[name=bankFile]')
  await input.setInputFiles(file(camt([camtEntry({ amount: '1.005' }), camtEntry({ amount: '-2' })])))
  await dialog.getByText('Apunte 2: un importe').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  const half = (owed / 2).toFixed(2)
  const content = camt([
    camtEntry({ amount: half, servicer: 'S-1', day, details: camtDetails({ text: 'Liquidación', name: 'VIAJES AZAHAR SL' }) }),
    camtEntry({ amount: '7.00', servicer: 'S-2', day, details: camtDetails({ text: 'sin nombre', name: '' }) }),
    camtEntry({ amount: '99.00', servicer: 'S-3', day, details: camtDetails({ text: 'alquiler', name: '' }) }),
  ])
  await input.setInputFiles(file(content))
  await dialog.getByText(t('bank.by', { by: 'name', statement: '' })).waitFor()
  const boxes = dialog.getByRole('checkbox')
  await expect.poll(() => boxes.evaluateAll((all: HTMLInputElement[]) => all.map(({ checked }) => checked))).toEqual([true, false, false])
  // Choosing an agency selects the entry.
  const second = dialog.getByRole('row').filter({ hasText: 'sin nombre' })
  await second.getByRole('combobox').focus()
  await page.keyboard.type('azahar')
  await page.keyboard.press('Tab')
  await expectPage(second.getByRole('checkbox')).toBeChecked()
  const book = dialog.getByRole('button', { name: t('bank.book', { count: 2 }) })
  await book.focus()
  await page.keyboard.press('Enter')
  await expectPage(dialog.getByText(t('bank.booked_for', { agency: 'Viajes Azahar' }))).toHaveCount(2)
  await dialog.getByText(t('bank.count', { count: 3, booked: 2 })).waitFor()
  await dialog.getByRole('checkbox', { name: t('bank.only_open') }).check()
  await expectPage(dialog.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expectPage(account).not.toHaveText(before ?? '')
  const after = await account.textContent()
  // The same file again has nothing to book for the agency.
  await page.getByRole('button', { name: t('bank.button') }).click()
  await input.setInputFiles(file(content))
  await dialog.getByText(t('bank.count', { count: 3, booked: 2 })).waitFor()
  await expectPage(dialog.getByRole('button', { name: t('bank.book', { count: 0 }) })).toHaveAttribute('aria-disabled', 'true')
  await expectPage(account).toHaveText(after ?? '')
  expect(user.problems).toEqual([expect.stringContaining('422')])
  await user.stop()
})

test('an open month is closed from its panel, which shows a refusal', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  // The service closes months by itself, so the response is changed to an open one.
  await page.route('**/api/administration/accounting/list', async route => {
    const response = await route.fetch()
    const body = await response.json()
    for (const account of body.data.accounts) account.openMonth = '2020-01'
    await route.fulfill({ response, json: body })
  })
  await enter(user, 'admin@portolan.example', '/administration?tab=accounts')
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).click()
  const panel = page.getByRole('region', { name: 'Viajes Azahar' })
  await panel.getByRole('button', { name: t('administration.account_close', { month: 'enero de 2020' }) }).click()
  await page.getByText(t('administration.account_close_hint')).waitFor()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('administration.account_close', { month: 'enero de 2020' }) })
    .press('Enter')
  await page.getByText(t('refusal.account.month_empty', { month: '2020-01' })).waitFor()
  expect(user.problems).toEqual([expect.stringContaining('409')])
  await user.stop()
})
