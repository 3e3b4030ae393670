import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, other, reach, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, inDays, openPortal, type Portal, seedAzahar, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A row's details beside its list, and the bar of the selected rows.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 60)
})
afterAll(() => portal.stop())

const t = () => portal.app.world.words('es-ES')
const panelOf = (page: Page) => page.locator('[data-panel]')
const rowAt = (page: Page, index: number) => page.locator('tbody:not(.opacity-50) tr[tabindex]').nth(index)
const keyOf = async (page: Page, index: number) => (await rowAt(page, index).getAttribute('data-key')) ?? ''
const topOf = async (page: Page) => (await rowAt(page, 0).boundingBox())?.y
const showsPolicy = (page: Page, uuid: string) => page.waitForURL(address => address.searchParams.get('policy') === uuid)

async function enterList(path = '/policies', width = 1440) {
  const user = await portal.newUser({ chosen: 'es-ES', width })
  await enter(user, 'agent@azahar.example', path)
  await rowAt(user.page, 0).waitFor()
  await waitUntilLoaded(user.page)
  return user
}

test('a policy beside the list follows the keys over pages, and returns the focus', async () => {
  const user = await enterList()
  const { page } = user
  const heading = panelOf(page).getByRole('heading', { level: 2 })
  await rowAt(page, 0).focus()
  await page.keyboard.press('Enter')
  await showsPolicy(page, await keyOf(page, 0))
  await heading.and(page.locator(':focus')).waitFor()
  expect((await panelOf(page).boundingBox())?.width).toBeCloseTo(560, 2)
  await expectPage(page.getByRole('region', { name: (await heading.textContent()) ?? '' })).toHaveCount(1)
  for (const [key, index] of [
    ['j', 1],
    ['ArrowDown', 2],
    ['k', 1],
  ] as const) {
    await page.keyboard.press(key)
    await showsPolicy(page, await keyOf(page, index))
  }
  await expectPage(heading).toBeFocused()
  await expectPage(rowAt(page, 1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })
  await expectPage(rowAt(page, 1)).toBeFocused()

  // The open row keeps its background while the pointer rests on it.
  const groundOf = (index: number) => rowAt(page, index).evaluate(row => getComputedStyle(row).backgroundColor)
  await rowAt(page, 1).hover()
  const hovered = await groundOf(1)
  await rowAt(page, 0).click()
  await panelOf(page).waitFor()
  const under = await groundOf(0)
  await page.mouse.move(0, 0)
  expect(under).toBe(await groundOf(0))
  expect(under).not.toBe(hovered)
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })

  // A click leaves the focus on the row, whose arrow keys change the panel; the next page's first row follows the last.
  await rowAt(page, 8).click()
  await showsPolicy(page, await keyOf(page, 8))
  await expectPage(rowAt(page, 8)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await showsPolicy(page, await keyOf(page, 9))
  await panelOf(page)
    .getByRole('button', { name: t()('panel.next') })
    .click()
  await page.waitForURL(/page=2/)
  await expect.poll(async () => new URL(page.url()).searchParams.get('policy') === (await keyOf(page, 0))).toBe(true)
  await panelOf(page)
    .getByRole('button', { name: t()('panel.previous') })
    .click()
  await page.waitForURL(address => !address.searchParams.has('page'))
  await expect.poll(async () => new URL(page.url()).searchParams.get('policy') === (await keyOf(page, 9))).toBe(true)
  // The list beside it stays usable.
  const listed = page.waitForResponse('**/api/policy/list')
  await page.locator('[name=searchData]').fill('garcía')
  await listed
  await panelOf(page).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a policy is a page of its own by its URL, with a link back to the list', async () => {
  const user = await enterList('/policies?perPage=25')
  const { page } = user
  await rowAt(page, 2).focus()
  const key = await keyOf(page, 2)
  await page.keyboard.press('Enter')
  const number = (await panelOf(page).getByRole('heading', { level: 2 }).textContent()) ?? ''
  await panelOf(page)
    .getByRole('button', { name: t()('panel.alone') })
    .click()
  await page.waitForURL(/as=page/)
  await expectPage(page.getByRole('heading', { level: 2, name: number })).toBeFocused()
  await page.reload()
  await page.getByRole('region', { name: number }).getByText(t()('policies.history')).waitFor()
  await expectPage(page).toHaveTitle(new RegExp(number))
  await expectPage(page.locator('tbody')).toHaveCount(0)
  await page.getByRole('button', { name: t()('shell.menu.policies') }).click()
  await rowAt(page, 2).waitFor()
  expect(new URL(page.url()).search).toBe('?perPage=25')
  await expectPage(rowAt(page, 2)).toHaveAttribute('data-key', key)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('with cancellation cover and four travellers the documents begin within 640 pixels; a page has two columns', async () => {
  const seller = await sellerOf(inProcess(portal.app))
  const product = seller.products.find(({ code }) => code === 'TOT')
  const cover = { productUUID: product.uuid, insurancedAmount: 2400, reservationDate: readDate(inDays(0)) }
  const many = { users: [{ ...ana, ...reach }, leo, other(1), other(2)], paxNumber: 4 }
  const sale = await sellAs(seller, { ...cover, ...many })
  const { policyUuid } = sale.body.data.policyData
  const user = await enterList(`/policies?policy=${policyUuid}`)
  const { page } = user
  const documents = page.getByRole('heading', { name: t()('policies.documents'), exact: true })
  await panelOf(page)
    .getByText(/^Cobertura de cancelación: desde el .+ hasta la salida$/)
    .waitFor()
  const top = async () => (await documents.boundingBox())?.y ?? Number.NaN
  expect(await top()).toBeLessThanOrEqual(640)
  await page.goto(`/policies?policy=${policyUuid}&as=page`)
  await documents.waitFor()
  const [left, right] = [await documents.boundingBox(), await page.getByRole('heading', { name: t()('policies.history') }).boundingBox()]
  expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0))
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a policy is shown beside the list on a tablet, and covers it on a phone', async () => {
  const user = await enterList('/policies', 820)
  const { page } = user
  await rowAt(page, 0).click()
  await panelOf(page).getByText(t()('policies.history')).waitFor()
  await expect
    .poll(() =>
      panelOf(page)
        .boundingBox()
        .then(box => box?.width),
    )
    .toBe(560)
  await expectPage(rowAt(page, 1)).toBeVisible()
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => topOf(page)).toBeLessThanOrEqual(844 / 3)
  await rowAt(page, 0).click()
  await panelOf(page).getByText(t()('policies.history')).waitFor()
  await expect.poll(() => panelOf(page).boundingBox()).toMatchObject({ x: 0, y: 0, height: 844 })
  await expectPage(rowAt(page, 0)).toBeHidden()
  const foot = await panelOf(page)
    .getByRole('button', { name: t()('policies.send'), exact: true })
    .boundingBox()
  expect(foot?.y).toBeGreaterThan(844 * 0.75)
  await panelOf(page)
    .getByRole('button', { name: t()('ui.close') })
    .click()
  await expectPage(rowAt(page, 0)).toBeFocused()
  // Without a keyboard, rows are selected from the menu.
  await page.getByRole('button', { name: t()('policies.more') }).click()
  await page.getByRole('menuitem', { name: t()('policies.select_rows') }).click()
  await page.locator('tbody input[type=checkbox]').first().check()
  await page.getByRole('region', { name: t()('policies.selected', { count: 1 }) }).waitFor()

  // With filters, the first policy is still in the upper third.
  await page.goto('/policies?from=-999d&returnTo=999d&agent=me')
  await rowAt(page, 0).waitFor()
  await page
    .getByRole('button', { name: t()('policies.column_seller') })
    .first()
    .waitFor()
  await expect.poll(() => topOf(page)).toBeLessThanOrEqual(844 / 3)
  // On its own page, nothing covers the actions of a policy.
  await page.goto(`/policies?policy=${await keyOf(page, 0)}&as=page`)
  const send = page.getByRole('button', { name: t()('policies.send'), exact: true })
  await send.waitFor()
  await waitUntilLoaded(page)
  // Finds the topmost element at the button's position, without scrolling to it.
  const isOnTop = await send.evaluate(button => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(isOnTop).toBe(true)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('documents of selected policies are one archive; a failed one is named', async () => {
  const seller = await sellerOf(inProcess(portal.app))
  const trip = { startDate: readDate(inDays(20)), endDate: readDate(inDays(27)) }
  const sold = [await sellAs(seller, trip), await sellAs(seller, trip)].map(({ body }) => body.data.policyData)
  const user = await enterList()
  const { page } = user
  await rowAt(page, 0).focus()
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  const bar = page.getByRole('region', { name: t()('policies.selected', { count: 2 }) })
  await bar.waitFor()
  const sum = sold.reduce((cents, { total }) => cents + Math.round(total * 100), 0) / 100
  await bar.getByText(new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR' }).format(sum)).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  let refused = 0
  const refusal = { code: 404, error: 'request.not_found', errorMessage: 'No existe', requestId: '1' }
  await page.route('**/api/files/*', route => (refused++ === 0 ? route.fulfill({ status: 404, json: refusal }) : route.continue()))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: t()('policies.download_documents') }).click(),
  ])
  expect(download.suggestedFilename()).toBe('documentos.zip')
  const archive = await readFile(await download.path(), 'latin1')
  const documents = archive.match(/PK\x01\x02/g)?.length ?? 0
  expect(documents).toBe(refused - 1)
  const failed = page.getByRole('alertdialog', { name: t()('policies.not_downloaded', { count: 1 }) })
  await failed.getByText(/: No existe$/).waitFor()
  await expectPage(failed).toContainText(sold[1]?.policyNumber)
  await failed.getByRole('button').last().click()

  // Escape first closes the open panel, then clears the selection.
  await rowAt(page, 1).focus()
  await page.keyboard.press('Enter')
  await panelOf(page).waitFor()
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })
  await expectPage(bar).toHaveCount(1)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  expect(user.problems.filter(text => !text.includes('status of 404'))).toEqual([])
  await user.stop()
})

test('a policy lists its tickets, which open beside their own list', async () => {
  const user = await enterList()
  const { page } = user
  await rowAt(page, 0).click()
  await panelOf(page)
    .getByRole('link', { name: t()('tickets.new_request') })
    .click()
  await page.waitForURL(/\/customer-service\?policy=/)
  await page.getByRole('radio').first().check()
  await page.locator('[name=subject]').fill('¿Cubre el patinete?')
  await page.locator('[name=description]').fill('Alquilado en destino.')
  await page.locator('[name=contactEmail]').fill('ana@example.es')
  await page.locator('[name=contactPhone]').fill('+34 612 345 678')
  await page.locator('form [type=submit]').click()
  await page.locator('[data-reference]').waitFor()
  await page.getByRole('tab', { name: t()('tickets.status_closed') }).click()
  await page.getByText(t()('tickets.none_found')).waitFor()
  await page.getByRole('tab', { name: t()('tickets.status_open') }).click()
  await rowAt(page, 0).waitFor()
  await rowAt(page, 0).focus()
  await page.keyboard.press('Enter')
  await panelOf(page).getByText('Alquilado en destino.').waitFor()
  await page.keyboard.press('Escape')
  await expectPage(rowAt(page, 0)).toBeFocused()
  await page.goto('/policies')
  await rowAt(page, 0).click()
  await panelOf(page)
    .getByRole('link', { name: /¿Cubre el patinete\?/ })
    .click()
  await page.waitForURL(/\/customer-service\?ticket=/)
  await panelOf(page).getByText('Alquilado en destino.').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
