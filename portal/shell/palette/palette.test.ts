import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Words } from '#common/kit/words/words.ts'
import { openScreen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { ana, reach, sellAs, sellerOf } from '#server/policies/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let number: string
beforeAll(async () => {
  app = await testApp()
  const sold = await sellAs(await sellerOf(app), { users: [{ ...ana, ...reach, middleName: 'Ferrando' }], paxNumber: 1 })
  number = sold.body.data.policyData.policyNumber
})
afterAll(() => app.stop())

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)
async function openPalette(as = 'agent@azahar.example') {
  const page = await openScreen(app, '/policies', as)
  await page.locator('#main').waitFor()
  await page.keyboard.press('Control+k')
  const search = page.locator('[name=palette]')
  await search.waitFor()
  return { page, search, said: page.getByRole('dialog').getByRole('status') }
}
const asked = (page: Awaited<ReturnType<typeof openPalette>>['page'], path: string) =>
  page.browser.asked.filter(each => each === path).length

test('colours and language change at once, without a request', async () => {
  const { page, search } = await openPalette()
  await search.fill('oscuro')
  await page.getByRole('option', { name: t('shell.theme.dark'), exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expectScreen(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark')
  await page.keyboard.press('Control+k')
  await search.fill('francés')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: app.world.words('fr-FR')('shell.menu.policies') }).waitFor()
  expect(asked(page, '/api/policy/near')).toBe(0)
})

test('Escape leads to the page if the element that had the focus is gone', async () => {
  const page = await openScreen(app, '/policies', 'agent@azahar.example')
  const opener = document.body.appendChild(document.createElement('button'))
  opener.focus()
  await page.keyboard.press('Control+k')
  await page.locator('[name=palette]').waitFor()
  opener.remove()
  await page.keyboard.press('Escape')
  await expectScreen(page.locator('main')).toBeFocused()
})

test('signing out and the reports are found by their names', async () => {
  const { page, search } = await openPalette('accounts@azahar.example')
  await search.fill('cerrar ses')
  await page.getByRole('option', { name: t('session.sign_out') }).waitFor()
  await search.fill('informes')
  await page.getByRole('option', { name: t('keys.palette.reports') }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/earnings\?tab=reports/)
})

test('a policy that is found can be sent from the palette', async () => {
  const { page, search } = await openPalette()
  await search.fill(number)
  const send = page.getByRole('option', { name: t('keys.palette.send', { policy: `${number} · Ana Ferrando López` }) })
  await send.click()
  await page
    .getByRole('dialog', { name: t('policies.send_title', { count: 1 }) })
    .getByText('Ana Ferrando López')
    .first()
    .waitFor()
})

test('a word that is found nowhere is answered with similar ones, and says so', async () => {
  const { page, search, said } = await openPalette()
  await search.fill('ferrabdo')
  await page
    .getByRole('group', { name: t('keys.palette.similar') })
    .getByRole('option', { name: new RegExp(number) })
    .waitFor()
  await expectScreen(said).toHaveText(t('ui.combobox.none', { text: 'ferrabdo' }))
  expect(asked(page, '/api/policy/near')).toBe(1)
  // It may be another one, so it is not offered to be changed or sent.
  await expectScreen(page.getByRole('dialog').getByRole('option')).toHaveCount(1)
  // A found word, a short one and several are not searched like that.
  for (const text of ['ferrando', 'ferbd', 'ferrabdo lopez']) {
    await search.fill(text)
    await expectScreen(said).toHaveText(text === 'ferrando' ? '' : t('ui.combobox.none', { text }))
  }
  expect(asked(page, '/api/policy/near')).toBe(1)
})
