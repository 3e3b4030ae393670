import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addYears, displayDate, readDate, today } from '#common/kit/dates.ts'
import { answer, fieldsOf, openScreen, type Screen, toPeople } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'

// Steps 1 and 2: prices and refusals of a trip, already insured people, and postal codes.

const agent = 'agent@azahar.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const spanish = () => app.world.words('es-ES')
/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
/** Returns the birth date of a person who has this age when the trip of `fillTrip` starts. */
const bornFor = (age: number): string => displayDate(addYears(readDate(inDays(20)) ?? '', -age)) ?? ''
const totalOf = (page: Screen) => page.locator('output[name=total]').textContent()
const field = (page: Screen, name: string) => page.locator(`[name=${name}]`)

/** Fills in a week in Italy, about three weeks from now. */
async function fillTrip(page: Screen): Promise<void> {
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await page.getByText(spanish()('quote.provisional')).waitFor()
}

/** Opens step 2 of a new sale. */
async function openPeople(): Promise<Screen> {
  const page = await openScreen(app, '/funnel', agent)
  await fillTrip(page)
  await toPeople(page)
  await page.waitForURL(/step=2$/)
  await page.locator('[name=province]').waitFor()
  return page
}

/** Saves the sale as a quote under the suggested reference. */
async function saveQuote(page: Screen): Promise<void> {
  await page.getByRole('button', { name: spanish()('funnel.save_budget') }).click()
  await page.locator('[name=buReference]').press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
}

/** Presses Tab until this field has the focus, and types into it. */
async function typeIn(page: Screen, name: string, text: string): Promise<void> {
  for (let presses = 0; presses < 40 && document.activeElement?.getAttribute('name') !== name; presses++) await page.keyboard.press('Tab')
  await expectScreen(field(page, name)).toBeFocused()
  await page.keyboard.type(text)
}

async function choose(page: Screen, name: string, text: string): Promise<void> {
  await page.locator(`[name=${name}]`).fill(text)
  await page.getByRole('option', { name: text, exact: true }).click()
}

test('a saved quote is resumed at its new price', async () => {
  const t = spanish()
  const page = await openScreen(app, '/funnel', agent)
  await fillTrip(page)
  await toPeople(page)
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  // Missing fields are marked in order, counted in the footer, and focused.
  await page.locator('[name=zipCode]:focus').waitFor()
  const wrong = 'zipCode province city address email phoneNumber name middleName lastName birthDate documentNumber'.split(' ')
  const marked = page.locator('[aria-invalid=true]')
  await expect.poll(() => marked.now().map(field => field.getAttribute('name'))).toEqual(wrong)
  await page.locator('[name=name]').focus()
  await page.getByRole('button', { name: t('funnel.missing', { count: wrong.length }) }).click()
  await page.locator('[name=zipCode]:focus').waitFor()
  await page.locator('[name=name]').fill('Ana')
  await page.locator('[name=middleName]').fill('García')
  await saveQuote(page)
  const policy = new URL(page.url()).searchParams.get('policy') ?? ''

  await app.world.database.asService(tx => tx.updateTable('policies').set({ total_cents: 100 }).where('id', '=', policy).execute())
  await page.goto(`/funnel?policy=${policy}`)
  await page.waitForURL(/\/funnel\?step=2$/)
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Ana García' })).waitFor()
  await expectScreen(page.locator('[name=middleName]')).toHaveValue('García')
  // The notice follows the name.
  await page.locator('[name=middleName]').fill('Gil')
  await page.getByText(t('funnel.take_up.resumed', { policyholder: 'Ana Gil' })).waitFor()
  await expectScreen(page.getByText(t('funnel.take_up.price_changed', { before: '1,00 €', now: await totalOf(page) }))).toHaveCount(1)
  // A price is accepted where the policy is sold.
  await expectScreen(page.getByRole('button', { name: t('funnel.accept_price') })).toHaveCount(0)

  const past = today(new Date(), 'Europe/Madrid')
  await app.world.database.asService(tx =>
    tx
      .updateTable('policies')
      .set({ start_date: addDays(past, -9), end_date: addDays(past, -2) })
      .where('id', '=', policy)
      .execute(),
  )
  await page.goto(`/funnel?policy=${policy}`)
  // Replacing the current sale needs a confirmation.
  await page.getByRole('button', { name: t('funnel.take_up.resume') }).click()
  await page.waitForURL(/\/funnel\?step=1$/)
  await page.getByText(t('funnel.take_up.passed', { from: inDays(-9), to: inDays(-2) })).waitFor()
})

test('ages set the prices of step 1, and step 2 names the birth date that changes it', async () => {
  const t = spanish()
  const page = await openScreen(app, '/funnel', agent)
  const ages = page.locator('[name=ages]')
  await fillTrip(page)
  const essential = page.locator('[data-product]', { hasText: 'Viaje Esencial' }).locator('[role=gridcell]').last()
  const usual = await essential.textContent()
  await ages.fill('7o')
  await page.keyboard.press('Tab')
  await page.getByText(t('validation.travellers')).waitFor()
  await ages.fill('70 8')
  await page.keyboard.press('Tab')
  await expectScreen(ages).toHaveValue('70, 8')
  await page.getByText(t('quote.provisional')).waitFor({ state: 'detached' })
  await expectScreen(essential).toHaveText(/\d,\d\d\s€/)
  const exact = await essential.textContent()
  expect(exact).not.toBe(usual)
  await toPeople(page)
  await page.waitForURL(/step=2$/)
  await expect.poll(() => totalOf(page)).toBe(exact)

  // A birth date of that age keeps the price.
  await page.locator('[name=birthDate]').fill(bornFor(70))
  await page.locator('[name="extraTravellers.0.birthDate"]').fill(bornFor(8))
  await page.keyboard.press('Tab')
  await expect.poll(() => totalOf(page)).toBe(exact)
  await page.locator('[name="extraTravellers.0.birthDate"]').fill(bornFor(36))
  await page.getByText(t('funnel.age_differs', { age: 36, given: 8 })).waitFor()
  await expect.poll(() => totalOf(page)).not.toBe(exact)
  await page.getByText(t('funnel.price_changed', { before: exact, now: await totalOf(page) })).waitFor()
  // From then on, the birth dates count, until another age is typed. This removes the date, and can be undone.
  await page.goBack()
  await page.waitForURL(/funnel(?:\?step=1)?$/)
  await expectScreen(ages).toHaveValue('70, 36')
  await ages.focus()
  await page.keyboard.press('Tab')
  await expectScreen(ages).toHaveValue('70, 36')
  await ages.fill('70, 8')
  await page.keyboard.press('Tab')
  await page.getByText(t('quote.ages_apply')).waitFor()
  await expectScreen(ages).toHaveValue('70, 8')
  await expectScreen(essential).toHaveText(exact)
  await page.getByRole('button', { name: t('funnel.undo') }).click()
  await expectScreen(ages).toHaveValue('70, 36')
  await ages.fill('70, 8')
  await page.keyboard.press('Tab')
  await page.getByText(t('quote.ages_apply')).waitFor()
  await toPeople(page)
  await page.waitForURL(/step=2$/)
  await expectScreen(page.locator('[name=birthDate]')).toHaveValue(bornFor(70))
  await expectScreen(page.locator('[name="extraTravellers.0.birthDate"]')).toHaveValue('')
  await expect.poll(() => totalOf(page)).toBe(exact)
})

test('starting over clears the form at once and can be undone', async () => {
  const t = spanish()
  const page = await openScreen(app, '/funnel', agent)
  const startOver = page.getByRole('button', { name: t('funnel.start_over') })
  await page.locator('[name=startDate]').waitFor()
  await expectScreen(startOver).toHaveCount(0)
  await fillTrip(page)
  await toPeople(page)
  await page.locator('[name=name]').fill('Ana')
  await startOver.click()
  await page.waitForURL(/step=1$/)
  await page.locator('[name=startDate]').waitFor()
  await expectScreen(page.locator('[name=startDate]')).toHaveValue('')
  await page.getByRole('button', { name: t('funnel.undo') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
  await expectScreen(page.locator('[name=name]')).toHaveValue('Ana')
  // Undo is offered until the next sale begins, as it would overwrite that.
  await startOver.click()
  await page.getByRole('button', { name: t('funnel.undo') }).waitFor()
  await page.locator('[name=startDate]').fill(inDays(30))
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('funnel.undo') }).waitFor({ state: 'detached' })
})

test('a user without the permission to sell sees a notice', async () => {
  const page = await openScreen(app, '/funnel', 'viewer@azahar.example')
  await page.getByText(spanish()('funnel.no_selling')).waitFor()
})

test('a refused destination stays in step 1 and is explained', { tags: 'S8.1' }, async () => {
  const t = spanish()
  const page = await openScreen(app, '/funnel', agent)
  const surname = page.locator('[name="extraTravellers.0.middleName"]')
  await fillTrip(page)
  await page.locator('[name=ages]').fill('2x')
  // The form itself refuses North Korea, so the destination is changed on its way to the service.
  const replies: { errorMessage: string }[] = []
  const restore = answer(page, '/api/products/check-destination-coverage', async (init, send) => {
    init.body = JSON.stringify({ ...fieldsOf(init), countriesDestinationId: '408' })
    const reply = await send()
    replies.push(await reply.clone().json())
    return reply
  })
  await toPeople(page)
  await expect.poll(() => replies.length).toBe(1)
  const errorMessage = replies[0]?.errorMessage ?? ''
  expect(errorMessage).toContain('Corea del Norte')
  const alert = page.getByRole('alertdialog')
  await alert.getByText(errorMessage, { exact: true }).waitFor()
  await alert.getByRole('button', { name: t('alert.error.accept') }).click()
  await alert.waitFor({ state: 'detached' })
  await expectScreen(page.locator('[name=startDate]')).toHaveValue(inDays(20))
  restore()
  await toPeople(page)
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.locator('[name="extraTravellers.0.middleName"][aria-invalid=true]').waitFor()
  await page.locator('[name=middleName]').fill('García')
  await page.locator('[name=lastName]').fill('López')
  await page.getByRole('button', { name: t('funnel.extra.surnames') }).click()
  await page.locator('[name="extraTravellers.0.middleName"]:not([aria-invalid=true])').waitFor()
  await expectScreen(surname).toHaveValue('García')
  await page.locator('[name=phoneNumber]').fill('612 34-56.78')
  await page.keyboard.press('Tab')
  await expectScreen(page.locator('[name=phoneNumber]')).toHaveValue('612345678')
})

test('steps 2 and 3 name already insured people, and do not stop the sale', async () => {
  const { policyUuid, policyNumber } = (await sellAs(await sellerOf(app))).body.data.policyData
  const t = spanish()
  // A copy has the same people, product and days.
  const page = await openScreen(app, `/funnel?copy=${policyUuid}`, agent)
  const link = page.getByRole('link', { name: t('funnel.insured_open', { number: policyNumber }) })
  await link.waitFor()
  await expectScreen(link).toHaveAttribute('href', `/policies?policy=${policyUuid}`)
  await expectScreen(link).toHaveCount(1)
  await page.getByText(/^Ya hay una póliza de este producto .+ para Ana García López y Leo García Gil\.$/).waitFor()
  await page.goto('/funnel?step=3')
  await link.waitFor()
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
})

test('a city with one postal code fills it', { tags: 'S4.8' }, async () => {
  const page = await openPeople()
  await choose(page, 'province', 'Alicante')
  await choose(page, 'city', 'Jávea/Xàbia')
  await expectScreen(field(page, 'zipCode')).toHaveValue('03730')
})

test('a city with many postal codes offers them, and another can be typed', { tags: 'S4.8' }, async () => {
  const page = await openPeople()
  await choose(page, 'province', 'Madrid')
  await choose(page, 'city', 'Madrid')
  await expectScreen(field(page, 'zipCode')).toHaveValue('28001')
  await page.locator('[name=zipCode]').fill('2801')
  await page.getByRole('option', { name: '28014', exact: true }).click()
  await expectScreen(field(page, 'zipCode')).toHaveValue('28014')
  await page.locator('[name=zipCode]').fill('28099')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]:not(:focus)').waitFor()
  await expectScreen(field(page, 'zipCode')).toHaveValue('28099')
  await expectScreen(page.getByText(spanish()('funnel.zipCode_question', { code: '28099', province: 'Madrid' }))).toHaveCount(0)
})

test('a code of another province is questioned until it is confirmed', async () => {
  const page = await openPeople()
  await choose(page, 'province', 'Madrid')
  await choose(page, 'city', 'Madrid')
  const question = (code: string) =>
    page.locator('[id$=-error]').getByText(spanish()('funnel.zipCode_question', { code, province: 'Madrid' }))
  await page.locator('[name=zipCode]').fill('08001')
  await page.keyboard.press('Tab')
  await question('08001').waitFor()
  await page.getByRole('button', { name: spanish()('funnel.next_payment') }).click()
  expect(page.url()).toMatch(/step=2$/)
  await page.getByRole('button', { name: spanish()('funnel.zipCode_confirm') }).click()
  await question('08001').waitFor({ state: 'detached' })
  await expectScreen(field(page, 'zipCode')).toHaveValue('08001')
  await page.locator('[name=zipCode]').fill('08002')
  await page.keyboard.press('Tab')
  await question('08002').waitFor()
})

test('a code typed first keeps the focus when it finds its city', async () => {
  const page = await openPeople()
  await page.getByText(spanish()('funnel.type.not'), { exact: true }).click()
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('')
  await page.keyboard.type('28014')
  await expectScreen(field(page, 'city')).toHaveValue('Madrid')
  await expectScreen(field(page, 'zipCode')).toBeFocused()
  await page.keyboard.press('Tab')
  await expectScreen(field(page, 'zipCode')).toHaveValue('28014')
  // Tab skips the found province and city: the next typed text is the street.
  await expectScreen(field(page, 'address')).toBeFocused()
  await page.keyboard.type('Calle Mayor 1')
  const found = { province: 'Madrid', city: 'Madrid', address: 'Calle Mayor 1' }
  for (const [name, text] of Object.entries(found)) await expectScreen(field(page, name)).toHaveValue(text)

  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('03999')
  await choose(page, 'province', 'Alicante')
  await expectScreen(field(page, 'zipCode')).toHaveValue('03999')
  // Another province has other codes.
  await choose(page, 'province', 'Madrid')
  await expectScreen(field(page, 'zipCode')).toHaveValue('')
})

test('Tab skips the place while its code is looked up, whatever the code finds', async () => {
  const page = await openPeople()
  const typeOnWhileSought = async (code: string) => {
    const { promise: isAnswered, resolve: reply } = Promise.withResolvers<void>()
    const stop = answer(page, `/geo/countries/postal-codes/724/${code}`, async () => {
      await isAnswered
      return undefined
    })
    await page.locator('[name=zipCode]').fill(code)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Gran Vía 2')
    reply()
    await expectScreen(field(page, 'province')).not.toHaveValue('')
    stop()
    await expectScreen(field(page, 'address')).toBeFocused()
    await expectScreen(field(page, 'address')).toHaveValue('Gran Vía 2')
  }
  await typeOnWhileSought('28014')
  await expectScreen(field(page, 'city')).toHaveValue('Madrid')
  await page.locator('[name=address]').fill('')
  // One of several cities must still be chosen, so Tab reaches it.
  await typeOnWhileSought('01193')
  await expectScreen(field(page, 'city')).not.toHaveAttribute('tabindex', '-1')
})

test('Tab reaches the chosen city of a code with several', async () => {
  const page = await openPeople()
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('01193')
  await expectScreen(field(page, 'province')).toHaveValue('Álava')
  await page.locator('[name=city]').focus()
  await page.keyboard.type('a')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expectScreen(field(page, 'city')).toBeFocused()
})

test('another code refills a found place, and is questioned for a chosen one', async () => {
  const page = await openPeople()
  await page.locator('[name=province]').fill('')
  await page.keyboard.press('Tab')
  await page.locator('[name=zipCode]').fill('')
  const typeCode = async (code: string) => {
    await page.locator('[name=zipCode]').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(code)
    await page.keyboard.press('Tab')
  }
  const confirm = page.getByRole('button', { name: spanish()('funnel.zipCode_confirm') })
  await typeCode('50001')
  await expectScreen(field(page, 'city')).toHaveValue('Zaragoza')
  await typeCode('41001')
  await expectScreen(field(page, 'city')).toHaveValue('Sevilla')
  await expectScreen(field(page, 'province')).toHaveValue('Sevilla')
  await confirm.waitFor({ state: 'detached' })
  await choose(page, 'province', 'Zaragoza')
  await typeCode('41001')
  await confirm.waitFor()
  await expectScreen(field(page, 'province')).toHaveValue('Zaragoza')
})

test('the same applies to a company, whose code is typed first', { tags: 'S4.8' }, async () => {
  const page = await openPeople()
  await page.getByText(spanish()('funnel.type.company'), { exact: true }).click()
  await page.locator('[name=businessZipCode]').fill('03730')
  await expectScreen(field(page, 'businessProvince')).toHaveValue('Alicante')
  await expectScreen(field(page, 'businessCity')).toHaveValue('Jávea/Xàbia')
  // A corrected code replaces the place that it had found, and is questioned for a chosen one.
  await page.locator('[name=businessZipCode]').fill('08001')
  await expectScreen(field(page, 'businessProvince')).toHaveValue('Barcelona')
  await expectScreen(field(page, 'businessCity')).toHaveValue('Barcelona')
  await choose(page, 'businessProvince', 'Alicante')
  await page.locator('[name=businessZipCode]').fill('08001')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: spanish()('funnel.zipCode_confirm') }).waitFor()
})

test('a province and a city typed before their lists are loaded are accepted', { tags: 'S4.8' }, async () => {
  const page = await openScreen(app, '/funnel', agent)
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('jap')
  await page.keyboard.press('Enter')
  const held = Promise.withResolvers<void>()
  page.browser.connection = async (send, path) => {
    if (/^\/geo\/countries\/[^/]+\/[^/]+\?/.test(path)) await held.promise
    return send()
  }
  await toPeople(page)
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
  await typeIn(page, 'province', 'valencia')
  await page.keyboard.press('Enter')
  await typeIn(page, 'city', 'alzi')
  await typeIn(page, 'address', 'Calle Mayor 1')
  held.resolve()
  await expectScreen(page.locator('[name=zipCode]')).toHaveValue('46600')
  await expectScreen(page.locator('[name=city]')).toHaveValue('Alzira')
  await expectScreen(page.locator('[name=province]')).toHaveValue('Valencia')
  await expectScreen(page.locator('[name=address]')).toBeFocused()
})
