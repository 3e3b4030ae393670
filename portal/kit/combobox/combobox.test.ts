import { afterEach, expect, test, vi } from 'vitest'
import { openGallery } from '#portal/dev/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'

afterEach(() => {
  vi.doUnmock('./list.tsx')
})

async function openCountry() {
  const gallery = await openGallery()
  return { ...gallery, country: gallery.field('lists', 'country'), options: gallery.page.getByRole('listbox').getByRole('option') }
}

test('a combobox ignores accents, accepts only options and renders visible ones', async () => {
  const { page, country, options } = await openCountry()
  await country.fill('cote d')
  await options.first().waitFor()
  await country.press('Enter')
  await expectScreen(country).toHaveValue('Côte d’Ivoire')
  await country.fill('zzz')
  await page.getByText('Nothing matches “zzz”.').waitFor()
  await country.press('Tab')
  await expectScreen(country).toHaveValue('Côte d’Ivoire')
  await expectScreen(country).toHaveAttribute('aria-invalid', 'true')
  await page.getByText('Nothing matches “zzz”.').waitFor()
  await country.fill('port')
  await expectScreen(page.getByText('Nothing matches “zzz”.')).toHaveCount(0)
  await country.press('Tab')
  await expectScreen(country).toHaveValue('Portugal')
  await country.fill('')
  await country.blur()
  await expectScreen(country).toHaveValue('')
  // Only visible options are rendered, out of hundreds.
  await country.click()
  await options.first().waitFor()
  await expect.poll(() => options.count()).toBeLessThan(40)
  await expectScreen(options.first()).toHaveAttribute('aria-setsize', /^(?:2[5-9]|[3-9]\d)\d$/)
  for (let step = 0; step < 12; step++) await country.press('PageDown')
  const active = await country.getAttribute('aria-activedescendant')
  await expectScreen(page.locator(`[id="${active}"]`)).toHaveCount(1)
  await country.press('Escape')
  await expectScreen(page.getByRole('listbox')).toHaveCount(0)
})

test('arrows open the first or last option, and move through the matches', async () => {
  const { page, country, options, focused } = await openCountry()
  const active = async () => {
    const id = await country.getAttribute('aria-activedescendant')
    return id === null ? undefined : page.locator(`[id="${id}"]`).textContent()
  }
  await country.fill('')
  await country.blur()
  await country.press('ArrowDown')
  await expect.poll(active).toMatch(/^Afghanistan/)
  await country.press('Alt+ArrowUp')
  await expectScreen(options).toHaveCount(0)
  await country.press('ArrowUp')
  await expect.poll(active).toMatch(/^Zimbabwe/)
  await country.press('Escape')
  await country.press('Alt+ArrowDown')
  await options.first().waitFor()
  await expect.poll(active).toBeUndefined()
  await country.press('ArrowDown')
  await country.press('Tab')
  await expectScreen(options).toHaveCount(0)
  await expectScreen(focused()).toHaveAttribute('name', 'mainDestination')
  // After typing, the first arrow goes to the first option. Tab picks only an option highlighted by typing.
  await country.fill('guinea')
  await options.first().waitFor()
  const names = await options.allTextContents()
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
  const [requested, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  vi.doMock('./list.tsx', async original => {
    requested.resolve()
    await held.promise
    return original()
  })
  const { country } = await openCountry()
  await country.fill('f')
  await requested.promise
  await expectScreen(country).not.toHaveAttribute('aria-activedescendant')
  await expectScreen(country).not.toHaveAttribute('aria-controls')
  held.resolve()
  await expectScreen(country).toHaveAttribute('aria-activedescendant')
})

test('a multi-select adds options and removes them by Backspace or a click', async () => {
  const { page, field, button } = await openGallery()
  const destinations = field('lists', 'mainDestination')
  const chips = page.locator('#lists').getByRole('button', { name: /^Remove / })
  await expectScreen(chips).toHaveCount(3)
  await destinations.pressSequentially('spain')
  await destinations.press('Enter')
  await expectScreen(chips).toHaveCount(4)
  // Typing a choice again keeps it.
  await destinations.pressSequentially('spain')
  await destinations.press('Tab')
  await expectScreen(chips).toHaveCount(4)
  await destinations.press('Backspace')
  await expectScreen(chips).toHaveCount(3)
  // Text that matches nothing stays until it is changed.
  await destinations.pressSequentially('zzz')
  await destinations.press('Tab')
  await expectScreen(destinations).toHaveValue('zzz')
  await page.getByText('Nothing matches “zzz”.').waitFor()
  await destinations.fill('')
  await destinations.press('Tab')
  await expectScreen(page.getByText('Nothing matches “zzz”.')).toHaveCount(0)
  await chips.first().click()
  await expectScreen(chips).toHaveCount(2)
  await button('Clear: Destinations').click()
  await expectScreen(chips).toHaveCount(0)
})
