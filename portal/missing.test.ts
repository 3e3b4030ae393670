import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScreen, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { leo, registerAs, sellAs, sellerOf } from '#server/policies/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { xenia } from '#server/privacy/testing.ts'
import { demoScope } from '#server/session/testing.ts'

const [agent, administrator] = ['agent@azahar.example', 'admin@portolan.example']
const [loading, notLoaded, again] = ['Cargando…', 'No se ha podido cargar la lista', 'Reintentar']

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await seedPolicies(app.world, [{ scope: demoScope('azahar'), many: 20 }], { seed: 5, now: new Date(), show: () => undefined })
})
afterAll(() => app.stop())

const failed = () => Response.json({ code: 500, error: 'internal', errorMessage: 'No', requestId: '1' }, { status: 500 })

/** Holds the calls of a path, and later answers them normally or with an error. */
function hold({ browser }: Screen, path: string) {
  let { promise, resolve } = Promise.withResolvers<'answer' | 'fail'>()
  browser.connection = async (send, asked) => {
    if (asked.split('?')[0] !== path || (await promise) === 'answer') return send()
    return failed()
  }
  return {
    end: (how: 'answer' | 'fail') => resolve(how),
    mend: () => {
      ;({ promise, resolve } = Promise.withResolvers<'answer' | 'fail'>())
      resolve('answer')
    },
  }
}

/** Opens a page on which calls of a path fail from the start. */
async function openFailing(path: string, href: string, as: string): Promise<{ page: Screen; mend: () => void }> {
  const page = await openScreen(app, '/products', as)
  const calls = hold(page, path)
  calls.end('fail')
  await page.goto(href)
  return { page, mend: calls.mend }
}

test('the filter by agent says that it loads, then that it failed, and loads again', async () => {
  const page = await openScreen(app, '/policies', agent)
  const calls = hold(page, '/api/policy/agents')
  await page.getByRole('button', { name: 'Filtro', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Agente' }).click()
  const menu = page.getByRole('menu', { name: 'Agente' })
  await menu.getByText(loading).waitFor()
  calls.end('fail')
  await menu.getByText(notLoaded).waitFor()
  calls.mend()
  await menu.getByText(again).click()
  await menu.getByText('Andrés Molina').waitFor()
  await expectScreen(menu.getByText(notLoaded)).toHaveCount(0)
})

test('the filter by type of ticket says that it loads, then that it failed, and loads again', async () => {
  const page = await openScreen(app, '/claim', agent)
  const calls = hold(page, '/api/tickets/forms')
  await page.getByRole('button', { name: 'Tipo' }).first().press('Enter')
  const menu = page.getByRole('menu', { name: 'Tipo' })
  await menu.getByText(loading).waitFor()
  calls.end('fail')
  await menu.getByText(notLoaded).waitFor()
  calls.mend()
  await menu.getByText(again).click()
  await expect.poll(() => menu.getByRole('menuitemradio').count()).toBeGreaterThan(1)
})

test('step 1 says that its prices failed, and loads them again', async () => {
  const { page, mend } = await openFailing('/api/quotes/tariff', '/funnel', agent)
  const retry = page.getByRole('alert').getByRole('button', { name: again })
  await retry.waitFor()
  mend()
  await retry.click()
  await expectScreen(retry).toHaveCount(0)
})

test('the filter by agency says that it loads, then that the service does not respond', async () => {
  const page = await openScreen(app, '/administration?tab=audit', administrator)
  const field = page.getByLabel('Agencia').first()
  await field.waitFor()
  await page.goto('/administration?tab=users')
  const calls = hold(page, '/api/administration/units/list')
  const { queries } = await import('#portal/kit/queries.ts')
  queries.clear()
  await page.goto('/administration?tab=audit')
  await field.fill('zzz')
  await page.getByText(loading, { exact: true }).first().waitFor()
  calls.end('fail')
  await page.getByText('No se puede contactar con el servicio').first().waitFor()
  await expectScreen(page.getByText('Nada coincide')).toHaveCount(0)
})

test('a search without results says that the other views were not searched', async () => {
  const page = await openScreen(app, '/policies', agent)
  await page.locator('tbody tr[tabindex]').first().waitFor()
  let lists = 0
  // Only the first request for the list gets a response.
  page.browser.connection = async (send, asked) => (asked === '/api/policy/list' && ++lists > 1 ? failed() : send())
  await page.goto('/policies?search=zzzz')
  const button = page.getByRole('button', { name: 'No se ha podido buscar en las otras vistas. Reintentar' })
  await button.waitFor()
  page.browser.connection = send => send()
  await button.click()
  await button.waitFor({ state: 'detached' })
})

test('views that could not be loaded are offered again', async () => {
  const { page, mend } = await openFailing('/api/policy/views', '/policies', agent)
  const button = page.getByRole('button', { name: 'No se han podido cargar las vistas. Reintentar' })
  await button.waitFor()
  mend()
  await button.click()
  await button.waitFor({ state: 'detached' })
})

test('rates that could not be loaded show no dash, and can be loaded again', async () => {
  const { page, mend } = await openFailing('/api/accounting/rates', '/earnings?period=year', administrator)
  const button = page.getByRole('button', { name: 'No se han podido cargar la conversión y las devoluciones' })
  await expectScreen(button).toHaveCount(2)
  mend()
  await button.first().click()
  await button.first().waitFor({ state: 'detached' })
})

test('counts of the retention that could not be loaded say so', async () => {
  const { page, mend } = await openFailing('/api/privacy/due', '/administration?tab=privacy&part=retention', administrator)
  const alert = page.getByRole('alert').filter({ hasText: 'No' })
  await alert.first().waitFor()
  mend()
  await alert.getByRole('button', { name: again }).click()
  await alert.first().waitFor({ state: 'detached' })
})

test('claims and requests of a policy that could not be loaded say so', async () => {
  const page = await openScreen(app, '/policies', agent)
  const calls = hold(page, '/api/tickets/list')
  await page.locator('tbody tr[tabindex]').first().click()
  const drawer = page.locator('[data-panel]')
  await drawer.getByText('Siniestros y solicitudes').waitFor()
  calls.end('fail')
  await drawer.getByText('No se han podido cargar los siniestros y las solicitudes').waitFor()
  calls.mend()
  await drawer.getByRole('button', { name: again }).click()
  await drawer.getByText('No se han podido cargar los siniestros y las solicitudes').waitFor({ state: 'detached' })
})

test('saved reports and recipients that could not be loaded say so', async () => {
  const { page } = await openFailing('/api/reports/views', '/earnings?tab=reports', administrator)
  await page.getByText('No se han podido cargar los informes guardados').waitFor()
  const calls = hold(page, '/api/reports/schedules')
  calls.end('fail')
  const { queries } = await import('#portal/kit/queries.ts')
  queries.removeQueries({ queryKey: ['reports', 'schedules'] })
  await page.getByRole('button', { name: 'Enviar periódicamente' }).click()
  await page.getByRole('dialog').getByText('No se han podido cargar los destinatarios').waitFor()
})

test('versions of a changed policy that could not be loaded say so', async () => {
  const seller = await sellerOf(app)
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const change = { policyUuid, version: 1, change: { buReference: 'otra' }, expectedDifference: 0 }
  expect((await app.ask('/api/policy/change', { body: change, headers: seller.headers })).status).toBe(200)
  const { page, mend } = await openFailing('/api/policy/versions', `/policies?policy=${policyUuid}`, agent)
  const drawer = page.locator('[data-panel]')
  await drawer.getByText('No se han podido cargar las versiones').waitFor()
  mend()
  await drawer.getByRole('button', { name: again }).click()
  await drawer.getByRole('heading', { name: app.world.words('es-ES')('changes.title_versions') }).waitFor()
})

test('emails of a saved quote that could not be loaded say so in step 3', async () => {
  const seller = await sellerOf(app)
  const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
  const page = await openScreen(app, `/funnel?policy=${policyUuid}`, agent)
  await page.waitForURL(/step=3/)
  const calls = hold(page, '/api/policy/detail')
  calls.end('fail')
  await page.reload()
  const title = page.getByText('No se han podido cargar los correos ya enviados')
  await title.waitFor()
  calls.mend()
  await page.getByRole('button', { name: again }).click()
  await title.waitFor({ state: 'detached' })
})

test('the facts that an answer to a person removes say that they could not be loaded', async () => {
  const t = app.world.words('es-ES')
  expect((await sellAs(await sellerOf(app), { users: [{ ...xenia, birthDate: '1952-04-10' }, leo] })).status).toBe(200)
  const page = await openScreen(app, '/administration?tab=privacy', administrator)
  const calls = hold(page, '/api/privacy/erase/preview')
  calls.end('fail')
  await page.getByLabel(t('privacy.document')).fill(xenia.docNumber)
  await page.getByLabel(t('privacy.birth_date'), { exact: true }).fill('10/04/1952')
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Xenia Quintanilla Zubizarreta' })
    .getByRole('button', { name: t('privacy.answer') })
    .click()
  const dialog = page.getByRole('dialog', { name: t('privacy.answer') })
  const retry = dialog.getByRole('button', { name: again })
  await retry.waitFor()
  calls.mend()
  await retry.click()
  await dialog.getByText(t('privacy.column_outcome')).waitFor()
  await expectScreen(retry).toHaveCount(0)
})
