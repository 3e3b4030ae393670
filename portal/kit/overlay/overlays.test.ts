import { test, vi } from 'vitest'
import { openGallery } from '#portal/dev/testing.ts'
import { stopClock } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'

test('a menu handles arrows, letters and Escape; a tooltip shows on keyboard focus', async () => {
  const { page, button, focused } = await openGallery()
  await button('Actions: AZ-2026-104250').click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectScreen(focused()).toHaveText('Send by mail')
  await page.keyboard.press('Enter')
  await expectScreen(menu).toHaveCount(1)
  await page.keyboard.press('d')
  await expectScreen(focused()).toHaveText('Delete')
  await page.keyboard.press('Escape')
  await expectScreen(menu).toHaveCount(0)
  await expectScreen(button('Actions: AZ-2026-104250')).toBeFocused()
  // A tooltip appears on keyboard focus and closes on Escape.
  await button('Menu').focus()
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip').filter({ visible: true }).waitFor()
  await page.keyboard.press('Escape')
  await expectScreen(page.getByRole('tooltip').filter({ visible: true })).toHaveCount(0)
})

test('a table sorts by its headers, opens rows by keyboard and explains an empty list', async () => {
  const { page } = await openGallery()
  const first = page.locator('#data tbody tr').first()
  const header = page.getByRole('columnheader', { name: 'Policyholder' })
  await header.getByRole('button').click()
  await expectScreen(header).toHaveAttribute('aria-sort', 'ascending')
  await expectScreen(first).toContainText('Ana García')
  await first.press('End')
  await page.keyboard.press('Enter')
  await page.locator('[role=status]').getByText('Viajes del Norte').waitFor()
  await page.getByRole('tab', { name: 'Sold' }).press('End')
  await page.getByText('No policy matches').waitFor()
})

test('a dialog closes inner lists first, and a drawer closes by a click outside', async () => {
  const { page, button, focused } = await openGallery()
  await button('Dialog').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.locator('[name=where]').fill('fr')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await expectScreen(page.getByRole('listbox')).toHaveCount(0)
  await expectScreen(dialog).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expectScreen(dialog).toHaveCount(0)
  await expectScreen(focused()).toHaveText('Dialog')
  await button('Drawer').click()
  // The window itself is where its backdrop is pressed.
  await dialog.click()
  await expectScreen(dialog).toHaveCount(0)
})

test('an alert of each mode shows its own text and closes with its button', { tags: ['S2.21', 'S8.12', 'S9.7'] }, async () => {
  const { page, button } = await openGallery()
  const alert = page.getByRole('alertdialog')
  for (const [mode, title, message] of [
    ['info', 'Please note', 'There is something you should know before you continue.'],
    ['warning', 'Warning', 'Check your entries before you continue.'],
    ['error', 'That did not work', 'Something went wrong. Try again.'],
    ['confirm', 'Are you sure?', 'Confirm that you want to continue.'],
  ] as const) {
    await button(`Alert: ${mode}`).click()
    await alert.getByRole('heading', { name: title, exact: true }).waitFor()
    await alert.getByText(message, { exact: true }).waitFor()
    await expectScreen(alert.getByRole('button', { name: 'Cancel' })).toHaveCount(mode === 'confirm' ? 1 : 0)
    await button('OK').click()
    await expectScreen(alert).toHaveCount(0)
  }
})

test('a confirmation stays while its action runs, closes on success, shows a failure', { tags: ['S2.21', 'S4.16'] }, async () => {
  const { page, button } = await openGallery()
  const alert = page.getByRole('alertdialog')
  await button('Alert: confirm a deletion').click()
  await button('Delete').waitFor()
  stopClock()
  await button('Delete').click()
  await expectScreen(button('Delete')).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Escape')
  await expectScreen(alert).toHaveCount(1)
  vi.advanceTimersByTime(1500)
  await page.getByText('Deleted', { exact: true }).waitFor()
  await expectScreen(alert).toHaveCount(0)
  await button('Alert: confirm that fails').click()
  await button('Delete').click()
  await expectScreen(button('Delete')).toHaveAttribute('aria-busy', 'true')
  vi.advanceTimersByTime(1500)
  await page.getByText('That did not work. Try again.').waitFor()
  await button('Cancel').click()
  await page.getByText('Kept', { exact: true }).waitFor()
})

test('a toast is announced, stays while hovered and disappears by itself', { tags: 'S2.22' }, async () => {
  const { page, button } = await openGallery()
  stopClock()
  await button('Toast: error').click()
  await page.locator('[aria-live=assertive]').getByText('The policy was sent').waitFor()
  await button('Toast: success').click()
  const polite = page.locator('[role=status]').getByText('The policy was sent')
  await polite.hover()
  vi.advanceTimersByTime(10_000)
  await expectScreen(polite).toHaveCount(1)
  await polite.unhover()
  vi.advanceTimersByTime(4000)
  await expectScreen(polite).toHaveCount(0)
})
