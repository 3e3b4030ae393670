import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accessibilityOf, type User, type UserOpener, usersOf } from './browser.ts'
import { type KitPage, openKitPage } from './kit-page.ts'
import { expectPage } from './expect-page.ts'

let kit: KitPage
let users: UserOpener
let user: User
let page: Page

beforeAll(async () => {
  kit = await openKitPage()
  users = usersOf(kit.browser, kit.origin)
})
afterAll(async () => {
  await users.close()
  await kit.stop()
})

beforeEach(async () => {
  user = await users.newUser({ locale: 'en-GB' })
  page = user.page
  await page.goto('/dev/ui')
  await page.getByRole('heading', { level: 1 }).waitFor()
})
afterEach(async () => {
  expect(user.problems).toEqual([])
  await user.stop()
})

/** Stops the page's timers, at a time certain to be in the future, to check a state that lasts only a moment. */
async function withTimersStopped(check: () => Promise<void>): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await check()
  await page.clock.resume()
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const focusedElement = () => page.locator(':focus')
const field = (part: string, name: string) => page.locator(`#${part} [name="${name}"]`)

test('a language applies to open fields at once, theme and density survive a reload', async () => {
  await expectPage(field('typed-fields', 'startDate')).toHaveAttribute('placeholder', 'DD/MM/YYYY')
  await page.locator('[name=locale]').selectOption('fr-FR')
  await expectPage(field('typed-fields', 'startDate')).toHaveAttribute('placeholder', 'JJ/MM/AAAA')
  await expectPage(field('typed-fields', 'priceTravel')).toHaveValue('1\u202f234,50')
  await page.locator('[name=theme]').selectOption('dark')
  await page.locator('[name=density]').selectOption('compact')
  await page.reload()
  await expect
    .poll(() => page.evaluate(() => Object.assign({}, document.documentElement.dataset)))
    .toEqual({ theme: 'dark', density: 'compact' })
})

test('a date is typed, pasted, or picked from a calendar within bounds', async () => {
  const date = field('typed-fields', 'startDate')
  await date.pressSequentially('05122026')
  await expectPage(date).toHaveValue('05/12/2026')
  await date.fill('')
  await date.pressSequentially('5/1/2027')
  await expectPage(date).toHaveValue('05/01/2027')
  await date.fill('2027-02-03')
  await expectPage(date).toHaveValue('03/02/2027')
  await date.fill('31022027')
  await date.blur()
  await expectPage(date).toHaveValue('31022027')
  // The calendar returns the focus, and offers only what is within the bounds.
  await date.fill('')
  await date.pressSequentially('05122026')
  await date.press('ArrowDown')
  await page.getByRole('button', { name: /Saturday,? 5 December 2026/ }).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await expectPage(focusedElement()).toHaveText('5')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expectPage(date).toHaveValue('06/12/2026')
  await expectPage(focusedElement()).toHaveAttribute('name', 'startDate')
  await date.fill('21112026')
  await date.press('ArrowDown')
  await page.getByRole('button', { name: /Friday,? 20 November 2026/ }).waitFor()
  await expectPage(page.getByRole('button', { name: /Friday,? 20 November 2026/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expectPage(page.getByRole('grid')).toHaveCount(0)
  await expectPage(focusedElement()).toHaveAttribute('name', 'startDate')
})

test('number fields step within bounds and format amounts by language', async () => {
  const travellers = field('typed-fields', 'travelers')
  await travellers.focus()
  for (let times = 0; times < 9; times++) await travellers.press('ArrowUp')
  await expectPage(travellers).toHaveValue('9')
  const step = (name: string) => page.locator('#typed-fields').getByRole('button', { name })
  await expectPage(step('More: Travellers')).toBeDisabled()
  await step('Less: Travellers').click()
  await expectPage(travellers).toHaveValue('8')
  const price = field('typed-fields', 'priceTravel')
  await price.fill('2000,5')
  await price.blur()
  await expectPage(price).toHaveValue('2,000.50')
  await price.fill('twelve')
  await price.blur()
  await expectPage(price).toHaveValue('twelve')
})

test('a field that is off takes the focus, says so, and keeps its value', async () => {
  const [list, box, toggle] = [field('lists', 'city'), page.locator('[name=off]'), page.locator('[name=fixed]')]
  for (const control of [list, box, toggle]) {
    await control.focus()
    await expectPage(control).toBeFocused()
    await expectPage(control).toHaveAttribute('aria-disabled', 'true')
  }
  await list.click({ force: true })
  await list.press('ArrowDown')
  await list.pressSequentially('a')
  await box.press('Space')
  await toggle.press('Space')
  // A field that can be changed answers after them.
  await field('lists', 'country').press('ArrowDown')
  await page.getByRole('listbox').waitFor()
  await expectPage(page.getByRole('listbox')).toHaveCount(1)
  await expectPage(list).toHaveValue('')
  await expectPage(box).toBeChecked()
  await expectPage(toggle).not.toBeChecked()
})

describe('a combobox', () => {
  const options = () => page.getByRole('listbox').getByRole('option')

  test('a combobox matches without accents, keeps only options and draws those in sight', async () => {
    const country = field('lists', 'country')
    await country.focus()
    await country.fill('cote d')
    await options().first().waitFor()
    expect(await accessibilityOf(page)).toEqual([])
    await country.press('Enter')
    await expectPage(country).toHaveValue('Côte d’Ivoire')
    await country.fill('zzz')
    await page.getByText('Nothing matches “zzz”.').waitFor()
    await country.press('Tab')
    await expectPage(country).toHaveValue('Côte d’Ivoire')
    await country.fill('port')
    await country.press('Tab')
    await expectPage(country).toHaveValue('Portugal')
    await country.fill('')
    await country.blur()
    await expectPage(country).toHaveValue('')
    // Only those in sight are drawn, of hundreds of options.
    await country.click()
    await options().first().waitFor()
    await expect.poll(() => options().count()).toBeLessThan(40)
    await expectPage(options().first()).toHaveAttribute('aria-setsize', /^(?:2[5-9]|[3-9]\d)\d$/)
    for (let step = 0; step < 12; step++) await country.press('PageDown')
    const active = await country.getAttribute('aria-activedescendant')
    await expectPage(page.locator(`[id="${active}"]`)).toHaveCount(1)
    await country.press('Escape')
    await expectPage(page.getByRole('listbox')).toHaveCount(0)
  })

  test('arrows open the first or last option, and lead through what typing finds', async () => {
    const country = field('lists', 'country')
    const active = async () => {
      const id = await country.getAttribute('aria-activedescendant')
      return id === null ? undefined : page.locator(`[id="${id}"]`).textContent()
    }
    await country.fill('')
    await country.blur()
    await country.press('ArrowDown')
    await expect.poll(active).toMatch(/^Afghanistan/)
    await country.press('Alt+ArrowUp')
    await expectPage(options()).toHaveCount(0)
    await country.press('ArrowUp')
    await expect.poll(active).toMatch(/^Zimbabwe/)
    await country.press('Escape')
    await country.press('Alt+ArrowDown')
    await options().first().waitFor()
    await expect.poll(() => active()).toBeUndefined()
    await country.press('ArrowDown')
    await country.press('Tab')
    await expectPage(options()).toHaveCount(0)
    await expectPage(focusedElement()).toHaveAttribute('name', 'mainDestination')
    // After typing, the first arrow leads to the first option, and Tab picks only what typing highlighted.
    await country.fill('guinea')
    await options().first().waitFor()
    const names = await options().allInnerTexts()
    const isChosen = (index: number) => expect.poll(async () => names[index]?.startsWith(await country.inputValue())).toBe(true)
    await country.press('ArrowDown')
    await country.press('Enter')
    await isChosen(0)
    await country.fill('guinea')
    await country.press('ArrowDown')
    await country.press('ArrowDown')
    await country.press('Enter')
    await isChosen(1)
    await country.fill('fran')
    await country.press('ArrowDown')
    await country.press('Tab')
    await isChosen(1)
  })

  test('no option is active before the list is loaded', async () => {
    const held = Promise.withResolvers<undefined>()
    await page.route('**/assets/list-*.js', async route => {
      await held.promise
      await route.continue()
    })
    const country = field('lists', 'country')
    const requested = page.waitForRequest('**/assets/list-*.js')
    await country.fill('f')
    await requested
    await expectPage(country).not.toHaveAttribute('aria-activedescendant')
    await expectPage(country).not.toHaveAttribute('aria-controls')
    held.resolve(undefined)
    await expectPage(country).toHaveAttribute('aria-activedescendant')
  })

  test('a multi-select adds options and removes them by Backspace or a click', async () => {
    const destinations = field('lists', 'mainDestination')
    const chips = page.locator('#lists').getByRole('button', { name: /^Remove / })
    await expectPage(chips).toHaveCount(3)
    await destinations.pressSequentially('spain')
    await destinations.press('Enter')
    await expectPage(chips).toHaveCount(4)
    // Typed again, a choice stays.
    await destinations.pressSequentially('spain')
    await destinations.press('Tab')
    await expectPage(chips).toHaveCount(4)
    await destinations.focus()
    await destinations.press('Backspace')
    await expectPage(chips).toHaveCount(3)
    await chips.first().click()
    await expectPage(chips).toHaveCount(2)
    await button('Clear: Destinations').click()
    await expectPage(chips).toHaveCount(0)
  })
})

describe('a form', () => {
  const form = () => page.locator('#a-form-with-rules')
  const inForm = (name: string) => field('a-form-with-rules', name)

  test('a rejected form lists its errors, leads to the fields and validates them on blur', { tags: 'S5.8' }, async () => {
    await button('Save').click()
    await page.getByText('5 fields need your attention').waitFor()
    await expectPage(focusedElement()).toHaveAttribute('name', 'startDate')
    expect(await accessibilityOf(page)).toEqual([])
    // A field is validated again as it is left, not while it is typed in.
    const date = inForm('startDate')
    await date.pressSequentially('01022027')
    await expectPage(date).toHaveValue('01/02/2027')
    await expectPage(date).toHaveAttribute('aria-invalid', 'true')
    await date.blur()
    await expectPage(date).not.toHaveAttribute('aria-invalid')
    await form()
      .getByRole('button', { name: /^Destination: / })
      .click()
    await expectPage(focusedElement()).toHaveAttribute('name', 'mainDestination')
    await page.locator('[name=locale]').selectOption('es-ES')
    await form().getByText('Hay 4 campos por revisar').waitFor()
  })

  test('a form validates on blur and on choosing, not while typing', { tags: 'S5.8' }, async () => {
    const date = inForm('startDate')
    await date.pressSequentially('31022027')
    await expectPage(date).not.toHaveAttribute('aria-invalid')
    await date.blur()
    await form().getByText('Enter a date as').waitFor()
    await date.fill('01022027')
    await expectPage(date).toHaveAttribute('aria-invalid', 'true')
    await date.blur()
    await form().getByText('Enter a date as').waitFor({ state: 'detached' })
    await inForm('kind').focus()
    await inForm('kind').blur()
    await expectPage(inForm('kind')).toHaveAttribute('aria-invalid', 'true')
    await inForm('kind').selectOption('a')
    await expectPage(inForm('kind')).not.toHaveAttribute('aria-invalid')
  })

  test('a form is sent by keyboard alone and is busy meanwhile', async () => {
    await inForm('startDate').focus()
    await page.keyboard.type('01022027')
    await page.keyboard.press('Tab')
    await page.keyboard.type('02022027')
    await page.keyboard.press('Tab')
    await page.keyboard.type('spain')
    await page.keyboard.press('Tab')
    await expectPage(inForm('mainDestination')).toHaveValue('Spain')
    await inForm('kind').selectOption('a')
    await inForm('terms').focus()
    await page.keyboard.press('Space')
    await withTimersStopped(async () => {
      await button('Save').press('Enter')
      await expectPage(button('Save')).toHaveAttribute('aria-busy', 'true')
    })
    await page.getByText('Saved', { exact: true }).waitFor()
  })
})

test('a menu takes arrows, letters and Escape, and a tooltip shows on keyboard focus', async () => {
  await button('Actions: AZ-2026-104250').click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectPage(focusedElement()).toHaveText('Send by mail')
  await page.keyboard.press('Enter')
  await expectPage(menu).toHaveCount(1)
  await page.keyboard.press('d')
  await expectPage(focusedElement()).toHaveText('Delete')
  await page.keyboard.press('Escape')
  await expectPage(menu).toHaveCount(0)
  await expectPage(button('Actions: AZ-2026-104250')).toBeFocused()
  // A tooltip appears on keyboard focus and closes on Escape.
  await button('Menu').focus()
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip').filter({ visible: true }).waitFor()
  await page.keyboard.press('Escape')
  await expectPage(page.getByRole('tooltip').filter({ visible: true })).toHaveCount(0)
})

test('a table sorts by its headers, opens rows by keyboard and explains an empty list', async () => {
  const first = () => page.locator('#data tbody tr').first()
  await page.getByRole('columnheader', { name: 'Policyholder' }).getByRole('button').click()
  await expectPage(page.getByRole('columnheader', { name: 'Policyholder' })).toHaveAttribute('aria-sort', 'ascending')
  await expectPage(first()).toContainText('Ana García', { useInnerText: true })
  await first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.locator('[role=status]').getByText('Viajes del Norte').waitFor()
  await page.getByRole('tab', { name: 'Sold' }).focus()
  await page.keyboard.press('End')
  await page.getByText('No policy matches').waitFor()
})

test('a dialog closes inner lists first, and a drawer closes by a click outside', async () => {
  await button('Dialog').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await dialog.locator('[name=where]').fill('fr')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await expectPage(page.getByRole('listbox')).toHaveCount(0)
  await expectPage(dialog).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expectPage(dialog).toHaveCount(0)
  await expectPage(focusedElement()).toHaveText('Dialog')
  const left = () => page.locator('main').evaluate(main => main.getBoundingClientRect().left)
  const before = await left()
  await button('Drawer').click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => left()).toBe(before)
  expect(await accessibilityOf(page)).toEqual([])
  await page.mouse.click(50, 400)
  await expectPage(page.getByRole('dialog')).toHaveCount(0)
})

describe('an alert', () => {
  const alert = () => page.getByRole('alertdialog')

  test('an alert of each mode shows its own text and closes with its button', { tags: ['S2.21', 'S8.12', 'S9.7'] }, async () => {
    for (const [mode, title, message] of [
      ['info', 'Please note', 'There is something you should know before you continue.'],
      ['warning', 'Warning', 'Check your entries before you continue.'],
      ['error', 'That did not work', 'Something went wrong. Try again.'],
      ['confirm', 'Are you sure?', 'Confirm that you want to continue.'],
    ] as const) {
      await button(`Alert: ${mode}`).click()
      await alert().getByRole('heading', { name: title, exact: true }).waitFor()
      await alert().getByText(message, { exact: true }).waitFor()
      await expectPage(alert().getByRole('button', { name: 'Cancel' })).toHaveCount(mode === 'confirm' ? 1 : 0)
      expect(await accessibilityOf(page), mode).toEqual([])
      await button('OK').click()
      await expectPage(alert()).toHaveCount(0)
    }
  })

  test('a confirmation stays while its action runs, closes on success, says a failure', { tags: ['S2.21', 'S4.16'] }, async () => {
    await button('Alert: confirm a deletion').click()
    await withTimersStopped(async () => {
      await button('Delete').click()
      await expectPage(button('Delete')).toHaveAttribute('aria-busy', 'true')
      await page.keyboard.press('Escape')
      await expectPage(alert()).toHaveCount(1)
    })
    await page.getByText('Deleted', { exact: true }).waitFor()
    await expectPage(alert()).toHaveCount(0)
    await button('Alert: confirm that fails').click()
    await button('Delete').click()
    await page.getByText('That did not work. Try again.').waitFor()
    expect(await accessibilityOf(page)).toEqual([])
    await button('Cancel').click()
    await page.getByText('Kept', { exact: true }).waitFor()
  })
})

test('a toast is announced, stays while hovered and disappears by itself', { tags: 'S2.22' }, async () => {
  const hour = 3_600_000
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + hour)
  await button('Toast: error').click()
  const toast = page.locator('[aria-live=assertive]').getByText('The policy was sent')
  await toast.hover()
  await page.clock.resume()
  expect(await accessibilityOf(page)).toEqual([])
  await page.clock.pauseAt(Date.now() + 2 * hour)
  await button('Toast: success').click()
  const polite = page.locator('[role=status]').getByText('The policy was sent')
  await polite.hover()
  await page.clock.runFor(10_000)
  await expectPage(polite).toHaveCount(1)
  await page.mouse.move(5, 5)
  await page.clock.runFor(4000)
  await expectPage(polite).toHaveCount(0)
})

test('a file of another type is refused, an accepted one can be removed', async () => {
  const input = field('choices', 'uploadFile')
  await input.setInputFiles({ name: 'virus.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') })
  await page.getByText('virus.exe is of another type. Accepted: PDF, JPG.').waitFor()
  await input.setInputFiles({ name: 'passport.PDF', mimeType: 'application/pdf', buffer: Buffer.from('x') })
  await button('Remove passport.PDF').click()
  await expectPage(page.getByText('passport.PDF')).toHaveCount(0)
})
