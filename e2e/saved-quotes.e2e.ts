import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, reach, registerAs, sellerOf } from '#server/policies/testing.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'
import { accessibilityOf, enter, fill, inDays, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Saved quotes: their names, their prices, and what is sent of them before they are sold.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const words = () => portal.app.world.words('es-ES')
/** Returns all policies, newest first. */
const policies = () =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['id', 'status', 'taker', 'reference', 'total_cents']).orderBy('id', 'desc').execute(),
  )
const clickBuy = (page: Page) => page.getByRole('button', { name: /^Vender por/ }).click()

/** Saves a quote of that name by a call, and returns its uuid. */
async function quoteOf(name: string): Promise<string> {
  const seller = await sellerOf(inProcess(portal.app))
  const reply = await registerAs(seller, { saveBudget: true, users: [{ ...ana, ...reach, name }], paxNumber: 1, buReference: '' })
  return reply.body.data.policyUuid
}

test('a quote is saved with ages under a suggested name, which list, search and details show and a resumed quote changes', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  const before = (await policies()).length
  const save = page.getByRole('button', { name: t('funnel.save_budget') })
  const field = page.locator('[name=buReference]')
  await enter(user, 'agent@azahar.example', '/funnel')
  const entry = (label: 'shell.menu.funnel' | 'shell.menu.funnel_on') => page.getByRole('link', { name: t(label), exact: true })
  await entry('shell.menu.funnel').waitFor()
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('76 74')
  await page.getByText(t('funnel.confirmed')).waitFor()
  const price = await page.locator('output[name=total]').first().innerText()
  await entry('shell.menu.funnel_on').waitFor()
  await save.click()
  // The name is selected, so typing replaces it, and Enter saves once however often it is pressed.
  await expectPage(field).toHaveValue('Italia')
  await page.keyboard.type('Visa 4242 4242 4242 4242')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('alert').getByText(t('policies.card_number')).waitFor()
  await expectPage(field).toHaveValue('Visa 4242 4242 4242 4242')
  await field.fill('')
  await page.keyboard.type('Puente de Sorolla')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  const drawer = page.locator('[data-panel]')
  await drawer.getByText('Puente de Sorolla', { exact: true }).waitFor()
  // Beside the panel the list has no room for the column of references.
  await page.locator('table').getByText('Puente de Sorolla', { exact: true }).filter({ visible: true }).first().waitFor()
  await drawer.getByText(t('policies.price_until')).waitFor()
  await expectPage(drawer.locator('[data-total]')).toHaveText(price)
  await expectPage(page.getByText(t('policies.provisional'))).toHaveCount(0)
  expect((await policies()).length).toBe(before + 1)
  await page.keyboard.press('Escape')
  // The sale ended with its saving.
  await entry('shell.menu.funnel').waitFor()
  await page.locator('[name=searchData]').fill('sorolla')
  const row = page.getByRole('row').filter({ hasText: 'Puente de Sorolla' })
  await row.waitFor()
  await expectPage(page.locator('tbody tr')).toHaveCount(1)
  await page.getByRole('columnheader', { name: t('policies.price_until_head') }).waitFor()

  await page.goto(`/funnel?policy=${(await policies())[0]?.id}`)
  await page.waitForURL(/step=2$/)
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Puente de Sorolla' })).waitFor()
  await save.click()
  await expectPage(field).toHaveValue('Puente de Sorolla')
  await field.fill('')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  await drawer.getByText(t('policies.price_until')).waitFor()
  expect((await policies())[0]).toMatchObject({ status: 'budgeted', reference: '' })
  expect((await policies()).length).toBe(before + 1)
  expect(user.problems.filter(text => !text.includes('status of 422'))).toEqual([])
  await user.stop()
})

/** Returns the emails to an address, the oldest first. */
const mailsTo = (address: string) =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('mails').selectAll().where('recipient_address', '=', address).orderBy('at').execute(),
  )

test('the documents are emailed before the client’s declaration, in their language, and the sale is the quote that was sent', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  await enter(user, 'agent@azahar.example', `/funnel?copy=${await quoteOf('Enviada')}`)
  await page.waitForURL(/step=2$/)
  await page.locator('[name=email]').fill('enviada@example.com')
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  const before = (await policies()).length
  const send = page.getByRole('button', { name: t('funnel.before.send') })
  const dialog = page.getByRole('dialog')
  await page.locator('[name=clientLocale]').selectOption('fr-FR')
  await page.locator('[name=channel]').selectOption('distance')
  await page.locator('[name=askedToBegin]').check()
  await send.click()
  // The policyholder's address is chosen, and another one can be.
  await dialog.getByText('enviada@example.com').waitFor()
  await expectPage(dialog.locator('[name=recipients]').first()).toBeChecked()
  await dialog.getByText(t('policies.send_addresses')).click()
  // An error leads to the field that it is about, and a reopened dialog begins in it while it is empty.
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.locator('[name=emails][aria-invalid=true]:focus').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await send.click()
  await dialog.locator('[name=emails]:focus').waitFor()
  await dialog.locator('[name=emails]').fill('ana.casa@example.com')
  // A refusal says why.
  const refusal = { code: 429, error: 'request.too_many', errorMessage: 'Demasiados correos.', requestId: '1' }
  await page.route('**/api/policy/sendCertificates', route => route.fulfill({ status: 429, json: refusal }))
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.getByText('Demasiados correos.').waitFor()
  // A response that is lost says so. The next try sends one email of one quote.
  await page.route('**/api/policy/sendCertificates', async route => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: t('shell.try_again') }).click()
  await dialog.getByText('Demasiados correos.').waitFor({ state: 'detached' })
  await dialog.getByText(t('policies.not_sent', { count: 1 })).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.unroute('**/api/policy/sendCertificates')
  await dialog.getByRole('button', { name: t('shell.try_again') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .getByText(t('policies.sent', { count: 1 }))
    .waitFor()
  const sent = page.getByText(/^Enviado a ana\.casa@example\.com el /)
  await sent.waitFor()
  await page.getByText('Devis, Document d’information', { exact: false }).waitFor()
  const [quote, ...others] = await mailsTo('ana.casa@example.com')
  expect(others).toEqual([])
  expect(quote).toMatchObject({ state: 'sent', subject: 'Viajes Azahar : votre devis d’assurance voyage' })
  expect(quote?.attachments).toHaveLength(3)
  // Nothing is declared by sending, and what was sent is still there after a reload.
  await expectPage(page.locator('[name=demandsAndNeeds]')).not.toBeChecked()
  await page.reload()
  await sent.waitFor()
  await expectPage(page.locator('[name=channel]')).toHaveValue('distance')
  await expectPage(page.locator('[name=askedToBegin]')).toBeChecked()

  // A sale that changes since says that the email is outdated.
  await page.getByRole('link', { name: t('funnel.edit_trip') }).click()
  await page.locator('[name=endDate]').fill(inDays(17))
  await page.goto('/funnel?step=3')
  await page.getByText(t('funnel.before.outdated')).waitFor()
  await send.click()
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/^Enviado a enviada@example\.com el /).waitFor()
  await expectPage(page.getByText(t('funnel.before.outdated'))).toHaveCount(0)

  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await page.getByText(t('funnel.done.mail_sent', { to: 'enviada@example.com' })).waitFor()
  const [sold] = await policies()
  expect((await policies()).length).toBe(before + 1)
  expect(sold).toMatchObject({ id: quote?.about, status: 'purchased' })
  const [, certificate] = await mailsTo('enviada@example.com').then(mails => mails.filter(({ about }) => about === sold?.id))
  expect(certificate).toMatchObject({ template: 'policy_purchased', subject: expect.stringContaining('votre assurance voyage') })
  // The policy shows what was sent before the sale.
  await page.getByRole('link', { name: t('funnel.done.open') }).click()
  await page.locator('[data-panel]').getByText('ana.casa@example.com').waitFor()
  expect(user.problems.filter(text => !/ERR_FAILED|status of 429/.test(text))).toEqual([])
  await user.stop()
})

/** Loads the catalogue with dearer prices and other documents. */
async function loadDearer(): Promise<void> {
  const { catalogue } = openCatalogue(join(import.meta.dirname, '../catalogue'))
  const { products } = existing(catalogue)
  for (const product of products) {
    product.tariff.version = '2027-01'
    product.tariff.ages = product.tariff.ages.map(([from, to, percent]): [number, number, number] => [from, to, percent + 50])
    product.description.es += ' Nuevo.'
  }
  await portal.app.world.database.asService(tx => loadCatalogue(tx, existing(catalogue), new Date()))
}

test('a saved quote is sold at its price although dearer ones were loaded', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = words()
  const policyUuid = await quoteOf('Conservada')
  const [saved] = await policies()
  await loadDearer()
  await enter(user, 'agent@azahar.example', `/funnel?policy=${policyUuid}`)
  await page.waitForURL(/step=3$/)
  const total = page.locator('output[name=total]')
  const price = `${((saved?.total_cents ?? 0) / 100).toFixed(2).replace('.', ',')} €`
  await expectPage(total).toHaveText(price)
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
  await expectPage(page.getByRole('button', { name: t('funnel.accept_price') })).toHaveCount(0)
  // The documents are the quote's own.
  await page.getByRole('link', { name: t('documents.quote') }).waitFor()
  // Another trip has today's price.
  await page.getByRole('link', { name: t('funnel.edit_trip') }).click()
  await page.waitForURL(/step=1$/)
  const endDate = page.locator('[name=endDate]')
  const typed = await endDate.inputValue()
  await endDate.fill(inDays(17))
  await expectPage(total).not.toHaveText(price)
  await endDate.fill(typed)
  await expectPage(total).toHaveText(price)

  await page.goto('/funnel?step=3')
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await page.locator('[data-policy-number]').waitFor()
  expect((await policies())[0]).toMatchObject({ id: saved?.id, status: 'purchased', total_cents: saved?.total_cents })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a quote whose price is over is shown as expired in the reader’s language: it is not sent but priced again', async () => {
  const id = await quoteOf('Caducada')
  const expired = { price_valid_until: new Date(Date.now() - 60_000) }
  await portal.app.world.database.kysely.updateTable('policies').set(expired).where('id', '=', id).execute()
  const user = await portal.newUser({ chosen: 'en-EN' })
  const { page } = user
  const t = portal.app.world.words('en-EN')
  await enter(user, 'agent@azahar.example', '/policies/saved')
  const row = page.getByRole('row').filter({ hasText: 'Caducada' })
  // The product stands in the reader’s language, not in that of the sale.
  await row.getByText('Essential Trip', { exact: true }).waitFor()
  await row.click()
  const drawer = page.locator('[data-panel]')
  await drawer.getByText(/^Essential Trip/).waitFor()
  await drawer.getByText(t('policies.status_expired')).waitFor()
  await drawer.getByRole('link', { name: t('policies.price_again') }).waitFor()
  await expectPage(drawer.getByRole('button', { name: t('policies.send') })).toHaveCount(0)
  expect(user.problems).toEqual([])
  await user.stop()
})
