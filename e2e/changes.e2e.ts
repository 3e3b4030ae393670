import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import {
  accessibilityAtWidths,
  accessibilityOf,
  enter,
  fill,
  inDays,
  openPortal,
  type Portal,
  type User,
  waitUntilLoaded,
} from './browser.ts'
import { expectPage } from './expect-page.ts'

// A sold policy is changed, cancelled, reinstated and compared in its panel.

let portal: Portal
let seller: Seller
/** Moves the service's clock. */
let ahead = 0
beforeAll(async () => {
  portal = await openPortal({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(() => portal.stop())

const t = () => portal.app.world.words('es-ES')
const panelOf = (page: Page) => page.locator('[data-panel]')
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const question = (page: Page) => page.getByRole('alertdialog')
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

/** Sells a policy that departs in so many days, to Italy for eight, and returns its id. */
async function sell(departsIn = 11, more: Record<string, unknown> = {}): Promise<string> {
  const trip = { startDate: readDate(inDays(departsIn)), endDate: readDate(inDays(departsIn + 7)) }
  return (await sellAs(seller, { ...trip, ...more })).body.data.policyData.policyUuid
}
const detailOf = async (policyUuid: string) =>
  (await seller.app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data

async function open(path: string, width = 1440): Promise<User> {
  const user = await portal.newUser({ chosen: 'es-ES', width, touch: width < 500 })
  await enter(user, 'agent@azahar.example', path)
  await waitUntilLoaded(user.page)
  return user
}

/** Returns on how many lines the buttons of a foot stand. */
async function linesIn(foot: Locator): Promise<number> {
  const tops: number[] = await foot.locator('a, button').evaluateAll(buttons => {
    const shown = buttons.map(button => button.getBoundingClientRect()).filter(({ width }) => width > 0)
    // Two words of different heights may share a line.
    return shown.map(({ top, height }) => Math.round(top + height / 2))
  })
  return new Set(tops).size
}

async function boxOf(part: Locator): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const box = await part.boundingBox()
  if (!box) throw new Error('It is not shown.')
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width }
}

/** Presses keys one by one and counts them. Control with another key counts as two. */
function counting(page: Page) {
  let count = 0
  return {
    count: () => count,
    async press(...keys: string[]) {
      for (const key of keys) {
        count += key.split('+').length
        await page.keyboard.press(key)
      }
    },
    async type(text: string) {
      count += text.length
      await page.keyboard.type(text)
    },
  }
}

test('a date that is typed when the desk opens moves the return too, and the letters of a mended name are no shortcuts', async () => {
  const uuid = await sell()
  const user = await open('/policies')
  const { page } = user
  await page.locator(`tr[data-key="${uuid}"]`).focus()
  await page.keyboard.press('c')
  const start = page.locator('[name=startDate]')
  await page.locator('[name=startDate]:focus').waitFor()
  await expectPage(start).not.toHaveValue(inDays(12))
  await page.keyboard.type(inDays(12))
  await page.keyboard.press('Tab')
  await expectPage(start).toHaveValue(inDays(12))
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(19))
  await button(page, t()('changes.group_people')).click()
  await button(page, t()('changes.mend', { name: 'Leo García Gil' })).click()
  await page.locator('[name="users[1].name"]:focus').waitFor()
  await page.keyboard.type('Nano')
  // The cells of the travellers' rows stand below each other.
  for (const cells of [panelOf(page).locator('[data-person] [data-premium]'), button(page, /^Corregir a /), button(page, /^Cambiar a /)]) {
    const boxes = await Promise.all((await cells.all()).map(boxOf))
    expect(boxes.length).toBeGreaterThan(1)
    expect(new Set(boxes.map(({ right }) => Math.round(right))).size).toBe(1)
  }
  await expectPage(page.locator('[name="users[1].name"]')).toHaveValue(/Nano/)
  expect(new URL(page.url()).pathname).toBe('/policies')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a date is moved on account from the list in at most 20 keys, and undone from the toast', async () => {
  const uuid = await sell()
  const user = await open('/policies')
  const { page } = user
  const keys = counting(page)
  const row = page.locator(`tr[data-key="${uuid}"]`)
  await row.focus()
  await keys.press('c')
  await page.locator('[name=startDate]:focus').waitFor()
  await keys.press('Tab')
  await keys.type('+4')
  await keys.press('Tab')
  // The bar has said it before anything is sent.
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await page.getByText(t()('changes.new_needs')).waitFor()
  await keys.press('Control+Enter')
  await toast(page, t()('changes.done_change'))
  expect(keys.count()).toBeLessThanOrEqual(20)
  expect(await detailOf(uuid)).toMatchObject({ policy: { endDate: readDate(inDays(22)), total: 50.84 } })
  await page.getByRole('button', { name: t()('ui.undo'), exact: true }).click()
  // The toast is gone when its question is answered, so the panel has the focus.
  await question(page)
    .getByRole('button', { name: t()('ui.cancel') })
    .click()
  await panelOf(page).locator('h2:focus').waitFor()
  expect((await detailOf(uuid)).policy.total).toBe(50.84)
  await button(page, /^Deshacer/).click()
  await question(page)
    .getByText(t()('changes.undo_refund', { amount: '17,08 €' }))
    .waitFor()
  await question(page)
    .getByRole('button', { name: t()('changes.undo_do') })
    .click()
  await toast(page, t()('changes.undone'))
  await panelOf(page).locator('h2:focus').waitFor()
  expect(await detailOf(uuid)).toMatchObject({ policy: { endDate: readDate(inDays(18)), total: 33.76 } })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('Enter in a field completes its date and makes the change, which the policy’s own button undoes', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Enter')
  await toast(page, t()('changes.done_change'))
  const undo = button(page, /^Deshacer \(hasta las \d\d:\d\d\)$/)
  await undo.focus()
  await page.keyboard.press('Enter')
  await question(page).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  await panelOf(page)
    .locator('button:focus', { hasText: /^Deshacer/ })
    .waitFor()
  expect((await detailOf(uuid)).policy.total).toBe(50.84)
  await page.keyboard.press('Enter')
  await question(page)
    .getByRole('button', { name: t()('changes.undo_do') })
    .press('Enter')
  await toast(page, t()('changes.undone'))
  expect((await detailOf(uuid)).policy.total).toBe(33.76)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a policy opens with its detail alone, and its deeds are drawn with the details, not after them', async () => {
  const uuid = await sell()
  const user = await open('/policies')
  const { page } = user
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.evaluate(heading => {
    const drawn: boolean[] = []
    Object.assign(window, { drawn })
    new MutationObserver(() => {
      const panel = document.querySelector('[data-panel]')
      const isFull = panel?.textContent?.includes(heading) && panel.querySelector('footer [aria-keyshortcuts=c]') !== null
      if (panel?.querySelector('dl, footer')) drawn.push(Boolean(isFull))
    }).observe(document.body, { childList: true, subtree: true })
  }, t()('changes.after_sale'))
  await page.locator(`tr[data-key="${uuid}"]`).click()
  await panelOf(page).getByText(t()('changes.after_sale')).waitFor()
  await button(page, t()('policies.change')).waitFor()
  await button(page, t()('policies.cancel')).waitFor()
  await waitUntilLoaded(page)
  await expect.poll(() => page.evaluate('window.drawn')).toEqual(expect.arrayContaining([true]))
  await expect.poll(() => page.evaluate('window.drawn')).not.toContain(false)
  expect(asked.filter(path => path.startsWith('/api/policy/'))).toEqual(['/api/policy/detail'])
  await user.stop()
})

test('the desk is in the URL and hides the commission; Back closes it, and asks when parts were typed', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}`)
  const { page } = user
  await button(page, t()('policies.change')).waitFor()
  await page.keyboard.press('c')
  await page.waitForURL(/desk=change/)
  await page.reload()
  await page.locator('[name=endDate]').waitFor()
  await page.goBack()
  await button(page, t()('policies.change')).waitFor()
  await page.goForward()
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const earned = page.getByText(/4,42/)
  await earned.first().waitFor()
  await page.keyboard.press('Control+.')
  await page.getByText(t()('keys.commission_hidden')).waitFor()
  await expectPage(earned).toHaveCount(0)
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await page.goBack()
  await question(page).waitFor()
  await question(page)
    .getByRole('button', { name: t()('ui.cancel') })
    .click()
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(22))
  await user.stop()
})

test('a traveller is replaced by another person, and the two versions are compared', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await button(page, t()('changes.group_people')).click()
  await button(page, t()('changes.swap', { name: 'Leo García Gil' })).click()
  await page.locator('[name="users[1].name"]:focus').waitFor()
  // Pressed too early, the button leads to what is missing.
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
  await toast(page, t()('changes.done_change'))
  const { users } = await detailOf(uuid)
  expect(users.map(({ name, docNumber }: Record<string, string>) => [name, docNumber])).toEqual([
    ['Ana', '12345678Z'],
    ['Eva', '87654321X'],
  ])
  await button(page, t()('changes.compare')).click()
  await page.waitForURL(/desk=versions/)
  const rows = panelOf(page).locator('tbody tr')
  await rows.first().waitFor()
  await expectPage(rows).toHaveText([/Leo García Gil\s+–/, /–\s+Eva Ruiz Mas/], { useInnerText: true })
  expect(await accessibilityAtWidths(page)).toEqual([])
  await page.locator('[name=with]').selectOption('')
  await panelOf(page).getByText('Eva Ruiz Mas').waitFor()
  await page.locator('[name=version]').selectOption('1')
  await panelOf(page).getByText('Leo García Gil').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a refusal stands at its field with the way out, by which the policy is cancelled and sold anew in one step', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill('+100')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[name=endDate][aria-invalid=true]').waitFor()
  await button(page, t()('changes.sell_anew')).waitFor()
  // The foot leads there. It says the reason itself only to who can't see the field.
  const shown = panelOf(page).locator('footer [role=status]')
  await expect.poll(() => shown.evaluate(status => status.firstChild?.textContent)).toBe(t()('changes.refused'))
  expect(await accessibilityOf(page)).toEqual([])
  // The desk of an unchanged policy asks nothing when it is left.
  await page.locator('[name=endDate]').fill(inDays(18))
  await page.locator('[name=endDate][aria-invalid=true]').waitFor({ state: 'detached' })

  await page.goto(`/policies?policy=${uuid}&desk=cancel&next=sell`)
  await page.locator('[name=reason][value=error]').check()
  await button(page, t()('changes.do_sell_refund', { amount: '33,76 €' })).click()
  await page.waitForURL(/\/funnel\?step=2/)
  expect((await detailOf(uuid)).policy.status).toBe('cancelled')
  await user.stop()
})

test('on the trip the dates are refused in words, and customer service is the way out', async () => {
  const uuid = await sell()
  ahead = 12 * 86_400_000
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill(inDays(20))
  await panelOf(page).getByText(t()('changes.out_started')).waitFor()
  await panelOf(page)
    .getByRole('link', { name: t()('changes.ask_service') })
    .waitFor()
  ahead = 0
  await user.stop()
})

test('a policy is cancelled from the list in at most ten keys, and reinstated at its price', async () => {
  const uuid = await sell()
  const user = await open('/policies')
  const { page } = user
  const keys = counting(page)
  await page.locator(`tr[data-key="${uuid}"]`).focus()
  await keys.press('Delete')
  await page.locator('[name=reason]:focus').waitFor()
  await keys.press('Space')
  await keys.press('Control+Enter')
  await toast(page, t()('changes.done_cancellation'))
  expect(keys.count()).toBeLessThanOrEqual(10)
  expect((await detailOf(uuid)).policy.status).toBe('cancelled')
  await button(page, t()('policies.reinstate')).click()
  await button(page, t()('changes.do_reinstate_charge', { amount: '33,76 €' })).waitFor()
  expect(await accessibilityAtWidths(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_reinstatement'))
  expect(await detailOf(uuid)).toMatchObject({ policy: { status: 'purchased', total: 33.76 } })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the desk of a cancellation does what the chosen option says: the right, where it gives as much', async () => {
  const far = { channel: 'distance', askedToBegin: true, endDate: readDate(inDays(60)) }
  const uuid = await sell(11, far)
  const user = await open(`/policies?policy=${uuid}&desk=cancel`)
  const { page } = user
  const amount = `${(await detailOf(uuid)).policy.total.toFixed(2).replace('.', ',')} €`
  await button(page, t()('changes.do_withdraw_refund', { amount })).waitFor()
  await expectPage(page.locator('[name=way]:checked')).toHaveAttribute('value', 'withdrawal')
  await expectPage(button(page, t()('changes.do_cancel_refund', { amount }))).toHaveCount(0)
  await panelOf(page).getByText(t()('changes.not_undone')).waitFor()
  await page.locator('[name=way][value=move]').check()
  await button(page, t()('changes.move_date')).waitFor()
  await expectPage(panelOf(page).getByText(t()('changes.not_undone'))).toHaveCount(0)
  await page.locator('[name=way][value=withdrawal]').check()
  await page.locator('[name=reason][value=price]').check()
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_withdrawal'))
  expect((await detailOf(uuid)).policy.status).toBe('cancelled')
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a change that another user made first keeps what was typed, and shows what it costs now', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const body = { policyUuid: uuid, version: 1, change: { buReference: 'otra' }, expectedDifference: 0 }
  expect((await seller.app.ask('/api/policy/change', { body, headers: seller.headers })).status).toBe(200)
  await page.keyboard.press('Control+Enter')
  await panelOf(page).getByText(t()('changes.stale')).waitFor()
  await expectPage(page.locator('[name=endDate]')).toHaveValue(inDays(22))
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_change'))
  expect(await detailOf(uuid)).toMatchObject({ policy: { total: 50.84, buReference: 'otra' } })
  await user.stop()
})

test('where nothing comes back the client consents, or the administration cancels as goodwill and says why', async () => {
  const cancellation = seller.products.find(({ code }) => code === 'CAN')
  const cover = { productUUID: cancellation.uuid, insurancedAmount: 2000, reservationDate: readDate(inDays(0)) }
  // The trips differ, as of two covers of one trip the second is given back.
  const [consented, uuid] = [await sell(60, cover), await sell(40, cover)]
  const { total } = (await detailOf(uuid)).policy
  ahead = 20 * 86_400_000
  const agent = await open(`/policies?policy=${consented}&desk=cancel`)
  await agent.page.locator('[name=way][value=cancellation]').waitFor()
  await expectPage(agent.page.locator('[name=way][value=goodwill]')).toHaveCount(0)
  await agent.page.locator('[name=reason][value=price]').check()
  await agent.page.keyboard.press('Control+Enter')
  await agent.page.locator('[name=acceptNoRefund][aria-invalid=true]').waitFor()
  expect(await accessibilityOf(agent.page)).toEqual([])
  await agent.page.locator('[name=acceptNoRefund]').check()
  await agent.page.keyboard.press('Control+Enter')
  await toast(agent.page, t()('changes.done_cancellation'))
  await agent.stop()

  const user = await portal.newUser({ chosen: 'es-ES', width: 1440 })
  await enter(user, 'admin@portolan.example', `/policies?policy=${uuid}&desk=cancel`)
  const { page } = user
  await waitUntilLoaded(page)
  await page.locator('[name=way][value=goodwill]').check()
  await page.locator('[name=reason][value=price]').check()
  await page.keyboard.press('Control+Enter')
  // The reason is missing.
  await page.locator('[name=note][aria-invalid=true]:focus').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.locator('[name=note]').fill('Cliente de siempre')
  await page.locator('[name=goodwill]').fill('0')
  await page.keyboard.press('Control+Enter')
  await page.locator('[name=goodwill][aria-invalid=true]:focus').waitFor()
  await page.locator('[name=goodwill]').fill('50')
  await panelOf(page)
    .locator('[data-difference]')
    .filter({ hasNotText: total.toFixed(2).replace('.', ',') })
    .waitFor()
  await page.locator('[name=goodwill]').fill('100')
  await button(page, t()('changes.do_cancel_refund', { amount: `${total.toFixed(2).replace('.', ',')} €` })).waitFor()
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_cancellation'))
  await button(page, t()('changes.version', { version: 2 })).click()
  await panelOf(page)
    .getByText(`${t()('changes.basis_goodwill')} · Cliente de siempre`)
    .waitFor()
  await page.goto(`/policies?policy=${uuid}`)
  await panelOf(page)
    .getByText(`${inDays(40)} – ${inDays(47)}`)
    .waitFor()
  await panelOf(page).getByText(t()('policies.payment_refunded')).waitFor()
  ahead = 0
  expect((await detailOf(uuid)).payments).toMatchObject([{ amount: total, refunded: total }])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone the desk covers the page, with its price and its button in reach', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`, 390)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').blur()
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const deed = await button(page, t()('changes.do_charge', { amount: '17,08 €' })).boundingBox()
  expect(deed?.y).toBeGreaterThan(900 * 0.75)
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await button(page, t()('changes.do_charge', { amount: '17,08 €' })).click()
  await toast(page, t()('changes.done_change'))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the reason and the note of a change stand at its version, beside the documents that it made', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').press('Tab')
  // The lines below have moved down.
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  await expect.poll(() => linesIn(panelOf(page).getByRole('group', { name: t()('changes.what') }))).toBe(1)
  const ways = panelOf(page).locator('label:has([name=paymentGatewayUUID])')
  const lefts: number[] = await ways.evaluateAll(labels => labels.map(label => label.getBoundingClientRect().left))
  // None of the three stands alone beside a hole.
  expect([lefts.length, new Set(lefts).size]).toEqual([3, 1])
  await panelOf(page).getByText(t()('changes.reason_and_note')).click()
  await page.locator('[name=reason]').selectOption('carrier')
  await page.locator('[name=note]').fill('La vuelta se retrasa')
  await page.keyboard.press('Control+Enter')
  await toast(page, t()('changes.done_change'))
  const versions = panelOf(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: t()('changes.title_versions') }) })
  await versions
    .getByText(`(${t()('changes.document_replaced')})`)
    .first()
    .waitFor()
  await versions.getByRole('button', { name: t()('changes.version', { version: 2 }) }).click()
  await panelOf(page)
    .getByText(`${t()('changes.reason_carrier')} · La vuelta se retrasa`)
    .waitFor()
  const file = panelOf(page).getByRole('link').first()
  const { headers, status } = await page.evaluate(
    async path => {
      const reply = await fetch(path)
      return { status: reply.status, headers: reply.headers.get('content-type') }
    },
    (await file.getAttribute('href')) ?? '',
  )
  expect([status, headers]).toEqual([200, 'application/pdf'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a request to change a policy leads to its desk, and Back to the request', async () => {
  const uuid = await sell()
  const { policyNumber } = (await detailOf(uuid)).policy
  const { headers } = seller
  const types: { key: string; uuid: string }[] = (await seller.app.ask('/api/tickets/forms', { headers })).body.data
  const typeUuid = types.find(({ key }) => key === 'change')?.uuid
  const answers = { what: 'other' }
  const contact = { contactEmail: 'agent@azahar.example', contactPhone: '+34 612 345 678' }
  const request = { typeUuid, policyNumber, subject: 'Vuelve más tarde', description: 'Cuatro días más', answers, ...contact }
  const filed = await seller.app.ask('/api/tickets/requests', { body: request, headers })
  expect(filed.status, JSON.stringify(filed.body)).toBe(200)
  const { ticketUuid } = filed.body.data
  const user = await open(`/customer-service?ticket=${ticketUuid}`)
  const { page } = user
  await page.getByRole('link', { name: t()('tickets.open_change') }).click()
  await page.locator('[name=endDate]').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: t()('tickets.open_change') }).waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
