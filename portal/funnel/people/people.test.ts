import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, displayDate, readDate, today } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { answer, openScreen, type Screen, toPeople } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { drawn } from '#portal/screen/testing-locator.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, reach, sellAs, sellerOf } from '#server/policies/testing.ts'

// Travellers from a list that is pasted, and suggestions of known people.

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await sellAs(await sellerOf(app))
})
afterAll(() => app.stop())

/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
const focused = (): string => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? ''
const fieldOf = (page: Screen, name: string) => page.locator(`[name="${name}"]`)

async function tabTo(page: Screen, what: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    const here = focused()
    if (here === what) return
    passed.push(here)
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${what}, but to ${passed.join(', ')}`)
}

/** Opens step 2 of a sale of the essential product. */
async function openStep2(language: 'es-ES' | 'fr-FR', more?: (page: Screen) => Promise<void>): Promise<Screen> {
  const { id } = await app.world.database.asService(tx =>
    tx.selectFrom('products').select('id').where('code', '=', 'ESS').executeTakeFirstOrThrow(),
  )
  const page = await openScreen(app, `/funnel?product=${id}`, 'agent@azahar.example', { language })
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await more?.(page)
  await toPeople(page, { chosen: true })
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
  return page
}

test('pasted rows are checked, corrected in place, imported and undone by keyboard', { tags: 'S4.7' }, async () => {
  const t = app.world.words('es-ES')
  const page = await openStep2('es-ES')
  await tabTo(page, t('funnel.extra.import'))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: t('people.import.title') }).waitFor()
  // The text has the focus, and the button focuses it while it is empty.
  await page.locator('[name=importCells]:focus').waitFor()
  await tabTo(page, t('people.import.view'))
  await page.keyboard.press('Enter')
  await page.locator('[name=importCells]:focus').waitFor()
  await page
    .locator('[name=importCells]')
    .fill(
      'Date de naissance\tNom\tPrénom\tNuméro de document\tSegundo apellido\n15/01/1990\tGarcía\tAna\t12345678A\tLópez\n\n1988-02-03\tPérez\t=Luis\t11111111h\tRuiz\n',
    )
  await tabTo(page, t('people.import.view'))
  await page.keyboard.press('Enter')
  const preview = page.getByRole('dialog', { name: t('people.import.preview') })
  await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  await preview.getByText(t('people.import.differs', { after: 2, before: 1 })).waitFor()

  // Two people are two travellers, including the policyholder. One press makes both further travellers.
  const firstRow = preview.getByLabel(t('people.import.first_row', { role: 'policyholder', place: 1 }))
  await expectScreen(firstRow).toBeChecked()
  await tabTo(page, 'firstRow')
  await page.keyboard.press('Space')
  await preview.getByText(t('people.import.differs', { after: 3, before: 1 })).waitFor()
  await expectScreen(fieldOf(page, '2.birthDate')).toHaveValue('03/02/1988')

  // An error stops the import and takes the focus.
  await tabTo(page, t('people.import.take', { count: 2 }))
  await page.keyboard.press('Enter')
  await expectScreen(page.locator('[name="1.docNumber"]')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('12345678Z')
  await page.keyboard.press('Tab')
  await preview.getByText(t('people.import.faults', { count: 1 })).waitFor({ state: 'detached' })
  await tabTo(page, t('people.import.take', { count: 2 }))
  await page.keyboard.press('Enter')
  await preview.waitFor({ state: 'detached' })

  await page.getByText(t('people.import.taken', { count: 2 })).waitFor()
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toHaveValue('Ana')
  await expectScreen(fieldOf(page, 'extraTravellers.1.name')).toHaveValue('=Luis')
  const kept = async () => (await import('#portal/funnel/store.ts')).useFunnel.getState()
  await expect
    .poll(() => kept().then(({ trip }) => trip))
    .toMatchObject({ travelers: 3, birthDates: [{ date: '' }, { date: '15/01/1990' }, { date: '03/02/1988' }] })
  await expect.poll(() => kept().then(({ people }) => people?.extraTravellers)).toHaveLength(2)

  await page.getByRole('button', { name: t('people.import.undo') }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[name="extraTravellers.0.name"]').waitFor({ state: 'detached' })
  await expect.poll(() => kept().then(({ trip }) => trip)).toMatchObject({ travelers: 1 })

  // A list of names and birth dates alone is imported, and the sheet asks for the documents.
  await page.getByRole('button', { name: t('funnel.extra.import') }).click()
  await page.locator('[name=importCells]:focus').waitFor()
  await page
    .locator('[name=importCells]')
    .fill('Nombre y apellidos\tFecha de nacimiento\nAna García López\t15/01/90\nLuis Pérez Ruiz\t03/02/1988\n')
  await page.getByRole('button', { name: t('people.import.view') }).click()
  await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  await expectScreen(preview.locator('[aria-invalid=true]')).toHaveCount(0)
  await expectScreen(fieldOf(page, '1.birthDate')).toHaveValue('15/01/1990')
  await preview.getByRole('button', { name: t('people.import.take', { count: 2 }) }).click()
  await preview.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  for (const name of ['documentNumber', 'extraTravellers.0.docNumber']) await page.locator(`[name="${name}"][aria-invalid=true]`).waitFor()
  expect(page.url()).toMatch(/step=2$/)
})

test('a list of all travellers fills policyholder, trip and price, and can be undone', async () => {
  const t = app.world.words('es-ES')
  const page = await openStep2('es-ES')
  const preview = page.getByRole('dialog', { name: t('people.import.preview') })
  const openList = async (list: string) => {
    await page.getByRole('button', { name: t('funnel.extra.import') }).click()
    await page.locator('[name=importCells]').fill(list)
    await page.getByRole('button', { name: t('people.import.view') }).click()
    await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  }
  const totalOf = () => page.locator('[name=total]').textContent()
  const people =
    'Apellidos y nombre;F. Nac;DNI/NIE;Sexo\n"García López, Ana";15/01/1990;12345678Z;M\n"Pérez Ruiz, Luis";03/02/1988;11111111H;V\n'
  await expect.poll(totalOf).toMatch(/€/)
  const one = await totalOf()
  await openList(people)
  await preview.getByText(t('people.import.shared')).waitFor()
  const price = preview.getByText(t('people.import.price_changes', { from: one, to: '' }).replace(/ [^ ]*$/, ''))
  const promised = await price.textContent()
  await preview.getByRole('button', { name: t('people.import.take', { count: 2 }) }).click()
  await preview.waitFor({ state: 'detached' })
  const filled = { name: 'Ana', middleName: 'García', lastName: 'López', birthDate: '15/01/1990', documentNumber: '12345678Z' }
  for (const [name, value] of Object.entries(filled)) await expectScreen(fieldOf(page, name)).toHaveValue(value)
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toHaveValue('Luis')
  await page.locator('[name="extraTravellers.1.name"]').waitFor({ state: 'detached' })
  const trip = async () => (await import('#portal/funnel/store.ts')).useFunnel.getState().trip
  await expect.poll(trip).toMatchObject({ travelers: 2, birthDates: [{ date: '15/01/1990' }, { date: '03/02/1988' }] })
  await expect.poll(totalOf).not.toBe(one)
  expect(promised).toBe(t('people.import.price_changes', { from: one, to: await totalOf() }))

  // After the undo, the policyholder is empty again.
  await page.getByRole('button', { name: t('people.import.undo') }).click()
  await expectScreen(fieldOf(page, 'name')).toHaveValue('')
  await expect.poll(trip).toMatchObject({ travelers: 1 })

  // A person who is already typed is found in the list, and the replaced values are named.
  await page.locator('[name=name]').fill('Luis')
  await page.locator('[name=middleName]').fill('Pérez')
  await page.locator('[name=lastName]').fill('Gil')
  await page.locator('[name=documentNumber]').fill('11111111h')
  await openList(people)
  await expectScreen(preview.getByLabel(t('people.import.first_row', { role: 'policyholder', place: 2 }))).toBeChecked()
  await preview.getByText(t('people.import.replaces', { values: 'Gil' })).waitFor()
})

test('suggested people are chosen by keyboard and never overwrite typed input', async () => {
  const page = await openStep2('es-ES')
  const options = page.locator('[role=option]')

  // Typed text is kept: Tab leaves without choosing, Escape closes the list.
  await tabTo(page, 'documentNumber')
  await page.keyboard.type('12345678z')
  await options.first().waitFor()
  await expectScreen(page.locator('[name=documentNumber]')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await expectScreen(fieldOf(page, 'documentNumber')).toHaveValue('12345678z')
  await page.locator('[name=documentNumber]').fill('12345678')
  await page.keyboard.type('Z')
  await options.first().waitFor()
  await page.keyboard.press('Tab')
  await options.first().waitFor({ state: 'detached' })
  await expectScreen(fieldOf(page, 'documentNumber')).toHaveValue('12345678Z')
  await expectScreen(fieldOf(page, 'name')).toHaveValue('')

  // Suggestions that arrive after the focus has moved on are dropped.
  const focusMoved = Promise.withResolvers<undefined>()
  answer(page, '/api/people', () => focusMoved.promise)
  const before = page.browser.asked.length
  await page.locator('[name=documentNumber]').fill('12345678z')
  await expect.poll(() => page.browser.asked.slice(before)).toContain('/api/people')
  await page.keyboard.press('Tab')
  focusMoved.resolve(undefined)
  await drawn()
  await expectScreen(options).toHaveCount(0)

  // A suggestion does not overwrite a typed telephone number.
  await page.locator('[name=phoneNumber]').fill('699999999')
  await page.locator('[name=middleName]').focus()
  await page.keyboard.type('garc')
  await page.getByRole('option', { name: /Ana García López/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  for (let moves = 0; moves < 8 && !(await isActive(page, /Ana García López/)); moves++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expectScreen(fieldOf(page, 'documentNumber')).toHaveValue('12345678Z')
  const filled = {
    name: 'Ana',
    middleName: 'García',
    lastName: 'López',
    birthDate: '05/05/1990',
    email: 'ana@example.es',
    zipCode: '28001',
  }
  for (const [name, value] of Object.entries(filled)) await expectScreen(fieldOf(page, name)).toHaveValue(value)
  await expectScreen(fieldOf(page, 'phoneNumber')).toHaveValue('699999999')
  expect(page.url()).toMatch(/step=2$/)

  const t = app.world.words('es-ES')
  await page.getByRole('button', { name: t('funnel.extra.add'), exact: true }).click()
  await page.locator('[name="extraTravellers.0.docNumber"]').fill('x1234567l')
  await page.getByRole('option', { name: /Leo García Gil/ }).click()
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toHaveValue('Leo')
  await expectScreen(fieldOf(page, 'extraTravellers.0.birthDate')).toHaveValue('01/01/1988')

  // Focus stays in a cell when a traveller is removed.
  await page.getByRole('button', { name: t('funnel.extra.add'), exact: true }).click()
  const removeSecond = page.getByRole('button', { name: t('funnel.extra.remove', { place: 2 }) })
  await removeSecond.click()
  await expectScreen(fieldOf(page, 'extraTravellers.0.name')).toBeFocused()
  await removeSecond.click()
  await expectScreen(fieldOf(page, 'name')).toBeFocused()
})

test('Enter takes a number’s only person, Tab a selected one; no name is replaced', async () => {
  const t = app.world.words('fr-FR')
  const page = await openStep2('fr-FR')
  const options = page.locator('[role=option]')
  const number = page.locator('[name=documentNumber]')
  const active = page.locator('[role=option][data-active]')

  // A name beside the number is kept: without an arrow key, Enter goes to the next row.
  await page.locator('[name=name]').fill('Zoé')
  await number.focus()
  await page.keyboard.type('12345678z')
  await options.first().waitFor()
  await expectScreen(active).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expectScreen(fieldOf(page, 'name')).toHaveValue('Zoé')
  await page.locator('[name=name]').fill('')
  // Only a complete number finds someone.
  await number.fill('12345678')
  await number.focus()
  await expectScreen(options).toHaveCount(0)
  await page.keyboard.type('z')
  await active.waitFor()
  // The list names its keys.
  await expectScreen(page.locator('[popover] p', { hasText: t('funnel.known.take') })).toContainText('↵')
  await page.keyboard.press('Enter')
  await expectScreen(fieldOf(page, 'documentNumber')).toHaveValue('12345678Z')
  await expectScreen(fieldOf(page, 'name')).toHaveValue('Ana')

  // A list opened by its own search also takes the only person, whatever the row has.
  await page.locator('[name=name]').fill('Zoé')
  await page.locator('[name=knownClient]').fill('ana garc')
  await active.waitFor()
  await page.keyboard.press('Enter')
  await expectScreen(fieldOf(page, 'name')).toHaveValue('Ana')

  await page.locator('[name=name]').fill('Zoé')
  await number.fill('12345678z')
  await options.first().waitFor()
  await options.first().hover()
  await active.waitFor()
  await page.keyboard.press('Tab')
  await options.first().waitFor({ state: 'detached' })
  await expectScreen(fieldOf(page, 'name')).toHaveValue('Zoé')
  await expectScreen(number).toHaveValue('12345678z')
  await number.fill('12345678')
  await number.focus()
  await page.keyboard.type('Z')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expectScreen(fieldOf(page, 'name')).toHaveValue('Ana')
  await expectScreen(number).not.toBeFocused()

  // An identity document has the name used in the policyholder's country, for every traveller.
  await page.getByRole('button', { name: t('funnel.extra.add'), exact: true }).click()
  await page.getByRole('button', { name: t('funnel.holder.more') }).click()
  const residence = page.locator('[name=residenceCountryId]')
  for (const [typed, country] of [
    ['portugal', 'PT'],
    ['japon', ''],
    ['espagne', 'ES'],
  ] as const) {
    await residence.fill(typed)
    await page.keyboard.press('Enter')
    const labelled = page.getByLabel(t('funnel.documentNumber_in', { country }))
    await expectScreen(labelled.first()).toHaveAttribute('name', 'documentNumber')
    await expectScreen(labelled.nth(1)).toHaveAttribute('name', 'extraTravellers.0.docNumber')
    // The product insures people who live where the trip begins.
    const elsewhere = country === 'ES' ? 0 : 1
    await expectScreen(page.getByText(t('validation.residence'))).toHaveCount(elsewhere)
    await expectScreen(page.locator('[name=residenceCountryId][aria-invalid=true]')).toHaveCount(elsewhere)
  }
  // A postal code that was refused is not in a country whose format is unknown.
  const postalCode = page.locator('[name=zipCode]')
  await postalCode.fill('1')
  await page.keyboard.press('Tab')
  await expectScreen(postalCode).toHaveAttribute('aria-invalid', 'true')
  await residence.fill('andorre')
  await page.keyboard.press('Enter')
  await expectScreen(residence).toHaveValue('Andorre')
  await expectScreen(page.locator('[name=zipCode][aria-invalid=true]')).toHaveCount(0)
  // The narrow column has no room for that word beside the label.
  await expectScreen(postalCode).toHaveAttribute('placeholder', t('ui.optional'))
  // A refused residence is not hidden, and that of a policyholder who stays at home is not refused.
  await residence.fill('portugal')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('funnel.holder.more') }).click()
  await expectScreen(residence).toHaveAttribute('aria-invalid', 'true')
  await page.locator('[name=policyHolderType][value="2"]').check()
  await expectScreen(page.getByText(t('validation.residence'))).toHaveCount(0)
})

test('the shown residence is validated even if the user did not choose it', async () => {
  const page = await openStep2('es-ES', async page => {
    await page.locator('[name=coverageScope]').fill('francia')
    await page.keyboard.press('Enter')
  })
  const residence = page.locator('[name=residenceCountryId]')
  await expectScreen(residence).toHaveValue('España')
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.getByText(t('validation.residence')).waitFor()
  await residence.fill('francia')
  await page.keyboard.press('Enter')
  await expectScreen(page.getByText(t('validation.residence'))).toHaveCount(0)
  await residence.fill('españa')
  await page.keyboard.press('Enter')
  await page.getByText(t('validation.residence')).waitFor()
})

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)
const offerIn = (page: Screen) => page.getByRole('group', { name: t('people.companions.title', { name: 'Ana', count: 2 }) })
const rowNames = (page: Screen): string[] =>
  page
    .locator('input[data-column=name]')
    .now()
    .map(field => ('value' in field ? String(field.value) : ''))

/** Opens step 2 of a sale for these ages, and chooses a policyholder who has travelled with two others. */
async function openKnown(ages: string): Promise<Screen> {
  const eva = { name: 'Eva', middleName: 'García', lastName: 'Gil', birthDate: '2019-03-04' }
  const trip = { startDate: readDate(inDays(60)), endDate: readDate(inDays(67)) }
  await sellAs(await sellerOf(app), { ...trip, users: [{ ...ana, ...reach }, leo, eva], paxNumber: 3 })
  const page = await openScreen(app, '/funnel', 'agent@azahar.example')
  await page.locator('[name=startDate]').fill(inDays(40))
  await page.locator('[name=endDate]').fill(inDays(47))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill(ages)
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.locator('[name=knownClient]').pressSequentially('12345678z')
  await page.getByRole('option', { name: 'Ana García López' }).click()
  await offerIn(page).waitFor()
  return page
}

test('one key adds known companions, and a known document is questioned', async () => {
  const page = await openKnown('36, 8')
  await page.locator('[name="extraTravellers.0.name"]').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => rowNames(page)).toEqual(['Ana', 'Leo', 'Eva'])
  await page.getByText(t('people.companions.added', { count: 2 })).waitFor()
  await expectScreen(page.locator('[name="extraTravellers.0.name"]')).toBeFocused()
  await expectScreen(page.locator('[name="extraTravellers.0.docNumber"]')).toHaveValue('X1234567L')
  await expectScreen(page.locator('[name="extraTravellers.1.birthDate"]')).toHaveValue('04/03/2019')
  await offerIn(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('people.import.undo') }).click()
  await expect.poll(() => rowNames(page)).toEqual(['Ana', ''])
  await offerIn(page).waitFor()
  // A document known under another name is questioned, but not refused.
  const field = (name: string) => page.locator(`[name="extraTravellers.0.${name}"]`)
  await field('name').fill('Nora')
  await field('middleName').fill('Pons')
  await field('docNumber').fill('X1234567L')
  await page.keyboard.press('Tab')
  const hint = page.getByText(t('funnel.known.as', { name: 'Leo García Gil' }))
  await hint.waitFor()
  await field('name').fill('Leo')
  await field('middleName').fill('García')
  await page.keyboard.press('Tab')
  await hint.waitFor({ state: 'detached' })
})

test('a failed search for earlier travellers or policies says so until one succeeds', async () => {
  const page = await openStep2('es-ES')
  const stops = ['/api/people/companions', '/api/policy/insured'].map(path => answer(page, path, () => new Response('{}', { status: 500 })))
  const failed = [page.getByText(t('people.companions.failed')), page.getByText(t('people.insured_failed'))]
  await page.locator('[name=knownClient]').pressSequentially('12345678z')
  await page.getByRole('option', { name: 'Ana García López' }).click()
  for (const each of failed) await each.waitFor()
  for (const stop of stops.toReversed()) stop()
  await page.locator('[name=documentNumber]').fill('X1234567L')
  for (const each of failed) await each.waitFor({ state: 'detached' })
  const logged = page.problems
    .splice(0)
    .toSorted((one, other) => Number(one.includes('same people')) - Number(other.includes('same people')))
  expect(logged).toEqual([expect.stringContaining('companions failed'), expect.stringContaining('same people failed')])
})

const isActive = async (page: Screen, name: RegExp): Promise<boolean> =>
  name.test(await page.locator('[role=option][data-active]').textContent())
