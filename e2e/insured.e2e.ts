import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, openPortal, type Portal } from './browser.ts'
import { expectPage } from './expect-page.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

test('steps 2 and 3 name who is already insured, link to the policy and do not stop the sale', async () => {
  const { policyUuid, policyNumber } = (await sellAs(await sellerOf(inProcess(portal.app)))).body.data.policyData
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  const words = portal.app.world.words('es-ES')
  // A copy has the same people, product and days.
  await enter(user, 'agent@azahar.example', `/funnel?copy=${policyUuid}`)
  const link = page.getByRole('link', { name: words('funnel.insured_open', { number: policyNumber }) })
  await link.waitFor()
  await expectPage(link).toHaveAttribute('href', `/policies?policy=${policyUuid}`)
  await expectPage(link).toHaveCount(1)
  await page.getByText(/^Ya en una póliza de este producto .+: Ana García López y Leo García Gil\.$/).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.goto('/funnel?step=3')
  await link.waitFor()
  await page.getByRole('button', { name: /^Vender por/ }).waitFor()
  await user.stop()
})
