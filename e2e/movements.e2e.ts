import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { addMonths, today } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf, toSnow } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
let policyUuid: string
beforeAll(async () => {
  portal = await openPortal()
  const app = inProcess(portal.app)
  const seller = await sellerOf(app)
  const manager = await sellerOf(app, 'manager@azahar.example')
  await sellAs(manager, toSnow(manager))
  const { body } = await sellAs(seller)
  policyUuid = body.data.policyData.policyUuid
  const ended = await app.ask('/api/policy/cancel', {
    headers: seller.headers,
    body: { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' },
  })
  expect(ended.status, ended.text).toBe(200)
})
afterAll(() => portal.stop())

const words = wordsOf(() => portal, 'es-ES')
const reason = () => `${words('accounting.reason', { reason: 'trip_cancelled' })}, ${words('accounting.basis', { basis: 'undo' })}`
const plain = (text: string | null) => (text ?? '').replaceAll(/\s/g, ' ')

test('a movement that takes commission back has one tag that says why, and links to its sale', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', '/earnings')
  const rows = page.locator('#main tr[tabindex]')
  const ended = rows.filter({ has: page.getByRole('link', { name: 'Compensa la venta', exact: true }) })
  const takesBack = ended.getByRole('link')
  await expectPage(takesBack).toHaveCount(1)
  const [why, what] = plain(await takesBack.getAttribute('title')).split(' Compensa ')
  expect(why).toBe(reason())
  expect(what).toMatch(/^la venta del \d\d\/\d\d\/\d{4}: 8,74 €$/)
  await expectPage(rows).toHaveCount(3)
  // All columns are visible.
  const hidden = await ended.evaluate(row => {
    const frame = row.closest('[role=group]')
    return frame ? frame.scrollWidth - frame.clientWidth : Number.NaN
  })
  expect(hidden).toBeLessThanOrEqual(0)
  expect(await accessibilityOf(page)).toEqual([])
  await takesBack.focus()
  await page.keyboard.press('Enter')
  await expectPage(rows).toHaveCount(2)
  expect(new URL(page.url()).searchParams.get('policy')).toBe(policyUuid)
  const takenBack = rows.getByRole('link', { name: 'Compensado por la anulación de la póliza', exact: true })
  expect(plain(await takenBack.getAttribute('title'))).toMatch(/^Compensado por la anulación de la póliza del \d\d\/\d\d\/\d{4}: −8,74 €$/)
  await page.goBack()
  await expectPage(rows).toHaveCount(3)
  expect(user.problems).toEqual([])
  await user.stop()
})

test('on a phone, a statement’s line has its reason and links to its movements', async () => {
  const { world } = portal.app
  const now = world.clock.now()
  const first = addMonths(`${today(now.getTime(), 'Europe/Madrid').slice(0, 7)}-01`, 1)
  const clockAt = async (at: string) => expect((await inProcess(portal.app).ask('/dev/clock', { body: { at } })).status).toBe(200)
  await clockAt(`${first}T09:00:00Z`)
  onTestFinished(() => clockAt(now.toISOString()))
  await closeMonths(world)
  const number = `azahar-${addMonths(first, -1).slice(0, 7)}`
  const user = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = user
  await enter(user, 'accounts@azahar.example', `/earnings?statement=${number}`)
  const line = page.locator('[data-panel]').getByRole('listitem').filter({ hasText: reason() })
  const takesBack = line.getByRole('link', { name: 'Compensa la venta', exact: true })
  await takesBack.waitFor()
  expect(plain(await takesBack.getAttribute('title'))).toContain(`8,74 € · ${number}`)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await takesBack.click()
  await page.waitForURL(url => url.searchParams.get('policy') === policyUuid)
  await page
    .getByText(words('accounting.count', { count: 2 }))
    .first()
    .waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a movement of a blocked policy opens a note that its personal data is blocked', async () => {
  const setStatus = (status: string) =>
    portal.app.world.database.pool.query(`update policies set status = $2 where id = $1`, [policyUuid, status])
  await setStatus('blocked')
  onTestFinished(async () => void (await setStatus('cancelled')))
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'accounts@azahar.example', `/earnings?policy=${policyUuid}`)
  await page.locator('#main tr[tabindex]').first().press('Enter')
  const panel = page.locator('[data-panel]')
  await panel.getByText(words('refusal.policy.blocked')).waitFor()
  await expectPage(panel.getByRole('button', { name: words('shell.try_again') })).toHaveCount(0)
  expect(await accessibilityOf(page)).toEqual([])
  expect(user.problems.filter(problem => !problem.includes('status of 410'))).toEqual([])
  await user.stop()
})
