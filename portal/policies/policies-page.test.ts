import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, displayDate, readDate, today } from '#common/kit/dates.ts'
import { answer, openScreen, refusal, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { demoScope } from '#server/session/testing.ts'

const agent = 'agent@azahar.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await seedPolicies(app.world, [{ scope: demoScope('azahar'), many: 150 }], { seed: 5, now: new Date(), show: () => undefined })
})
afterAll(() => app.stop())

/** Returns today plus so many days in the demo's time zone, as a user types it. */
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
  // The days of a period move along with today: the link holds no date.
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

test('a date filter completes short dates, and stays with a wrong one and its error', async () => {
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
  // The list is filtered as before, and the filter says what is not applied.
  await page.getByRole('button', { name: /^Inicio.+«nunca» no se aplica/ }).waitFor()
  expect(param('to')).toBe(readDate(inDays(11)))
  await page.getByRole('button', { name: 'Quitar Inicio' }).click()
  // A short date is completed, also as the filter closes.
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

test('one quote that cannot be deleted or restored is named and stops no other', { tags: 'S4.13' }, async () => {
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
  // Simulates a rejection: the demo keeps every email and reports it as sent.
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

test('the palette finds a policy by its number, and says that nothing matches once the service has', async () => {
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
  await palette.fill('nadie se llama así')
  await expectScreen(said).toHaveText('Buscando…')
  held.resolve()
  await expectScreen(said).toHaveText(/^No se puede contactar con el servicio/)
  expect(page.problems.splice(0)).toEqual([expect.stringContaining('searching policies failed')])
  page.browser.connection = send => send()
  await palette.fill('nadie se llama así tampoco')
  await expectScreen(said).toHaveText('Nada coincide con «nadie se llama así tampoco».')
  await page.keyboard.press('Escape')

  // A cancelled policy is found as well, and says so.
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
