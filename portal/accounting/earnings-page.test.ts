import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addMonths, displayDate, today } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { loseRequests, openScreen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellAs, sellerOf, toSnow } from '#server/policies/testing.ts'
import { giveRoles } from '#server/session/testing.ts'

const [accountant, manager, admin] = ['accounts@azahar.example', 'manager@azahar.example', 'admin@portolan.example']
const question = '¿Por qué es esta la comisión?'

let app: TestApp
let statement: string
beforeAll(async () => {
  app = await testApp()
  await sellAs(await sellerOf(app))
  const seller = await sellerOf(app, manager)
  await sellAs(seller, toSnow(seller))
  // This month is closed on the first of the next one.
  expect((await app.ask('/dev/clock', { body: { at: `${firstOfNext()}T09:00:00Z` } })).status).toBe(200)
  await closeMonths(app.world)
  const { kysely } = app.world.database
  statement = (await kysely.selectFrom('statements').select('number').where('deeds', '>', 0).executeTakeFirstOrThrow()).number
})
afterAll(() => app.stop())

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)
const firstOfNext = (): string => addMonths(`${today(new Date(), 'Europe/Madrid').slice(0, 7)}-01`, 1)

test('a user who sees only own sales sees their earnings, and no statements', async () => {
  const rowsOf = async () => {
    const page = await openScreen(app, '/earnings?period=twelve', manager)
    return { page, rows: page.locator('#main tr[tabindex]') }
  }
  const all = await rowsOf()
  await expectScreen(all.rows).toHaveCount(2)
  await expectScreen(all.page.getByRole('tab', { name: t('accounting.statements') })).toHaveCount(1)
  onTestFinished(() => giveRoles(app, manager, ['manager']))
  await giveRoles(app, manager, ['freelancer'])
  await all.page.reload()
  await expectScreen(all.rows).toHaveCount(1)
  await expectScreen(all.page.getByRole('tab', { name: t('accounting.statements') })).toHaveCount(0)
})

test('one month is a statement: who pays whom, until when, to which account', async () => {
  const sumsOf = (page: Awaited<ReturnType<typeof openScreen>>) => page.getByRole('group', { name: t('accounting.sums') })
  const closed = await openScreen(app, '/earnings?period=previous', accountant)
  const due = sumsOf(closed)
    .locator('dl > div')
    .filter({ hasText: t('accounting.you_pay', { insurer: 'Meridia' }) })
  await due.waitFor()
  await due.getByText(t('accounting.due_on', { date: displayDate(`${firstOfNext().slice(0, 8)}15`) ?? '' })).waitFor()
  await due.getByText(t('accounting.pay_to', { iban: 'ES78 9999 0001 4101 2345 6789', number: statement })).waitFor()
  await expectScreen(closed.locator('#main tr[tabindex] [data-column=taker]').first()).toHaveText('Ana García López')
  await closed.getByRole('link', { name: statement }).press('Enter')
  await closed.locator('[data-panel]').getByRole('heading', { name: statement }).waitFor()
  const open = await openScreen(app, '/earnings', accountant)
  await sumsOf(open).getByText(t('accounting.so_far')).first().waitFor()
  // Several months are sums alone.
  const quarter = await openScreen(app, '/earnings?period=quarter', accountant)
  await quarter.getByText(t('accounting.gross_total'), { exact: true }).waitFor()
  await expectScreen(sumsOf(quarter)).toHaveCount(0)
})

test('an administrator books a payment of an agency, which then owes less', async () => {
  const page = await openScreen(app, '/administration?tab=accounts', admin)
  const row = page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' })
  const owed = await row.locator('td').nth(1).textContent()
  await row.press('Enter')
  const panel = page.getByRole('region', { name: 'Viajes Azahar' })
  await panel.getByRole('button', { name: t('administration.account_payment') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  // The first field has the focus, and the shortcuts of other forms send this one.
  await expectScreen(form.locator('[name=way]')).toBeFocused()
  await form.locator('[name=amount]').fill('')
  await page.keyboard.press('Control+Enter')
  await form.getByText(t('administration.fault.amount')).waitFor()
  await form.locator('[name=amount]').fill('10,5')
  await form.locator('[name=reference]').fill('N43-17')
  await form.locator('[name=reference]').press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await expectScreen(row.locator('td').nth(1)).not.toHaveText(owed)
})

test('a payment is proposed for the open statement, and dated by the service’s clock', async () => {
  const page = await openScreen(app, '/administration?tab=accounts', admin)
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).press('Enter')
  await page
    .getByRole('region', { name: 'Viajes Azahar' })
    .getByRole('button', { name: t('administration.account_payment') })
    .click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  const amount = form.locator('[name=amount]')
  await expectScreen(amount).toHaveValue(/^\d+,\d\d$/)
  await form.getByText(t('administration.account_proposed', { amount: `${await amount.inputValue()} €`, number: statement })).waitFor()
  // The month was closed on the first of the next one, which the browser's clock does not know.
  await expectScreen(form.locator('[name=on]')).toHaveValue(displayDate(firstOfNext()) ?? '')
})

test('a question about a line becomes a request, which the toast opens', async () => {
  const page = await openScreen(app, `/earnings?statement=${statement}`, accountant)
  const line = page.locator('[data-panel]').getByRole('listitem').filter({ has: 'a' }).first()
  const policy = (await line.getByRole('link').textContent()).split(' ').at(-1) ?? ''
  await line.getByRole('button').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('accounting.ask_send') }).click()
  await dialog.getByText(t('validation.missing', { fields: 'su consulta' })).waitFor()
  await dialog.locator('[name=text]').fill(question)
  await dialog.getByRole('button', { name: t('accounting.ask_send') }).click()
  await page.getByRole('button', { name: t('accounting.ask_open'), exact: true }).click()
  await page.waitForURL(/\/customer-service\?ticket=/)
  await page.getByText(question).first().waitFor()
  await page.locator('[data-panel]').getByRole('link', { name: policy }).waitFor()
})

test('a statement that fails to load is loaded again, at its last page of lines', async () => {
  const page = await openScreen(app, '/earnings?tab=statements', accountant)
  const restore = loseRequests(page, '/api/accounting/statements/detail')
  await page.goto(`/earnings?statement=${statement}&lines=9`)
  const panel = page.locator('[data-panel]')
  await panel.getByText(t('accounting.statement_failed')).waitFor()
  restore()
  await panel.getByRole('button', { name: t('shell.try_again') }).click()
  // The requested ninth page of lines lies beyond the last one.
  await expectScreen(panel.getByRole('link')).toHaveCount(2)
  expect(new URL(page.url()).searchParams.get('lines')).toBeNull()
  await panel.getByRole('button', { name: t('ui.close'), exact: true }).click()
  await panel.waitFor({ state: 'detached' })
})
