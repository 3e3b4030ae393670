import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { authenticate, type CardApp, cardApp, intentOf, payBy, receiveWebhooks } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { expireOffers } from './abandon.ts'

let app: CardApp
let seller: Seller
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
beforeAll(async () => {
  app = await cardApp({ clock })
  seller = await sellerOf(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const minutes = (many: number): void => void (ahead += many * 60_000)
const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const post = (path: string, body: unknown, headers = {}) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
const pay = (changeUuid: string) => post('change/pay', { changeUuid })
const terms = async (policyUuid: string) => (await post('change/terms', { policyUuid })).body.data
const stands = async (policyUuid: string) => {
  const { policy, openChange } = await terms(policyUuid)
  return [policy.version, policy.charged.total, openChange?.state ?? null]
}
const untouched = [1, 3376, null]
const made = [2, 5084, null]
const events = async (policyUuid: string): Promise<string[]> =>
  (await post('detail', { policyUuid })).body.data.history.map(({ what }: { what: string }) => what).slice(2)

async function sell(): Promise<string> {
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const { clientSecret, purchaseUUID, policyUuid } = (await registerAs(seller, gateway)).body.data
  await payBy(app, clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID })
  return policyUuid
}

/** Sells by card, and asks for four more days. */
async function ask(headers = {}) {
  const id = await sell()
  const { body } = await post('change', { policyUuid: id, version: 1, ...longer }, headers)
  const data: { changeUuid: string; clientSecret: string; until: string } = body.data
  return { id, body, ...data }
}

const claim = (policyUuid: string) =>
  sql`insert into tickets (business_unit_id, id, reference, kind, type_key, form, status, subject, description, policy_id, policy_number,
      incident_date, contact_name, contact_email, contact_phone, locale, user_id, user_name, created_at, updated_at, search)
    select business_unit_id, gen_random_uuid(), number, 'claim', 'other', '{}', 'open', 'A claim', '', id, number,
      start_date, '', '', '', locale, seller_id, seller_name, created_at, created_at, ''
    from policies where id = ${policyUuid}`.execute(app.world.database.kysely)

async function runReconcilers(): Promise<void> {
  await reconcile(app.sales)
  await expireOffers(app.sales)
  await reconcile(app.sales)
}

const paymentsOf = async (policyUuid: string): Promise<unknown[]> =>
  (await post('detail', { policyUuid })).body.data.payments.map(
    ({ amount, state, refunded }: { amount: number; state: string; refunded: number }) => [amount, state, refunded],
  )

describe('a dearer change by card', () => {
  it('waits for its payment, and leaves the policy as it was until then', async () => {
    const { id, body } = await ask()
    expect(body.data).toMatchObject({
      state: 'awaiting_payment',
      version: 1,
      charge: 17.08,
      publishableKey: app.network.publishableKey,
      policyData: { total: 33.76 },
    })
    expect(await stands(id)).toEqual([1, 3376, 'awaiting_payment'])
    expect((await terms(id)).openChange).toMatchObject({ changeUuid: body.data.changeUuid, difference: 17.08, until: body.data.until })
    expect(await events(id)).toEqual(['change_asked'])
  })

  it('is made once it is paid, and a second report gets the same reply', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    expect((await pay(changeUuid)).body.error).toBe('payment.not_paid')
    await payBy(app, clientSecret)
    const [first, second] = await Promise.all([pay(changeUuid), pay(changeUuid)])
    expect(first.body.data).toMatchObject({ state: 'done', changeUuid, version: 2, charge: 17.08, policyData: { total: 50.84 } })
    expect(second.body.data).toMatchObject({ state: 'done', changeUuid, version: 2 })
    expect(await stands(id)).toEqual(made)
    expect(await paymentsOf(id)).toEqual([
      [33.76, 'settled', 0],
      [17.08, 'settled', 0],
    ])
    expect(await events(id)).toEqual(['change_asked', 'changed'])
  })

  it('is made after the bank’s authentication, and not without it', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    expect(await payBy(app, clientSecret, 'pm_card_authenticationRequiredOnSetup')).toBe('requires_action')
    expect((await pay(changeUuid)).body.error).toBe('payment.authentication_required')
    await authenticate(app, clientSecret, 'approve')
    expect((await pay(changeUuid)).body.data.state).toBe('done')
    expect(await stands(id)).toEqual(made)
  })

  it('stays open after a declined card, and is paid by another', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    await payBy(app, clientSecret, 'pm_card_visa_chargeDeclined')
    expect((await pay(changeUuid)).body.error).toBe('payment.card_declined')
    expect((await post('change/open', { changeUuid })).body.data).toMatchObject({ state: 'awaiting_payment', clientSecret })
    await payBy(app, clientSecret)
    expect((await pay(changeUuid)).body.data.state).toBe('done')
    expect(await stands(id)).toEqual(made)
  })

  it('is made by the reconciler when neither browser nor network report', async () => {
    const { id, clientSecret } = await ask()
    await payBy(app, clientSecret)
    minutes(3)
    await runReconcilers()
    expect(await stands(id)).toEqual(made)
  })

  it('is made by the network’s event alone, and the browser’s report finds it made', async () => {
    await receiveWebhooks(app)
    const { id, changeUuid, clientSecret } = await ask()
    await payBy(app, clientSecret)
    await expect.poll(async () => (await app.world.outbox.drain(), stands(id))).toEqual(made)
    expect((await pay(changeUuid)).body.data).toMatchObject({ state: 'done', version: 2 })
    app.network.webhooksTo(undefined)
  })

  it('that is sent again with its key gets the same change and secret', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const { id, changeUuid, clientSecret } = await ask(key)
    // A stored reply may be lost in a crash: the open change knows its request.
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    const again = await post('change', { policyUuid: id, version: 1, ...longer }, key)
    expect(again.body.data).toMatchObject({ changeUuid, clientSecret, state: 'awaiting_payment' })
    await payBy(app, clientSecret)
    await pay(changeUuid)
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    expect((await post('change', { policyUuid: id, version: 1, ...longer }, key)).body.data).toMatchObject({ changeUuid, state: 'done' })
  })

  it.each(['drop-after', 'error-after'] as const)('that the network answers with %s is retried with its key, once', async fault => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const id = await sell()
    const times = fault === 'drop-after' ? 2 : 1
    app.network.fault({ fault, times, method: 'POST', path: '/v1/payment_intents' })
    const broken = await post('change', { policyUuid: id, version: 1, ...longer }, key)
    expect([broken.status, broken.body.error]).toEqual([503, 'payment.unavailable'])
    const asked = (await post('change', { policyUuid: id, version: 1, ...longer }, key)).body.data
    await payBy(app, asked.clientSecret)
    expect((await pay(asked.changeUuid)).body.data.state).toBe('done')
    expect(await paymentsOf(id)).toHaveLength(2)
  })

  it('prevents every other change, and only one of two agents at once succeeds', async () => {
    const { id } = await ask()
    const second = await post('change', { policyUuid: id, version: 1, change: { buReference: 'R 2' }, expectedDifference: 0 })
    expect(second.body.error).toBe('change.pending')
    const other = await sell()
    const both = await Promise.all([1, 2].map(() => post('change', { policyUuid: other, version: 1, ...longer })))
    expect(new Set(both.map(({ body }) => body.error ?? body.data.state))).toEqual(new Set(['awaiting_payment', 'change.pending']))
  })

  it('cannot be reported as a sale, nor by another unit or without the permission', async () => {
    const { id, body, changeUuid, clientSecret } = await ask()
    await payBy(app, clientSecret)
    const asSale = await purchaseAs(seller, {
      paymentGatewayUUID: seller.gateway('StripeV2'),
      paymentIntentClientSecret: body.data.clientSecret,
    })
    expect(asSale.status).toBe(404)
    const rival = await signIn(app, 'agent@rotta.example')
    const viewer = await signIn(app, 'viewer@azahar.example')
    for (const path of ['change/pay', 'change/open', 'change/take-back']) {
      expect((await post(path, { changeUuid }, rival.headers)).status).toBe(404)
      expect((await post(path, { changeUuid }, viewer.headers)).status).toBe(403)
    }
    expect((await post('change/pay', { changeUuid, paymentIntentClientSecret: 'pi_1_secret_2' })).status).toBe(404)
    expect(await stands(id)).toEqual([1, 3376, 'awaiting_payment'])
    await pay(changeUuid)
  })
})

describe('the money of a change that is no longer made', () => {
  const isGivenBack = async (id: string, clientSecret: string): Promise<void> => {
    await runReconcilers()
    expect(intentOf(app, clientSecret)?.refunded).toBe(1708)
    expect((await paymentsOf(id))[1]).toEqual([17.08, 'unwanted', 17.08])
  }

  it('is given back when it comes one second after the end', async () => {
    const { id, changeUuid, clientSecret, until } = await ask()
    ahead = Date.parse(until) - Date.now() + 1000
    seller = await sellerOf(app)
    await payBy(app, clientSecret)
    expect((await pay(changeUuid)).body.error).toBe('payment.refunded')
    expect((await pay(changeUuid)).body.error).toBe('payment.refunded')
    expect(await stands(id)).toEqual(untouched)
    expect(await events(id)).toEqual(['change_asked', 'change_expired', 'payment_refunded'])
    await isGivenBack(id, clientSecret)
  })

  it('is reviewed when it differs from what was asked, and changes nothing', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    const [intent = ''] = clientSecret.split('_secret_')
    await new Stripe(app.network.secretKey, app.network.sdk).paymentIntents.update(intent, { amount: 500 })
    await payBy(app, clientSecret)
    expect((await pay(changeUuid)).body.error).toBe('payment.in_review')
    expect((await pay(changeUuid)).body.error).toBe('payment.in_review')
    expect(await stands(id)).toEqual(untouched)
  })

  it('is given back when a claim is filed in between', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    await claim(id)
    await payBy(app, clientSecret)
    expect((await pay(changeUuid)).body.error).toBe('payment.refunded')
    expect(await stands(id)).toEqual(untouched)
    await isGivenBack(id, clientSecret)
  })

  it('is given back if the policy was cancelled in between, which is still possible', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    const ended = await post('cancel', { policyUuid: id, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
    expect(ended.body.data).toMatchObject({ kind: 'cancellation', refund: { amount: 33.76 } })
    await payBy(app, clientSecret)
    expect((await pay(changeUuid)).body.error).toBe('payment.refunded')
    await isGivenBack(id, clientSecret)
  })

  it('is no longer charged after a cancellation, which cancels the payment', async () => {
    const { id, clientSecret } = await ask()
    await post('cancel', { policyUuid: id, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
    await runReconcilers()
    expect(intentOf(app, clientSecret)?.status).toBe('canceled')
    expect((await paymentsOf(id))[1]).toEqual([17.08, 'closed', 0])
  })
})

describe('a change that is not paid', () => {
  it('expires after a day, with its payment cancelled at the network', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    minutes(24 * 60 - 1)
    seller = await sellerOf(app)
    await runReconcilers()
    expect(await stands(id)).toEqual([1, 3376, 'awaiting_payment'])
    minutes(5)
    expect((await post('change/open', { changeUuid })).body.error).toBe('change.expired')
    await runReconcilers()
    expect(await stands(id)).toEqual(untouched)
    expect(intentOf(app, clientSecret)?.status).toBe('canceled')
    expect(await payBy(app, clientSecret)).not.toBe('succeeded')
    expect(await events(id)).toEqual(['change_asked', 'change_expired'])
    expect((await post('change/take-back', { changeUuid })).body.error).toBe('change.expired')
  })

  it('is abandoned by the agent, who may then make another one', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    const taken = await post('change/take-back', { changeUuid })
    expect(taken.body.data).toMatchObject({ state: 'taken_back', changeUuid, version: 1, charge: 0, clientSecret: null })
    expect((await post('change/take-back', { changeUuid })).body.data.state).toBe('taken_back')
    expect(intentOf(app, clientSecret)?.status).toBe('canceled')
    expect(await stands(id)).toEqual(untouched)
    expect((await pay(changeUuid)).body.error).toBe('payment.cancelled')
    expect((await post('change', { policyUuid: id, version: 1, ...longer })).body.data.state).toBe('awaiting_payment')
  })

  it('is made if it was paid just before, and then undone by the same call', async () => {
    const { id, changeUuid, clientSecret } = await ask()
    await payBy(app, clientSecret)
    expect((await post('change/take-back', { changeUuid })).body.data).toMatchObject({ state: 'done', version: 2 })
    expect((await post('change/take-back', { changeUuid })).body.data).toMatchObject({ kind: 'undo', version: 3, refund: 17.08 })
    expect(await stands(id)).toEqual([3, 3376, null])
  })
})

describe('a reinstatement by card', () => {
  it('charges again once the refund has left, and puts the policy in force when paid', async () => {
    const { id, changeUuid } = await ask()
    await post('change/take-back', { changeUuid })
    await post('cancel', { policyUuid: id, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
    minutes(61)
    await runReconcilers()
    const again = { policyUuid: id, version: 2, expectedCharge: 33.76 }
    const asked = (await post('reinstate', again)).body.data
    expect(asked).toMatchObject({ state: 'awaiting_payment', kind: 'reinstatement', charge: 33.76, policyData: { status: 'cancelled' } })
    expect((await post('reinstate', again)).body.error).toBe('change.pending')
    await payBy(app, asked.clientSecret)
    expect((await pay(asked.changeUuid)).body.data).toMatchObject({ state: 'done', policyData: { status: 'purchased', total: 33.76 } })
  })
})
