import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#common/kit/locales.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { accessibilityOf, enter, fill, inDays, openPortal, type Portal, saveQuote, toPeople } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A whole sale, step by step, as an agent makes it.

let network: CardNetwork
let portal: Portal
beforeAll(async () => {
  const secret = 'whsec_only_for_e2e_tests'
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: network.url,
  })
  network.webhooksTo({ url: `${portal.origin}/api/payments/webhook`, secret })
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
})

const wordsIn = (locale: Locale) => portal.app.world.words(locale)

/** Returns the name, label or text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement === document.body ? undefined : document.activeElement
    return active?.getAttribute('name') ?? active?.getAttribute('aria-label') ?? active?.textContent ?? ''
  })

/** Matches the text of a button that has its keys behind it. */
const begins = (text: string): RegExp => new RegExp(`^${text}`)

/** Presses Tab until a field of that name, or a control with that label, has the focus. */
async function tabTo(page: Page, what: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 40; presses++) {
    const here = await focused(page)
    if (typeof what === 'string' ? here === what : what.test(here)) return
    passed.push(here)
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${what}, but to ${passed.join(', ')}`)
}

async function typeIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await tabTo(page, name)
    await page.keyboard.type(text)
  }
}

const policies = () =>
  portal.app.world.database.asService(tx =>
    tx.selectFrom('policies').select(['id', 'status', 'number', 'total_cents']).orderBy('id', 'desc').execute(),
  )

test('a sale by keyboard in Spanish shows errors, survives a reload and is paid once', { tags: ['S2.4', 'S4.2', 'S4.8'] }, async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = wordsIn('es-ES')
  const before = (await policies()).length
  await enter(user, 'agent@azahar.example')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('vender total')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: t('funnel.step1') }).waitFor()

  const product = 'Viaje Total con Cancelación'
  await tabTo(page, t('products.sell_named', { product }))
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('startDate')
  await typeIn(page, { startDate: inDays(20).replaceAll('/', ''), endDate: inDays(27), mainDestination: 'jap' })
  await page.keyboard.press('Enter')
  await typeIn(page, { priceTravel: '2400', reservationDate: inDays(-1) })
  await page.keyboard.press('Tab')
  await page.getByText(t('quote.provisional')).waitFor()
  await tabTo(page, t('products.sell_named', { product }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=2$/)

  await page.locator('[name=name]').waitFor()
  await typeIn(page, { province: 'valencia' })
  await page.keyboard.press('Enter')
  await typeIn(page, { city: 'alzira' })
  await page.getByRole('option', { name: 'Alzira' }).waitFor()
  await page.keyboard.press('Enter')
  await typeIn(page, {
    address: 'Calle Mayor 1',
    email: 'ana@example.com',
    phoneNumber: '612345678',
    name: 'Ana',
    middleName: 'García',
    lastName: 'López',
    birthDate: '15011990',
    documentNumber: '12345678z',
  })
  await page.keyboard.press('Tab')
  await page.reload()
  await page.locator('aside a[href="/funnel?step=2"]').waitFor()
  await expectPage(page.locator('[name=city]')).toHaveValue('Alzira')
  await expectPage(page.locator('[name=zipCode]')).toHaveValue('46600')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, begins(t('funnel.next_payment')))
  await page.keyboard.press('Enter')
  await page.waitForURL(/step=3$/)
  await page.locator('aside a[href="/funnel?step=3"]').waitFor()

  const pay = page.getByRole('button', { name: t('funnel.pay', { total: await page.locator('output[name=total]').innerText() }) })
  await pay.waitFor()
  // The product insures the cost of the trip, so the client's needs include it.
  await page.getByText(/^El cliente necesita .* El viaje completo cuesta 2\.400,00\s€\. /).waitFor()
  // The birth date changes the price, and the agent must accept the new one before the sale.
  await pay.click()
  await expect.poll(() => focused(page)).toBe(t('funnel.accept_price'))
  const changed = page.locator('aside').getByRole('status').filter({ hasText: 'Ahora que se conocen las edades' })
  await changed.waitFor()
  await expectPage(pay).toHaveAttribute('aria-describedby', (await changed.getAttribute('id')) ?? '')
  await tabTo(page, t('funnel.accept_price'))
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toMatch(/^Vender por/)
  await page.keyboard.press('Enter')
  await page.getByText(t('funnel.before.missing')).waitFor()
  await page.getByText(t('funnel.pay_lacks_declaration')).waitFor()
  await tabTo(page, 'demandsAndNeeds')
  await page.keyboard.press('Space')
  await tabTo(page, /^Vender por/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const number = await page.locator('[data-policy-number]').innerText()
  await page.getByRole('heading', { level: 1, name: t('funnel.done.title') }).waitFor()
  await page.getByText(t('funnel.done.mail_sent', { to: 'ana@example.com' })).waitFor()
  const sold = await policies()
  expect(sold.length - before).toBe(1)
  expect(sold[0]).toMatchObject({ status: 'purchased', number })
  const [certificate] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Certificado de seguro' }).click(),
  ])
  expect(certificate.suggestedFilename()).toBe(`Certificado de seguro ${number}.pdf`)
  // After the sale, back leads to an empty form.
  await page.goBack()
  await page.waitForURL(/step=1$/)
  await expectPage(page.locator('[name=startDate]')).toHaveValue('')
  await page.goto(`/policies?policy=${sold[0]?.id}`)
  await page.getByText(t('policies.shown')).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a sale on a phone in French passes axe and is paid after a declined card', { tags: 'S3.6' }, async () => {
  const user = await portal.newUser({ width: 390, chosen: 'fr-FR' })
  const { page } = user
  const t = wordsIn('fr-FR')
  const axe = async (step: string) => expect(await accessibilityOf(page), step).toEqual([])
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await enter(user, 'agent@azahar.example', '/funnel')
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await fill(page, { ages: '2x' })
  await page.getByText(t('quote.provisional')).waitFor()
  await toPeople(page)
  await page.getByText(t('funnel.type.not'), { exact: true }).click()
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await axe('step 2, with what is missing')
  await expect.poll(() => wide()).toBeLessThanOrEqual(0)
  await fill(page, {
    policyHolderName: 'Marie',
    policyHolderSurname: 'Durand',
    policyHolderSecondSurname: 'Petit',
    policyHolderDocumentNumber: '12345678Z',
    policyHolderBirthDate: '15/01/1970',
    province: 'valencia',
  })
  await page.keyboard.press('Enter')
  await fill(page, { city: 'alzira' })
  await page.getByRole('option', { name: 'Alzira' }).click()
  await fill(page, {
    address: 'Calle Mayor 1',
    zipCode: '46600',
    email: 'marie@example.com',
    phoneNumber: '612345678',
  })
  // Only one traveller at a time has fields. The first incomplete one is open.
  await fill(page, {
    name: 'Ana',
    middleName: 'García',
    lastName: 'López',
    documentNumber: '87654321X',
    birthDate: '15/01/1990',
  })
  await expectPage(page.locator('[name="extraTravellers.0.name"]')).toHaveCount(0)
  await page.locator('[data-place="1"] button').click()
  await expectPage(page.locator('[name=name]')).toHaveCount(0)
  await fill(page, {
    'extraTravellers.0.name': 'Luis',
    'extraTravellers.0.middleName': 'Pérez',
    'extraTravellers.0.lastName': 'Ruiz',
    'extraTravellers.0.docNumber': '11111111H',
    'extraTravellers.0.birthDate': '15/01/1988',
  })
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  await page.getByText(t('payments.by_card'), { exact: true }).click()
  await page.locator('[name=demandsAndNeeds]').check()
  const pay = page.getByRole('button', { name: /^Vendre pour/ })
  await pay.click()
  // The card form takes the focus by itself.
  await page.locator('[autocomplete=cc-number]:focus').waitFor()
  await page.keyboard.type('4000000000009995')
  await page.keyboard.press('Tab')
  await page.keyboard.type('12/39')
  await page.keyboard.press('Tab')
  // The footer does not hide the focused field.
  await expect.poll(() => isAboveFoot(page.locator('[autocomplete=cc-csc]:focus'))).toBe(true)
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await page.getByText(words.fr.insufficient_funds).waitFor()
  // Another card is typed next. The footer hides neither the reason nor the button.
  await page.locator('[autocomplete=cc-number]:focus').waitFor()
  for (const seen of [page.getByText(words.fr.insufficient_funds), pay]) await expect.poll(() => isAboveFoot(seen)).toBe(true)
  await axe('a declined card')
  await page.locator('[autocomplete=cc-number]').fill('4000002500003155')
  await pay.click()
  await page.getByRole('button', { name: words.fr.approve }).click()
  await page.locator('[data-policy-number]').waitFor()
  await axe('sold')
  await expect.poll(() => wide()).toBeLessThanOrEqual(0)
  expect((await policies())[0]).toMatchObject({ status: 'purchased', number: await page.locator('[data-policy-number]').innerText() })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a company’s incomplete quote is saved and then sold, in Italian and in dark mode', { tags: ['S3.6', 'S4.8'] }, async () => {
  const user = await portal.newUser({ width: 820 })
  const { page } = user
  const t = wordsIn('it-IT')
  await page.emulateMedia({ colorScheme: 'dark' })
  await enter(user, 'agent@rotta.example', '/funnel')
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'spagna' })
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.getByText(t('funnel.type.company'), { exact: true }).click()
  await fill(page, { businessName: 'Navi Veloci S.r.l.', businessNumber: '12345678903', businessProvince: 'genova' })
  await page.keyboard.press('Enter')
  await fill(page, { businessCity: 'camogli' })
  await page.getByRole('option', { name: 'Camogli' }).click()
  await expectPage(page.locator('[name=businessZipCode]')).toHaveValue('16032')
  expect(await accessibilityOf(page)).toEqual([])
  await saveQuote(page, t('funnel.save_budget'))
  expect((await policies())[0]).toMatchObject({ status: 'budgeted' })
  await page.getByText(t('policies.provisional')).waitFor()

  const [quote] = await policies()
  await page.goto(`/funnel?policy=${quote?.id}`)
  await page.waitForURL(/\/funnel\?step=2$/)
  await expectPage(page.locator('[name=businessCity]')).toHaveValue('Camogli')
  await fill(page, {
    businessAddress: 'Via Roma 1',
    email: 'ana@example.com',
    phoneNumber: '3471234567',
    name: 'Mario',
    middleName: 'Rossi',
    documentNumber: 'RSSMRA85T10A562S',
    birthDate: '10/12/1985',
  })
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.waitForURL(/step=3$/)
  await page.locator('[name=demandsAndNeeds]').check()
  await page.getByRole('button', { name: t('funnel.pay', { total: await page.locator('output[name=total]').innerText() }) }).click()
  const number = await page.locator('[data-policy-number]').innerText()
  expect((await policies())[0]).toMatchObject({ id: quote?.id, status: 'purchased', number })
  expect(user.problems).toEqual([])
  await user.stop()
})

/** True if the bar at the bottom of the page does not hide it. */
async function isAboveFoot(it: Locator): Promise<boolean> {
  const [box, foot] = await Promise.all([it.boundingBox(), it.page().locator('[data-foot]').boundingBox()])
  return box !== null && foot !== null && box.y + box.height <= foot.y
}
