import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { openScreen, type Screen, toPeople } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

// The rows of travellers in step 2: who is removed or moved, and the surnames that are offered.

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
const fieldOf = (page: Screen, name: string) => page.locator(`[name="${name}"]`)
const ages = (shown: string) => t('funnel.line.ages', { ages: shown })
const totalOf = (page: Screen) => page.locator('[name=total]').textContent()

/** Opens step 2 of a sale for travellers of these ages. */
async function openSheet(typed: string): Promise<Screen> {
  const page = await openScreen(app, '/funnel', 'agent@azahar.example')
  await page.locator('[name=startDate]').fill(inDays(40))
  await page.locator('[name=endDate]').fill(inDays(47))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill(typed)
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.locator('[name=name]').waitFor()
  return page
}

async function fill(page: Screen, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await fieldOf(page, name).fill(text)
}

test('Alt+Delete removes a traveller with their age, says whom, and can be undone', async () => {
  const page = await openSheet('44, 41, 9')
  await page.getByText(ages('44, 41, 9')).waitFor()
  await expect.poll(() => totalOf(page)).toMatch(/€/)
  const before = await totalOf(page)
  await fill(page, { 'extraTravellers.0.name': 'Elena', 'extraTravellers.0.middleName': 'Soler', 'extraTravellers.1.name': 'Pau' })
  await fieldOf(page, 'extraTravellers.0.middleName').focus()
  await page.keyboard.press('Alt+Delete')
  await page.getByText(t('funnel.extra.removed', { name: 'Elena Soler' })).waitFor()
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toHaveValue('Pau')
  await expectScreen(fieldOf(page, 'extraTravellers.0.middleName')).toBeFocused()
  await page.getByText(ages('44, 9')).waitFor()
  await expect.poll(() => totalOf(page)).not.toBe(before)
  await page.getByText(t('funnel.price_fewer', { count: 1, before, now: await totalOf(page) })).waitFor()

  await page.getByRole('button', { name: t('funnel.undo') }).click()
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toHaveValue('Elena')
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toBeFocused()
  await page.getByText(ages('44, 41, 9')).waitFor()
  await expect.poll(() => totalOf(page)).toBe(before)
  await expectScreen(page.getByText(t('funnel.price_fewer', { count: 1, before, now: '' }).slice(0, 20))).toHaveCount(0)

  // The first traveller stays, and so does a row whose key is only held down.
  await fieldOf(page, 'name').focus()
  await page.keyboard.press('Alt+Delete')
  const held = new KeyboardEvent('keydown', { key: 'Delete', altKey: true, repeat: true, bubbles: true, cancelable: true })
  await fieldOf(page, 'extraTravellers.0.name').focus()
  document.activeElement?.dispatchEvent(held)
  expect(held.defaultPrevented).toBe(true)
  await expectScreen(page.locator('[data-column=name]')).toHaveCount(3)
  // One more traveller has an unknown age, and their own reason.
  await page.getByRole('button', { name: t('funnel.extra.add'), exact: true }).click()
  await page.getByText(ages('44, 41, 9, ?')).waitFor()
  await page.getByText(t('funnel.price_more', { count: 1, before, now: await totalOf(page) })).waitFor()
  await page.keyboard.press('Alt+Delete')
  await page.getByText(t('funnel.extra.removed', { name: t('funnel.extra.traveller', { place: 4 }) })).waitFor()
  await expectScreen(fieldOf(page, 'extraTravellers.1.name')).toBeFocused()
})

test('a moved row takes its age along', async () => {
  const page = await openSheet('44, 41, 9')
  await fieldOf(page, 'extraTravellers.1.name').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText(ages('44, 9, 41')).waitFor()
})

test('Tab leads from the last cell of a row to the next row, and past the last one', async () => {
  const page = await openSheet('44, 41, 9')
  await fieldOf(page, 'extraTravellers.0.docNumber').focus()
  await page.keyboard.press('Tab')
  await expectScreen(fieldOf(page, 'extraTravellers.1.name')).toBeFocused()
  await fieldOf(page, 'extraTravellers.1.docNumber').focus()
  await page.keyboard.press('Tab')
  await expectScreen(page.getByRole('button', { name: t('funnel.extra.import') })).toBeFocused()
})

test('a child is offered a surname of each parent, in the order of the first child', async () => {
  const page = await openSheet('44, 41, 15, 9, 3')
  await fill(page, {
    middleName: 'Ferrando',
    lastName: 'Ibáñez',
    'extraTravellers.0.middleName': 'Soler',
    'extraTravellers.0.lastName': 'Pastor',
  })
  const surnames = (row: number) => ['middleName', 'lastName'].map(part => fieldOf(page, `extraTravellers.${row}.${part}`))
  const [first, second] = surnames(1)
  await first?.focus()
  if (!first || !second) throw new Error('no surnames')
  await expectScreen(first).toHaveAttribute('placeholder', 'Ferrando ↓')
  await expectScreen(second).toHaveAttribute('placeholder', 'Soler ↓')
  await first.fill('Soler')
  await second.focus()
  await expectScreen(second).toHaveAttribute('placeholder', 'Ferrando ↓')
  await page.keyboard.press('ArrowDown')
  await expectScreen(second).toHaveValue('Ferrando')
  await expectScreen(first).toHaveValue('Soler')
  await page.getByRole('button', { name: t('funnel.extra.surnames') }).click()
  for (const row of [2, 3])
    for (const [index, field] of surnames(row).entries()) await expectScreen(field).toHaveValue(['Soler', 'Ferrando'][index] ?? '')
})

test('a name typed past the last cell presses no button, and no shortcut', async () => {
  const page = await openSheet('44, 41')
  await fieldOf(page, 'extraTravellers.0.docNumber').focus()
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('n José Luis n')
  await expectScreen(page.getByRole('button', { name: t('funnel.extra.import') })).toBeFocused()
  await expectScreen(page.locator('dialog')).toHaveCount(0)
  expect(page.url()).toMatch(/step=2$/)
  // After a pause, Enter is meant for the button.
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: t('people.import.title') }).waitFor()
})
