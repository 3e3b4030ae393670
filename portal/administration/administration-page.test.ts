import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { camt, camtDetails, camtEntry } from '#common/accounting/bank/testing.ts'
import { addDays } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { openScreen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { isChecked } from '#portal/screen/testing-locator.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { holdJobs } from '#server/kit/work/jobs.ts'
import { leo, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { xenia } from '#server/privacy/testing.ts'

const admin = 'admin@portolan.example'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)

test('the second surname of a new unit follows its country', async () => {
  const page = await openScreen(app, '/administration', admin)
  await page.getByRole('button', { name: t('administration.new_unit') }).click()
  const made = page.getByRole('dialog', { name: t('administration.new_unit') })
  const asks = made.getByRole('switch', { name: t('administration.second_last_name') })
  await expectScreen(asks).toBeChecked()
  for (const [country, isAsked] of [
    ['Francia', false],
    ['Portugal', true],
  ] as const) {
    await made.locator('[name=country]').fill(country)
    await page.keyboard.press('Enter')
    await (isAsked ? expectScreen(asks) : expectScreen(asks).not).toBeChecked()
  }
})

test('a record opens beside its list, and typed text is not lost to another row', async () => {
  const page = await openScreen(app, '/administration?tab=users', admin)
  const rows = page.locator('#main tbody tr[tabindex]')
  const panel = page.locator('[data-panel]')
  const name = panel.locator('[name=name]')
  await rows.first().click()
  await panel.getByRole('heading', { level: 2 }).waitFor()
  await expectScreen(page.locator('dialog[open]')).toHaveCount(0)
  await expectScreen(rows.first()).toHaveAttribute('aria-current', 'true')
  await rows.first().press('j')
  await expectScreen(rows.nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await rows.first().click()
  await name.fill('Otro Nombre')
  await rows.nth(1).click()
  await page
    .getByRole('alertdialog', { name: t('panel.unsaved.title') })
    .getByRole('button', { name: t('ui.cancel') })
    .click()
  await expectScreen(name).toHaveValue('Otro Nombre')
  await rows.nth(1).click()
  await page.getByRole('button', { name: t('panel.unsaved.leave') }).click()
  await expectScreen(rows.nth(1)).toHaveAttribute('aria-current', 'true')
  await expectScreen(name).toHaveValue(/./)
  await expectScreen(name).not.toHaveValue('Otro Nombre')
})

test('an admin releases the jobs of a restored copy and retries all failed ones', async () => {
  const { database } = app.world
  const [many, few] = [120, 3]
  const failedOf = async (key: string) => {
    const { rows } = await database.asService(tx =>
      sql<{
        id: string
        failed: number
      }>`select id, (select count(*)::int from jobs where business_unit_id = u.id and state = 'failed') failed
        from business_units u where key = ${key}`.execute(tx),
    )
    return rows[0]
  }
  await database.asService(async tx => {
    await holdJobs(tx)
    await sql`insert into jobs (business_unit_id, id, topic, subscriber, payload, state, run_at, created_at, finished_at, last_error)
      select id, gen_random_uuid(), 'test.news', 'test.news', '{}', 'failed', now(), now(), now(), 'no answer'
      from business_units, generate_series(1, case key when 'azahar' then ${many}::int else ${few}::int end) where key in ('azahar', 'rotta')`.execute(
      tx,
    )
  })
  const page = await openScreen(app, '/administration', admin)
  const question = page.getByRole('alertdialog')
  // Every tab shows the banner. The first release is cancelled by the user.
  const banner = page.getByRole('status').filter({ hasText: t('administration.held', { count: 0 }) })
  for (const tab of ['units', 'users', 'audit', 'payments', 'catalogue', 'work'] as const) {
    const shown = page.getByRole('tab', { name: t(`administration.${tab}`) }).first()
    await shown.click()
    await expectScreen(shown).toHaveAttribute('aria-selected', 'true')
    await banner.waitFor()
  }
  await page.goto(`/administration?tab=work&work=jobs&unit=${(await failedOf('azahar'))?.id}`)
  await banner.getByRole('button', { name: t('administration.release') }).click()
  await question.getByRole('button', { name: t('ui.cancel') }).click()
  await banner.getByRole('button', { name: t('administration.release') }).click()
  await question.getByRole('button', { name: t('administration.release') }).click()
  await page.getByText(t('administration.released')).waitFor()
  await banner.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: t('administration.retry_all', { count: many }) }).click()
  await question.getByText(t('administration.retry_all_hint', { count: many })).waitFor()
  await question.getByRole('button', { name: t('administration.retry') }).click()
  await page.getByText(t('administration.retried', { count: many })).waitFor()
  await page.getByText(t('administration.no_jobs'), { exact: true }).waitFor()
  expect((await failedOf('rotta'))?.failed).toBe(few)
})

test('facts are corrected, and a refusal by the rules is shown at its field', async () => {
  const seller = await sellerOf(app)
  const { policyUuid } = (await sellAs(seller, { users: [{ ...xenia, birthDate: '1952-04-10' }, leo] })).body.data.policyData
  const page = await openScreen(app, '/administration?tab=privacy', admin)
  await page.getByLabel(t('privacy.document')).fill(xenia.docNumber)
  await page.getByLabel(t('privacy.birth_date'), { exact: true }).fill('10/04/1952')
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Xenia Quintanilla Zubizarreta' })
    .getByRole('button', { name: t('privacy.rectify') })
    .click()
  const dialog = page.getByRole('dialog', { name: t('privacy.rectify') })
  const fact = (name: string) => dialog.getByLabel(t('privacy.fact', { fact: name }), { exact: true })
  const send = dialog.getByRole('button', { name: t('privacy.rectify_preview') })
  // The current values are shown beside the fields.
  await dialog.getByText(t('privacy.fact_now', { value: xenia.address })).waitFor()
  await dialog.getByLabel(t('administration.reason')).fill('Lo pide por carta')
  await send.click()
  await dialog.getByText(t('privacy.rectify_nothing')).waitFor()
  await fact('name').fill('Yolanda')
  await fact('docNumber').fill('00000000T')
  await send.click()
  await dialog.getByText(t('privacy.other_person')).first().waitFor()

  await expectScreen(fact('docNumber')).toHaveAttribute('aria-invalid', 'true')
  await fact('name').fill('')
  await fact('docNumber').fill('')
  await fact('address').fill('Calle Nueva 1')
  // Being younger than 70, she pays less. The preview shows where the money goes before anything is done, and so does the result.
  await dialog.getByLabel(t('privacy.birth_date'), { exact: true }).fill('10/04/1998')
  await send.click()
  const less = dialog.getByText(t('privacy.moves', { way: 'less', amount: '@' }).split('@')[0]?.trim() ?? '')
  await less.waitFor()
  await dialog.getByText(t('privacy.moves_back', { way: 'account', amount: '' }).trim()).waitFor()
  await dialog.getByRole('button', { name: t('privacy.rectify_back') }).click()
  await expectScreen(fact('address')).toHaveValue('Calle Nueva 1')
  await send.click()
  // A colleague extends the trip meanwhile: nothing is done, the new figures are shown, and must be confirmed.
  const shown = await less.textContent()
  await lengthen(seller, policyUuid)
  const confirm = dialog.getByRole('button', { name: t('privacy.rectify_send') })
  await confirm.click()
  await dialog.getByText(t('refusal.privacy.preview_changed')).waitFor()
  await expectScreen(less).not.toHaveText(shown)
  await confirm.click()
  await less.waitFor()
  await dialog.getByText(t('privacy.outcome', { outcome: 'mended' })).waitFor()
  await dialog
    .getByRole('button', { name: t('ui.close') })
    .last()
    .click()
  const { rows } = await app.world.database.pool.query(`select distinct version from policy_people where address = 'Calle Nueva 1'`)
  expect(rows).toEqual([{ version: 3 }])
})

/** Extends the trip of a policy, as the change desk does. */
async function lengthen(seller: Seller, policyUuid: string): Promise<void> {
  const ask = async (path: string, body: object) =>
    (await app.ask(`/api/policy/change${path}`, { body, headers: seller.headers })).body.data
  const { policy } = await ask('/terms', { policyUuid })
  const users = policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
  const change = { endDate: addDays(policy.trip.endDate, 20), users }
  const asked = { policyUuid, version: policy.version, change, settle: { paymentGatewayUUID: seller.gateway('Deferred') } }
  const { difference } = await ask('', { ...asked, expectedDifference: 0 })
  await ask('', { ...asked, expectedDifference: difference.total })
}

test('unlikely payments need confirmation; bookings are listed and reversed once', async () => {
  await sellAs(await sellerOf(app))
  const page = await openScreen(app, '/administration?tab=accounts', admin)
  const row = page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' })
  const owed = Number((await row.locator('td').nth(1).textContent()).replace(',', '.').replaceAll(/[^\d.]/g, ''))
  await row.click()
  const panel = page.getByRole('region', { name: 'Viajes Azahar' })
  const list = panel.getByRole('region', { name: t('administration.bookings') })
  const reference = 'N43-1'
  const book = async (amount: number) => {
    await panel.getByRole('button', { name: t('administration.account_payment') }).click()
    const form = page.getByRole('dialog', { name: t('administration.account_payment') })
    await form.getByLabel(t('administration.account_amount')).fill(amount.toFixed(2).replace('.', ','))
    await form.getByLabel(t('administration.account_reference')).fill(reference)
    await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  }
  await book(5.39)
  await list.getByText(reference).waitFor()
  // The same payment again: the service asks, and going back books nothing.
  await book(5.39)
  const again = page.getByRole('alertdialog', { name: t('administration.account_again_title') })
  await again.getByText(`referencia ${reference}`).waitFor()
  await again.getByRole('button', { name: t('administration.account_change') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  await expectScreen(form.getByLabel(t('administration.account_reference'))).toHaveValue(reference)
  await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  await again.getByRole('button', { name: t('administration.account_again_button') }).click()
  await expectScreen(list.getByText(reference)).toHaveCount(2)
  // More than the agency owes: shows the balance before and after, and that it is a credit.
  await book(owed + 10)
  const beyond = page.getByRole('alertdialog', { name: t('administration.account_beyond_title') })
  await beyond.getByText(t('administration.account_after', { of: 'account' })).waitFor()
  await expectScreen(beyond).toContainText('saldo a favor')
  await beyond.getByRole('button', { name: t('administration.account_beyond_button') }).click()
  await expectScreen(list.getByText(reference)).toHaveCount(3)
  // All of them are reversed, newest first, each once.
  for (const left of [2, 1, 0]) {
    const buttons = list.getByRole('button', { name: 'Revertir el asiento' })
    await buttons.first().press('Enter')
    const reversing = page.getByRole('dialog', { name: t('administration.booking_reverse_title') })
    await reversing.getByLabel(t('administration.reason')).fill('Era de otra agencia')
    await reversing.getByRole('button', { name: t('administration.booking_reverse') }).click()
    await reversing.waitFor({ state: 'detached' })
    await expectScreen(buttons).toHaveCount(left)
  }
  await expectScreen(list.getByText(reference)).toHaveCount(6)
  await panel.getByRole('button', { name: t('administration.account_write_off') }).click()
  const off = page.getByRole('dialog', { name: t('administration.account_write_off') })
  await off.getByLabel(t('administration.account_amount')).fill('99999')
  await off.getByLabel(t('administration.reason')).fill('Una disputa resuelta')
  await off.getByRole('button', { name: t('administration.account_write_off') }).click()
  await off.getByText('La agencia debe').waitFor()
})

test('a bank entry that resembles a payment booked by hand is unselected and says so', async () => {
  const page = await openScreen(app, '/administration?tab=accounts', admin)
  await page.locator('#main tr[tabindex]').filter({ hasText: 'Viajes Azahar' }).click()
  await page.getByRole('button', { name: t('administration.account_payment') }).click()
  const form = page.getByRole('dialog', { name: t('administration.account_payment') })
  await form.getByLabel(t('administration.account_amount')).fill('3,21')
  const paidOn = await form.getByRole('textbox', { name: t('administration.account_paid_on') }).inputValue()
  const near = `<Dt>${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}</Dt>`
  await form.getByLabel(t('administration.account_reference')).fill('TR-2211')
  await form.getByRole('button', { name: t('administration.account_book'), exact: true }).click()
  await page.getByText('TR-2211').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('bank.button') }).click()
  const dialog = page.getByRole('dialog', { name: t('bank.title') })
  const content = camt([
    camtEntry({ amount: '3.21', servicer: 'B-1', day: near, details: camtDetails({ text: 'azahar' }) }),
    camtEntry({ amount: '3.22', servicer: 'B-2', day: near, details: camtDetails({ text: 'azahar' }) }),
  ])
  await dialog.locator('[name=bankFile]').setInputFiles(new File([content], 'extracto.xml', { type: 'text/xml' }))
  await dialog.getByText(t('bank.by_hand', { date: paidOn, reference: 'TR-2211' })).waitFor()
  const boxes = dialog.getByRole('checkbox')
  await expect.poll(() => boxes.now().map(isChecked)).toEqual([false, true])
  await boxes.first().check()
  await dialog.getByRole('button', { name: t('bank.book', { count: 2 }) }).click()
  await expectScreen(dialog.getByText(t('bank.booked_for', { agency: 'Viajes Azahar' }))).toHaveCount(2)
})

test('a unit beyond the first hundred is found by name, without a premature message', async () => {
  const large = await testApp()
  await large.world.database.asService(tx =>
    sql`insert into business_units (id, key, settings, created_at, updated_at)
      select gen_random_uuid(), 'many-' || nr, settings || jsonb_build_object('brandName', 'Many ' || nr), now(), now()
      from business_units, generate_series(100, 220) as nr where key = 'rotta'`.execute(tx),
  )
  const page = await openScreen(large, '/administration?tab=users', admin)
  const unit = page.getByRole('combobox', { name: t('administration.unit') })
  await unit.fill('Many 219')
  await expectScreen(page.getByRole('option', { name: 'Many' })).toHaveCount(0)
  await expectScreen(page.getByText(t('ui.combobox.none', { text: 'Many 219' }))).toHaveCount(0)
  await page.getByRole('option', { name: 'Many 219' }).click()
  await expectScreen(unit).toHaveValue('Many 219')
  await expectScreen(page.locator('#main tbody tr[tabindex]')).toHaveCount(0)
  await unit.fill('Nowhere')
  await page.getByText(t('ui.combobox.none', { text: 'Nowhere' })).waitFor()
  await large.stop()
})
