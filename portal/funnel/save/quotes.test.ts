import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, addMonths, displayDate, today } from '#common/kit/dates.ts'
import { existing } from '#common/kit/testing.ts'
import { answer, loseReplies, openScreen, refusal, type Screen, stopClock } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'

// Quotes from saving to sale: their names, prices, the emails before the sale, and lost responses.

const agent = 'agent@azahar.example'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const spanish = () => app.world.words('es-ES')
/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
/** Returns all policies, newest first. */
const policies = () =>
  app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['id', 'status', 'taker', 'reference', 'total_cents']).orderBy('id', 'desc').execute(),
  )
const numbers = (page: Screen) => page.locator('[data-policy-number]')
const clickBuy = (page: Screen) => page.getByRole('button', { name: /^Vender por/ }).click()
async function fill(page: Screen, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

/** Saves a quote by a call, and returns its uuid. */
async function quoteOf(name: string, changes: Record<string, unknown> = {}): Promise<string> {
  const users = [{ ...ana, ...reach, name }]
  const reply = await registerAs(seller, { saveBudget: true, users, paxNumber: 1, buReference: '', ...changes })
  return reply.body.data.policyUuid
}

/** Opens step 3 of a new sale, with the declaration ticked. */
async function toPayment(name: string): Promise<Screen> {
  const page = await openScreen(app, `/funnel?copy=${await quoteOf(name)}`, agent)
  await page.waitForURL(/step=2$/)
  await page.locator('[name=phoneNumber]').waitFor()
  await page.getByRole('button', { name: spanish()('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  // Buying without the demands-and-needs confirmation focuses its checkbox.
  await clickBuy(page)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await page.keyboard.press('Space')
  return page
}

/** Returns the emails to an address, the oldest first. */
const mailsTo = (address: string) =>
  app.world.database.asService(tx => tx.selectFrom('mails').selectAll().where('recipient_address', '=', address).orderBy('at').execute())

/** Loads the catalogue with higher prices and other documents. */
async function loadDearer(): Promise<void> {
  const { catalogue } = openCatalogue(join(import.meta.dirname, '../../../catalogue'))
  const { products } = existing(catalogue)
  for (const product of products) {
    product.tariff.version = '2027-01'
    product.tariff.ages = product.tariff.ages.map(([from, to, percent]): [number, number, number] => [from, to, percent + 50])
    product.description.es += ' Nuevo.'
  }
  await app.world.database.asService(tx => loadCatalogue(tx, existing(catalogue), new Date()))
}

test('a resumed quote is named before it is replaced, and can be saved as a new one', async () => {
  const t = spanish()
  const id = await quoteOf('Sustituida')
  const page = await openScreen(app, `/funnel?policy=${id}`, agent)
  await page.waitForURL(/step=3$/)
  const taker = (await policies()).find(policy => policy.id === id)?.taker ?? ''
  await page.goto('/products')
  await page.getByText(t('funnel.take_up.resumed', { policyholder: taker })).waitFor()
  await page.goto('/funnel?step=3')
  await page.getByRole('button', { name: t('funnel.save_budget') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('funnel.save_replaces', { policyholder: taker })).waitFor()
  await dialog.locator('[name=buReference]').fill('La otra')
  await dialog.getByRole('button', { name: t('funnel.save_as_new') }).click()
  await page.waitForURL(/\/policies\/saved\?policy=/)
  const named = (await policies()).filter(policy => policy.taker === taker)
  expect(named.map(({ reference }) => reference)).toEqual(['La otra', ''])
})

test('a quote that was saved again meanwhile is not replaced, and is opened as it is now', async () => {
  const t = spanish()
  const policyUuid = await quoteOf('Antes')
  const page = await openScreen(app, `/funnel?policy=${policyUuid}`, agent)
  await page.waitForURL(/step=3$/)
  await registerAs(seller, { policyUuid, saveBudget: true, users: [{ ...ana, ...reach, name: 'Después' }], paxNumber: 1, buReference: '' })
  await page.getByRole('button', { name: t('funnel.save_budget') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('funnel.save_now'), exact: true }).click()
  await dialog.getByRole('alert').getByText(t('funnel.buy.budget_changed')).waitFor()
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await page.getByRole('button', { name: t('funnel.take_up.newest') }).click()
  await page.getByRole('button', { name: t('funnel.take_up.resume') }).click()
  const taker = (await policies()).find(({ id }) => id === policyUuid)?.taker ?? ''
  expect(taker).toMatch(/^Después/)
  await page.getByText(t('funnel.take_up.resumed', { policyholder: taker })).waitFor()
  await expectScreen(page.getByText(t('funnel.buy.budget_changed'))).toHaveCount(0)
  // The newest version is replaced, also by the sale that follows its own save.
  await page.getByRole('button', { name: t('funnel.save_budget') }).click()
  await dialog.getByRole('button', { name: t('funnel.save_now'), exact: true }).click()
  await page.waitForURL(/\/policies\/saved\?policy=/)
})

test('a slow sale says that it is slow, and that nothing is sold twice', async () => {
  const page = await toPayment('Slow')
  const { promise: isAnswered, resolve: reply } = Promise.withResolvers<void>()
  answer(page, '/api/policy/register', async () => {
    await isAnswered
    return undefined
  })
  const slow = page.getByText(spanish()('funnel.buy.slow'))
  stopClock()
  await clickBuy(page)
  await expectScreen(slow).toHaveCount(0)
  vi.advanceTimersByTime(8000)
  await slow.waitFor()
  vi.useRealTimers()
  reply()
  await numbers(page).waitFor()
  await expectScreen(slow).toHaveCount(0)
})

test('a quote is saved with ages under a suggested name, and found and renamed later', async () => {
  const t = spanish()
  const before = (await policies()).length
  const page = await openScreen(app, '/funnel', agent)
  const save = page.getByRole('button', { name: t('funnel.save_budget') })
  const field = page.locator('[name=buReference]')
  const entry = (label: 'shell.menu.funnel' | 'shell.menu.funnel_on') => page.getByRole('link', { name: t(label), exact: true })
  await entry('shell.menu.funnel').waitFor()
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('76 74')
  const row = page.locator('[data-product]', { hasText: 'Viaje Esencial' })
  await row.click()
  await save.waitFor()
  const price = await row.locator('[role=gridcell]').last().textContent()
  await entry('shell.menu.funnel_on').waitFor()
  await save.click()
  // The name is selected, so that typing replaces it, and Enter saves once however often it is pressed.
  await expectScreen(field).toHaveValue('Italia')
  await page.keyboard.type('Visa 4242 4242 4242 4242')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('alert').getByText(t('policies.card_number')).waitFor()
  await expectScreen(field).toHaveValue('Visa 4242 4242 4242 4242')
  await field.fill('')
  await page.keyboard.type('Puente de Sorolla')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  const drawer = page.locator('[data-panel]')
  await drawer.getByText('Puente de Sorolla', { exact: true }).waitFor()
  await page.locator('table').getByText('Puente de Sorolla', { exact: true }).filter({ visible: true }).first().waitFor()
  await drawer.getByText(t('policies.price_until')).waitFor()
  await expectScreen(drawer.locator('[data-total]')).toHaveText(price)
  await expectScreen(page.getByText(t('policies.provisional'))).toHaveCount(0)
  expect((await policies()).length).toBe(before + 1)
  await page.keyboard.press('Escape')
  // Saving has ended the sale.
  await entry('shell.menu.funnel').waitFor()
  await page.locator('[name=searchData]').fill('sorolla')
  await page.getByRole('row').filter({ hasText: 'Puente de Sorolla' }).waitFor()
  await expectScreen(page.locator('tbody tr')).toHaveCount(1)
  await page
    .locator('th[scope=col]')
    .filter({ hasText: t('policies.price_until_head') })
    .first()
    .waitFor()

  await page.goto(`/funnel?policy=${(await policies())[0]?.id}`)
  await page.waitForURL(/step=2$/)
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Puente de Sorolla' })).waitFor()
  await save.click()
  await expectScreen(field).toHaveValue('Puente de Sorolla')
  await field.fill('')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  await drawer.getByText(t('policies.price_until')).waitFor()
  expect((await policies())[0]).toMatchObject({ status: 'budgeted', reference: '' })
  expect((await policies()).length).toBe(before + 1)
})

test('the key O saves a price as a quote, and opens the dialog that sends it with its link', async () => {
  const t = spanish()
  const before = (await policies()).length
  const page = await openScreen(app, '/funnel', agent)
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('76 74')
  await page.locator('[data-product]', { hasText: 'Viaje Esencial' }).click()
  await page.getByRole('button', { name: t('quote.send') }).waitFor()
  await page.keyboard.press('o')
  await page.locator('[name=buReference]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=[^&]+&desk=send$/)
  await page.locator('dialog[open] [name=message]').waitFor()
  expect((await policies()).length).toBe(before + 1)
})

test('a quote saved at home with a wrong email leads to that field of step 2', async () => {
  const t = spanish()
  const page = await openScreen(app, `/funnel?copy=${await quoteOf('Errata')}`, agent)
  await page.waitForURL(/step=2$/)
  await page.locator('[name=email]').fill('errata@')
  await page.locator('[name=phoneNumber]').focus()
  await page.goto('/products')
  await page.getByRole('button', { name: t('quote.save') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name=buReference]').press('Enter')
  await dialog.getByText(t('validation.email')).waitFor()
  await dialog.getByRole('link', { name: t('funnel.step2') }).click()
  await page.waitForURL(/step=2#problems$/)
  await page.locator('[name=email][aria-invalid=true]:focus').waitFor()
  await expectScreen(page.getByRole('dialog')).toHaveCount(0)
  await page.getByText(t('validation.email')).waitFor()
  // There the same dialog leads to the field, too.
  await page.getByRole('button', { name: t('funnel.save_budget') }).click()
  await dialog.locator('[name=buReference]').press('Enter')
  await dialog.getByRole('link', { name: t('funnel.step2') }).click()
  await page.locator('[name=email][aria-invalid=true]:focus').waitFor()
})

test('documents are emailed before the declaration, and the quote sent is the one sold', async () => {
  const t = spanish()
  const page = await openScreen(app, `/funnel?copy=${await quoteOf('Enviada')}`, agent)
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
  // The policyholder's address is preselected, and another can be chosen.
  await dialog.getByText('enviada@example.com').waitFor()
  await expectScreen(dialog.locator('[name=recipients]').first()).toBeChecked()
  await dialog.getByText(t('policies.send_addresses')).click()
  // An error focuses its field, and a reopened dialog begins there while it is empty.
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.locator('[name=emails][aria-invalid=true]:focus').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await send.click()
  await dialog.locator('[name=emails]:focus').waitFor()
  await dialog.locator('[name=emails]').fill('ana.casa@example.com')
  // A refusal gives the reason.
  const accept = answer(page, '/api/policy/sendCertificates', () => refusal(429, 'request.too_many', 'Demasiados correos.'))
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.getByText('Demasiados correos.').waitFor()
  // A lost response is reported. The next try sends one email of one quote.
  accept()
  const restore = loseReplies(page, '/api/policy/sendCertificates')
  await dialog.getByRole('button', { name: t('shell.try_again') }).click()
  await dialog.getByText('Demasiados correos.').waitFor({ state: 'detached' })
  await dialog.getByText(t('policies.not_sent', { count: 1 })).waitFor()
  restore()
  await dialog.getByRole('button', { name: t('shell.try_again') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .getByText(t('policies.sent', { count: 1 }))
    .waitFor()
  const sent = page.getByText(/^Enviado a ana\.casa@example\.com el /)
  await app.world.outbox.drain()
  await sent.waitFor()
  await page.getByText('Devis, Document d’information', { exact: false }).waitFor()
  const [quote, ...others] = await mailsTo('ana.casa@example.com')
  expect(others).toEqual([])
  expect(quote).toMatchObject({ state: 'sent', subject: 'Viajes Azahar : votre devis d’assurance voyage' })
  expect(quote?.attachments).toHaveLength(3)
  // Sending declares nothing, and what was sent is still shown after a reload.
  await expectScreen(page.locator('[name=demandsAndNeeds]')).not.toBeChecked()
  await page.reload()
  await sent.waitFor()
  await expectScreen(page.locator('[name=channel]')).toHaveValue('distance')
  await expectScreen(page.locator('[name=askedToBegin]')).toBeChecked()

  // If the sale changes, the page says that the email is outdated.
  await page.getByRole('link', { name: t('funnel.edit_trip') }).click()
  await page.locator('[name=endDate]').fill(inDays(17))
  await page.goto('/funnel?step=3')
  await page.getByText(t('funnel.before.outdated')).waitFor()
  await send.click()
  await dialog.getByRole('button', { name: t('policies.send'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await app.world.outbox.drain()
  await page.getByText(/^Enviado a enviada@example\.com el /).waitFor()
  await expectScreen(page.getByText(t('funnel.before.outdated'))).toHaveCount(0)

  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await numbers(page).waitFor()
  await app.world.outbox.drain()
  await page.getByText(t('funnel.done.mail_sent', { to: 'enviada@example.com' })).waitFor()
  const [sold] = await policies()
  expect((await policies()).length).toBe(before + 1)
  expect(sold).toMatchObject({ id: quote?.about, status: 'purchased' })
  const [, certificate] = await mailsTo('enviada@example.com').then(mails => mails.filter(({ about }) => about === sold?.id))
  expect(certificate).toMatchObject({ template: 'policy_purchased', subject: expect.stringContaining('votre assurance voyage') })
  // The policy shows what was sent before the sale.
  await page.getByRole('link', { name: t('funnel.done.open') }).click()
  await page.locator('[data-panel]').getByText('ana.casa@example.com').waitFor()
})

test('a saved quote is sold at its price although prices have risen since', async () => {
  const t = spanish()
  const policyUuid = await quoteOf('Conservada')
  const [saved] = await policies()
  await loadDearer()
  const page = await openScreen(app, `/funnel?policy=${policyUuid}`, agent)
  await page.waitForURL(/step=3$/)
  const total = page.locator('output[name=total]')
  const price = `${((saved?.total_cents ?? 0) / 100).toFixed(2).replace('.', ',')} €`
  await expectScreen(total).toHaveText(price)
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
  await expectScreen(page.getByRole('button', { name: t('funnel.accept_price') })).toHaveCount(0)
  // The documents are the quote's own.
  await page.getByRole('link', { name: t('documents.quote') }).waitFor()
  // Another trip has today's price.
  await page.getByRole('link', { name: t('funnel.edit_trip') }).click()
  await page.waitForURL(/step=1$/)
  const endDate = page.locator('[name=endDate]')
  const typed = await endDate.inputValue()
  const shown = page.locator('[data-product][aria-selected=true]')
  await expectScreen(shown).toContainText(price)
  await endDate.fill(inDays(17))
  await expectScreen(shown).toHaveText(/\d,\d\d\s€/)
  await expectScreen(shown).not.toContainText(price)
  await endDate.fill(typed)
  await expectScreen(shown).toContainText(price)
  // Its price is shown, and agreed, whichever row was chosen meanwhile.
  const kept = page.locator('[data-product]', { hasText: 'Viaje Esencial' })
  await page.locator('[data-product]', { hasText: 'Multiviaje Anual' }).click()
  await expectScreen(shown).toContainText('Multiviaje Anual')
  await expectScreen(kept).toContainText(price)
  await kept.click()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/step=2$/)
  await expectScreen(total).toHaveText(price)

  await page.goto('/funnel?step=3')
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
  await expectScreen(page.getByRole('button', { name: t('funnel.accept_price') })).toHaveCount(0)
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await page.locator('[data-policy-number]').waitFor()
  expect((await policies())[0]).toMatchObject({ id: saved?.id, status: 'purchased', total_cents: saved?.total_cents })
})

test('a quote that is saved while new prices load is for the trip as typed', async () => {
  const page = await openScreen(app, '/funnel', agent)
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('34')
  const row = page.locator('[data-product]', { hasText: 'Viaje Esencial' })
  await row.click()
  await expectScreen(row).toHaveText(/\d,\d\d\s€/)
  const { promise: isAnswered, resolve: reply } = Promise.withResolvers<void>()
  answer(page, '/api/quotes/compare', async () => {
    await isAnswered
    return undefined
  })
  await page.locator('[name=endDate]').fill(inDays(30))
  await page.getByRole('button', { name: spanish()('funnel.save_budget') }).click()
  reply()
  await page.locator('[name=buReference]').fill('Mientras cargaba')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  const stored = await app.world.database.asService(tx =>
    tx.selectFrom('policies').select('end_date').where('reference', '=', 'Mientras cargaba').executeTakeFirst(),
  )
  expect(displayDate(stored?.end_date ?? '')).toBe(inDays(30))
})

test('a quote with an ended price is shown as expired, and priced anew instead of sent', async () => {
  const id = await quoteOf('Caducada')
  const expired = { price_valid_until: new Date(Date.now() - 60_000) }
  await app.world.database.kysely.updateTable('policies').set(expired).where('id', '=', id).execute()
  const t = app.world.words('en-EN')
  const page = await openScreen(app, '/policies/saved', agent, { language: 'en-EN' })
  const row = page.getByRole('row').filter({ hasText: 'Caducada' })
  // The product has its name in the reader’s language, not in that of the sale.
  await row.getByText('Essential Trip', { exact: true }).waitFor()
  await row.click()
  const drawer = page.locator('[data-panel]')
  await drawer.getByText(/^Essential Trip/).waitFor()
  await drawer.getByText(t('policies.status_expired')).waitFor()
  await drawer.getByRole('link', { name: t('day.price_again') }).waitFor()
  await expectScreen(drawer.getByRole('button', { name: t('policies.send') })).toHaveCount(0)
})

test('a booking pasted after a sale fills step 2 and does not name the previous client', async () => {
  const page = await toPayment('Vendida')
  await clickBuy(page)
  await numbers(page).waitFor()
  await page.goto('/products')
  await page.getByRole('button', { name: spanish()('line.paste') }).click()
  await page.locator('[name=pasted]:focus').waitFor()
  const trip = [`Ida ${inDays(20)} Madrid (MAD) - Roma (FCO)`, `Vuelta ${inDays(27)} Roma (FCO) - Madrid (MAD)`]
  await page.locator('[name=pasted]').fill(['1.GOMEZ RUIZ/PEDRO MR', ' 7 APE-PEDRO@CORREO.EXAMPLE/P1', ...trip].join('\n'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').first().waitFor()
  await expectScreen(dialog).not.toContainText('Vendida')
  await dialog.getByRole('button', { name: spanish()('paste.fill') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(spanish()('paste.filled_people', { count: 1 })).waitFor()
  await expectScreen(page.locator('#main')).not.toContainText('Vendida')
  await page.locator('[data-product]', { hasText: 'Viaje Esencial' }).click()
  await page
    .getByRole('button', { name: spanish()('products.sell_named', { product: 'Viaje Esencial' }) })
    .first()
    .click()
  await page.waitForURL(/step=2$/)
  const typed = { name: 'Pedro', middleName: 'Gomez', lastName: 'Ruiz', documentNumber: '', email: 'pedro@correo.example' }
  for (const [name, text] of Object.entries(typed)) await expectScreen(page.locator(`form [name="${name}"]`)).toHaveValue(text)
})

test('a lost response is requested again, even after a change of language', async () => {
  const page = await toPayment('Perdida')
  const restore = loseReplies(page, '/api/policy/purchase')
  await clickBuy(page)
  await page.getByText(spanish()('funnel.buy.lost')).waitFor()
  restore()
  page.browser.cookies.set('i18n_redirected', { value: 'fr-FR', httpOnly: false })
  await page.reload()
  await numbers(page).waitFor()
  expect(document.documentElement.lang).toBe('fr-FR')
  const [sold] = await policies()
  expect(sold).toMatchObject({ taker: 'Perdida García López', status: 'purchased' })
  await page.locator(`a[href*="${sold?.id}"]`).click()
  await page.waitForURL(/\/policies\?/)
  await page.goBack()
  await numbers(page).waitFor()
})

test('an annual policy is shown by its zone, its term and its longest trip', async () => {
  const startDate = addDays(today(new Date(), 'Europe/Madrid'), 20)
  const endDate = addDays(addMonths(startDate, 12), -1)
  const productUUID = seller.products.find(({ code }) => code === 'ANN').uuid
  const policyUuid = await quoteOf('Anual', { productUUID, startDate, endDate, countriesDestinationId: '764' })
  const page = await openScreen(app, `/funnel?policy=${policyUuid}`, agent)
  await page.waitForURL(/step=3$/)
  const [from, to] = [displayDate(startDate) ?? '', displayDate(endDate) ?? '']
  const facts = [spanish()('funnel.line.term', { from, to, months: 12 }), 'Mundo', spanish()('funnel.line.many', { tripDays: 60 })]
  const line = page.getByRole('region', { name: spanish()('funnel.trip.title') })
  for (const fact of facts) await line.getByText(fact, { exact: true }).waitFor()
  await expectScreen(line).not.toContainText('Tailandia')
  await page.locator('[name=demandsAndNeeds]').check()
  await clickBuy(page)
  await numbers(page).waitFor()
  for (const fact of facts) await expectScreen(page.getByRole('status').filter({ has: '[data-policy-number]' })).toContainText(fact)
  await expectScreen(page.locator('figure figcaption')).toHaveText(spanish()('funnel.cover.trip_only', { from, to, trips: 'several' }))
})
