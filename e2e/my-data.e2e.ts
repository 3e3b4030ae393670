import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The page of a person's copy, whose link may be dead.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('a dead link keeps the focus on what is said of it, and another link in the same tab begins anew', async () => {
  const { page } = await portal.newUser()
  const words = portal.app.world.words('es-ES')
  await page.goto('/my-data#AAAAAAAAAAAAAAAAAAAAAA')
  const button = page.getByRole('button', { name: words('copy.get') })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByText(words('copy.dead')).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('OUTPUT')
  await page.goto('/my-data#BBBBBBBBBBBBBBBBBBBBBB')
  await button.waitFor()
  await expectPage(page.getByText(words('copy.dead'))).toHaveCount(0)
})
