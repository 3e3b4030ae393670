import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brokenInvariants } from './checks/invariants.ts'
import { deleteAs, purchaseAs, registerAs, type Seller, sellerOf } from './testing.ts'
import { authenticate, type CardApp, cardApp, intentOf, payBy, reconcileLater } from './testing-cards.ts'

let app: CardApp
let seller: Seller

beforeAll(async () => {
  app = await cardApp({ backoff: [10, 50, 100] })
  seller = await sellerOf(app)
})
beforeEach(() => app.network.webhooks({ mode: 'normal' }))
afterEach(async () => {
  app.network.clearFaults()
  app.network.release()
  await app.network.idle()
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

type Registered = { purchaseUUID: string; policyUuid: string; clientSecret: string }

const register = async (changes: Record<string, unknown> = {}, headers?: Record<string, string>): Promise<Registered> =>
  (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), ...changes }, headers)).body.data

const purchase = ({ clientSecret, purchaseUUID }: Registered) =>
  purchaseAs(seller, {
    paymentGatewayUUID: seller.gateway('StripeV2'),
    paymentToken: purchaseUUID,
    paymentIntentClientSecret: clientSecret,
  })

const statusOf = async (id: string) =>
  (await app.world.database.kysely.selectFrom('policies').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

const numbers = async () =>
  (await app.world.database.kysely.selectFrom('policies').select('number').where('number', 'is not', null).execute()).length

it.each([
  ['new', {}],
  ['of a saved quote', { saveBudget: true }],
])('a sale on the agency’s account, %s, has no secret for the card network', { tags: ['S3.10', 'S4.11'] }, async (_, first) => {
  const onAccount = { paymentGatewayUUID: seller.gateway('Deferred') }
  const policyUuid = 'saveBudget' in first ? (await register({ ...onAccount, ...first })).policyUuid : undefined
  const sale = await register({ ...onAccount, ...(policyUuid && { policyUuid }) })
  expect(sale).toMatchObject({ status: 'pending', clientSecret: null, publishableKey: null })
  const { body } = await purchaseAs(seller, { purchaseUUID: sale.purchaseUUID })
  expect(body.data.policyData).toMatchObject({ policyUuid: sale.policyUuid, status: 'purchased' })
})

it('a saved quote to be paid by card needs no call to the card network', { tags: 'S7.8' }, async () => {
  const intents = app.network.counters().intents.length
  const saved = { status: 'budgeted', clientSecret: null, publishableKey: null }
  const quote = await register({ saveBudget: true })
  expect(quote).toMatchObject(saved)
  expect(await register({ saveBudget: true, policyUuid: quote.policyUuid })).toMatchObject(saved)
  await reconcileLater(app, 5)
  expect(app.network.counters().intents).toHaveLength(intents)
})

describe('a sale by card', () => {
  it('shows the product’s own key, and is purchased once paid', { tags: ['S3.10', 'S4.11', 'S7.8'] }, async () => {
    const sale = await register()
    expect(sale).toMatchObject({
      status: 'pending',
      publishableKey: app.network.publishableKey,
      clientSecret: expect.stringContaining('_secret_'),
    })
    const byUuid = { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID: sale.purchaseUUID }
    expect((await purchase(sale)).body.error).toBe('payment.not_paid')
    expect((await purchaseAs(seller, byUuid)).body.error).toBe('payment.not_paid')
    expect(await payBy(app, sale.clientSecret)).toBe('succeeded')
    const completed = await purchase(sale)
    expect(completed.body.data.policyData).toMatchObject({ policyUuid: sale.policyUuid, status: 'purchased' })
    expect((await purchase(sale)).text).toBe(completed.text)
    expect((await purchaseAs(seller, byUuid)).text).toBe(completed.text)
  })

  it.each([
    ['pm_card_visa_chargeDeclined', 'payment.card_declined', 'La tarjeta ha sido rechazada. Use otra o contacte con el banco emisor.'],
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      'payment.insufficient_funds',
      'La tarjeta no tiene fondos suficientes. Use otra tarjeta.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'payment.expired_card', 'La tarjeta ha caducado. Use otra tarjeta.'],
    [
      'pm_card_chargeDeclinedIncorrectCvc',
      'payment.incorrect_cvc',
      'El código de seguridad no es correcto. Revíselo e inténtelo de nuevo.',
    ],
    [
      'pm_card_chargeDeclinedProcessingError',
      'payment.processing_error',
      'El banco no ha podido procesar la tarjeta. Inténtelo de nuevo en unos instantes.',
    ],
  ])('is refused with the reason of %s, and can be paid by another card', async (card, code, message) => {
    const sale = await register()
    await payBy(app, sale.clientSecret, card)
    const { status, body } = await purchase(sale)
    expect([status, body.error, body.errorMessage]).toEqual([409, code, message])
    await payBy(app, sale.clientSecret)
    expect((await purchase(sale)).status).toBe(200)
  })

  it('stays unsold until the cardholder authenticates', async () => {
    const sale = await register()
    expect(await payBy(app, sale.clientSecret, 'pm_card_authenticationRequiredOnSetup')).toBe('requires_action')
    expect((await purchase(sale)).body.error).toBe('payment.authentication_required')
    await authenticate(app, sale.clientSecret, 'fail')
    expect((await purchase(sale)).body.error).toBe('payment.authentication_failed')
    await payBy(app, sale.clientSecret, 'pm_card_authenticationRequiredOnSetup')
    await authenticate(app, sale.clientSecret, 'approve')
    expect((await purchase(sale)).status).toBe(200)
  })

  it('is sold once, for any order and number of browser returns and notifications', { tags: 'S7.9' }, async () => {
    for (const mode of ['normal', 'duplicate', 'shuffled', 'held'] as const) {
      app.network.webhooks(mode === 'shuffled' ? { mode, ms: 20 } : { mode })
      const [sale, before] = [await register(), await numbers()]
      await payBy(app, sale.clientSecret, 'pm_card_visa_chargeDeclined')
      await payBy(app, sale.clientSecret)
      const replies = await Promise.all([...Array.from({ length: 20 }, () => purchase(sale)), app.world.outbox.drain()])
      app.network.release()
      await app.network.idle()
      await app.world.outbox.drain()
      const texts = replies.filter(reply => typeof reply === 'object').map(({ text }) => text)
      expect(new Set(texts).size).toBe(1)
      expect(await numbers()).toBe(before + 1)
    }
  })

  it('is completed without the browser’s return', async () => {
    const sale = await register()
    await payBy(app, sale.clientSecret)
    await app.network.idle()
    await app.world.outbox.drain()
    expect(await statusOf(sale.policyUuid)).toBe('purchased')
    expect((await purchase(sale)).body.data.policyData.status).toBe('purchased')
  })

  it('is completed by the reconciler without any notification', async () => {
    app.network.webhooks({ mode: 'lost' })
    const sale = await register()
    await payBy(app, sale.clientSecret)
    await reconcileLater(app, 5)
    expect(await statusOf(sale.policyUuid)).toBe('purchased')
  })

  it('is completed only by the payment of its own purchase', { tags: 'S7.9' }, async () => {
    const [one, other] = [await register(), await register()]
    await payBy(app, one.clientSecret)
    expect((await purchase({ ...other, clientSecret: one.clientSecret })).body.fields[0].path).toBe('paymentToken')
    expect((await purchase({ ...other, clientSecret: `${other.clientSecret}x` })).status).toBe(404)
    expect((await purchase(other)).body.error).toBe('payment.not_paid')
    const onAccount = { paymentGatewayUUID: seller.gateway('Deferred'), purchaseUUID: other.purchaseUUID }
    expect((await purchaseAs(seller, onAccount)).body.fields[0].path).toBe('paymentGatewayUUID')
    const rival = await sellerOf(app, 'agent@rotta.example')
    const stolen = { paymentGatewayUUID: rival.gateway('StripeV2'), paymentIntentClientSecret: one.clientSecret }
    expect((await purchaseAs(rival, stolen)).status).toBe(404)
  })
})

describe('a payment that differs from its purchase', () => {
  const intentIdOf = ({ clientSecret }: Registered) => clientSecret.split('_secret_')[0] ?? ''
  const stripe = () => new Stripe(app.network.secretKey, app.network.sdk).paymentIntents

  async function expectReview(sale: Registered): Promise<void> {
    expect((await purchase(sale)).body.error).toBe('payment.in_review')
    expect((await purchase(sale)).body.error).toBe('payment.in_review')
    expect(await statusOf(sale.policyUuid)).toBe('pending')
    const reviews = await app.world.database.kysely
      .selectFrom('payment_reviews')
      .selectAll()
      .where('payment_id', '=', sale.purchaseUUID)
      .execute()
    expect(reviews).toEqual([expect.objectContaining({ reason: 'differs', resolved_at: null })])
  }

  it.each([
    ['amount', { amount: 500 }],
    ['currency', { currency: 'jpy' }],
  ])('in its %s goes to review and completes no sale', { tags: 'S7.9' }, async (_, changes) => {
    const sale = await register()
    await stripe().update(intentIdOf(sale), changes)
    await payBy(app, sale.clientSecret)
    await expectReview(sale)
  })

  it('in the received amount goes to review, though the card was charged', { tags: 'S7.9' }, async () => {
    const sale = await register()
    await stripe().confirm(intentIdOf(sale), { payment_method: 'pm_card_visa', capture_method: 'manual' })
    expect(await stripe().capture(intentIdOf(sale), { amount_to_capture: 500 })).toMatchObject({ status: 'succeeded', amount: 3376 })
    await expectReview(sale)
  })
})

describe('a failed call to the card network', () => {
  it.each(['drop-before', 'drop-after', 'error', 'error-after', 'rate-limit'] as const)(
    '(%s) leaves a sale that a repeated request completes',
    async fault => {
      const key = { 'idempotency-key': `broken by ${fault}` }
      const trip = { paymentGatewayUUID: seller.gateway('StripeV2') }
      // Stripe's library retries once after a broken connection.
      const times = fault.startsWith('drop') ? 2 : 1
      app.network.fault({ fault, times, method: 'POST', path: '/v1/payment_intents' })
      const broken = await registerAs(seller, trip, key)
      expect([broken.status, broken.body.error]).toEqual([503, 'payment.unavailable'])
      expect(broken.headers['retry-after']).toBe('5')
      const sale = (await registerAs(seller, trip, key)).body.data
      await payBy(app, sale.clientSecret)
      app.network.fault({ fault, times, method: 'GET', path: '/v1/payment_intents/*' })
      expect((await purchase(sale)).status).toBe(503)
      expect((await purchase(sale)).status).toBe(200)
      expect(intentOf(app, sale.clientSecret)?.charges).toBe(1)
    },
  )
})

describe('a pending sale', () => {
  it('cannot be paid once it is deleted', async () => {
    const sale = await register()
    expect((await deleteAs(seller, sale.policyUuid)).status).toBe(200)
    expect(intentOf(app, sale.clientSecret)?.status).toBe('canceled')
    expect(await payBy(app, sale.clientSecret)).not.toBe('succeeded')
    expect((await purchase(sale)).body.error).toBe('payment.cancelled')
  })

  it('that is paid already is completed, and not deleted', async () => {
    app.network.webhooks({ mode: 'lost' })
    const sale = await register()
    await payBy(app, sale.clientSecret)
    expect((await deleteAs(seller, sale.policyUuid)).body.error).toBe('policy.not_deletable')
    expect(await statusOf(sale.policyUuid)).toBe('purchased')
  })

  it('paid and deleted at the same time ends in exactly one of the two', async () => {
    app.network.webhooks({ mode: 'lost' })
    for (let round = 0; round < 5; round++) {
      const sale = await register()
      const [paid, deleted] = await Promise.all([payBy(app, sale.clientSecret), deleteAs(seller, sale.policyUuid)])
      await reconcileLater(app, 5)
      const status = await statusOf(sale.policyUuid)
      expect([status, intentOf(app, sale.clientSecret)?.received === 0]).toEqual(
        paid === 'succeeded' ? ['purchased', false] : ['deleted', true],
      )
      expect(deleted.status).toBe(status === 'deleted' ? 200 : 409)
    }
  })

  it('can be replaced while unpaid, and the former payment is cancelled', async () => {
    const first = await register()
    const second = await register({ policyUuid: first.policyUuid })
    expect(second.policyUuid).toBe(first.policyUuid)
    expect(intentOf(app, first.clientSecret)?.status).toBe('canceled')
    expect((await purchase(first)).body.error).toBe('payment.cancelled')
    await payBy(app, second.clientSecret)
    expect((await purchase(second)).status).toBe(200)
    expect((await registerAs(seller, { policyUuid: first.policyUuid })).body.error).toBe('policy.not_replaceable')
  })

  it('becomes a saved quote again after a day without payment', async () => {
    const sale = await register()
    await reconcileLater(app, 60)
    expect(await statusOf(sale.policyUuid)).toBe('pending')
    await reconcileLater(app, 25 * 60)
    expect([await statusOf(sale.policyUuid), intentOf(app, sale.clientSecret)?.status]).toEqual(['budgeted', 'canceled'])
    const again = await register({ policyUuid: sale.policyUuid })
    await payBy(app, again.clientSecret)
    expect((await purchase(again)).status).toBe(200)
  })

  it('is refunded when it is paid after its deletion', async () => {
    app.network.webhooks({ mode: 'lost' })
    const sale = await register()
    // Simulates a network that accepts a payment for a cancelled intent.
    const { kysely } = app.world.database
    const gone = await kysely
      .updateTable('policies')
      .set({ status: 'deleted' })
      .where('id', '=', sale.policyUuid)
      .returning(['business_unit_id', 'id'])
      .executeTakeFirstOrThrow()
    const event = { policy_id: gone.id, id: app.world.ids.next(), at: new Date(), what: 'deleted', details: '{}' }
    await kysely
      .insertInto('policy_history')
      .values({ business_unit_id: gone.business_unit_id, ...event })
      .execute()
    await kysely
      .updateTable('policy_counts')
      .set(eb => ({ pending: eb('pending', '-', 1), deleted: eb('deleted', '+', 1) }))
      .where('part', '=', Number.parseInt(sale.policyUuid.slice(-2), 16) % 16)
      .execute()
    await payBy(app, sale.clientSecret)
    expect((await purchase(sale)).body.error).toBe('payment.refunded')
    app.network.fault({ fault: 'error-after', method: 'POST', path: '/v1/refunds' })
    for (let times = 0; times < 3; times++) await reconcileLater(app, 5 * (times + 1))
    const intent = intentOf(app, sale.clientSecret)
    expect(intent?.received).toBeGreaterThan(0)
    expect(intent?.refunded).toBe(intent?.received)
    expect((await purchase(sale)).body.error).toBe('payment.refunded')
  })
})
