import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { accessibilityOf, enter, openPortal, type Portal } from '../browser.ts'

// Sales by keyboard alone, with the number of keys, and the shortcuts.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: Locale) => portal.app.world.words(locale)

test.each(locales)('the help in %s names all keys and passes axe', async locale => {
  const user = await portal.newUser({ chosen: locale })
  const { page } = user
  const t = wordsIn(locale)
  await enter(user, 'agent@azahar.example')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: t('keys.title') })
  for (const label of ['keys.sale', 'keys.next', 'keys.save', 'keys.surname', 'keys.dates', 'keys.pick'] as const)
    await help.getByText(t(label)).waitFor()
  // Each key has a cap of its own, with its name on keyboards of the language.
  const caps = await help.locator('kbd').allInnerTexts()
  expect(caps).toEqual(expect.arrayContaining(['N', 'Ctrl', '↵', t('keys.name_shift'), t('ui.key_delete')]))
  expect(caps.filter(cap => cap.startsWith('Ctrl'))).not.toContainEqual(expect.stringMatching(/^Ctrl.+/))
  expect(await accessibilityOf(page)).toEqual([])
  await user.stop()
})
