import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { scopeOf } from '#server/session/scope.ts'
import { accessibilityOf, enter, keptAt, openPortal, type Portal } from './browser.ts'

// A claim from the customer's telephone call to support's answer.

let portal: Portal
let sold: { number: string | null; taker: string }
beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal.app.world
  const unit = await database.kysely.selectFrom('business_units').select('id').where('key', '=', 'azahar').executeTakeFirstOrThrow()
  await seedPolicies(database, [{ scope: scopeOf(unit.id), many: 12 }], { seed: 5, now: new Date(), show: () => undefined })
  sold = await database.kysely
    .selectFrom('policies')
    .select(['number', 'taker'])
    .where('business_unit_id', '=', unit.id)
    .where('status', '=', 'purchased')
    .orderBy('number')
    .executeTakeFirstOrThrow()
})
afterAll(() => portal.stop())

const invoice = { name: 'factura.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n') }

test('a claim is filed on a phone, outlives a reload, is answered, and its draft leaves nothing behind', async () => {
  const agent = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = agent
  await enter(agent, 'agent@azahar.example', '/claim')
  await page.getByText('Aún no hay siniestros').waitFor()
  await page.getByRole('button', { name: 'Nuevo siniestro' }).first().click()
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await page.getByRole('button', { name: 'Enviar el siniestro' }).click()
  await page.getByText('campos por revisar').waitFor()
  expect(await accessibilityOf(page)).toEqual([])

  await page.locator('[name=policyNumber]').fill(sold.number ?? '')
  await page.getByRole('option', { name: sold.taker }).click()
  await page.getByText('Cobertura', { exact: true }).waitFor()
  // What the policy fills in is not missing any more.
  const contact = page.locator('[name=contactEmail]')
  await expect.poll(() => contact.inputValue()).not.toBe('')
  await expect.poll(() => contact.getAttribute('aria-invalid')).not.toBe('true')
  await page.locator('[name=incidentDate]').fill('15012026')
  await page.locator('[name=subject]').fill('Maleta perdida en Roma')
  await page.locator('[name=description]').fill('No llegó con el vuelo.')
  await page.locator('[name="answers.insuredPerson"]').fill('Ana García')
  await page.locator('[name="answers.incidentCountry"]').fill('ital')
  await page.getByRole('option', { name: 'Italia' }).click()
  await page.locator('[name="answers.event"]').selectOption({ label: 'Robo' })
  await page.locator('[name="answers.policeReport"]').fill('Roma 12/26')
  await page.locator('[name="answers.items"]').fill('Maleta, cámara')
  await page.locator('[name="answers.claimedAmount"]').fill('450,50')
  await page.locator('[name=contactEmail]').fill('ana@example.es')
  await page.locator('[name=contactPhone]').fill('+34 612 345 678')
  await page.route('**/api/tickets/files', route => route.abort('connectionfailed'))
  await page.locator('input[name=files]').setInputFiles(invoice)
  await page.locator('[data-state=paused]').waitFor()
  // The line is back: it goes on by itself.
  await page.unroute('**/api/tickets/files')
  await page.locator('[data-state=there]').waitFor()
  await page.reload()
  await page.locator('[data-state=there]').getByText('factura.pdf').waitFor()
  expect(await page.locator('[name="answers.items"]').inputValue()).toBe('Maleta, cámara')
  await page.getByRole('button', { name: 'Enviar el siniestro' }).click()
  const reference = (await page.locator('[data-reference]').getAttribute('data-reference')) ?? ''
  expect(reference).toMatch(/^C\d{6}-[A-Y]$/)
  await page.locator('tbody tr').getByText(reference).waitFor()
  expect(await accessibilityOf(page)).toEqual([])

  const support = await portal.newUser({ chosen: 'fr-FR' })
  await enter(support, 'admin@portolan.example', '/claim')
  await support.page.locator('main').getByText('1 nouveau').waitFor()
  const mark = support.page.getByRole('navigation').getByText('1 nouveau')
  await mark.waitFor()
  await support.page.locator('tbody tr').first().click()
  const drawer = support.page.getByRole('dialog')
  await drawer.getByText('Italie').waitFor()
  // It is read now, and the menu says so.
  await mark.waitFor({ state: 'detached' })
  await drawer.getByRole('link', { name: /factura\.pdf/ }).waitFor()
  await drawer.locator('[name=text]').fill('Merci de nous envoyer le constat.')
  await drawer.getByRole('button', { name: 'Envoyer' }).click()
  await drawer.locator('ol').getByText('Merci de nous envoyer le constat.').waitFor()
  expect(await accessibilityOf(support.page)).toEqual([])
  expect(support.complaints).toEqual([])
  await support.stop()

  await page.goto('/claim')
  await page.locator('main').getByText('1 nuevo').waitFor()
  await page.getByRole('button', { name: 'Menú' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Siniestros' }).getByText('1 nuevo').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByText('Respondido').waitFor()
  await page.locator('tbody tr').first().click()
  await page.getByRole('dialog').getByText('Portolan Admin (soporte)').waitFor()
  expect(await accessibilityOf(page)).toEqual([])

  await page.goto('/customer-service?write=new')
  await page.getByRole('radio', { name: /Consulta/ }).check()
  await page.locator('[name=subject]').fill('¿Cubre el esquí?')
  await expect.poll(() => keptAt(page, 'tickets')).toContain('esquí')
  await page.goto('/products')
  await page.getByRole('button', { name: 'Menú' }).click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.locator('[name=password]').waitFor()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/esquí|ana@/)
  expect(agent.complaints.filter(text => !text.includes('ERR_CONNECTION_FAILED'))).toEqual([])
  await agent.stop()
})

test('what was begun about one policy is not filed about another', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const [one, other] = await portal.app.world.database.kysely
    .selectFrom('policies')
    .innerJoin('business_units', 'business_units.id', 'policies.business_unit_id')
    .select(['policies.id', 'policies.number'])
    .where('business_units.key', '=', 'azahar')
    .where('policies.status', '=', 'purchased')
    .orderBy('policies.number')
    .limit(2)
    .execute()
  const subject = page.locator('[name=subject]')
  await enter(user, 'agent@azahar.example', `/claim?policy=${one?.id}`)
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await page.getByText('Cobertura', { exact: true }).waitFor()
  await subject.fill('Maleta de Ana')
  await page.goto(`/claim?policy=${other?.id}`)
  await page.getByText(`${one?.number} · Maleta de Ana`).waitFor()
  expect(await subject.count()).toBe(0)
  await page.getByRole('button', { name: 'Continuar', exact: true }).click()
  await subject.waitFor()
  expect(await subject.inputValue()).toBe('Maleta de Ana')
  await page.goto(`/claim?policy=${other?.id}`)
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  expect(await subject.inputValue()).toBe('')
  expect(user.complaints).toEqual([])
  await user.stop()
})
