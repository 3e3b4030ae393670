import { afterEach, beforeEach, expect, test } from 'vitest'
import { within } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { insertReview } from '#server/payments/queries.ts'
import { registerAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { admin, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
beforeEach(async () => {
  app = await testApp()
  ask = await admin(app)
})
afterEach(() => app.stop())

const mario = {
  name: 'Mario',
  middleName: 'Rossi',
  birthDate: '1980-01-01',
  docNumber: 'RSSMRA80A01H501U',
  identificationTypeId: 3,
  email: 'mario@example.it',
  phonePrefix: '+39',
  phoneNumber: '3331234567',
  address: 'Via Roma 1',
  city: 'Roma',
  state: 'Roma',
  zipCode: '00118',
}
const list = async (body: object = {}) => (await ask.post('payments/list', body)).body.data

/** Creates a review of a payment that the service could not complete by itself. */
async function review(
  email: string,
  key: 'azahar' | 'rotta',
  reason: string,
  details: Record<string, unknown>,
  sale = {},
): Promise<string> {
  const registered = await registerAs(await sellerOf(app, email), sale)
  expect(registered.body).toMatchObject({ code: 200 })
  const scope = demoScope(key)
  return app.world.database.asService(async whole => {
    const tx = within(whole, scope)
    const { id } = await tx.selectFrom('payments').select('id').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
    await insertReview(tx, {
      id: app.world.ids.next(),
      payment_id: id,
      at: app.world.clock.now(),
      reason,
      details: JSON.stringify(details),
    })
    return id
  })
}

/** Creates a review of each unit, and returns the payment of the first. */
async function reviews(): Promise<string> {
  const received = { cents: 1250, currency: 'EUR' }
  const own = await review('agent@azahar.example', 'azahar', 'amount', { intent: 'pi_x', received })
  await review('agent@rotta.example', 'rotta', 'unknown', {}, { paxNumber: 1, countriesDestinationId: '724', users: [mario] })
  return own
}

test('open reviews of all units show the requested and the received amount', async () => {
  const own = await reviews()
  const { total, reviews: open } = await list()
  expect(total).toBe(2)
  expect(open[0]).toMatchObject({ reason: 'unknown', received: null, businessUnit: { brandName: 'Rotta Viaggi' }, settledAt: null })
  expect(open[1]).toMatchObject({
    paymentUuid: own,
    intent: 'pi_x',
    asked: { currency: 'EUR' },
    received: { amount: 12.5, currency: 'EUR' },
  })
  expect((await list({ businessUnitUuid: stableId('business-unit', 'rotta') })).total).toBe(1)
  expect((await ask.get('overview')).body.data.paymentReviews).toBe(2)
})

test('one of several concurrent resolutions of a review succeeds and is audited', async () => {
  await reviews()
  const [, { uuid, paymentUuid }] = (await list()).reviews
  expect((await ask.post(`payments/${uuid}/settle`, { reason: ' ' })).status).toBe(422)
  const settle = () => ask.post(`payments/${uuid}/settle`, { reason: 'refunded at the card network' })
  const replies = await Promise.all([settle(), settle()])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await list()).total).toBe(1)
  expect((await list({ state: 'settled' })).reviews).toMatchObject([
    { uuid, resolution: 'refunded at the card network', settledBy: { email: 'admin@portolan.example' } },
  ])
  expect(await auditOf(app, 'payment_settled')).toMatchObject([
    {
      object: paymentUuid,
      business_unit_id: stableId('business-unit', 'azahar'),
      reason: 'refunded at the card network',
      details: { review: uuid },
    },
  ])
})

test('resolving an unknown review returns 404', async () => {
  const reply = await ask.post(`payments/${stableId('payment', 'none')}/settle`, { reason: 'nothing there' })
  expect(reply.status).toBe(404)
})
