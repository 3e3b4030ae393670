import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, reach, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, enter, fill, inDays, openPortal, type Portal, rowNames, type UserOptions } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Those who travelled with a known policyholder before are offered, and never typed again.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  const seller = await sellerOf(inProcess(portal.app))
  const eva = { name: 'Eva', middleName: 'García', lastName: 'Gil', birthDate: '2019-03-04' }
  await sellAs(seller, { users: [{ ...ana, ...reach }, leo, eva], paxNumber: 3 })
})
afterAll(() => portal.stop())

const t: ReturnType<Portal['app']['world']['words']> = (...message) => portal.app.world.words('es-ES')(...message)
const offerIn = (page: Page) => page.getByRole('group', { name: t('people.companions.title', { name: 'Ana', count: 2 }) })

async function openKnown(ages: string, as?: UserOptions) {
  const user = await portal.newUser(as)
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await fill(page, { startDate: inDays(40), endDate: inDays(47), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await fill(page, { ages })
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.locator('[name=knownClient]').pressSequentially('12345678z')
  const known = page.getByRole('option', { name: 'Ana García López' })
  // The list shows the whole name.
  const name = known.locator('span').first()
  await expect.poll(() => name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await known.click()
  await offerIn(page).waitFor()
  return { user, page }
}

test('the known companions of a policyholder fill the rows with one key, which can be undone, and a known document is questioned', async () => {
  const { user, page } = await openKnown('36, 8')
  expect(await accessibilityAtWidths(page)).toEqual([])
  await page.locator('[name="extraTravellers.0.name"]').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => rowNames(page)).toEqual(['Ana', 'Leo', 'Eva'])
  await page.getByText(t('people.companions.added', { count: 2 })).waitFor()
  await expectPage(page.locator('[name="extraTravellers.0.name"]')).toBeFocused()
  await expectPage(page.locator('[name="extraTravellers.0.docNumber"]')).toHaveValue('X1234567L')
  await expectPage(page.locator('[name="extraTravellers.1.birthDate"]')).toHaveValue('04/03/2019')
  await offerIn(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('people.import.undo') }).click()
  await expect.poll(() => rowNames(page)).toEqual(['Ana', ''])
  await offerIn(page).waitFor()
  // A document that is known by another name is questioned, and never blocked.
  const field = (name: string) => page.locator(`[name="extraTravellers.0.${name}"]`)
  await field('name').fill('Nora')
  await field('middleName').fill('Pons')
  await field('docNumber').fill('X1234567L')
  await page.keyboard.press('Tab')
  const hint = page.getByText(t('funnel.known.as', { name: 'Leo García Gil' }))
  await hint.waitFor()
  await field('name').fill('Leo')
  await field('middleName').fill('García')
  await page.keyboard.press('Tab')
  await hint.waitFor({ state: 'detached' })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone one companion is added by a press, as a line', async () => {
  const { user, page } = await openKnown('36, 8', { width: 390, touch: true })
  await page.getByRole('button', { name: /^Añadir a Leo García Gil/ }).click()
  await page.getByText('01/01/1988 · X1234567L').waitFor()
  await expectPage(page.getByRole('button', { name: t('funnel.extra.add'), exact: true })).toBeFocused()
  await page.getByRole('group', { name: t('people.companions.title', { name: 'Ana', count: 1 }) }).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
