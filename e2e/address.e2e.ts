import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityOf, enter, inDays, openPortal, type Portal, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Postal codes in step 2: filled, offered, typed first, and questioned.

let portal: Portal
let user: User
beforeAll(async () => {
  portal = await openPortal()
  user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('malta')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=province]').waitFor()
})
afterAll(() => portal.stop())

const t: ReturnType<Portal['app']['world']['words']> = (...message) => portal.app.world.words('es-ES')(...message)
const field = (page: Page, name: string) => page.locator(`[name=${name}]`)

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[name=${name}]`).fill(text)
  await page.getByRole('option', { name: text, exact: true }).click()
}

test('a city with one postal code fills it', { tags: 'S4.8' }, async () => {
  const { page } = user
  await choose(page, 'province', 'Alicante')
  await choose(page, 'city', 'Jávea/Xàbia')
  await expectPage(field(page, 'zipCode')).toHaveValue('03730')
})

test('a city with many postal codes offers them, and another can be typed', { tags: 'S4.8' }, async () => {
  const { page } = user
  await choose(page, 'province', 'Madrid')
  await choose(page, 'city', 'Madrid')
  await expectPage(field(page, 'zipCode')).toHaveValue('28001')
  await page.locator('[name=zipCode]').fill('2801')
  await page.getByRole('option', { name: '28014', exact: true }).click()
  await expectPage(field(page, 'zipCode')).toHaveValue('28014')
  await page.locator('[name=zipCode]').fill('28099')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]:not(:focus)').waitFor()
  await expectPage(field(page, 'zipCode')).toHaveValue('28099')
  await expectPage(page.getByText(t('funnel.zipCode_question', { code: '28099', province: 'Madrid' }))).toHaveCount(0)
})

test('a code of another province is questioned until it is confirmed', async () => {
  const { page } = user
  const question = (code: string) => page.locator('[id$=-error]').getByText(t('funnel.zipCode_question', { code, province: 'Madrid' }))
  await page.locator('[name=zipCode]').fill('08001')
  await page.keyboard.press('Tab')
  await question('08001').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  expect(page.url()).toMatch(/step=2$/)
  await page.getByRole('button', { name: t('funnel.zipCode_confirm') }).click()
  await question('08001').waitFor({ state: 'detached' })
  await expectPage(field(page, 'zipCode')).toHaveValue('08001')
  await page.locator('[name=zipCode]').fill('08002')
  await page.keyboard.press('Tab')
  await question('08002').waitFor()
})

test('a code that is typed first keeps the focus when it finds its city, and stays with a province chosen later', async () => {
  const { page } = user
  await page.getByText(t('funnel.type.not'), { exact: true }).click()
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('')
  await page.keyboard.type('28014')
  await expectPage(field(page, 'city')).toHaveValue('Madrid')
  await expectPage(field(page, 'zipCode')).toBeFocused()
  await page.keyboard.press('Tab')
  await expectPage(field(page, 'zipCode')).toHaveValue('28014')
  // The found province and city are passed by: what is typed next is the street.
  await expectPage(field(page, 'address')).toBeFocused()
  await page.keyboard.type('Calle Mayor 1')
  const found = { province: 'Madrid', city: 'Madrid', address: 'Calle Mayor 1' }
  for (const [name, text] of Object.entries(found)) await expectPage(field(page, name)).toHaveValue(text)

  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('03999')
  await choose(page, 'province', 'Alicante')
  await expectPage(field(page, 'zipCode')).toHaveValue('03999')
  // Another province has other codes.
  await choose(page, 'province', 'Madrid')
  await expectPage(field(page, 'zipCode')).toHaveValue('')
})

test('one of several cities of a code, chosen by hand, is reached by the Tab key again', async () => {
  const { page } = user
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('01193')
  await expectPage(field(page, 'province')).toHaveValue('Álava')
  await page.locator('[name=city]').focus()
  await page.keyboard.type('a')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expectPage(field(page, 'city')).toBeFocused()
})

test('another code refills the place that a code has found, and the question for a chosen place fits its column', async () => {
  const { page } = user
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('')
  const typeCode = async (code: string) => {
    await page.locator('[name=zipCode]').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(code)
    await page.keyboard.press('Tab')
  }
  const confirm = page.getByRole('button', { name: t('funnel.zipCode_confirm') })
  await typeCode('50001')
  await expectPage(field(page, 'city')).toHaveValue('Zaragoza')
  await typeCode('41001')
  await expectPage(field(page, 'city')).toHaveValue('Sevilla')
  await expectPage(field(page, 'province')).toHaveValue('Sevilla')
  await confirm.waitFor({ state: 'detached' })
  await choose(page, 'province', 'Zaragoza')
  await typeCode('41001')
  await confirm.waitFor()
  await expectPage(field(page, 'province')).toHaveValue('Zaragoza')
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await confirm.evaluate(button => ({
      column: button.getBoundingClientRect().right - (button.parentElement?.getBoundingClientRect().right ?? 0),
      text: button.scrollWidth - button.clientWidth,
    }))
    expect(over.column, `${width}`).toBeLessThanOrEqual(0.5)
    expect(over.text, `${width}`).toBeLessThanOrEqual(0)
  }
})

test('the same holds for a company, whose code is typed first', { tags: 'S4.8' }, async () => {
  const { page } = user
  await page.getByText(t('funnel.type.company'), { exact: true }).click()
  await page.locator('[name=businessZipCode]').fill('03730')
  await expectPage(field(page, 'businessProvince')).toHaveValue('Alicante')
  await expectPage(field(page, 'businessCity')).toHaveValue('Jávea/Xàbia')
  // A corrected code replaces the place that it had found itself, and questions one that was chosen.
  await page.locator('[name=businessZipCode]').fill('08001')
  await expectPage(field(page, 'businessProvince')).toHaveValue('Barcelona')
  await expectPage(field(page, 'businessCity')).toHaveValue('Barcelona')
  await choose(page, 'businessProvince', 'Alicante')
  await page.locator('[name=businessZipCode]').fill('08001')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('funnel.zipCode_confirm') }).waitFor()
  expect(user.problems).toEqual([])
})
