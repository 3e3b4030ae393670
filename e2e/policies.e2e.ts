import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { checkCode } from '#server/documents/pdf/check.ts'
import { accessibilityOf, waitUntilLoaded, enter, inDays, openPortal, type Portal, seedAzahar } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 150)
})
afterAll(() => portal.stop())

test('the row keys move from one page to the next and back', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const row = (which: 'first' | 'last') => page.locator('tbody:not(.opacity-50) tr[tabindex]')[which]()
  await row('last').waitFor()
  await waitUntilLoaded(page)
  const last = await row('last').textContent()
  await row('last').press('j')
  await page.waitForURL(/page=2/)
  await expect.poll(() => row('first').evaluate(it => it === document.activeElement)).toBe(true)
  await page.keyboard.press('k')
  await page.waitForURL(address => !address.search.includes('page='))
  await expect.poll(() => row('last').evaluate(it => it === document.activeElement)).toBe(true)
  expect(await row('last').textContent()).toBe(last)
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
  expect(await page.locator('[name=searchData]').evaluate(it => it === document.activeElement)).toBe(true)
  await page.unroute('**/api/policy/list')
  await page.goto('/policies')
  await row('first').waitFor()
  await waitUntilLoaded(page)
  await row('first').press('k')
  expect(await row('first').evaluate(it => it === document.activeElement)).toBe(true)
  await user.stop()
})

test.each([
  ['agent@azahar.example', '/policies'],
  ['agent@azahar.example', '/policies/saved'],
  ['agent@azahar.example', '/account'],
  ['agent@azahar.example', '/claim'],
  ['agent@azahar.example', '/customer-service'],
  ['admin@portolan.example', '/administration'],
])('for %s the page %s shows its first lists without another request', { tags: ['S7.22'] }, async (email, path) => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, email)
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname))
  await page.goto(path, { waitUntil: 'networkidle' })
  await waitUntilLoaded(page)
  // The menu counts unread messages on every page.
  expect(requests.filter(each => /^\/api\/|_payload/.test(each) && each !== '/api/tickets/unread')).toEqual([`${path}/_payload.json`])
  await user.stop()
})

test('a date that is invalid or before the other one shows an error at its field', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', `/policies?from=${readDate(inDays(10))}&to=${readDate(inDays(20))}`)
  const to = page.locator('[name=dateTo]')
  await to.fill(inDays(9))
  await page.getByText(/^Elija una fecha entre/).waitFor()
  await to.fill(inDays(11))
  await page.getByText(/^Elija una fecha entre/).waitFor({ state: 'detached' })
  await to.fill('nunca')
  await page.keyboard.press('Tab')
  await page.getByText(/^Elija una fecha entre/).waitFor()
  await page.locator('[name=searchData]').fill('garcía')
  await page.locator('tbody tr[tabindex="0"]').focus()
  await page.keyboard.press('/')
  await page.keyboard.type('ruiz')
  expect(await page.locator('[name=searchData]').inputValue()).toBe('ruiz')
  await user.stop()
})

test('the back button brings back a search that the menu’s link has left', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const search = page.locator('[name=searchData]')
  await search.fill('ruiz')
  await page.waitForURL(/search=ruiz/)
  await page.getByRole('link', { name: 'Pólizas', exact: true }).click()
  await page.waitForURL(address => !address.search.includes('search='))
  await expect.poll(() => search.inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => search.inputValue()).toBe('ruiz')
  expect(new URL(page.url()).searchParams.get('search')).toBe('ruiz')
  await user.stop()
})

test('a policy is found, opened and emailed by keyboard; its URL restores the view', { tags: 'S2.5' }, async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('garcía')
  await page.waitForURL(/search=/)
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
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('listitem').filter({ hasText: 'Vendida' }).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  const seen = await drawer.getByRole('heading', { level: 2 }).textContent()
  await page.reload()
  await drawer.getByRole('listitem').filter({ hasText: 'Vendida' }).waitFor()
  expect(await drawer.getByRole('heading', { level: 2 }).textContent()).toBe(seen)
  await page.keyboard.press('Escape')
  await page.waitForURL(address => !address.search.includes('policy='))
  expect(await page.locator('[name=searchData]').inputValue()).toBe('garcía')

  await page.locator('tbody tr').nth(1).focus()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByText('Otras direcciones').click()
  await page.locator('[name=emails]').fill('cliente@example')
  await page.keyboard.press('Enter')
  const wrong = page.getByText('cliente@example no es una dirección de correo completa.')
  await wrong.waitFor()
  expect(await wrong.count()).toBe(1)
  await page.locator('[name=emails]').fill('cliente@example.es')
  await wrong.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByText('Envío en camino').waitFor()
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

test('an export of selected policies holds those alone', { tags: 'S7.11' }, async () => {
  const user = await portal.newUser({ chosen: 'it-IT' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const rows = page.locator('tbody tr[tabindex]')
  await selectFirst(page, 2)
  const numbers = await Promise.all([0, 1].map(index => rows.nth(index).locator('td').nth(1).textContent()))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('region', { name: '2 selezionati' }).getByRole('button', { name: 'Esporta' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^polizze .*\.xlsx$/)
  const { sheets } = await readXlsx(await readFile(await download.path()))
  const [head, ...lines] = sheets[0]?.rows ?? []
  expect(head?.[0]).toBe('Numero di polizza')
  expect(lines.map(line => line[0])).toEqual([...numbers, 'Totale'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('deleting a quote on a phone asks first and can be undone', { tags: 'S4.13' }, async () => {
  const user = await portal.newUser({ chosen: 'fr-FR', width: 390 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies/saved')
  const first = page.locator('tbody tr[tabindex="0"]')
  await first.waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  const name = (await first.locator('td').nth(1).textContent()) ?? ''
  await first.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Devis supprimé').waitFor()
  await page.waitForURL(address => !address.search.includes('policy='))
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('Devis rétabli').waitFor()
  await expect.poll(() => page.locator('tbody tr').first().locator('td').nth(1).textContent()).toBe(name)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('one quote that cannot be deleted or restored is named and stops no other', { tags: 'S4.13' }, async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies/saved')
  await selectFirst(page, 3)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('region', { name: '2 seleccionados' }).waitFor()

  let attempts = 0
  const refusal = { code: 409, error: 'policy.not_deletable', errorMessage: 'Ya está vendido', requestId: '1' }
  const failOnce = (route: Route) => (attempts++ === 0 ? route.fulfill({ status: 409, json: refusal }) : route.fallback())
  await page.route('**/api/policy', failOnce)
  await page.getByRole('region', { name: '2 seleccionados' }).getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByText('Ya está vendido').waitFor()
  expect(attempts).toBe(2)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByText('2 presupuestos eliminados').waitFor()
  expect(await page.getByRole('region', { name: /seleccionado/ }).count()).toBe(0)

  attempts = 0
  await page.route('**/api/policy/restore', failOnce)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.getByRole('alertdialog', { name: 'Este presupuesto sigue eliminado' }).getByText(': Ya está vendido').waitFor()
  expect(attempts).toBe(2)
  await page.getByText('Presupuesto recuperado').waitFor()
  expect(user.problems.filter(text => !text.includes('status of 409'))).toEqual([])
  await user.stop()
})

test('an unsent email draft is kept for its policy only', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  const emails = page.locator('[name=emails]')
  await page.locator('tbody tr[tabindex]').first().focus()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByText('Otras direcciones').click()
  await emails.fill('cliente@example.es, otra@example.es')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('e')
  expect(await emails.inputValue()).toBe('cliente@example.es, otra@example.es')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByRole('dialog').waitFor()
  expect(await emails.count()).toBe(0)
  await user.stop()
})

test('a rejected email shows why and can be sent again to a corrected address', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const { kysely } = portal.app.world.database
  const { id } = await kysely
    .updateTable('policies')
    .set({ price_valid_until: new Date(Date.now() + 86_400_000) })
    .where('status', '=', 'budgeted')
    .where('start_date', '>', readDate(inDays(1)) ?? '')
    .returning('id')
    .executeTakeFirstOrThrow()
  await enter(user, 'agent@azahar.example', `/policies/saved?policy=${id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Enviar por correo' }).click()
  await page.getByText('Otras direcciones').click()
  const emails = page.locator('[name=emails]')
  await emails.fill('nadie@example.es')
  await page.keyboard.press('Enter')
  await page.getByText('Envío en camino').waitFor()
  // Simulates a rejection: the demo keeps every email and reports it as sent.
  await portal.app.world.outbox.drain()
  await kysely.updateTable('mails').set({ state: 'refused', reason: '550 5.1.1 unknown' }).where('about', '=', id).execute()
  await page.reload()
  await drawer.getByText('550 5.1.1 unknown').waitFor()
  await drawer.getByRole('button', { name: 'Enviar de nuevo: nadie@example.es' }).click()
  expect(await emails.inputValue()).toBe('nadie@example.es')
  await emails.fill('alguien@example.es')
  await page.keyboard.press('Enter')
  await page.getByText('Envío en camino').waitFor()
  await expect.poll(() => drawer.getByText('alguien@example.es').count()).toBeGreaterThan(0)

  await kysely.updateTable('policies').set({ status: 'pending' }).where('id', '=', id).execute()
  await page.reload()
  await drawer.getByText('550 5.1.1 unknown').waitFor()
  expect(await drawer.getByRole('button', { name: /Enviar/ }).count()).toBe(0)
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
  expect(await rows.count()).toBe(0)
  const day = page.getByRole('region', { name: 'Hoy', exact: true })
  await day.getByText('No se han podido cargar las tareas de hoy.').waitFor()
  await page.unroute('**/api/policy/day')
  await day.getByRole('button', { name: 'Reintentar' }).click()
  await day.getByRole('region', { name: 'Correos fallidos esta semana' }).waitFor()
  await page.unroute('**/api/policy/list')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  const range = page.getByText(/^\d+ a \d+ de \d+$/)
  expect(await range.count()).toBe(1)
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
  expect([await rows.count(), await range.count()]).toEqual([0, 0])
  await page.unroute('**/api/policy/list')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  await page.route('**/api/policy/list', route => route.fulfill({ status: 200, body: 'no file', contentType: 'text/plain' }))
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByText('La respuesta no es un archivo válido.').waitFor()
  await user.stop()
})

test('the palette finds a policy by its number and opens it', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies')
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  const number = (await page.locator('tbody tr').nth(2).locator('td').nth(1).textContent()) ?? ''
  await page.keyboard.press('Control+k')
  await page.locator('[name=palette]').waitFor()
  await page.keyboard.type(number)
  await page.getByRole('option', { name: number }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('heading', { name: number }).waitFor()
  expect(user.problems).toEqual([])
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
  await page.goto(`/verify?${new URLSearchParams({ number, code: checkCode({ id: policy.id, number }) })}`)
  await page.getByText(`A apólice ${number} é autêntica`).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.getByLabel('Código de controlo').fill('AAAAA-AAAAA')
  await page.keyboard.press('Enter')
  await page.getByText('Não há nenhum certificado').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
