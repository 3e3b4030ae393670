import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { checkCode } from '#server/documents/pdf/check.ts'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('an outdated certificate is said to be replaced, and then cancelled, with an icon', async () => {
  const app = inProcess(portal.app)
  const seller = await sellerOf(app)
  const { policyUuid, policyNumber: number } = (await sellAs(seller)).body.data.policyData
  const post = async (path: string, body: object) => {
    const reply = await app.ask(`/api/policy/${path}`, { body: { policyUuid, ...body }, headers: seller.headers })
    expect(reply.status).toBe(200)
    return reply.body.data
  }
  const change = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  const { difference } = await post('change/preview', { version: 1, change })
  await post('change', { version: 1, change, expectedDifference: difference.total })
  const user = await portal.newUser({ chosen: 'es-ES', width: 390 })
  const { page } = user
  const open = (edition: number) =>
    page.goto(`/verify?${new URLSearchParams({ number, code: checkCode({ id: policyUuid, number, edition }) })}`)
  const result = page.locator('main').getByRole('status')
  await open(1)
  await result.getByText('rige la versión 2').waitFor()
  await expectPage(result.locator('svg')).toHaveCount(1)
  expect(await accessibilityOf(page)).toEqual([])
  await open(2)
  await result.getByText('es auténtica y válida').waitFor()
  await post('cancel', { version: 2, expectedRefund: 50.84, reason: 'trip_cancelled' })
  await open(2)
  await result.getByText('está anulada').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})
