import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMonths, today } from '#common/kit/dates.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf, toSnow } from '#server/policies/testing.ts'
import { enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

/** Each test closes months, so each has its own portal with a closed month: two sales, and a payment of the agency. */
let portal: Portal
beforeEach(async () => {
  portal = await openPortal()
  const app = inProcess(portal.app)
  await sellAs(await sellerOf(app))
  const manager = await sellerOf(app, 'manager@azahar.example')
  await sellAs(manager, toSnow(manager))
  // An agency in Portugal, so that the calculation has a duty.
  await portal.app.world.database.pool.query(
    `update business_units set settings = jsonb_set(settings, '{country}', '620') where key = 'azahar'`,
  )
  await closeThisMonth()
})
afterEach(() => portal.stop())

const t = wordsOf(() => portal, 'es-ES')

test('an accountant opens a statement by keyboard, follows a line, and comes back', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings?tab=statements')
  const row = page.locator('#main tr[tabindex]').first()
  const number = (await row.locator('td, th').nth(1).textContent()) ?? ''
  await row.focus()
  await page.keyboard.press('Enter')
  const panel = page.locator('[data-panel]')
  await panel.getByRole('heading', { name: number }).waitFor()
  expect(new URL(page.url()).searchParams.get('statement')).toBe(number)
  // A payment of the month is in the calculation and in the list of payments.
  const sums = panel.getByRole('group', { name: t('accounting.sums') })
  const term = (name: string) => sums.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  await expectPage(term(t('accounting.paid_in_month'))).toContainText(/−\s10,50/)
  await expectPage(term(t('accounting.stamp_duty', { percent: 2 }))).toContainText(/\+\s\d/)
  const payment = panel.getByRole('listitem').filter({ hasText: t('accounting.payment_kind', { kind: 'received' }) })
  await expectPage(payment).toHaveText(/\d\d\/\d\d\/\d{4} · [^·]+ · durante el mes/)
  // The terms add up to what the agency pays, and it is said to which account.
  const amounts = await sums.locator('dl > div > dd:nth-of-type(1)').allTextContents()
  const cents = amounts.map(text => Number(text.replaceAll(/\D/g, '')) * (text.startsWith('−') ? -1 : 1))
  expect(cents.length).toBe(6)
  expect(cents.slice(0, -1).reduce((sum, each) => sum + each)).toBe(cents.at(-1))
  const due = term(t('accounting.you_pay', { insurer: 'Meridia' }))
  await expectPage(due).toContainText(t('accounting.pay_to', { iban: 'ES78 9999 0001 4101 2345 6789', number }))
  const lines = panel.getByRole('region', { name: t('accounting.lines') }).getByRole('listitem')
  await expectPage(lines).toHaveCount(2)
  for (const [format, ending] of Object.entries({ pdf: '.pdf', xlsx: '.xlsx', other: '.csv' })) {
    const download = page.waitForEvent('download')
    await panel.getByRole('button', { name: t('accounting.download') }).click()
    await page.getByRole('menuitem', { name: t('accounting.download_format', { format }) }).click()
    expect((await download).suggestedFilename()).toBe(`Liquidación ${number}${ending}`)
  }
  await page.reload()
  await lines.first().getByRole('link').focus()
  const policy = (await lines.first().getByRole('link').textContent())?.split(' ').at(-1) ?? ''
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/policies\?policy=/)
  await page.locator('[data-panel]').getByText(policy).first().waitFor()
  await page.goBack()
  await panel.getByRole('heading', { name: number }).waitFor()
  await panel.getByRole('button', { name: t('panel.alone') }).click()
  await page.getByRole('button', { name: t('shell.menu.earnings') }).waitFor()
  await expectPage(panel).toHaveCount(0)
  await expectPage(page.getByRole('listitem').filter({ hasText: policy })).toHaveCount(1)
  await page.getByRole('button', { name: t('shell.menu.earnings') }).click()
  await row.waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a month carried over says to which, is not due itself, and adds up in the list', async () => {
  const carried = await closedNumber()
  const { world } = portal.app
  const next = addMonths(firstOfNext(), 1)
  expect((await inProcess(portal.app).ask('/dev/clock', { body: { at: `${next}T09:00:00Z` } })).status).toBe(200)
  await closeMonths(world)
  const newest = carried.replace(/\d{4}-\d\d$/, firstOfNext().slice(0, 7))
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings?tab=statements')
  const row = page.locator(`#main tr[data-key="${carried}"]`)
  const toNext = t('accounting.carried_to', { number: newest })
  await row.getByText(toNext).first().waitFor()
  await expectPage(row).not.toContainText(t('accounting.agency_pays', { amount: '' }).trim())
  const overflow = () =>
    row.evaluate(element => {
      const frame = element.closest('[role=group]')
      return frame ? frame.scrollWidth - frame.clientWidth : Number.NaN
    })
  const centsIn = (text: string | null) => {
    const [, sign, amount = ''] = /^([-−]?)([\d.]+,\d\d)/.exec(text ?? '') ?? []
    return Number(amount.replaceAll(/\D/g, '')) * (sign ? -1 : 1)
  }
  const cell = (column: string) => row.locator(`[data-column=${column}]`).textContent()
  const [before, account, earned, paid, due] = await Promise.all(['before', 'account', 'earned', 'paid', 'due'].map(cell))
  const duty = centsIn(/,\d\d\s€([-−][\d.,]+)/.exec(earned ?? '')?.[1] ?? null)
  expect(centsIn(paid ?? null)).toBe(-1050)
  expect(centsIn(before ?? null) + centsIn(account ?? null) - centsIn(earned ?? null) - duty + centsIn(paid ?? null)).toBe(
    centsIn(due ?? null),
  )
  await expect.poll(() => overflow()).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 820, height: 900 })
  await page.getByRole('columnheader', { name: t('accounting.due_day') }).waitFor()
  await page.getByRole('columnheader', { name: t('accounting.due'), exact: true }).waitFor()
  await expect.poll(() => overflow()).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await row.click()
  const panel = page.locator('[data-panel]')
  await panel.getByText(toNext).first().waitFor()
  await expectPage(panel.getByText(t('accounting.still_open', { amounts: '' }).trim())).toHaveCount(0)
  expect(user.problems).toEqual([])
  await user.stop()
})

const closedNumber = async (): Promise<string> =>
  (await portal.app.world.database.kysely.selectFrom('statements').select('number').where('deeds', '>', 0).executeTakeFirstOrThrow()).number

/** Books a payment of the agency. Moves the business time to the first of the next month, when this month is closed. */
async function closeThisMonth(): Promise<void> {
  const { world } = portal.app
  const app = inProcess(portal.app)
  const { headers } = await signIn(app, 'admin@portolan.example')
  const payment = {
    way: 'received',
    amount: 10.5,
    on: today(new Date(), 'Europe/Madrid'),
    reference: 'N43-17',
    requestUuid: world.ids.next(),
  }
  const body = { businessUnitUuid: demoScope('azahar').businessUnitId, ...payment }
  expect((await app.ask('/api/administration/accounting/payment', { body, headers })).status).toBe(200)
  expect((await app.ask('/dev/clock', { body: { at: `${firstOfNext()}T09:00:00Z` } })).status).toBe(200)
  await closeMonths(world)
}

const firstOfNext = (): string => addMonths(`${today(new Date(), 'Europe/Madrid').slice(0, 7)}-01`, 1)
