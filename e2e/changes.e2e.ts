import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityAtWidths, enter, inDays, openPortal, type Portal, type User, waitUntilLoaded } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A sold policy is changed, cancelled and reinstated in its panel.

let portal: Portal
let seller: Seller
beforeAll(async () => {
  portal = await openPortal()
  seller = await sellerOf(inProcess(portal.app))
})
afterAll(() => portal.stop())

const t = () => portal.app.world.words('es-ES')
const panelOf = (page: Page) => page.locator('[data-panel]')
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name })
const question = (page: Page) => page.getByRole('alertdialog')
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

/** Sells an eight-day policy to Italy that departs in this many days, and returns its id. */
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

/** Returns the number of lines that the buttons of a footer take. */
async function linesIn(foot: Locator): Promise<number> {
  const tops: number[] = await foot.locator('a, button').evaluateAll(buttons => {
    const shown = buttons.map(button => button.getBoundingClientRect()).filter(({ width }) => width > 0)
    // Two words of different heights may be on one line.
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

test('a date typed at once moves the return, and letters in a name are no shortcuts', async () => {
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
  // The cells of the travellers' rows are aligned.
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

test('a date is moved on account from the list in at most 20 keys, and undone by toast', async () => {
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
  // The bar shows the amount before anything is sent.
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

test('a policy opens with its details alone, and its actions appear together with them', async () => {
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

test('a policy is cancelled from the list in ten keys, and reinstated at its price', async () => {
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

test('on a phone the desk covers the page, with its price and its button in reach', async () => {
  const uuid = await sell()
  const user = await open(`/policies?policy=${uuid}&desk=change`, 390)
  const { page } = user
  await page.locator('[name=endDate]').fill('+4')
  await page.locator('[name=endDate]').blur()
  await page.locator('[data-difference]').getByText('17,08').waitFor()
  const movement = await button(page, t()('changes.do_charge', { amount: '17,08 €' })).boundingBox()
  expect(movement?.y).toBeGreaterThan(900 * 0.75)
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await button(page, t()('changes.do_charge', { amount: '17,08 €' })).click()
  await toast(page, t()('changes.done_change'))
  expect(user.problems).toEqual([])
  await user.stop()
})

test('reason and note of a change are shown at its version, beside its documents', async () => {
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
  // None of the three is alone beside a gap.
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
