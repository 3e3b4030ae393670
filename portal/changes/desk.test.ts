import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addDays, addYears, displayDate, readDate, today } from '#common/kit/dates.ts'
import type { Words } from '#common/kit/words/words.ts'
import { openScreen, type Screen } from '#portal/screen/testing.ts'
import { expectScreen } from '#portal/screen/testing-expect.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

// A sold policy is changed, cancelled and compared at its desk.

const agent = 'agent@azahar.example'

let app: TestApp
let seller: Seller
/** How far the service's clock is ahead, in milliseconds. */
let ahead = 0
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const t: Words = (id, ...params) => app.world.words('es-ES')(id, ...params)
/** Returns the day this many days from today in the demo's time zone, as a user types it. */
const inDays = (days: number): string => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
const panelOf = (page: Screen) => page.locator('[data-panel]')
const button = (page: Screen, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const question = (page: Screen) => page.getByRole('alertdialog')
const toast = (page: Screen, text: string) => page.getByText(text, { exact: true }).first().waitFor()
async function fill(page: Screen, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(text)
}

/** Sells an eight-day policy to Italy that departs in this many days, and returns its id. */
async function sell(departsIn = 11, more: Record<string, unknown> = {}): Promise<string> {
  const trip = { startDate: readDate(inDays(departsIn)), endDate: readDate(inDays(departsIn + 7)) }
  return (await sellAs(seller, { ...trip, ...more })).body.data.policyData.policyUuid
}
const detailOf = async (policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data

/** Moves the service's clock by this many days until the test ends. */
function moveClock(days: number): void {
  ahead = days * 86_400_000
  onTestFinished(() => {
    ahead = 0
  })
}

async function open(path: string): Promise<Screen> {
  const page = await openScreen(app, path, agent)
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  return page
}

test('Enter completes a date and makes the change, which a button undoes', async () => {
  const uuid = await sell()
  const page = await open(`/policies?policy=${uuid}&desk=change`)
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Enter')
  await toast(page, t('changes.done_change'))
  const undo = button(page, /^Deshacer \(hasta las \d\d:\d\d\)$/)
  await undo.focus()
  await page.keyboard.press('Enter')
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  await panelOf(page)
    .locator('button:focus', { hasText: /^Deshacer/ })
    .waitFor()
  expect((await detailOf(uuid)).policy.total).toBe(50.84)
  await page.keyboard.press('Enter')
  await question(page)
    .getByRole('button', { name: t('changes.undo_do') })
    .press('Enter')
  await toast(page, t('changes.undone'))
  expect((await detailOf(uuid)).policy.total).toBe(33.76)
})

test('the desk is in the URL and hides the commission; Back asks if values were typed', async () => {
  const uuid = await sell()
  const page = await open(`/policies?policy=${uuid}`)
  await button(page, t('policies.change')).waitFor()
  await page.keyboard.press('c')
  await page.waitForURL(/desk=change/)
  await page.reload()
  await page.locator('[name=endDate]').waitFor()
  await page.goBack()
  await button(page, t('policies.change')).waitFor()
  await page.goForward()
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  // The taxes are one line, and each is behind it.
  await page
    .getByRole('group', { name: t('changes.taxes') })
    .locator('details li')
    .first()
    .waitFor({ state: 'attached' })
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const earned = page.getByText(/4,42/)
  await earned.first().waitFor()
  await page.keyboard.press('Control+.')
  const hidden = page.getByText(t('keys.commission_hidden'))
  await hidden.waitFor()
  await expectScreen(earned).toHaveCount(0)
  // The toast would stay while the pointer is on it.
  await page.locator('[data-toast]').hover()
  await page.keyboard.press('Control+.')
  await hidden.waitFor({ state: 'detached' })
  await earned.first().waitFor()
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await page.goBack()
  await question(page).waitFor()
  await question(page)
    .getByRole('button', { name: t('ui.cancel') })
    .click()
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await expectScreen(page.locator('[name=endDate]')).toHaveValue(inDays(22))
})

test('a traveller is replaced by another person, and the two versions are compared', async () => {
  const uuid = await sell()
  const page = await open(`/policies?policy=${uuid}&desk=change`)
  await button(page, t('changes.group_people')).click()
  await button(page, t('changes.swap', { name: 'Leo García Gil' })).click()
  await page.locator('[name="users[1].name"]:focus').waitFor()
  // Pressed too early, the button focuses the missing value.
  await page.keyboard.press('Control+Enter')
  await page.locator('[name="users[1].name"][aria-invalid=true]').waitFor()
  await fill(page, {
    'users[1].name': 'Eva',
    'users[1].middleName': 'Ruiz',
    'users[1].lastName': 'Mas',
    'users[1].birthDate': '02/02/1985',
    'users[1].docNumber': '87654321X',
  })
  await page.locator('[name="users[1].docNumber"]').press('Tab')
  await page.keyboard.press('Control+Enter')
  await toast(page, t('changes.done_change'))
  const { users } = await detailOf(uuid)
  expect(users.map(({ name, docNumber }: Record<string, string>) => [name, docNumber])).toEqual([
    ['Ana', '12345678Z'],
    ['Eva', '87654321X'],
  ])
  await button(page, t('changes.compare')).click()
  await page.waitForURL(/desk=versions/)
  const rows = panelOf(page).locator('tbody tr')
  await rows.first().waitFor()
  await expect
    .poll(() => rows.now().map(row => row.textContent))
    .toEqual([expect.stringMatching(/Leo García Gil\s*–/), expect.stringMatching(/–\s*Eva Ruiz Mas/)])
  await page.locator('[name=with]').selectOption('')
  await panelOf(page).getByText('Eva Ruiz Mas').waitFor()
  await page.locator('[name=version]').selectOption('1')
  await panelOf(page).getByText('Leo García Gil').waitFor()
})

test('a refusal at its field offers to cancel the policy and sell anew in one step', async () => {
  const uuid = await sell()
  const page = await open(`/policies?policy=${uuid}&desk=change`)
  // A day that does not exist is written as a date should be.
  await page.locator('[name=endDate]').fill('31/02/2027')
  await page.locator('[name=endDate]').press('Tab')
  await panelOf(page).getByText(t('validation.noSuchDay')).waitFor()
  await page.locator('[name=endDate]').fill('+100')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[name=endDate][aria-invalid=true]').waitFor()
  await button(page, t('changes.sell_anew')).waitFor()
  // The footer links to the field. It shows the reason itself only if the field is not visible.
  const shown = panelOf(page).locator('footer [role=status]')
  await expect.poll(() => shown.now()[0]?.firstChild?.textContent).toBe(t('changes.refused'))
  // Leaving the desk of an unchanged policy needs no confirmation.
  await page.locator('[name=endDate]').fill(inDays(18))
  await page.locator('[name=endDate][aria-invalid=true]').waitFor({ state: 'detached' })

  await page.goto(`/policies?policy=${uuid}&desk=cancel&next=sell`)
  await page.locator('[name=reason][value=error]').check()
  await button(page, t('changes.do_sell_refund', { amount: '33,76 €' })).click()
  await page.waitForURL(/\/funnel\?step=2/)
  expect((await detailOf(uuid)).policy.status).toBe('cancelled')
})

test('on the trip the panel and the desk say that contact and corrections alone can change', async () => {
  const uuid = await sell()
  moveClock(12)
  const page = await open(`/policies?policy=${uuid}`)
  await panelOf(page).getByText(t('changes.fixed_started')).waitFor()
  await panelOf(page).getByText(t('refusal.cancel.started')).waitFor()
  await expectScreen(button(page, /^Cambiar(?! contacto)/)).toHaveCount(0)
  await button(page, new RegExp(`^${t('policies.change_contact')}`)).click()
  await panelOf(page).getByText(t('changes.fixed_started')).waitFor()
  await panelOf(page).getByText(t('changes.out_started')).waitFor()
  await panelOf(page)
    .getByRole('link', { name: t('changes.ask_service') })
    .waitFor()
  await page.locator('[name="users[0].phoneNumber"]').waitFor()
  await expectScreen(page.locator('[name=endDate]')).toHaveCount(0)
  await button(page, t('changes.group_people')).click()
  await button(page, t('changes.mend', { name: 'Leo García Gil' })).waitFor()
  await expectScreen(button(page, t('changes.swap', { name: 'Leo García Gil' }))).toHaveCount(0)
  await expectScreen(button(page, t('changes.add_traveller'))).toHaveCount(0)
})

test('the panel of a cancelled policy says what was given back and why, and mails its documents', async () => {
  const uuid = await sell()
  const cancel = { policyUuid: uuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled', note: 'Huelga' }
  expect((await app.ask('/api/policy/cancel', { body: cancel, headers: seller.headers })).status).toBe(200)
  const page = await open(`/policies?policy=${uuid}`)
  await expectScreen(panelOf(page).locator('[data-total]')).toHaveText(/^33,76/)
  await panelOf(page).getByText(t('policies.refund'), { exact: true }).waitFor()
  await panelOf(page)
    .getByText(`${t('changes.reason_trip_cancelled')} · ${t('changes.basis_undo')} · Huelga`)
    .waitFor()
  // The receipt of the sale is folded, and not chosen to be mailed.
  await panelOf(page)
    .getByText(t('policies.documents_earlier', { count: 1 }))
    .waitFor()
  await button(page, new RegExp(`^${t('policies.send')}`))
    .first()
    .click()
  const receipt = page.getByRole('dialog').getByLabel('Recibo de prima', { exact: true })
  await expectScreen(receipt).not.toBeChecked()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('policies.send') })
    .click()
  await toast(page, t('policies.sent', { count: 1 }))
  const { mails } = await detailOf(uuid)
  expect(mails.at(0).files.join()).not.toContain('Recibo de prima.pdf')
})

test('a cancellation uses the right of withdrawal if that refunds as much', async () => {
  const far = { channel: 'distance', askedToBegin: true, endDate: readDate(inDays(60)) }
  const uuid = await sell(11, far)
  const page = await open(`/policies?policy=${uuid}&desk=cancel`)
  const amount = `${(await detailOf(uuid)).policy.total.toFixed(2).replace('.', ',')} €`
  await button(page, t('changes.do_withdraw_refund', { amount })).waitFor()
  await expectScreen(page.locator('[name=way]:checked')).toHaveAttribute('value', 'withdrawal')
  await expectScreen(page.locator('[name=way]:checked')).toBeFocused()
  await expectScreen(button(page, t('changes.do_cancel_refund', { amount }))).toHaveCount(0)
  await panelOf(page).getByText(t('changes.not_undone')).waitFor()
  await page.locator('[name=way][value=move]').check()
  await button(page, t('changes.move_date')).waitFor()
  await expectScreen(panelOf(page).getByText(t('changes.not_undone'))).toHaveCount(0)
  await page.locator('[name=way][value=withdrawal]').check()
  // A statutory right needs no reason.
  await expectScreen(page.locator('[name=reason]')).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await toast(page, t('changes.done_withdrawal'))
  expect((await detailOf(uuid)).policy.status).toBe('cancelled')
})

test('the desk names the way of ending that the panel names later, and others that last longer', async () => {
  const page = await open(`/policies?policy=${await sell()}&desk=cancel`)
  await panelOf(page)
    .getByText(t('changes.way_cancellation', { key: 'undo', basis: t('changes.basis_undo') }), { exact: true })
    .waitFor()
  await panelOf(page)
    .getByText(t('changes.also', { basis: t('changes.basis_before_departure'), amount: '33,76 €', at: inDays(10) }))
    .waitFor()
  await page.locator('[name=reason][value=price]').check()
  await page.keyboard.press('Control+Enter')
  await toast(page, t('changes.done_cancellation'))
  await panelOf(page)
    .getByText(`${t('changes.reason_price')} · ${t('changes.basis_undo')}`)
    .waitFor()
})

test('the desk says that running cancellation cover ends, and that a claim comes first', async () => {
  const cancellation = seller.products.find(({ code }) => code === 'CAN')
  const cover = { productUUID: cancellation.uuid, insurancedAmount: 2000, reservationDate: readDate(inDays(0)) }
  const page = await open(`/policies?policy=${await sell(80, cover)}&desk=cancel`)
  const runs = panelOf(page).getByText(t('changes.cancellation_runs'))
  await runs.waitFor()
  await page.goto(`/policies?policy=${await sell()}&desk=cancel`)
  await button(page, t('changes.do_cancel_refund', { amount: '33,76 €' })).waitFor()
  await expectScreen(runs).toHaveCount(0)
})

test('a change by another user keeps the typed values, and shows what they cost now', async () => {
  const uuid = await sell()
  const page = await open(`/policies?policy=${uuid}&desk=change`)
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const body = { policyUuid: uuid, version: 1, change: { buReference: 'otra' }, expectedDifference: 0 }
  expect((await seller.app.ask('/api/policy/change', { body, headers: seller.headers })).status).toBe(200)
  await page.keyboard.press('Control+Enter')
  await panelOf(page).getByText(t('changes.stale')).waitFor()
  await expectScreen(page.locator('[name=endDate]')).toHaveValue(inDays(22))
  await page.keyboard.press('Control+Enter')
  await toast(page, t('changes.done_change'))
  expect(await detailOf(uuid)).toMatchObject({ policy: { total: 50.84, buReference: 'otra' } })
})

test('without a refund the client consents, or the administration grants goodwill', async () => {
  const cancellation = seller.products.find(({ code }) => code === 'CAN')
  const cover = { productUUID: cancellation.uuid, insurancedAmount: 2000, reservationDate: readDate(inDays(0)) }
  // The trips differ, as the second of two covers of one trip is refunded.
  const [consented, uuid] = [await sell(60, cover), await sell(40, cover)]
  const { total } = (await detailOf(uuid)).policy
  moveClock(20)
  const agentPage = await open(`/policies?policy=${consented}&desk=cancel`)
  await agentPage.locator('[name=way][value=cancellation]').waitFor()
  await expectScreen(agentPage.locator('[name=way][value=goodwill]')).toHaveCount(0)
  await agentPage.locator('[name=reason][value=price]').check()
  await agentPage.keyboard.press('Control+Enter')
  await agentPage.locator('[name=acceptNoRefund][aria-invalid=true]').waitFor()
  await agentPage.locator('[name=acceptNoRefund]').check()
  await agentPage.keyboard.press('Control+Enter')
  await toast(agentPage, t('changes.done_cancellation'))

  const page = await openScreen(app, `/policies?policy=${uuid}&desk=cancel`, 'admin@portolan.example')
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  await page.locator('[name=way][value=goodwill]').check()
  await page.locator('[name=reason][value=price]').check()
  await page.keyboard.press('Control+Enter')
  // The reason is missing.
  await page.locator('[name=note][aria-invalid=true]:focus').waitFor()
  await page.locator('[name=note]').fill('Cliente de siempre')
  await page.locator('[name=goodwill]').fill('0')
  await page.keyboard.press('Control+Enter')
  await page.locator('[name=goodwill][aria-invalid=true]:focus').waitFor()
  await page.locator('[name=goodwill]').fill('50')
  await expectScreen(panelOf(page).locator('[data-difference]')).not.toContainText(total.toFixed(2).replace('.', ','))
  await page.locator('[name=goodwill]').fill('100')
  await button(page, t('changes.do_cancel_refund', { amount: `${total.toFixed(2).replace('.', ',')} €` })).waitFor()
  await panelOf(page)
    .getByText(/^Puede rehabilitar la póliza hasta el \d\d\/\d\d\/\d{4}\s\d\d:\d\d\.$/)
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await toast(page, t('changes.done_cancellation'))
  // Undoing a change and reinstating a policy have different words.
  await expectScreen(page.getByRole('button', { name: t('ui.undo'), exact: true })).toHaveCount(0)
  await button(page, new RegExp(`^${t('changes.version', { version: 2 })}`)).click()
  await panelOf(page)
    .getByText(`${t('changes.basis_goodwill')} · Cliente de siempre`)
    .waitFor()
  await page.goto(`/policies?policy=${uuid}`)
  await panelOf(page)
    .getByText(`${inDays(40)} – ${inDays(47)}`)
    .waitFor()
  await panelOf(page).getByText(t('policies.payment_refunded')).waitFor()
  ahead = 0
  expect((await detailOf(uuid)).payments).toMatchObject([{ amount: total, refunded: total }])
})

test('a request to change a policy leads to its desk, and Back to the request', async () => {
  const uuid = await sell()
  const { policyNumber } = (await detailOf(uuid)).policy
  const { headers } = seller
  const types: { key: string; uuid: string }[] = (await seller.app.ask('/api/tickets/forms', { headers })).body.data
  const typeUuid = types.find(({ key }) => key === 'change')?.uuid
  const answers = { what: 'other' }
  const contact = { contactEmail: agent, contactPhone: '+34 612 345 678' }
  const request = { typeUuid, policyNumber, subject: 'Vuelve más tarde', description: 'Cuatro días más', answers, ...contact }
  const filed = await seller.app.ask('/api/tickets/requests', { body: request, headers })
  expect(filed.status, JSON.stringify(filed.body)).toBe(200)
  const { ticketUuid } = filed.body.data
  const page = await open(`/customer-service?ticket=${ticketUuid}`)
  await page.getByRole('link', { name: t('tickets.open_change') }).click()
  await page.locator('[name=endDate]').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: t('tickets.open_change') }).waitFor()
})

test('an annual policy is renewed from its panel, which says what differs and opens the quote', async () => {
  const first = readDate(inDays(11)) ?? ''
  const annual = seller.products.find(({ code }) => code === 'ANN')
  const uuid = await sell(11, { productUUID: annual.uuid, endDate: addDays(addYears(first, 1), -1) })
  moveClock(350)
  const page = await open(`/policies?policy=${uuid}`)
  await button(page, t('changes.renew')).press('Enter')
  await question(page)
    .getByText(t('changes.renewal.made', { total: '' }))
    .waitFor()
  await question(page)
    .getByText(/Edad de Leo García Gil: \d\d → \d\d/)
    .waitFor()
  await question(page)
    .getByRole('button', { name: t('changes.renewal.open') })
    .press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
  await panelOf(page)
    .getByText(displayDate(addYears(first, 1)) ?? '')
    .first()
    .waitFor()
})
