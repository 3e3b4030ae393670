import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityOf, enter, fill, inDays, openPortal, type Portal, rowNames, toPeople, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

// The travellers of step 2 as a sheet, and as cards on a phone.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')

async function openSheet(page: Page, ages: string): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await fill(page, { ages })
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.locator('[name=zipCode]').waitFor()
}

/** Pastes cells as a spreadsheet copies them. */
const paste = (page: Page, cells: string) =>
  page.evaluate(text => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, cells)

test('Tab moves from cell to cell, Enter to the next row, and Ctrl+D copies from above', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await openSheet(page, '41 43 9')
  const cell = page.getByLabel(t('funnel.sheet.cell', { label: t('funnel.name'), place: 3 }))
  await expectPage(cell).toHaveAttribute('name', 'extraTravellers.1.name')
  await page.locator('[name=phoneNumber]').focus()
  for (const name of ['name', 'middleName', 'lastName', 'birthDate', 'documentKind', 'documentNumber', 'extraTravellers.0.name']) {
    await page.keyboard.press('Tab')
    await page.locator(`[name="${name}"]:focus`).waitFor()
  }
  // Enter goes back to the column in which the row was begun.
  await page.locator('[name=middleName]').focus()
  await page.keyboard.type('Soler')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('[name="extraTravellers.0.middleName"]')).toBeFocused()
  await page.keyboard.press('Control+d')
  await expectPage(page.locator('[name="extraTravellers.0.middleName"]')).toHaveValue('Soler')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('[name="extraTravellers.1.middleName"]')).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expectPage(page.locator('[name="extraTravellers.0.middleName"]')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: t('funnel.next_payment') })
    .and(page.locator(':focus'))
    .waitFor()
  // A row moves with its focus.
  await fill(page, { 'extraTravellers.0.name': 'Ana', 'extraTravellers.1.name': 'Eva' })
  await page.locator('[name="extraTravellers.1.name"]').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expectPage(page.locator('[name="extraTravellers.0.name"]')).toBeFocused()
  await expect.poll(() => rowNames(page)).toEqual(['', 'Eva', 'Ana'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('rows of a spreadsheet are pasted into a cell, and undone', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await openSheet(page, '41 43')
  await page.locator('[name=name]').focus()
  await paste(page, 'Ana\tGarcía\tLópez\t15/01/1990\t12345678Z\nLuis\tPérez\tRuiz\t03/02/1988\t11111111H\nEva\tGil\tRuiz\t01/06/2019\t\n')
  await expect.poll(() => rowNames(page)).toEqual(['Ana', 'Luis', 'Eva'])
  await expectPage(page.locator('[name="name"]')).toBeFocused()
  await expectPage(page.locator('[name="documentNumber"]')).toHaveValue('12345678Z')
  await expectPage(page.locator('[name="extraTravellers.0.birthDate"]')).toHaveValue('03/02/1988')
  await page.locator('[name="extraTravellers.0.middleName"]').focus()
  await paste(page, 'Vidal\nVila')
  await expectPage(page.locator('[name="extraTravellers.1.middleName"]')).toHaveValue('Vila')
  await expect.poll(() => rowNames(page)).toEqual(['Ana', 'Luis', 'Eva'])
  await page.getByRole('button', { name: t('people.import.undo') }).click()
  await expectPage(page.locator('[name="extraTravellers.1.middleName"]')).toHaveValue('Gil')
  // A text that is not a date stays in its cell, and the row reports it until it is edited.
  await page.locator('[name="extraTravellers.0.middleName"]').focus()
  await paste(page, 'Vidal\tVila\t31/02/1988\t11111111H\tvegano')
  const row = page.locator('[data-place="1"]')
  await row.getByText(t('people.paste.no_date', { text: '31/02/1988' })).waitFor()
  await row.getByText(t('people.paste.unused', { texts: 'vegano' })).waitFor()
  await expectPage(page.locator('[name="extraTravellers.0.birthDate"]')).toHaveValue('31/02/1988')
  expect(await accessibilityOf(page)).toEqual([])
  await fill(page, { 'extraTravellers.0.birthDate': '03/02/1988' })
  await row.getByText(t('people.paste.unused', { texts: 'vegano' })).waitFor({ state: 'detached' })
  // At the product’s limit the button that adds a traveller is still reachable and says why.
  await page.locator('[name=name]').focus()
  await paste(page, ['Ana', 'Eva', 'Leo', 'Luz', 'Mar', 'Noa', 'Pau', 'Sol', 'Zoe'].join('\n'))
  await expect.poll(() => rowNames(page)).toHaveLength(9)
  const add = page.getByRole('button', { name: t('funnel.extra.add'), exact: true })
  await expectPage(add).toHaveAttribute('aria-disabled', 'true')
  await add.press('Enter')
  await page.getByText(t('refusal.quote.pax', { min: 1, max: 9, given: 10 })).waitFor()
  await expect.poll(() => rowNames(page)).toHaveLength(9)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('every wrong pasted cell counts, and a wrong birth date leaves the trip complete', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await openSheet(page, '41 43 9')
  await fill(page, { zipCode: '46003' })
  await expectPage(page.locator('[name="city"]')).toHaveValue('València')
  await page.locator('[name=name]').focus()
  await paste(page, 'Ana\tGarcía\tLópez\t31/02/90\t12345678A\nLuis\tPérez\tRuiz\t03/02/88\t11111111A\n150392\tGil\tRuiz\t31/02/2019\t\n')
  await page.getByRole('button', { name: t('funnel.mend', { count: 5 }) }).waitFor()
  await expectPage(page.locator('[name="extraTravellers.0.birthDate"]')).toHaveValue('03/02/1988')
  await page.locator('[data-foot] output').filter({ hasText: '–' }).waitFor()
  await expectPage(page.getByText(t('funnel.no_price_yet'))).toHaveCount(0)
  await page.getByText(t('validation.personName')).waitFor()
  await expectPage(page.locator('[data-place="0"] [data-wrong]')).toHaveCount(2)
  await fill(page, { birthDate: '28/02/90', 'extraTravellers.1.birthDate': '28/02/2019' })
  await page.locator('[name=address]').focus()
  await page.getByRole('button', { name: t('funnel.mend', { count: 3 }) }).waitFor()
  await page.locator('[data-foot] output').filter({ hasText: '€' }).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

const family = [
  ['Marcos', 'Ferrando', 'Ibáñez', '03/05/1984', '12345678Z'],
  ['Elena', 'Soler', 'Pastor', '21/09/1986', '11111111H'],
  ['Pau', 'Ferrando', 'Soler', '14/02/2016', '48213907K'],
  ['Júlia', 'Ferrando', 'Soler', '30/06/2017', ''],
  ['Nil', 'Ferrando', 'Soler', '11/10/2022', ''],
]

test('five travellers fit the screen, and a wrong cell is explained below its row', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await openSheet(page, '42 40 10 9 4')
  await fill(page, { zipCode: '46003' })
  await expectPage(page.locator('[name="city"]')).toHaveValue('València')
  await fill(page, { address: 'Calle de la Paz 31, 4.º B', email: 'marcos@mail.example', phoneNumber: '612345678' })
  await page.locator('[name=name]').focus()
  await paste(page, family.map(row => row.join('\t')).join('\n'))
  await expect.poll(() => rowNames(page)).toEqual(family.map(([name]) => name))
  await page.locator('[name="extraTravellers.1.docNumber"]').focus()
  await page.keyboard.press('Tab')
  const wrong = page.locator('[name="extraTravellers.1.docNumber"][aria-invalid=true]')
  await wrong.waitFor()
  const message = page.locator(`[id="${await wrong.getAttribute('aria-describedby')}"]`)
  await message.getByText(t('funnel.sheet.under_14')).waitFor()
  await page.getByText(t('funnel.lastName_none')).waitFor()
  await expectPage(page.locator('[data-place="2"]').getByText(t('funnel.sheet.under_14'))).toHaveCount(1)
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.locator('[data-foot] output').filter({ hasText: '€' }).waitFor()
    const scroll = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    expect(scroll, `${width} × ${height}`).toBeLessThanOrEqual(0)
  }
  expect(await accessibilityOf(page)).toEqual([])
  // The count in the footer focuses the wrong cell.
  await page.locator('[name=address]').focus()
  await page.getByRole('button', { name: t('funnel.mend', { count: 1 }) }).click()
  await expectPage(page.locator('[name="extraTravellers.1.docNumber"]')).toBeFocused()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone one traveller at a time has fields, none covered by the footer', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await openSheet(page, '42 40 10')
  await fill(page, { name: 'Marcos', middleName: 'Ferrando', lastName: 'Ibáñez', birthDate: '03/05/1984', documentNumber: '12345678Z' })
  await page.locator('[data-place="2"] button').click()
  await page.locator('[name="extraTravellers.1.name"]:focus').waitFor()
  await expectPage(page.locator('[name=name]')).toHaveCount(0)
  await page.getByText('03/05/1984 · 12345678Z').waitFor()
  await page.getByText(t('funnel.lastName_none')).waitFor()
  // A child needs no document, so the closed card does not ask for one.
  await fill(page, { 'extraTravellers.1.birthDate': '14/02/2020' })
  await page.locator('[name="extraTravellers.1.docNumber"]:not([required])').waitFor()
  await page.locator('[data-place="1"] button').click()
  await page.locator('[name="extraTravellers.0.name"]:focus').waitFor()
  await expectPage(page.locator('[data-place="2"] button')).not.toContainText(t('funnel.sheet.no_document'))
  await fill(page, { 'extraTravellers.0.birthDate': '14/02/1990' })
  await page.locator('[data-place="2"] button').click()
  await page
    .locator('[data-place="1"]')
    .getByText(`14/02/1990 · ${t('funnel.sheet.no_document')}`)
    .waitFor()
  await page.locator('[name="extraTravellers.1.docNumber"]').focus()
  const [field, foot] = [page.locator('[name="extraTravellers.1.docNumber"]'), page.locator('[data-foot]')]
  const boxes = await Promise.all([field.boundingBox(), foot.boundingBox()])
  expect((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0)).toBeLessThanOrEqual(boxes[1]?.y ?? 0)
  // The price, its note and the button are one line, and the progress shows three steps.
  expect(boxes[1]?.height).toBeLessThan(80)
  for (const step of ['funnel.step1', 'funnel.step2', 'funnel.step3'] as const)
    expect(
      (
        await page
          .getByRole('navigation', { name: t('funnel.steps') })
          .getByText(t(step), { exact: true })
          .boundingBox()
      )?.width,
    ).toBeGreaterThan(20)
  // A closed incomplete card is opened.
  await fill(page, { zipCode: '46003', address: 'Calle de la Paz 31', email: 'marcos@mail.example', phoneNumber: '612345678' })
  await expectPage(page.locator('[name="city"]')).toHaveValue('València')
  await page.getByRole('button', { name: t('funnel.next_payment') }).click()
  await page.locator('[name="extraTravellers.0.name"]:focus').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems).toEqual([])
  await user.stop()
})
