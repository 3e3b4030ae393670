import { afterAll, beforeAll, expect, test } from 'vitest'
import { enter, inDays, openPortal, type Portal } from './browser.ts'

// The Tab order of a code's places in step 2.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('one of several cities of a code, chosen by hand, is reached by the Tab key again', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('malta')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: portal.app.world.words('es-ES')('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=zipCode]').fill('01193')
  await expect.poll(() => page.locator('[name=province]').inputValue()).toBe('Álava')
  await page.locator('[name=city]').focus()
  await page.keyboard.type('a')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('city')
})
