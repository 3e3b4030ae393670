import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoScope } from '#server/session/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, seedAzahar } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
let sold: { number: string | null; taker: string }
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 12)
  sold = await portal.app.world.database.kysely
    .selectFrom('policies')
    .select(['number', 'taker'])
    .where('business_unit_id', '=', demoScope('azahar').businessUnitId)
    .where('status', '=', 'purchased')
    .orderBy('number')
    .executeTakeFirstOrThrow()
})
afterAll(() => portal.stop())

const invoice = { name: 'factura.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n') }

test('a claim is filed on a phone, survives a reload, and gets a reply', { tags: 'S2.8' }, async () => {
  const agent = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = agent
  await enter(agent, 'agent@azahar.example', '/claim')
  await page.getByText('Aún no hay siniestros').waitFor()
  await page.getByRole('button', { name: 'Nuevo siniestro' }).first().click()
  await page.getByRole('radio', { name: /Equipaje/ }).check()
  await page.getByRole('button', { name: 'Comunicar el siniestro' }).click()
  await page.getByText('campos por revisar').waitFor()
  expect(await accessibilityOf(page)).toEqual([])

  await page.locator('[name=policyNumber]').fill(sold.number ?? '')
  await page.getByRole('option', { name: sold.taker }).click()
  await page.getByText('Vigencia', { exact: true }).waitFor()
  // A field filled in from the policy is no longer missing.
  const contact = page.locator('[name=contactEmail]')
  await expectPage(contact).not.toHaveValue('')
  await expectPage(contact).not.toHaveAttribute('aria-invalid', 'true')
  await page.locator('[name=incidentDate]').fill('15012026')
  await page.locator('[name=subject]').fill('Maleta perdida en Roma')
  await page.locator('[name=description]').fill('No llegó con el vuelo.')
  await page.locator('[name="answers.insuredPerson"]').fill('')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Tab')
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
  // The upload continues by itself once the connection is back.
  await page.unroute('**/api/tickets/files')
  await page.locator('[data-state=there]').waitFor()
  await page.reload()
  await page.locator('[data-state=there]').getByText('factura.pdf').waitFor()
  await expectPage(page.locator('[name="answers.items"]')).toHaveValue('Maleta, cámara')
  await page.getByRole('button', { name: 'Comunicar el siniestro' }).click()
  // The incident was after the trip.
  await page.getByText('La fecha está fuera de la vigencia').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Comunicar el siniestro' }).click()
  const reference = (await page.locator('[data-reference]').getAttribute('data-reference')) ?? ''
  expect(reference).toMatch(/^C\d{6}-[A-Y]$/)
  await page.locator('tbody tr').getByText(reference).filter({ visible: true }).waitFor()

  const support = await portal.newUser({ chosen: 'fr-FR' })
  await enter(support, 'admin@portolan.example', '/claim')
  await support.page.locator('main').getByText('1 nouveau').filter({ visible: true }).waitFor()
  const mark = support.page.getByRole('navigation').getByText('1 à lire')
  await mark.waitFor()
  await support.page.locator('tbody tr').first().click()
  const drawer = support.page.locator('[data-panel]')
  await drawer.getByText('Italie').waitFor()
  await drawer.getByText('La date est hors de la période de garantie').waitFor()
  // Opening the claim marks it as read in the menu.
  await mark.waitFor({ state: 'detached' })
  await drawer.getByRole('link', { name: /factura\.pdf/ }).waitFor()
  // The button is in the footer, which does not scroll.
  await drawer.locator('footer button[type=submit]').waitFor()
  await drawer.locator('[name=text]').fill('Merci de nous envoyer le constat.')
  await drawer.getByRole('button', { name: 'Envoyer' }).click()
  await drawer.locator('ol').getByText('Merci de nous envoyer le constat.').waitFor()
  expect(await accessibilityOf(support.page)).toEqual([])
  expect(support.problems).toEqual([])
  await support.stop()

  await page.goto('/claim')
  await page.locator('main').getByText('1 nuevo').filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: 'Menú' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Siniestros' }).getByText('1 sin leer').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('tbody').getByText('Respondido').filter({ visible: true }).waitFor()
  await page.locator('tbody tr').first().click()
  await page.locator('[data-panel]').getByText('Portolan Admin (atención al cliente)').waitFor()
  expect(await accessibilityOf(page)).toEqual([])

  // The panel links to the policy, and the policy to the request for its cancellation. That has the agent’s own contact.
  await page
    .locator('[data-panel]')
    .getByRole('link', { name: sold.number ?? '' })
    .click()
  await page.waitForURL(/\/policies\?policy=/)
  await page.getByRole('link', { name: 'Consultar una anulación' }).click()
  await page.getByRole('radio', { name: /Desistimiento y devolución/, checked: true }).waitFor()
  const policy = page.locator('[name=policyNumber]')
  await expectPage(policy).toHaveValue(new RegExp(sold.number ?? ''))
  // Several policies are found: Enter takes the first.
  await policy.fill((sold.number ?? '').slice(0, 4))
  const options = page.getByRole('listbox').getByRole('option')
  await options.nth(1).waitFor()
  const [number = ''] = (await options.first().innerText()).split(' · ')
  await page.keyboard.press('Enter')
  await expectPage(policy).toHaveValue(new RegExp(number))
  await expectPage(page.locator('[name=contactEmail]')).toHaveValue('agent@azahar.example')
  await expectPage(page.locator('[name=contactPhone]')).toHaveValue('+34 961 000 000')
  expect(agent.problems.filter(text => !text.includes('status of 422') && !text.includes('ERR_CONNECTION_FAILED'))).toEqual([])
  await agent.stop()
})
