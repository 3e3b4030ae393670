import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMonths, today } from '#common/kit/dates.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, type User, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
let user: User
let page: Page
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())
beforeEach(async () => {
  const { kysely } = portal.app.world.database
  for (const table of ['report_schedules', 'reports'] as const) await kysely.deleteFrom(table).execute()
  await sellAs(await sellerOf(inProcess(portal.app)))
  user = await portal.newUser({ chosen: 'es-ES' })
  ;({ page } = user)
  await enter(user, 'accounts@azahar.example', '/earnings?tab=reports')
})
afterEach(() => user.stop())

type Mail = { to: string; text: string; attachments: object[] }

const t = wordsOf(() => portal, 'es-ES')
const button = (id: PlainMessageId) => page.getByRole('button', { name: t(id), exact: true })

/** Returns the month of the business clock, which one test advances. */
const thisMonth = (): string => today(portal.app.world.clock.now(), 'Europe/Madrid').slice(0, 7)

/** Downloads the file of the newest report, and returns its text. */
async function downloaded(): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Descargar / })
    .first()
    .click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('an accountant runs a report, downloads it, and saves its choice', async () => {
  await page.getByRole('combobox', { name: t('reports.format'), exact: true }).selectOption('csv')
  await page.getByRole('checkbox', { name: t('accounting.by_product') }).check()
  await button('reports.run').click()
  const month = thisMonth()
  const { name, text } = await downloaded()
  expect(name).toMatch(new RegExp(`^Ventas ${month}-01 ${month}-\\d\\d\\.csv$`))
  expect(text.split('\r\n')[1]).toMatch(new RegExp(`^${month};Viaje Esencial;\\d;\\d+,\\d\\d;`))
  await button('reports.save_as').click()
  await page.getByRole('textbox', { name: t('reports.name') }).fill('Por producto')
  await page.getByRole('textbox', { name: t('reports.name') }).press('Enter')
  const saved = page.getByRole('combobox', { name: t('reports.saved') })
  await expectPage(saved.locator('option:checked')).toHaveText('Por producto')
  await page.getByRole('checkbox', { name: t('accounting.by_product') }).uncheck()
  await saved.selectOption({ label: 'Por producto' })
  await expectPage(page.getByRole('checkbox', { name: t('accounting.by_product') })).toBeChecked()
})

test('a report is filtered like the figures, and its schedule deleted after a question', async () => {
  await page.getByRole('tab', { name: t('accounting.by_way') }).click()
  await page.getByRole('button', { name: t('accounting.way', { way: 'account' }), exact: true }).click()
  await page
    .getByText(t('reports.narrowed', { by: 'way' }))
    .first()
    .waitFor()
  await button('reports.run').click()
  const { kysely } = portal.app.world.database
  const newest = () => kysely.selectFrom('reports').select('choice').orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow()
  await expect.poll(newest).toMatchObject({ choice: { filters: { way: 'account' } } })
  await button('reports.schedule').click()
  const dialog = page.getByRole('dialog', { name: t('reports.schedule_new') })
  const only = dialog.getByRole('checkbox', { name: t('reports.narrowed', { by: 'way' }) })
  await expectPage(only).toBeChecked()
  await only.uncheck()
  const { name } = await kysely.selectFrom('users').select('name').where('email', '=', 'accounts@azahar.example').executeTakeFirstOrThrow()
  await dialog.getByRole('checkbox', { name }).check()
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await kysely.selectFrom('report_schedules').select('choice').executeTakeFirstOrThrow()).choice.filters).toEqual({})
  await page.getByRole('button', { name: /^Eliminar: / }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.getByText(t('reports.no_schedules')).waitFor()
})

test('a report scheduled by keyboard is emailed as a link, which opens it', async () => {
  await page.getByRole('combobox', { name: t('reports.format'), exact: true }).selectOption('csv')
  await page.getByRole('checkbox', { name: t('accounting.by_product') }).press('Space')
  await button('reports.schedule').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('reports.schedule_new') })
  await dialog.getByRole('button', { name: t('ui.save') }).press('Enter')
  // The first of the recipients has the focus.
  const recipients = dialog.getByRole('group', { name: t('reports.to') })
  await recipients.getByText(t('reports.no_recipient')).waitFor()
  await recipients.locator('input:focus').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  const { kysely } = portal.app.world.database
  const { name } = await kysely.selectFrom('users').select('name').where('email', '=', 'accounts@azahar.example').executeTakeFirstOrThrow()
  await dialog.getByRole('checkbox', { name }).press('Space')
  await dialog.getByRole('combobox', { name: t('reports.month_day') }).selectOption('1')
  await dialog.getByRole('button', { name: t('ui.save') }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByText(t('reports.monthly_at', { day: '1', hour: '07:00' }))
    .first()
    .waitFor()
  const next = addMonths(`${thisMonth()}-01`, 1)
  const reply = await inProcess(portal.app).ask('/dev/clock', { body: { at: `${next}T09:00:00Z` } })
  expect(reply.status).toBe(200)
  // Safe: the demo's mailbox responds in this format.
  const mails = async () => (await (await page.request.get('/dev/mail.json')).json()) as Mail[]
  const mail = async () => (await mails()).find(({ text }) => text.includes('tab=reports'))
  await expect.poll(mail, { timeout: 20_000 }).toMatchObject({ to: 'accounts@azahar.example', attachments: [] })
  const path = /\/earnings\?\S+/.exec((await mail())?.text ?? '')?.[0] ?? ''
  await page.goto(path)
  await page.getByText(t('reports.linked')).waitFor()
  const { text } = await downloaded()
  expect(text.split('\r\n')[1]).toMatch(/^\d{4}-\d\d;Viaje Esencial;\d;/)
  await page.goto(`/earnings?tab=reports&report=${crypto.randomUUID()}`)
  await page.getByText(t('reports.gone')).waitFor()
  expect(user.problems).toEqual([])
})
