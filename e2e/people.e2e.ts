import { readFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLetters } from '#common/policies/testing.ts'
import { readTable } from '#portal/funnel/import/read.ts'
import { inProcess } from '#server/kit/testing.ts'
import { ana, leo, reach, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, accessibilityOf, enter, fill, inDays, openPortal, type Portal, toPeople, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// Travellers from an imported list, and the companions of a known policyholder.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const wordsIn = (locale: 'es-ES' | 'fr-FR') => portal.app.world.words(locale)
const fieldOf = ({ page }: User, name: string) => page.locator(`[name="${name}"]`)

/** Opens step 2 of a sale of this product. */
async function openStep2(user: User, code: string): Promise<void> {
  const { page } = user
  const { id } = await portal.app.world.database.asService(tx =>
    tx.selectFrom('products').select('id').where('code', '=', code).executeTakeFirstOrThrow(),
  )
  await enter(user, 'agent@azahar.example', `/funnel?product=${id}`)
  await page.locator('[name=startDate]').fill(inDays(20))
  await page.locator('[name=endDate]').fill(inDays(27))
  await page.locator('[name=mainDestination]').fill('ital')
  await page.keyboard.press('Enter')
  await toPeople(page, { chosen: true })
  await page.waitForURL(/step=2$/)
  await page.locator('[name=name]').waitFor()
}

test('on a phone, the import rejects a bad file and accepts the filled-in template', async () => {
  const user = await portal.newUser({ width: 390, chosen: 'fr-FR' })
  const { page } = user
  const t = wordsIn('fr-FR')
  await openStep2(user, 'GRP')
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
  expect(await accessibilityOf(page), 'the list with what is wrong').toEqual([])
  await column.selectOption('0')
  // Discarding corrections needs a confirmation.
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

  // A second list is appended, up to the product's limit. The policyholder is already in the form.
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

test('on a phone, one press adds a known companion, as a closed card', async () => {
  const eva = { name: 'Eva', middleName: 'García', lastName: 'Gil', birthDate: '2019-03-04' }
  await sellAs(await sellerOf(inProcess(portal.app)), { users: [{ ...ana, ...reach }, leo, eva], paxNumber: 3 })
  const user = await portal.newUser({ width: 390, touch: true })
  const { page } = user
  const t = wordsIn('es-ES')
  const offer = (count: number) => page.getByRole('group', { name: t('people.companions.title', { name: 'Ana', count }) })
  await enter(user, 'agent@azahar.example', '/funnel')
  await fill(page, { startDate: inDays(40), endDate: inDays(47), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await fill(page, { ages: '36, 8' })
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.locator('[name=knownClient]').pressSequentially('12345678z')
  const known = page.getByRole('option', { name: 'Ana García López' })
  // The list shows the full name.
  const label = known.locator('span').first()
  await expect.poll(() => label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await known.click()
  await offer(2).waitFor()
  expect(await accessibilityAtWidths(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: /^Añadir a Leo García Gil/ }).click()
  await page.getByText('01/01/1988 · X1234567L').waitFor()
  await expectPage(page.getByRole('button', { name: t('funnel.extra.add'), exact: true })).toBeFocused()
  await offer(1).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
