import { readFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLetters } from '#common/policies/testing.ts'
import { readTable } from '#portal/funnel/import/read.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, inDays, storedAt, openPortal, type Portal, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Travellers from an imported list, and suggestions of known people.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: 'es-ES' | 'fr-FR') => portal.app.world.words(locale)
const nameOf = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? '')
const fieldOf = ({ page }: User, name: string) => page.locator(`[name="${name}"]`)

async function tabTo(page: Page, what: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    const here = await nameOf(page)
    if (here === what) return
    passed.push(here)
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${what}, but to ${passed.join(', ')}`)
}

/** Opens step 2 of a sale of this product. */
async function openStep2(user: User, locale: 'es-ES' | 'fr-FR', code: string): Promise<void> {
  const { page } = user
  const t = wordsIn(locale)
  const { id } = await portal.app.world.database.asService(tx =>
    tx.selectFrom('products').select('id').where('code', '=', code).executeTakeFirstOrThrow(),
  )
  await enter(user, 'agent@azahar.example', `/funnel?product=${id}`)
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('funnel.next_people') }).click()
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
}

test('pasted rows are checked, corrected in place, imported and undone by keyboard', { tags: 'S4.7' }, async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = wordsIn('es-ES')
  await openStep2(user, 'es-ES', 'ESS')
  await tabTo(page, t('funnel.extra.import'))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: t('people.import.title') }).waitFor()
  // The text has the focus, and the button leads to it while it is empty.
  await page.locator('[name=importCells]:focus').waitFor()
  await tabTo(page, t('people.import.view'))
  await page.keyboard.press('Enter')
  await page.locator('[name=importCells]:focus').waitFor()
  await page.keyboard.insertText(
    'Date de naissance\tNom\tPrénom\tNuméro de document\tSegundo apellido\n15/01/1990\tGarcía\tAna\t12345678A\tLópez\n\n1988-02-03\tPérez\t=Luis\t11111111h\tRuiz\n',
  )
  await tabTo(page, t('people.import.view'))
  await page.keyboard.press('Enter')
  const preview = page.getByRole('dialog', { name: t('people.import.preview') })
  await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  await preview.getByText(t('people.import.differs', { after: 2, before: 1 })).waitFor()
  expect(await accessibilityOf(page), 'the list with what is wrong').toEqual([])

  // Two people are two travellers, the policyholder among them. One press makes them further travellers.
  const firstRow = preview.getByLabel(t('people.import.first_row', { role: 'policyholder', place: 1 }))
  await expectPage(firstRow).toBeChecked()
  await tabTo(page, 'firstRow')
  await page.keyboard.press('Space')
  await preview.getByText(t('people.import.differs', { after: 3, before: 1 })).waitFor()
  await expectPage(fieldOf(user, '2.birthDate')).toHaveValue('03/02/1988')

  // An error stops the import and takes the focus.
  await tabTo(page, t('people.import.take', { count: 2 }))
  await page.keyboard.press('Enter')
  await expectPage(page.locator('[name="1.docNumber"]')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('12345678Z')
  await page.keyboard.press('Tab')
  await preview.getByText(t('people.import.faults', { count: 1 })).waitFor({ state: 'detached' })
  await tabTo(page, t('people.import.take', { count: 2 }))
  await page.keyboard.press('Enter')
  await preview.waitFor({ state: 'detached' })

  await page.getByText(t('people.import.taken', { count: 2 })).waitFor()
  await expectPage(fieldOf(user, 'extraTravellers.0.name')).toHaveValue('Ana')
  await expectPage(fieldOf(user, 'extraTravellers.1.name')).toHaveValue('=Luis')
  const kept = async () => JSON.parse(await storedAt(page, 'funnel')).state
  await expect
    .poll(() => kept().then(({ trip }) => trip))
    .toMatchObject({ travelers: 3, birthDates: [{ date: '' }, { date: '15/01/1990' }, { date: '03/02/1988' }] })
  await expect.poll(() => kept().then(({ people }) => people.extraTravellers)).toHaveLength(2)

  await page.getByRole('button', { name: t('people.import.undo') }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[name="extraTravellers.0.name"]').waitFor({ state: 'detached' })
  await expect.poll(() => kept().then(({ trip }) => trip)).toMatchObject({ travelers: 1 })

  // A list of names and birth dates alone is imported, and its documents are asked in the sheet.
  await page.getByRole('button', { name: t('funnel.extra.import') }).click()
  await page.locator('[name=importCells]:focus').waitFor()
  await page.keyboard.insertText('Nombre y apellidos\tFecha de nacimiento\nAna García López\t15/01/90\nLuis Pérez Ruiz\t03/02/1988\n')
  await page.getByRole('button', { name: t('people.import.view') }).click()
  await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  await expectPage(preview.locator('[aria-invalid=true]')).toHaveCount(0)
  await expectPage(fieldOf(user, '1.birthDate')).toHaveValue('15/01/1990')
  await preview.getByRole('button', { name: t('people.import.take', { count: 2 }) }).click()
  await preview.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  for (const name of ['documentNumber', 'extraTravellers.0.docNumber']) await page.locator(`[name="${name}"][aria-invalid=true]`).waitFor()
  expect(page.url()).toMatch(/step=2$/)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a list of all travellers fills in the policyholder, the trip and the price, and is undone at once', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = wordsIn('es-ES')
  await openStep2(user, 'es-ES', 'ESS')
  const preview = page.getByRole('dialog', { name: t('people.import.preview') })
  const openList = async (list: string) => {
    await page.getByRole('button', { name: t('funnel.extra.import') }).click()
    await page.locator('[name=importCells]').fill(list)
    await page.getByRole('button', { name: t('people.import.view') }).click()
    await preview.getByText(t('people.import.found', { count: 2 })).waitFor()
  }
  const totalOf = () => page.locator('[name=total]').innerText()
  const people =
    'Apellidos y nombre;F. Nac;DNI/NIE;Sexo\n"García López, Ana";15/01/1990;12345678Z;M\n"Pérez Ruiz, Luis";03/02/1988;11111111H;V\n'
  await expect.poll(totalOf).toMatch(/€/)
  const one = await totalOf()
  await openList(people)
  await preview.getByText(t('people.import.shared')).waitFor()
  const price = preview.getByText(t('people.import.price_changes', { from: one, to: '' }).replace(/ [^ ]*$/, ''))
  const promised = await price.innerText()
  await preview.getByRole('button', { name: t('people.import.take', { count: 2 }) }).click()
  await preview.waitFor({ state: 'detached' })
  const filled = { name: 'Ana', middleName: 'García', lastName: 'López', birthDate: '15/01/1990', documentNumber: '12345678Z' }
  for (const [name, value] of Object.entries(filled)) await expectPage(fieldOf(user, name)).toHaveValue(value)
  await expectPage(fieldOf(user, 'extraTravellers.0.name')).toHaveValue('Luis')
  await page.locator('[name="extraTravellers.1.name"]').waitFor({ state: 'detached' })
  const trip = async () => JSON.parse(await storedAt(page, 'funnel')).state.trip
  await expect.poll(trip).toMatchObject({ travelers: 2, birthDates: [{ date: '15/01/1990' }, { date: '03/02/1988' }] })
  await expect.poll(totalOf).not.toBe(one)
  expect(promised).toBe(t('people.import.price_changes', { from: one, to: await totalOf() }))

  // Undone, the policyholder is empty again.
  await page.getByRole('button', { name: t('people.import.undo') }).click()
  await expectPage(fieldOf(user, 'name')).toHaveValue('')
  await expect.poll(trip).toMatchObject({ travelers: 1 })

  // A person who is typed already is found in the list, and what it replaces is named.
  await page.locator('[name=name]').fill('Luis')
  await page.locator('[name=middleName]').fill('Pérez')
  await page.locator('[name=lastName]').fill('Gil')
  await page.locator('[name=documentNumber]').fill('11111111h')
  await openList(people)
  await expectPage(preview.getByLabel(t('people.import.first_row', { role: 'policyholder', place: 2 }))).toBeChecked()
  await preview.getByText(t('people.import.replaces', { values: 'Gil' })).waitFor()
  expect(await accessibilityOf(page), 'what a list replaces').toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone, the import rejects a bad file and takes the filled-in template', async () => {
  const user = await portal.newUser({ width: 390, chosen: 'fr-FR' })
  const { page } = user
  const t = wordsIn('fr-FR')
  await openStep2(user, 'fr-FR', 'GRP')
  await page.getByRole('button', { name: t('funnel.extra.import') }).click()
  const file = page.locator('[name=importFile]')
  const upload = (name: string, content: Uint8Array | string) =>
    file.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await upload('photo.xlsx', '\u0089PNG\r\n\u001a\n\u0000')
  await page.getByText(t('people.import.fault.other_kind')).waitFor()
  expect(await accessibilityOf(page), 'a list that is refused').toEqual([])

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('people.import.template') }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${t('people.import.file_name')}.xlsx`)
  // Safe: a template has only texts.
  const [header = []] = (await readTable(await readFile(await download.path()))) as string[][]
  const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
  const people = Array.from({ length: 198 }, (_, index) => {
    const number = 20_000_000 + index
    return [`Prénom ${inLetters(index)}`, 'Durand', 'Petit', new Date(Date.UTC(1980, 0, 1 + index)), `${number}${letters[number % 23]}`]
  })
  const columns = header.map((_, index) => (index === 3 ? { numFmt: 'dd/mm/yyyy' } : {}))
  await upload('liste.xlsx', await writeXlsx({ sheets: [{ name: 'a', rows: [header, ...people], columns }] }))
  const preview = page.getByRole('dialog', { name: t('people.import.preview') })
  await preview.getByText(t('people.import.found', { count: 198 })).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectPage(fieldOf(user, '1.birthDate')).toHaveValue('01/01/1980')

  // The column of a field can be changed and changed back.
  const column = preview.getByLabel(t('funnel.name'), { exact: true }).first()
  await column.selectOption('-1')
  await preview.getByText(t('people.import.faults', { count: 198 })).waitFor()
  await column.selectOption('0')
  // Discarding corrections asks first.
  await page.locator('[name="2.name"]').fill('Zoé')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('ui.cancel') })
    .click()
  await preview.getByRole('button', { name: t('people.import.take', { count: 198 }) }).click()
  await preview.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Zoé', exact: false }).first().click()
  await expectPage(fieldOf(user, 'extraTravellers.0.name')).toHaveValue('Zoé')

  // A second list is appended, up to the product's limit. The policyholder is in the form by now.
  await page.getByRole('button', { name: t('funnel.extra.import') }).click()
  await upload('encore.csv', 'Nom;Prénom\nMartin;Léa\nMartin;Noé\nMartin;Zoé\n')
  await preview.getByText(t('people.import.too_many', { travellers: 201, most: 200 })).waitFor()
  await preview.getByText(t('people.import.instead')).click()
  await preview.getByText(t('people.import.too_many', { travellers: 201, most: 200 })).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await preview.waitFor({ state: 'detached' })
  await expectPage(fieldOf(user, 'extraTravellers.0.name')).toHaveValue('Zoé')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('suggested people are chosen by keyboard and never overwrite typed input', async () => {
  const user = await portal.newUser()
  const { page } = user
  await sellAs(await sellerOf(inProcess(portal.app)))
  await openStep2(user, 'es-ES', 'ESS')
  const options = page.locator('[role=option]')

  // Typed text stays: Tab leaves without choosing, Escape closes the list.
  await tabTo(page, 'documentNumber')
  await page.keyboard.type('12345678z')
  await options.first().waitFor()
  expect(await accessibilityOf(page), 'people on offer').toEqual([])
  await expectPage(page.locator('[name=documentNumber]')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await expectPage(fieldOf(user, 'documentNumber')).toHaveValue('12345678z')
  await page.locator('[name=documentNumber]').fill('12345678')
  await page.keyboard.type('Z')
  await options.first().waitFor()
  await page.keyboard.press('Tab')
  await options.first().waitFor({ state: 'detached' })
  await expectPage(fieldOf(user, 'documentNumber')).toHaveValue('12345678Z')
  await expectPage(fieldOf(user, 'name')).toHaveValue('')

  // Suggestions that arrive after the focus has moved on are dropped.
  const focusMoved = Promise.withResolvers<void>()
  await page.route(/\/api\/people/, async route => {
    await focusMoved.promise
    await route.continue()
  })
  const request = page.waitForRequest(/\/api\/people/)
  await page.locator('[name=documentNumber]').fill('12345678z')
  const response = (await request).response()
  await page.keyboard.press('Tab')
  focusMoved.resolve()
  await (await response)?.finished()
  await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
  await expectPage(options).toHaveCount(0)

  // A suggestion does not overwrite a typed telephone number.
  await page.locator('[name=phoneNumber]').fill('699999999')
  await page.locator('[name=middleName]').focus()
  await page.keyboard.type('garc')
  await page.getByRole('option', { name: /Ana García López/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  for (let moves = 0; moves < 8 && !(await isActive(page, /Ana García López/)); moves++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expectPage(fieldOf(user, 'documentNumber')).toHaveValue('12345678Z')
  const filled = {
    name: 'Ana',
    middleName: 'García',
    lastName: 'López',
    birthDate: '05/05/1990',
    email: 'ana@example.es',
    zipCode: '28001',
  }
  for (const [name, value] of Object.entries(filled)) await expectPage(fieldOf(user, name)).toHaveValue(value)
  await expectPage(fieldOf(user, 'phoneNumber')).toHaveValue('699999999')
  expect(page.url()).toMatch(/step=2$/)

  const t = wordsIn('es-ES')
  await page.getByRole('button', { name: t('funnel.extra.add'), exact: true }).click()
  await page.locator('[name="extraTravellers.0.docNumber"]').fill('x1234567l')
  await page.getByRole('option', { name: /Leo García Gil/ }).click()
  await expectPage(fieldOf(user, 'extraTravellers.0.name')).toHaveValue('Leo')
  await expectPage(fieldOf(user, 'extraTravellers.0.birthDate')).toHaveValue('01/01/1988')

  // Removing travellers keeps the focus.
  const add = page.getByRole('button', { name: t('funnel.extra.add'), exact: true })
  await add.click()
  const removeSecond = page.getByRole('button', { name: t('funnel.extra.remove', { place: 2 }) })
  await removeSecond.press('Enter')
  await expectPage(removeSecond).toBeFocused()
  await removeSecond.press('Enter')
  await expectPage(add).toBeFocused()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('Enter takes the only person of a number, Tab one led to by an arrow, and no name is replaced', async () => {
  const user = await portal.newUser({ chosen: 'fr-FR' })
  const { page } = user
  const t = wordsIn('fr-FR')
  await sellAs(await sellerOf(inProcess(portal.app)))
  await openStep2(user, 'fr-FR', 'ESS')
  const options = page.locator('[role=option]')
  const number = page.locator('[name=documentNumber]')
  const active = page.locator('[role=option][data-active]')

  // A name beside the number stays: without an arrow Enter goes to the next row.
  await page.locator('[name=name]').fill('Zoé')
  await number.focus()
  await page.keyboard.type('12345678z')
  await options.first().waitFor()
  await expectPage(active).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expectPage(fieldOf(user, 'name')).toHaveValue('Zoé')
  await page.locator('[name=name]').fill('')
  // Only a whole number finds someone.
  await number.fill('12345678')
  await number.focus()
  await expectPage(options).toHaveCount(0)
  await page.keyboard.type('z')
  await active.waitFor()
  // The list shows a whole name, and says the keys.
  const label = active.locator('span').first()
  await expect.poll(() => label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expectPage(page.locator('[popover] p', { hasText: t('funnel.known.take') })).toContainText('↵', { useInnerText: true })
  await page.keyboard.press('Enter')
  await expectPage(fieldOf(user, 'documentNumber')).toHaveValue('12345678Z')
  await expectPage(fieldOf(user, 'name')).toHaveValue('Ana')

  // A list of its own search takes the only one, too, whatever stands in the row.
  await page.locator('[name=name]').fill('Zoé')
  await page.locator('[name=knownClient]').fill('ana garc')
  await active.waitFor()
  await page.keyboard.press('Enter')
  await expectPage(fieldOf(user, 'name')).toHaveValue('Ana')

  await page.locator('[name=name]').fill('Zoé')
  await number.fill('12345678z')
  await options.first().waitFor()
  await options.first().hover()
  await active.waitFor()
  await page.keyboard.press('Tab')
  await options.first().waitFor({ state: 'detached' })
  await expectPage(fieldOf(user, 'name')).toHaveValue('Zoé')
  await expectPage(number).toHaveValue('12345678z')
  await number.fill('12345678')
  await number.focus()
  await page.keyboard.type('Z')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expectPage(fieldOf(user, 'name')).toHaveValue('Ana')
  await expectPage(number).not.toBeFocused()

  // An identity document is named as in the country where the policyholder lives.
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
    await expectPage(labelled).toHaveAttribute('name', 'documentNumber')
  }
  expect(user.problems).toEqual([])
  await user.stop()
})

const isActive = (page: Page, name: RegExp) =>
  page
    .locator('[role=option][data-active]')
    .innerText()
    .then(text => name.test(text.replaceAll('\n', ' ')))
