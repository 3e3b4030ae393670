import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDate } from '#common/kit/dates.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { inProcess } from '#server/kit/testing.ts'
import { payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, sellerOf } from '#server/policies/testing.ts'
import { accessibilityOf, enter, inDays, openPortal, type Portal, waitUntilLoaded } from './browser.ts'

// The card network refuses a refund. An administrator sends it by bank transfer, and records that.

let portal: Portal
let network: CardNetwork
beforeAll(async () => {
  network = await startCardNetwork({ publishableKey: fakeCardKey })
  portal = await openPortal({
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_only_for_e2e_tests',
    STRIPE_API_URL: network.url,
  })
})
afterAll(async () => {
  await portal.stop()
  await network.stop()
})

/** Creates a cancelled policy whose refund the network refuses. */
async function refusedRefund(): Promise<string> {
  const app = inProcess(portal.app)
  const seller = await sellerOf(app)
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const trip = { startDate: readDate(inDays(11)), endDate: readDate(inDays(18)) }
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, { ...trip, ...gateway })).body.data
  await payBy({ network }, clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID })
  const body = { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' }
  await app.ask('/api/policy/cancel', { body, headers: seller.headers })
  network.refunds('refused')
  await reconcileLater(app, 61)
  return policyUuid
}

test('an administrator records a refund’s bank transfer, which the agency then sees', async () => {
  const policyUuid = await refusedRefund()
  const t = portal.app.world.words('es-ES')
  const admin = await portal.newUser({ chosen: 'es-ES' })
  const { page } = admin
  await enter(admin, 'admin@portolan.example', '/administration?tab=payments')
  await page.locator('#main tbody tr[tabindex]').first().click()
  const transfer = t('administration.transfer')
  await page.getByRole('button', { name: transfer }).click()
  const dialog = page.getByRole('dialog', { name: transfer })
  await dialog.getByText('33,76 €').waitFor()
  await dialog.getByRole('button', { name: transfer }).click()
  await dialog.locator('[name=reference][aria-invalid=true]').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await dialog.locator('[name=reference]').fill('SCT 2026-118')
  await page.keyboard.press('Enter')
  await page.getByText(t('administration.transfer_done')).waitFor()
  await page.getByText(t('administration.no_reviews')).waitFor()
  await admin.stop()

  const agent = await portal.newUser({ chosen: 'es-ES' })
  await enter(agent, 'agent@azahar.example', `/policies?policy=${policyUuid}`)
  await waitUntilLoaded(agent.page)
  await agent.page.getByText('33,76 € enviados por transferencia (SCT 2026-118)').waitFor()
  await agent.page.getByText(t('events.refund_transferred')).waitFor()
  await agent.page.getByText(t('policies.payment_refunded')).first().waitFor()
  await agent.stop()
})
