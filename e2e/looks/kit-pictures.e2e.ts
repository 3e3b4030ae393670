import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUserPage } from '../browser.ts'
import { type KitPage, openKitPage } from '../kit-page.ts'
import { expectPicture } from './picture.ts'

let kit: KitPage
beforeAll(async () => {
  kit = await openKitPage()
})
afterAll(() => kit.stop())

const sections = ['buttons', 'typed-fields', 'lists', 'choices', 'a-form-with-rules', 'data', 'states', 'parts-of-pages', 'icons']

describe.each(['light', 'dark'] as const)('in %s', colorScheme => {
  test('every component looks as in its stored picture', async () => {
    const user = await openUserPage(kit.browser, kit.origin, { locale: 'en-GB' })
    const { page } = user
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/dev/ui')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    for (const section of sections) await expectPicture(kit.browser, page.locator(`#${section}`), `kit/${section}-${colorScheme}`)
    expect(user.problems).toEqual([])
    await user.stop()
  })
})
