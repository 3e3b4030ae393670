import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

// A reply is stored for a day. After that a repeated request is recognised by its row alone.

let app: CardApp
let seller: Seller
let ahead = 0
const hour = 3_600_000

beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(Date.now() + ahead) }, environment: { SESSION_IDLE_HOURS: '720' } })
  seller = await sellerOf(app)
})
afterEach(async () => expect(await brokenInvariants(app.world.database)).toEqual([]))
afterAll(() => app.stop())

type Key = Record<string, string>
const key = (): Key => ({ 'idempotency-key': crypto.randomUUID() })
const post = (path: string, body: object, headers: Key) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
const settle = (gateway: 'Deferred' | 'StripeV2') => ({ paymentGatewayUUID: seller.gateway(gateway) })

/** Sends a request under a key, and again 25 hours later. Returns both replies. */
async function twice(send: (key: Key) => ReturnType<typeof post>, between?: (reply: Awaited<ReturnType<typeof post>>) => Promise<unknown>) {
  const same = key()
  const first = await send(same)
  expect(first.status, first.text).toBe(200)
  await between?.(first)
  ahead += 25 * hour
  const second = await send(same)
  expect(second.status, second.text).toBe(200)
  return [first.body.data, second.body.data]
}

async function sell(gateway: 'Deferred' | 'StripeV2' = 'Deferred'): Promise<string> {
  const { purchaseUUID, policyUuid, clientSecret } = (await registerAs(seller, settle(gateway), key())).body.data
  if (clientSecret) await payBy(app, clientSecret)
  const bought = await post('purchase', { ...settle(gateway), purchaseUUID }, key())
  expect(bought.status, bought.text).toBe(200)
  return policyUuid
}

/** A change that makes any of these trips longer, since all have the same days. */
const longer = { change: { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }, expectedDifference: 17.08 }
const paymentsOf = async (policyUuid: string) => (await post('detail', { policyUuid }, {})).body.data.payments.length

test.each(['Deferred', 'StripeV2'] as const)('a key after its reply finds the sold registration: %s', async gateway => {
  const buy = async ({ body }: Awaited<ReturnType<typeof post>>) => {
    const { clientSecret, purchaseUUID } = body.data
    if (clientSecret) await payBy(app, clientSecret)
    expect((await post('purchase', { ...settle(gateway), purchaseUUID }, key())).status).toBe(200)
  }
  const [first, second] = await twice(same => registerAs(seller, settle(gateway), same), buy)
  expect([second.purchaseUUID, second.policyUuid, second.status]).toEqual([first.purchaseUUID, first.policyUuid, 'purchased'])
})

test('a key after its reply finds the same purchase', async () => {
  const { purchaseUUID } = (await registerAs(seller, {}, key())).body.data
  const [first, second] = await twice(same => post('purchase', { ...settle('Deferred'), purchaseUUID }, same))
  expect(second.policyData).toEqual(first.policyData)
})

test('a key after its reply finds the same movement, on account', async () => {
  const policyUuid = await sell()
  const ask = { policyUuid, version: 1, ...longer, settle: settle('Deferred') }
  const [first, second] = await twice(same => post('change', ask, same))
  expect([second.changeUuid, second.version]).toEqual([first.changeUuid, 2])
  expect(await paymentsOf(policyUuid)).toBe(2)
})

test('a key after its reply finds the same movement, once its card payment has made it', async () => {
  const policyUuid = await sell('StripeV2')
  const ask = { policyUuid, version: 1, ...longer }
  const pay = async ({ body }: Awaited<ReturnType<typeof post>>) => {
    await payBy(app, body.data.clientSecret)
    expect((await post('change/pay', { changeUuid: body.data.changeUuid }, {})).body.data.state).toBe('done')
  }
  const [first, second] = await twice(same => post('change', ask, same), pay)
  expect([second.changeUuid, second.state, second.version]).toEqual([first.changeUuid, 'done', 2])
  expect(await paymentsOf(policyUuid)).toBe(2)
})

test('a key whose reply was lost finds the change that waits', async () => {
  const policyUuid = await sell('StripeV2')
  const [ask, same] = [{ policyUuid, version: 1, ...longer }, key()]
  const first = (await post('change', ask, same)).body.data
  // As if the node had died before it kept the reply.
  await app.world.database.asService(tx => tx.deleteFrom('idempotency').execute())
  const second = (await post('change', ask, same)).body.data
  expect([second.changeUuid, second.clientSecret, second.state]).toEqual([first.changeUuid, first.clientSecret, 'awaiting_payment'])
})
