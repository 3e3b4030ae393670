import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('on a phone, an admin manages a unit, invites a user and reads the audit log', async () => {
  const words = portal.app.world.words('es-ES')
  const user = await portal.newUser({ width: 390 })
  const { page, problems } = user
  const tab = (name: string) => page.getByRole('tab', { name }).first()
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const toast = (text: string) => page.getByText(text).waitFor()
  const choose = async (field: Locator, text: string) => {
    await field.fill(text)
    await page.getByRole('option', { name: text }).first().waitFor()
    await field.press('Enter')
  }

  await enter(user, 'admin@portolan.example')
  await page.getByRole('button', { name: words('shell.menu.label') }).click()
  await page.route('**/api/administration/units/list', route =>
    route.fulfill({ status: 500, body: '{"code":500,"error":"defect","errorMessage":"x"}' }),
  )
  await page
    .getByRole('dialog')
    .getByRole('link', { name: words('shell.menu.administration') })
    .click()
  await page.getByText(words('ui.list_failed')).waitFor()
  await page.unroute('**/api/administration/units/list')
  await page.getByRole('button', { name: words('shell.try_again') }).click()
  await page.getByRole('row', { name: 'Rotta Viaggi' }).waitFor()

  // Creates a unit: empty first, then complete.
  await page.getByRole('button', { name: words('administration.new_unit') }).click()
  const made = dialog(words('administration.new_unit'))
  await made.getByRole('button', { name: words('administration.create') }).click()
  await made.getByRole('alert').first().waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  for (const [name, value] of Object.entries(brisa)) await made.locator(`[name="${name}"]`).fill(value)
  await made.getByRole('button', { name: words('administration.create') }).click()
  await toast(words('administration.unit_made', { name: 'Brisa' }))

  // Sets its products.
  const unit = panel('Brisa')
  await unit.getByRole('tab', { name: words('administration.offer') }).click()
  await unit.locator('[name="products.0.enabled"]').check()
  await unit.locator('[name="products.0.commissionPercent"]').fill('12')
  await unit.locator('[name="gateways.Deferred"]').check()
  await unit.getByRole('button', { name: words('administration.save') }).click()
  await toast(words('administration.saved'))

  // A suspension needs a reason.
  await unit.getByRole('button', { name: words('administration.suspend') }).click()
  const why = dialog(words('administration.suspend_unit', { name: 'Brisa' }))
  await why.getByRole('button', { name: words('administration.suspend') }).click()
  await why.getByText(words('administration.fault.reason')).waitFor()
  await why.locator('[name=reason]').fill('Facturas impagadas')
  await why.getByRole('button', { name: words('administration.suspend') }).click()
  await unit.getByText(words('administration.unit_is_suspended')).waitFor()
  await unit.getByRole('button', { name: words('ui.close') }).click()

  // Invites a new user.
  await tab(words('administration.users')).click()
  await page.getByRole('button', { name: words('administration.new_user') }).click()
  const invited = dialog(words('administration.new_user'))
  await invited.locator('[name=name]').fill('Nora Vidal')
  await invited.locator('[name=email]').fill('nora@brisa.example')
  await choose(invited.locator('[name=addUnit]'), 'Viajes Azahar')
  await invited.getByText(words('administration.roles_at', { name: 'Viajes Azahar' })).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await invited.getByRole('button', { name: words('administration.invite') }).click()
  await toast(words('administration.user_invited', { name: 'Nora Vidal' }))
  await panel('Nora Vidal')
    .getByRole('button', { name: words('ui.close') })
    .click()

  // The audit log is filtered, opened and exported.
  await tab(words('administration.audit')).click()
  await page.getByRole('button', { name: words('administration.filters') }).click()
  const suspended = words('administration.did_administration_unit_suspended')
  await choose(page.locator('[name=what]'), suspended)
  await page.waitForURL(/what=administration\.unit_suspended/)
  await page.getByRole('row', { name: suspended }).first().click()
  const entry = page.getByRole('region', { name: suspended })
  await entry.getByText('Facturas impagadas').waitFor()
  await entry.getByText(words('administration.detail_sessions_ended')).waitFor()
  await page.keyboard.press('Escape')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words('administration.export') }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Registro de auditoría \d{4}-\d\d-\d\d\.xlsx$/)

  await tab(words('administration.work')).click()
  await page.getByText(words('administration.no_mails')).waitFor()
  await tab(words('administration.payments')).click()
  await page.getByText(words('administration.no_reviews')).waitFor()
  await tab(words('administration.catalogue')).click()
  await page.getByRole('row', { name: 'ESS' }).first().click()
  await page.getByText(words('administration.first_version')).waitFor()
  expect(problems.filter(problem => !problem.includes('status of 500'))).toEqual([])
  await user.stop()
})

const brisa = {
  key: 'brisa',
  brandName: 'Brisa',
  legalName: 'Brisa Viajes, S.L.',
  taxId: 'B12345674',
  managementGroup: 'Meridia Iberia',
  accent: '#0a6b5c',
  'address.street': 'Calle Mayor 1',
  'address.zipCode': '35001',
  'address.city': 'Las Palmas',
  'address.state': 'Las Palmas',
  'contactInfo.email': 'hola@brisa.example',
  'contactInfo.phone': '+34 928 000 000',
  supportEmail: 'ayuda@brisa.example',
  'billingInfo.email': 'facturas@brisa.example',
  'billingInfo.iban': 'ES9121000418450200051332',
}
