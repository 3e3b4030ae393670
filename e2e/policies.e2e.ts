import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { checkCode } from '#server/documents/pdf/check.ts'
import { inProcess } from '#server/kit/testing.ts'
import { registerAs, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
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

test('the row keys move from one page to the next and back', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const row = (which: 'first' | 'last') => page.locator('tbody:not(.opacity-50) tr[tabindex]')[which]()
  await row('last').waitFor()
  await waitUntilLoaded(page)
  await row('first').press('k')
  await expectPage(row('first')).toBeFocused()
  const last = await row('last').textContent()
  await row('last').press('j')
  await page.waitForURL(/page=2/)
  await expectPage(row('first')).toBeFocused()
  await page.keyboard.press('k')
  await page.waitForURL(address => !address.search.includes('page='))
  await expectPage(row('last')).toBeFocused()
  await expectPage(row('last')).toHaveText(last ?? '')
  // The arriving page does not take the focus from a field.
  await page.goto('/policies?perPage=25')
  await row('last').waitFor()
  await waitUntilLoaded(page)
  const held: Route[] = []
  await page.route('**/api/policy/list', route => void held.push(route))
  await row('last').press('j')
  await expect.poll(() => held.length).toBe(1)
  await page.locator('[name=searchData]').focus()
  await held[0]?.continue()
  await page.locator('tbody:not(.opacity-50)').waitFor()
  await expectPage(page.locator('[name=searchData]')).toBeFocused()
  await user.stop()
})

test('each page with lists shows its first ones without another request', async () => {
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

test('views count what they find, and an own view keeps filters, order and columns in the account', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await sellAs(await sellerOf(inProcess(portal.app)), { startDate: readDate(inDays(1)), endDate: readDate(inDays(9)) })
  await enter(user, 'agent@azahar.example', '/policies')
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  const countOf = async (name: string) => Number((await tab(name).textContent())?.replace(/\D/g, ''))
  await tab('Vendidas').and(page.locator('[aria-selected=true]')).waitFor()
  const counts = { all: await countOf('Vendidas'), mine: await countOf('Mías'), leaving: await countOf('Salen pronto') }
  expect(counts.all).toBeGreaterThan(counts.mine)
  expect(counts.leaving).toBeGreaterThan(0)
  await tab('Vendidas').press('ArrowRight')
  await page.waitForURL(/from=0d&to=13d&sort=startDate/)
  const rows = page.locator('tbody:not(.opacity-50) tr[tabindex]')
  const total = page.locator('tfoot td').nth(1)
  await expect.poll(async () => Number.parseInt((await total.textContent()) ?? '', 10)).toBe(counts.leaving)
  await tab('Mías').click()
  await expect.poll(async () => Number.parseInt((await total.textContent()) ?? '', 10)).toBe(counts.mine)

  await page.getByRole('button', { name: 'Precio' }).click()
  await page.waitForURL(/sort=total/)
  await page.getByRole('button', { name: 'Columnas' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Producto' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Guardar vista' }).click()
  await page.keyboard.press('Enter')
  await page.getByText('Este campo es obligatorio.').waitFor()
  await page.locator('[name=viewName]').fill('Mis grandes')
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await tab('Mis grandes').and(page.locator('[aria-selected=true]')).waitFor()
  await expect.poll(() => countOf('Mis grandes')).toBe(counts.mine)

  // Another browser of the same user has the view, and a colleague has not.
  const again = await portal.newUser({ chosen: 'es-ES' })
  await enter(again, 'agent@azahar.example', '/policies')
  await again.page.getByRole('tab', { name: /^Mis grandes/ }).click()
  await again.page.waitForURL(/agent=me&sort=total/)
  await again.page.locator('tbody tr[tabindex]').first().waitFor()
  await expectPage(again.page.locator('[data-column=productName]')).toHaveCount(0)
  await again.stop()
  const colleague = await portal.newUser({ chosen: 'es-ES' })
  await enter(colleague, 'manager@azahar.example', '/policies')
  await colleague.page.getByRole('tab', { name: /^Mías/ }).waitFor()
  await expectPage(colleague.page.getByRole('tab', { name: /^Mis grandes/ })).toHaveCount(0)
  await colleague.stop()

  await page.getByRole('button', { name: 'Eliminar vista' }).click()
  await tab('Mis grandes').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await tab('Mis grandes').waitFor()
  await expect.poll(() => rows.count()).toBeGreaterThan(0)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a search leads to where it finds something, and the back button brings it back', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'manager@azahar.example', '/policies?status=cancelled')
  const number = (await page.locator('td[data-column=policyNumber]').first().textContent()) ?? ''
  await page.goto('/policies')
  await page.locator('[name=searchData]').fill(number)
  const link = page.getByRole('link', { name: t('policies.elsewhere_cancelled', { count: '1' }) })
  await page.getByText(t('policies.elsewhere')).waitFor()
  await expectPage(link.locator('..').getByRole('link')).toHaveCount(1)
  await link.click()
  await page.locator('td[data-column=policyNumber]', { hasText: number }).waitFor()
  expect(page.url()).toMatch(/\/policies\?status=cancelled$/)
  // The back button brings back a search that the menu’s link has left.
  await page.getByRole('link', { name: 'Pólizas', exact: true }).click()
  const search = page.locator('[name=searchData]')
  await expectPage(search).toHaveValue('')
  await page.locator('tbody:not(.opacity-50) tr[tabindex]').first().waitFor()
  await search.fill('garcía')
  await page.locator('tbody tr[tabindex="0"]').focus()
  // The list of the text before may come meanwhile.
  const listed = page.waitForResponse(reply => reply.request().postData()?.includes('"ruiz"') === true)
  // The key of the search replaces its text.
  await page.keyboard.press('/')
  await page.keyboard.type('ruiz')
  await listed
  await page.getByRole('link', { name: 'Pólizas', exact: true }).click()
  await expectPage(search).toHaveValue('')
  await page.goBack()
  await expectPage(search).toHaveValue('ruiz')
  await page.reload()
  await expectPage(search).toHaveValue('ruiz')
  // A name or document number is in no URL, as logs and histories keep those.
  expect(page.url()).not.toContain('ruiz')
  expect(user.problems).toEqual([])
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

test('the foot adds up all that the filter finds, and of quotes what can still be sold', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const rows = await portal.app.world.database.kysely
    .selectFrom('policies')
    .where('business_unit_id', '=', demoScope('azahar').businessUnitId)
    .where('status', '=', 'purchased')
    .select(['total_cents', 'commission_cents'])
    .execute()
  const euros = (column: 'total_cents' | 'commission_cents') =>
    formatMoney(
      rows.reduce((sum, row) => sum + row[column], 0),
      'es-ES',
      'EUR',
    )
  const foot = page.locator('tfoot')
  await foot.getByText(`${rows.length} pólizas`).waitFor()
  await foot.getByText(euros('total_cents'), { exact: true }).first().waitFor()
  await foot.getByText(euros('commission_cents'), { exact: true }).waitFor()
  // The count and the sums of many policies come after the rows, by a call of their own.
  await page.route('**/policies/_payload.json*', async route => {
    const reply = await route.fetch()
    const json = await reply.json()
    Object.assign(json.data.first.policies.data, { sums: null, total: 11, totalPages: 2, totalIsExact: false })
    await route.fulfill({ response: reply, json })
  })
  const isSeen = Promise.withResolvers<void>()
  await page.route('**/api/policy/totals', async route => {
    await isSeen.promise
    await route.fulfill({ json: { code: 200, data: { policies: 12_345, total: 1234.5, commission: 6.75, matches: 12_345 } } })
  })
  await page.reload()
  await foot.getByText('Contando los resultados…').waitFor()
  await page.getByText('1 a 10 de más de 10', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Página 1', exact: true }).waitFor()
  await expectPage(page.getByRole('button', { name: 'Página 2', exact: true })).toHaveCount(0)
  isSeen.resolve()
  await foot.getByText('12.345 pólizas').waitFor()
  await page.getByText('1 a 10 de 12.345', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Página 1.?235$/ }).waitFor()
  await foot
    .getByText(formatMoney(123_450, 'es-ES', 'EUR'), { exact: true })
    .first()
    .waitFor()
  await foot.getByText(formatMoney(675, 'es-ES', 'EUR'), { exact: true }).waitFor()
  // That of the saved quotes adds up what can still be sold.
  const quotes = await portal.app.world.database.kysely
    .selectFrom('policies')
    .where('business_unit_id', '=', demoScope('azahar').businessUnitId)
    .where('status', 'in', ['budgeted', 'pending'])
    .select(['status', 'start_date', 'total_cents'])
    .execute()
  const today = readDate(inDays(0)) ?? ''
  const open = quotes.filter(({ start_date }) => start_date >= today)
  expect([open.length > 0, open.length < quotes.length]).toEqual([true, true])
  await page.goto('/policies/saved')
  await foot.getByText(`${quotes.length} presupuestos · ${open.length} por vender`).waitFor()
  const cents = open.reduce((sum, { total_cents }) => sum + total_cents, 0)
  await foot
    .getByText(formatMoney(cents, 'es-ES', 'EUR'), { exact: true })
    .first()
    .waitFor()
  // The table shows all columns without scrolling sideways.
  await expect
    .poll(() => page.locator('table').evaluate(table => table.scrollWidth - (table.parentElement?.clientWidth ?? 0)))
    .toBeLessThanOrEqual(0)
  await page.goto('/policies/saved?status=pending&perPage=100')
  await page.locator('tbody tr[tabindex]').first().waitFor()
  await waitUntilLoaded(page)
  const unpaid = quotes.filter(({ status }) => status === 'pending')
  expect(unpaid.some(({ start_date }) => start_date < today)).toBe(true)
  await expectPage(page.locator('tbody [data-column=status]')).toHaveText(unpaid.map(() => 'Sin pagar'))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('an export of selected policies holds those alone', { tags: 'S7.11' }, async () => {
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

test('deleting a quote on a phone asks first and can be undone', { tags: ['S2.21', 'S2.22', 'S4.13', 'S4.16'] }, async () => {
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
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('Devis rétabli').waitFor()
  await expectPage(page.locator('tbody tr').first().locator('[data-column=policyTaker]')).toHaveText(name)
  expect(user.problems).toEqual([])
  await user.stop()
})

const task = { kind: 'lapsing', policyUuid: '0190a000-0000-7000-8000-000000000000', policyTaker: 'Elena Vidal', productName: '' }
const tasks = { total: 1, amount: 561.48, items: [{ ...task, startDate: '2026-01-01', amount: 561.48 }] }
const noTasks = { from: '', to: '', departures: null, lapsing: null, failedMails: { total: 0, mails: [] } }

test('today’s tasks stand beside the title by their amount, open in place, and take no room without any', async () => {
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
  // The month’s number opens its picture, with a table beside it.
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

test('a list that fails to load is empty, shows the error and can be retried', { tags: ['S8.2', 'S8.3'] }, async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/products')
  await page.route('**/api/policy/list', route =>
    route.fulfill({ status: 500, json: { code: 500, error: 'server.failed', errorMessage: 'Vaya' } }),
  )
  await page.route('**/api/policy/day', route =>
    route.fulfill({ status: 500, json: { code: 500, error: 'server.failed', errorMessage: 'Vaya' } }),
  )
  await page.getByRole('navigation').getByRole('link', { name: 'Pólizas' }).click()
  await page.getByText('No se ha podido cargar la lista').waitFor()
  const rows = page.locator('tbody tr')
  await expectPage(rows).toHaveCount(0)
  const day = page.getByRole('region', { name: 'Hoy', exact: true })
  await day.getByText('No se han podido cargar las tareas de hoy.').waitFor()
  await page.route('**/api/policy/day', route => route.fulfill({ json: { code: 200, data: { ...noTasks, tasks } } }))
  await day.getByRole('button', { name: 'Reintentar' }).click()
  await day.getByRole('link', { name: /Elena Vidal/ }).waitFor()
  await page.unroute('**/api/policy/list')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  const range = page.getByText(/^\d+ a \d+ de \d+$/)
  await expectPage(range).toHaveCount(1)
  // Coming back after a while loads the list again. If that fails, the earlier rows are emptied too.
  await page.clock.install()
  await page.clock.fastForward(60_000)
  await page.route('**/api/policy/list', route =>
    route.fulfill({ status: 500, json: { code: 500, error: 'server.failed', errorMessage: 'Vaya' } }),
  )
  await page.getByRole('link', { name: 'Seguros' }).click()
  await page.getByRole('heading', { level: 1, name: 'Seguros' }).waitFor()
  await page.getByRole('link', { name: 'Pólizas' }).click()
  await page.getByText('No se ha podido cargar la lista').waitFor()
  await expectPage(rows).toHaveCount(0)
  await expectPage(range).toHaveCount(0)
  await page.unroute('**/api/policy/list')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  await page.route('**/api/policy/list', route => route.fulfill({ status: 200, body: 'no file', contentType: 'text/plain' }))
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByText('La respuesta no es un archivo válido.').waitFor()
  await user.stop()
})

test('a certificate is verified on a phone in the visitor’s language', async () => {
  const policy = await portal.app.world.database.kysely
    .selectFrom('policies')
    .select(['id', 'number'])
    .where('status', '=', 'purchased')
    .executeTakeFirstOrThrow()
  const number = policy.number ?? ''
  const user = await portal.newUser({ chosen: 'pt-PT', width: 390 })
  const { page } = user
  await page.goto(`/verify?${new URLSearchParams({ number, code: checkCode({ id: policy.id, number, edition: 1 }) })}`)
  await page.getByText(`A apólice ${number} é autêntica`).waitFor()
  await page.getByLabel('Código de controlo').fill('AAAAA-AAAAA')
  await page.keyboard.press('Enter')
  await page.getByText('Não há nenhum certificado').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
