import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, intentOf, payBy, receiveWebhooks, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

let app: CardApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
  await receiveWebhooks(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  app.network.refunds('normal')
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const post = (path: string, body: unknown) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const cancel = (policyUuid: string, expectedRefund = 33.76) =>
  post('cancel', { policyUuid, version: 1, expectedRefund, reason: 'trip_cancelled' })

async function registerByCard() {
  const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  await payBy(app, sale.clientSecret)
  return sale
}

const purchase = ({ purchaseUUID }: { purchaseUUID: string }) =>
  purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID })

async function notified() {
  await app.network.idle()
  await app.world.outbox.drain()
}

/** Returns the bookings of a policy: their kind, version, and the accounts that they move. */
async function bookOf(policyUuid: string) {
  const rows = await app.world.database.kysely
    .selectFrom('money_book')
    .selectAll()
    .where('policy_id', '=', policyUuid)
    .orderBy('id')
    .execute()
  return rows.map(row => {
    const { kind, policy_version: version, taxes } = row
    const moved = Object.entries(row).filter(([name, value]) => accounts.has(name) && value !== 0)
    return { kind, version, ...Object.fromEntries(moved), ...taxes }
  })
}
const accounts = new Set([
  'insurer_premium',
  'insurer_cost',
  'commission_payable',
  'agency_account',
  'card_clearing',
  'refunds_payable',
  'chargebacks',
])

const sold = { kind: 'sale', version: 1, insurer_premium: -3120, commission_payable: -874, IPS: -250, 'CCS-LEA': -5, 'CCS-RE': -1 }
const ended = { version: 2, insurer_premium: 3120, commission_payable: 874, IPS: 250, 'CCS-LEA': 5, 'CCS-RE': 1 }
/** The state keeps this tax, so the insurer pays the cent that comes back. */
const kept = { 'CCS-RE kept': -1, insurer_cost: 1 }

test('a sale and a change on account are booked line by line', async () => {
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const endDate = addDays(today(new Date(), 'Europe/Madrid'), 22)
  await post('change', { policyUuid, version: 1, change: { endDate }, expectedDifference: 17.08 })
  expect(await bookOf(policyUuid)).toEqual([
    { ...sold, agency_account: 3376 },
    { kind: 'change', version: 2, agency_account: 1708, insurer_premium: -1580, commission_payable: -442, IPS: -126, 'CCS-LEA': -2 },
  ])
})

test('a refund by card is owed, leaves, and is owed again if it fails', async () => {
  const sale = await registerByCard()
  await purchase(sale)
  await cancel(sale.policyUuid)
  const owed = [
    { ...sold, card_clearing: 3376 },
    { ...ended, ...kept, kind: 'cancellation', refunds_payable: -3376 },
  ]
  expect(await bookOf(sale.policyUuid)).toEqual(owed)
  ahead = 61 * 60_000
  await reconcileLater(app, 0)
  const left = [...owed, { kind: 'refund_sent', version: 1, card_clearing: -3376, refunds_payable: 3376 }]
  expect(await bookOf(sale.policyUuid)).toEqual(left)
  app.network.failRefunds()
  await notified()
  const failed = { kind: 'refund_failed', version: 1, card_clearing: 3376, refunds_payable: -3376 }
  expect(await bookOf(sale.policyUuid)).toEqual([...left, failed])
})

test('a refund by card that is stopped is no longer owed', async () => {
  const sale = await registerByCard()
  await purchase(sale)
  await cancel(sale.policyUuid)
  await post('reinstate', { policyUuid: sale.policyUuid, version: 2, expectedCharge: 0 })
  const again = { ...sold, kind: 'reinstatement', version: 3, refunds_payable: 3376, 'CCS-RE kept': 1, insurer_cost: -1 }
  expect((await bookOf(sale.policyUuid)).at(-1)).toEqual(again)
})

test('money that came too late is owed back until it has left', async () => {
  const sale = await registerByCard()
  await app.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('id', '=', sale.purchaseUUID).execute()
  await purchase(sale)
  const received = { kind: 'unwanted', version: 1, card_clearing: 3376, refunds_payable: -3376 }
  expect(await bookOf(sale.policyUuid)).toEqual([received])
  await reconcileLater(app, 1)
  expect(await bookOf(sale.policyUuid)).toEqual([
    received,
    { kind: 'refund_sent', version: 1, card_clearing: -3376, refunds_payable: 3376 },
  ])
})

test('a dispute is booked once, and again when it is won', async () => {
  const sale = await registerByCard()
  await purchase(sale)
  const bookedAfter = async (step: object) => {
    const intent = intentOf(app, sale.clientSecret)?.id
    await fetch(`${app.network.url}/control/dashboard/dispute`, { method: 'POST', body: JSON.stringify({ intent, ...step }) })
    await notified()
    return (await bookOf(sale.policyUuid)).slice(1)
  }
  const taken = { kind: 'chargeback', version: 1, chargebacks: 3376, card_clearing: -3376 }
  expect(await bookedAfter({})).toEqual([taken])
  expect(await bookedAfter({})).toEqual([taken])
  expect(await bookedAfter({ end: 'won' })).toEqual([taken, { ...taken, chargebacks: -3376, card_clearing: 3376 }])
})
