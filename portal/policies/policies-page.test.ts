import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { addDays, addYears, displayDate, readDate, today } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { answer, fieldsOf, openScreen, refusal, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { demoScope } from '#server/session/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await seedPolicies(app.world, [{ scope: demoScope('azahar'), many: 150 }], { seed: 5, now: new Date(), show: () => undefined })
})
afterAll(() => app.stop())

/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
const drawerOf = (page: Screen) => page.locator('[data-panel]')
const loadedRows = 'tbody:not(.opacity-50) tr[tabindex]'

test('filters are chips, chosen and removed by keyboard', async () => {
  const page = await openScreen(app, '/policies', agent)
  const count = page.locator('tfoot td').nth(1)
  await count.waitFor()
  const all = await count.textContent()
  const add = page.getByRole('button', { name: 'Filtro', exact: true })
  await add.press('Enter')
  await page.getByRole('menuitem', { name: 'Agente' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Andrés Molina' }).press('Enter')
  await page.waitForURL(/agent=/)
  await expectScreen(page.getByRole('button', { name: 'Agente Andrés Molina' })).toBeFocused()
  const agents = () => [
    ...new Set(
      page
        .locator('tbody [data-column=username]')
        .now()
        .map(each => each.textContent),
    ),
  ]
  await expect.poll(agents).toEqual(['Andrés Molina'])
  await expectScreen(count).not.toHaveText(all)
  await page.getByRole('button', { name: 'Quitar Agente' }).press('Enter')
  await page.waitForURL(address => !address.search.includes('agent='))
  await expectScreen(count).toHaveText(all)
  // The days of a period are relative to today, so the link contains no date.
  await add.press('Enter')
  await page.getByRole('menuitem', { name: 'Fin', exact: true }).press('Enter')
  await page.getByRole('dialog', { name: 'Fin', exact: true }).getByRole('button', { name: '30 días' }).press('Enter')
  await page.waitForURL(/returnFrom=0d&returnTo=29d/)
  await page.getByRole('button', { name: 'Fin próximos 30 días' }).waitFor()
  // A filter that is left without a choice leaves no chip.
  await add.press('Enter')
  await page.getByRole('menuitem', { name: 'Producto' }).press('Enter')
  await page.getByRole('menu', { name: 'Producto' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Quitar Producto' }).waitFor({ state: 'detached' })
})

test('a date filter completes short dates, and keeps a wrong one with its error', async () => {
  const page = await openScreen(app, `/policies?from=${readDate(inDays(10))}&to=${readDate(inDays(20))}`, agent)
  const param = (name: string) => new URL(page.url()).searchParams.get(name)
  await page.getByRole('button', { name: /^Inicio \d/ }).click()
  const to = page.getByRole('dialog', { name: 'Inicio', exact: true }).locator('[name=to]')
  await to.fill(inDays(9))
  await page.getByText(/^Elija una fecha entre/).waitFor()
  await to.fill(inDays(11))
  await page.getByText(/^Elija una fecha entre/).waitFor({ state: 'detached' })
  await to.fill('nunca')
  await page.keyboard.press('Shift+Tab')
  await page.getByText('Introduzca una fecha como DD/MM/AAAA.').waitFor()
  await page.keyboard.press('Escape')
  // The list is filtered as before, and the filter names the text that is not applied.
  await page.getByRole('button', { name: /^Inicio.+«nunca» no se aplica/ }).waitFor()
  expect(param('to')).toBe(readDate(inDays(11)))
  await page.getByRole('button', { name: 'Quitar Inicio' }).click()
  // A short date is completed, also when the filter closes.
  const shortOf = (days: number) => inDays(days).slice(0, 5)
  await page.getByRole('button', { name: 'Filtro', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Inicio' }).click()
  const from = page.locator('[name=from]')
  await from.pressSequentially('31/2')
  await page.keyboard.press('Tab')
  await page.getByText('Introduzca una fecha como DD/MM/AAAA.').waitFor()
  await page.locator('h1').click()
  const chip = page.getByRole('button', { name: /^Inicio.+no se aplica/ })
  await chip.click()
  await from.fill('')
  await page.keyboard.type(shortOf(-50))
  await page.keyboard.press('Tab')
  await expect.poll(() => param('from')).toBe(readDate(inDays(-50)))
  await page.locator('[name=to]').focus()
  await page.keyboard.type('+9')
  await page.locator('h1').click()
  await expect.poll(() => param('to')).toBe(readDate(inDays(9)))
  await expectScreen(chip).toHaveCount(0)
})

test('the panel of a policy of many trips says from when the cancellation of each is covered', async () => {
  const seller = await sellerOf(app)
  const first = addDays(today(new Date(), 'Europe/Madrid'), 11)
  const { uuid: productUUID } = seller.products.find(({ code }) => code === 'ANN')
  const sale = await sellAs(seller, { productUUID, startDate: first, endDate: addDays(addYears(first, 1), -1) })
  const page = await openScreen(app, `/policies?policy=${sale.body.data.policyData.policyUuid}`, agent)
  const cover = drawerOf(page).locator('figure')
  await cover.getByText('Cobertura de cancelación: desde cada reserva dentro de esta vigencia hasta la salida').waitFor()
  await cover.getByText(`Vigencia: del ${displayDate(first)}`).waitFor()
})

test('a quote that cannot be deleted or restored is named and does not stop the others', { tags: 'S4.13' }, async () => {
  const page = await openScreen(app, '/policies/saved', agent)
  await page.locator(loadedRows).nth(2).waitFor()
  await page.locator(loadedRows).first().focus()
  await page.keyboard.press('x')
  for (let more = 1; more < 3; more++) {
    await page.keyboard.press('j')
    await page.keyboard.press('x')
  }
  await page.keyboard.press('Enter')
  await drawerOf(page).getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  const chosen = page.getByRole('region', { name: '2 filas seleccionadas' })
  await chosen.waitFor()

  let attempts = 0
  const failOnce = () => (attempts++ === 0 ? refusal(409, 'policy.not_deletable', 'Ya está vendido') : undefined)
  answer(page, '/api/policy', failOnce)
  await chosen.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('alertdialog').getByText('Ya está vendido').waitFor()
  expect(attempts).toBe(2)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByText('2 presupuestos eliminados').waitFor()
  await expectScreen(page.getByRole('region', { name: /seleccionad/ })).toHaveCount(0)

  attempts = 0
  answer(page, '/api/policy/restore', failOnce)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.getByRole('alertdialog', { name: 'Este presupuesto sigue eliminado' }).getByText(': Ya está vendido').waitFor()
  expect(attempts).toBe(2)
  await page.getByText('Presupuesto recuperado').waitFor()
})

test('a rejected email shows why and can be sent again to a corrected address', async () => {
  const { kysely } = app.world.database
  const { id } = await kysely
    .updateTable('policies')
    .set({ price_valid_until: new Date(Date.now() + 86_400_000) })
    .where('status', '=', 'budgeted')
    .where('start_date', '>', readDate(inDays(1)) ?? '')
    .returning('id')
    .executeTakeFirstOrThrow()
  const page = await openScreen(app, `/policies/saved?policy=${id}`, agent)
  const drawer = drawerOf(page)
  await drawer.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Otras direcciones').click()
  const emails = page.locator('[name=emails]')
  await emails.fill('nadie@example.es')
  await page.keyboard.press('Enter')
  await page.getByText('Correo en camino').waitFor()
  // Simulates a rejection, as the demo keeps every email and reports it as sent.
  await app.world.outbox.drain()
  await kysely.updateTable('mails').set({ state: 'refused', reason: '550 5.1.1 unknown' }).where('about', '=', id).execute()
  await page.reload()
  await drawer.getByText('550 5.1.1 unknown').waitFor()
  await drawer.getByRole('button', { name: 'Enviar de nuevo: nadie@example.es' }).click()
  await expectScreen(emails).toHaveValue('nadie@example.es')
  await emails.fill('alguien@example.es')
  await page.keyboard.press('Enter')
  await page.getByText('Correo en camino').waitFor()
  await drawer.getByText('alguien@example.es').first().waitFor()

  await kysely.updateTable('policies').set({ status: 'pending' }).where('id', '=', id).execute()
  await page.reload()
  await drawer.getByText('550 5.1.1 unknown').waitFor()
  await expectScreen(drawer.getByRole('button', { name: /Enviar/ })).toHaveCount(0)
})

test('the palette finds a policy by number, and waits before it reports no match', async () => {
  const page = await openScreen(app, '/policies', agent)
  const numberOf = page.locator(loadedRows).nth(2).locator('[data-column=policyNumber]')
  await numberOf.waitFor()
  const number = await numberOf.textContent()
  const palette = page.locator('[name=palette]')
  await page.keyboard.press('Control+k')
  await palette.pressSequentially(number)
  await page.getByRole('option', { name: number }).first().waitFor()
  await page.keyboard.press('Enter')
  await drawerOf(page).getByRole('heading', { name: number }).waitFor()

  await page.keyboard.press('Control+k')
  const [held, said] = [Promise.withResolvers<void>(), page.getByRole('dialog').getByRole('status')]
  page.browser.connection = async (send, path) => {
    if (path !== '/api/policy/list') return send()
    await held.promise
    throw new TypeError('no connection')
  }
  // One letter is not searched, so nothing is said of matches.
  await palette.fill('ж')
  await expectScreen(said).toHaveText(app.world.words('es-ES')('keys.palette.short'))
  // A page that matches does not end the search.
  await palette.fill('presupuestos')
  await page.getByRole('option', { name: 'Presupuestos' }).first().waitFor()
  await expectScreen(said).toHaveText('Buscando…')
  await palette.fill('nadie se llama así')
  await expectScreen(said).toHaveText('Buscando…')
  const { useConnection } = await import('#portal/kit/connection.ts')
  useConnection.setState({ slow: 1 })
  await expectScreen(said).toHaveText(app.world.words('es-ES')('ui.slow'))
  await expectScreen(page.locator('#main > [role=status]').first()).toHaveText(app.world.words('es-ES')('ui.slow'))
  useConnection.setState({ slow: 0 })
  held.resolve()
  await expectScreen(said).toHaveText(/^No se puede contactar con el servicio/)
  expect(page.problems.splice(0)).toEqual([expect.stringContaining('searching policies failed')])
  // A known outage is reported at once. Enter searches again, and so does the return of the service.
  await palette.fill('nadie se llama así tampoco')
  await expectScreen(said).toHaveText(/^No se puede contactar con el servicio/)
  await expect.poll(() => page.problems.length).toBe(1)
  await palette.press('Enter')
  await expect.poll(() => page.problems.length).toBe(2)
  page.problems.splice(0)
  page.browser.connection = send => send()
  const { checkConnection } = await import('#portal/shell/reconnect.ts')
  await checkConnection()
  await expectScreen(said).toHaveText('Nada coincide con «nadie se llama así tampoco».')
  await page.keyboard.press('Escape')

  // A cancelled policy is also found, and shown as cancelled.
  const cancelled = await app.world.database.kysely
    .selectFrom('policies')
    .select('number')
    .where('status', '=', 'cancelled')
    .where('business_unit_id', '=', demoScope('azahar').businessUnitId)
    .executeTakeFirstOrThrow()
  await page.keyboard.press('Control+k')
  await palette.fill(cancelled.number ?? '')
  await page.getByRole('option', { name: new RegExp(`${cancelled.number}.*Anulada`) }).waitFor()
  await page.keyboard.press('Enter')
  await drawerOf(page)
    .getByRole('heading', { name: cancelled.number ?? '' })
    .waitFor()
})

test('the row keys move from one page to the next and back', async () => {
  const page = await openScreen(app, '/policies', agent)
  const row = (which: 'first' | 'last') => page.locator('tbody:not(.opacity-50) tr[tabindex]')[which]()
  await row('last').waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  await row('first').press('k')
  await expectScreen(row('first')).toBeFocused()
  const last = await row('last').textContent()
  await row('last').press('j')
  await page.waitForURL(/page=2/)
  await expectScreen(row('first')).toBeFocused()
  await page.keyboard.press('k')
  await page.waitForURL(address => !address.search.includes('page='))
  await expectScreen(row('last')).toBeFocused()
  await expectScreen(row('last')).toHaveText(last ?? '')
  // A page that arrives does not take the focus from a field.
  await page.goto('/policies?perPage=25')
  await row('last').waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  const held = Promise.withResolvers<undefined>()
  answer(page, '/api/policy/list', () => held.promise)
  const before = page.browser.asked.length
  await row('last').press('j')
  await expect.poll(() => page.browser.asked.slice(before)).toContain('/api/policy/list')
  await page.locator('[name=searchData]').focus()
  held.resolve(undefined)
  await page.locator('tbody:not(.opacity-50)').waitFor()
  await expectScreen(page.locator('[name=searchData]')).toBeFocused()
})

test('views count their results, and an own view stores filters, order and columns', async () => {
  await sellAs(await sellerOf(app), { startDate: readDate(inDays(1)), endDate: readDate(inDays(9)) })
  const page = await openScreen(app, '/policies', agent)
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
  await page.getByText('Sin indicar: nombre de la vista').waitFor()
  await page.locator('[name=viewName]').fill('Mis grandes')
  await page.keyboard.press('Enter')
  await tab('Mis grandes').and(page.locator('[aria-selected=true]')).waitFor()
  await expect.poll(() => countOf('Mis grandes')).toBe(counts.mine)

  await page.getByRole('button', { name: 'Eliminar vista' }).click()
  await tab('Mis grandes').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await tab('Mis grandes').waitFor()
  await expect.poll(() => rows.count()).toBeGreaterThan(0)
  // Another browser of the same user has the view, and a colleague does not.
  const again = await openScreen(app, '/policies', agent)
  await again.getByRole('tab', { name: /^Mis grandes/ }).click()
  await again.waitForURL(/agent=me&sort=total/)
  await again.locator('tbody tr[tabindex]').first().waitFor()
  await expectScreen(again.locator('[data-column=productName]')).toHaveCount(0)
  const colleague = await openScreen(app, '/policies', 'manager@azahar.example')
  await colleague.getByRole('tab', { name: /^Mías/ }).waitFor()
  await expectScreen(colleague.getByRole('tab', { name: /^Mis grandes/ })).toHaveCount(0)
})

test('a search links to views with results, and the back button restores it', async () => {
  const t = app.world.words('es-ES')
  const page = await openScreen(app, '/policies?status=cancelled', 'manager@azahar.example')
  const number = (await page.locator('td[data-column=policyNumber]').first().textContent()) ?? ''
  await page.goto('/policies')
  await page.locator('[name=searchData]').fill(number)
  const link = page.getByRole('link', { name: t('policies.elsewhere_cancelled', { count: '1' }) })
  await page.getByText(t('policies.elsewhere')).waitFor()
  await expectScreen(link.locator('..').getByRole('link')).toHaveCount(1)
  await link.click()
  await page.locator('td[data-column=policyNumber]', { hasText: number }).waitFor()
  expect(page.url()).toMatch(/\/policies\?status=cancelled$/)
  // The back button restores a search that was left by the menu’s link.
  await page.getByRole('link', { name: 'Pólizas', exact: true }).first().click()
  const search = page.locator('[name=searchData]')
  await expectScreen(search).toHaveValue('')
  await page.locator('tbody:not(.opacity-50) tr[tabindex]').first().waitFor()
  await search.fill('garcía')
  await page.locator('tbody tr[tabindex="0"]').focus()
  // The list for the previous text may be requested meanwhile.
  const searched: unknown[] = []
  answer(page, '/api/policy/list', async (init, send) => {
    const reply = await send()
    searched.push(fieldsOf(init)['searchData'])
    return reply
  })
  // The shortcut of the search selects its text, so that typing replaces it.
  await page.keyboard.press('/')
  await page.keyboard.type('ruiz')
  await expect.poll(() => searched).toContain('ruiz')
  await page.getByRole('link', { name: 'Pólizas', exact: true }).first().click()
  await expectScreen(search).toHaveValue('')
  await page.goBack()
  await expectScreen(search).toHaveValue('ruiz')
  await page.reload()
  await expectScreen(search).toHaveValue('ruiz')
  // No URL contains a name or document number, as logs and histories keep URLs.
  expect(page.url()).not.toContain('ruiz')
})

test('the footer adds up all filtered policies, and only quotes that can still be sold', async () => {
  const page = await openScreen(app, '/policies', agent)
  const rows = await app.world.database.kysely
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
  // The count and the sums of many policies arrive after the rows, by another call.
  answer(page, '/policies/_payload.json', async (_, send) => {
    const reply = await send()
    const json = await reply.json()
    Object.assign(json.data.first.policies.data, { sums: null, total: 11, totalPages: 2, totalIsExact: false })
    return Response.json(json, { headers: reply.headers })
  })
  const isSeen = Promise.withResolvers<void>()
  answer(page, '/api/policy/totals', async () => {
    await isSeen.promise
    return Response.json({ code: 200, data: { policies: 12_345, total: 1234.5, commission: 6.75, matches: 12_345 } })
  })
  await page.reload()
  await foot.getByText('Contando los resultados…').waitFor()
  await page.getByText('1 a 10 de más de 10', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Página 1', exact: true }).waitFor()
  await expectScreen(page.getByRole('button', { name: 'Página 2', exact: true })).toHaveCount(0)
  isSeen.resolve()
  await foot.getByText('12.345 pólizas').waitFor()
  await page.getByText('1 a 10 de 12.345', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Página 1.?235$/ }).waitFor()
  await foot
    .getByText(formatMoney(123_450, 'es-ES', 'EUR'), { exact: true })
    .first()
    .waitFor()
  await foot.getByText(formatMoney(675, 'es-ES', 'EUR'), { exact: true }).waitFor()
  // That of the saved quotes adds up those that can still be sold.
  const quotes = await app.world.database.kysely
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
  await page.goto('/policies/saved?status=pending&perPage=100')
  await page.locator('tbody tr[tabindex]').first().waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  const unpaid = quotes.filter(({ status }) => status === 'pending')
  expect(unpaid.some(({ start_date }) => start_date < today)).toBe(true)
  await expectScreen(page.locator('tbody [data-column=status]')).toHaveText(unpaid.map(() => 'Sin pagar'))
})

test('a list that fails to load is empty, shows the error and can be retried', { tags: ['S8.2', 'S8.3'] }, async () => {
  const page = await openScreen(app, '/account', agent)
  const fail = () => refusal(500, 'server.failed', 'Vaya')
  let recover = answer(page, '/api/policy/list', fail)
  answer(page, '/api/policy/day', fail)
  await page.getByRole('link', { name: 'Pólizas', exact: true }).first().click()
  await page.getByText('No se ha podido cargar la lista').waitFor()
  const rows = page.locator('tbody tr')
  await expectScreen(rows).toHaveCount(0)
  const day = page.getByRole('region', { name: 'Hoy', exact: true })
  await day.getByText('No se han podido cargar las tareas de hoy.').waitFor()
  answer(page, '/api/policy/day', () => Response.json({ code: 200, data: { ...noTasks, tasks } }))
  // The part that keeps the focus is loaded after the first press.
  await vi.dynamicImportSettled()
  await day.getByRole('button', { name: 'Reintentar' }).click()
  await day.getByRole('link', { name: /Elena Vidal/ }).waitFor()
  recover()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  // The list that was loaded again has the focus, not the page.
  await page.locator('main div:focus').locator('tbody').waitFor()
  const range = page.getByText(/^\d+ a \d+ de \d+$/)
  await expectScreen(range).toHaveCount(1)
  // Returning after a while loads the list again. If that fails, the earlier rows are removed.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  recover = answer(page, '/api/policy/list', fail)
  await page.getByRole('link', { name: 'Seguros', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Seguros' }).waitFor()
  // The refused email of a quote leads to the saved quotes.
  await expectScreen(page.getByRole('link', { name: /Elena Vidal/ })).toHaveAttribute('href', `/policies/saved?policy=${task.policyUuid}`)
  await page.getByRole('link', { name: 'Pólizas', exact: true }).first().click()
  await page.getByText('No se ha podido cargar la lista').waitFor()
  await expectScreen(rows).toHaveCount(0)
  await expectScreen(range).toHaveCount(0)
  recover()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.locator('tbody tr[tabindex="0"]').waitFor()
  answer(page, '/api/policy/list', () => new Response('no file', { headers: { 'content-type': 'text/plain' } }))
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByText('La respuesta no es un archivo válido.').waitFor()
})

const task = { kind: 'mail', policyUuid: '0190a000-0000-7000-8000-000000000000', policyTaker: 'Elena Vidal', productName: '' }
const tasks = { total: 1, amount: 561.48, items: [{ ...task, startDate: '2026-01-01', amount: 561.48, isBudget: true }] }
const noTasks = { from: '', to: '', departures: null, lapsing: null, failedMails: { total: 0, mails: [] } }
