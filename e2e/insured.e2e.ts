import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('steps 2 and 3 name who is already insured, link to the policy and do not stop the sale', async () => {
  const { policyUuid, policyNumber } = (await sellAs(await sellerOf(inProcess(portal.app)))).body.data.policyData
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'agent@azahar.example', '/products')
  const words = portal.app.world.words('es-ES')
  // A copy has the same people, product and days.
  await page.goto(`/funnel?copy=${policyUuid}`)
  await page.locator('[name=startDate]').waitFor()
  await page.goto('/funnel?step=2')
  const link = page.getByRole('link', { name: words('funnel.insured_open', { number: policyNumber }) })
  await link.first().waitFor()
  expect(await link.first().getAttribute('href')).toBe(`/policies?policy=${policyUuid}`)
  expect(await link.count()).toBe(2)
  expect(await accessibilityOf(page)).toEqual([])
  await page.goto('/funnel?step=3')
  await link.first().waitFor()
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
  await user.stop()
})
