import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { registerAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, waitUntilLoaded, enter, inDays, openPortal, type Portal, seedAzahar } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 150)
})
afterAll(() => portal.stop())

/** The details beside the list. */
const drawerOf = (page: Page) => page.locator('[data-panel]')

test('each page with lists shows the first rows without another request', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname))
  const visit = async (path: string, open: () => Promise<unknown>) => {
    requests.length = 0
    await open()
    await waitUntilLoaded(page)
    // The menu counts unread messages on every page.
    const asked = requests.filter(each => /^\/api\/|_payload/.test(each) && each !== '/api/tickets/unread')
    expect(asked, path).toEqual([`${path}/_payload.json`])
  }
  await visit('/administration', () => enter(user, 'admin@portolan.example', '/administration'))
  await visit('/policies', () => enter(user, 'agent@azahar.example', '/policies'))
  for (const path of ['/policies/saved', '/account', '/claim', '/customer-service'])
    await visit(path, async () => {
      await page.goto(path)
      await page.locator('#main h1').waitFor()
    })
  await user.stop()
})

test('a policy is found, opened and emailed by keyboard; its URL restores the view', { tags: 'S2.5' }, async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  await page.keyboard.press('/')
  const listed = page.waitForResponse('**/api/policy/list')
  await page.keyboard.type('garcía')
  await listed
  // The previous rows are faded until the search result arrives.
  await page.locator('tbody:not(.opacity-50) tr').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('tbody tr:focus').waitFor()
  await page.getByRole('button', { name: 'Tomador' }).click()
  await page.waitForURL(/sort=policyTaker/)
  await page.locator('th[aria-sort=ascending]').waitFor()
  await page.locator('tbody:not(.opacity-50) tr').first().focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/policy=/)
  const drawer = drawerOf(page)
  await drawer.getByRole('listitem').filter({ hasText: 'Vendida' }).waitFor()
  const seen = await drawer.getByRole('heading', { level: 2 }).textContent()
  await page.reload()
  await drawer.getByRole('listitem').filter({ hasText: 'Vendida' }).waitFor()
  await expectPage(drawer.getByRole('heading', { level: 2 })).toHaveText(seen ?? '')
  await page.keyboard.press('Escape')
  await page.waitForURL(address => !address.search.includes('policy='))
  await expectPage(page.locator('[name=searchData]')).toHaveValue('garcía')

  // An unsent draft is kept for its policy only.
  const emails = page.locator('[name=emails]')
  await page.locator('tbody tr[tabindex]').first().focus()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByText('Otras direcciones').click()
  await emails.fill('cliente@example.es, otra@example.es')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('e')
  await expectPage(emails).toHaveValue('cliente@example.es, otra@example.es')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByText('Otras direcciones').waitFor()
  await expectPage(emails).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('tbody tr').nth(1).focus()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByText('Otras direcciones').click()
  await page.locator('[name=emails]').fill('cliente@example')
  await page.keyboard.press('Enter')
  const wrong = page.getByText('cliente@example no es una dirección de correo completa.')
  await wrong.waitFor()
  await expectPage(wrong).toHaveCount(1)
  await page.locator('[name=emails]').fill('cliente@example.es')
  await wrong.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByText('Correo en camino').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

/** Selects the first rows of a list by keyboard. The last of them keeps the focus. */
async function selectFirst(page: Page, count: number): Promise<void> {
  await page.locator('tbody tr[tabindex]').first().focus()
  await page.keyboard.press('x')
  for (let more = 1; more < count; more++) {
    await page.keyboard.press('j')
    await page.keyboard.press('x')
  }
}

test('an export of selected policies contains only those', { tags: 'S7.11' }, async () => {
  const user = await portal.newUser({ chosen: 'it-IT' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const rows = page.locator('tbody tr[tabindex]')
  await selectFirst(page, 2)
  const numbers = await Promise.all([0, 1].map(index => rows.nth(index).locator('[data-column=policyNumber]').textContent()))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('region', { name: '2 righe selezionate' }).getByRole('button', { name: 'Esporta' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^polizze .*\.xlsx$/)
  const { sheets } = await readXlsx(await readFile(await download.path()))
  const [head, ...lines] = sheets[0]?.rows ?? []
  expect(head?.[0]).toBe('Numero di polizza')
  expect(lines.map(line => line[0])).toEqual([...numbers, 'Totale'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('deleting a quote on a phone needs a confirmation and can be undone', { tags: ['S2.21', 'S2.22', 'S4.13', 'S4.16'] }, async () => {
  const user = await portal.newUser({ chosen: 'fr-FR', width: 390 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies/saved')
  const first = page.locator('tbody tr[tabindex="0"]')
  await first.waitFor()
  const name = (await first.locator('[data-column=policyTaker]').textContent()) ?? ''
  await first.click()
  await drawerOf(page).getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Devis supprimé').waitFor()
  await page.waitForURL(address => !address.search.includes('policy='))
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await page.getByText('Devis rétabli').waitFor()
  await expectPage(page.locator('tbody tr').first().locator('[data-column=policyTaker]')).toHaveText(name)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('today’s tasks are sorted by amount, open in place, and hide if there are none', async () => {
  const seller = await sellerOf(inProcess(portal.app))
  const leaving = (days: number) => ({ startDate: readDate(inDays(days)), endDate: readDate(inDays(days + 20)) })
  const { policyUuid } = (await registerAs(seller, { saveBudget: true, ...leaving(0) })).body.data
  await registerAs(seller, { ...leaving(1), endDate: readDate(inDays(3)) })
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const day = page.getByRole('region', { name: 'Hoy', exact: true })
  const links = day.getByRole('link')
  await links.first().waitFor()
  const firstRow = async () => (await page.locator('tbody tr').first().boundingBox())?.y ?? 0
  await expect.poll(() => firstRow()).toBeLessThanOrEqual(200)
  await day.getByRole('button', { name: /tareas$/ }).press('Enter')
  const all = page.getByRole('dialog', { name: /tareas$/ })
  await all.getByText('sale hoy sin vender').first().waitFor()
  await all.getByText('sale mañana sin pagar').first().waitFor()
  const amounts = await all.locator('b').allTextContents()
  expect(amounts).toEqual(amounts.toSorted((one, other) => Number.parseFloat(other) - Number.parseFloat(one)))
  expect(await accessibilityOf(page)).toEqual([])
  await all.locator(`a[href*="${policyUuid}"]`).press('Enter')
  await page.waitForURL(new RegExp(`/policies\\?policy=${policyUuid}`))
  await drawerOf(page).getByText('Ana García López').first().waitFor()
  // The month’s number opens its chart, with a table beside it.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Comisión de la agencia este mes/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('img', { name: /últimos seis meses/ })
    .waitFor()
  await page.getByRole('dialog').getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Escape')
  await page.route('**/policies/_payload.json*', async route => {
    const reply = await route.fetch()
    const json = await reply.json()
    json.data.first.day.data.tasks = { total: 0, amount: 0, items: [] }
    await route.fulfill({ response: reply, json })
  })
  await page.goto('/policies')
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  await expectPage(day).toHaveCount(0)
  await expect.poll(() => firstRow()).toBeLessThanOrEqual(200)
  // On the narrowest screen the tasks stay within it.
  await page.unroute('**/policies/_payload.json*')
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/policies')
  await day.getByRole('button', { name: /tareas$/ }).click()
  const box = await all.boundingBox()
  expect([(box?.x ?? 0) >= 8, (box?.x ?? 0) + (box?.width ?? 999) <= 320 - 8]).toEqual([true, true])
  expect(user.problems).toEqual([])
  await user.stop()
})
