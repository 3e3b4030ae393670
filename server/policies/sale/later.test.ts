import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { addDays } from '#common/kit/dates.ts'
import { certificate } from '#server/documents/pdf/certificate.ts'
import { readFacts } from '#server/changes/documents/facts.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { deleteAs, purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { demoScope } from '#server/session/testing.ts'

// Purchases later than the price: after the end of a day, or of the offer.

let app: CardApp
let seller: Seller
let now: Date

/** The first of March in Madrid, whose clock is an hour ahead. */
const day = '2027-03-01'
const trip = { startDate: day, endDate: addDays(day, 3) }
/** Signs in again, as a session ends before a price does. */
const at = async (moment: string) => {
  now = new Date(moment)
  seller = await sellerOf(app)
}

beforeAll(async () => {
  now = new Date(`${day}T08:00:00Z`)
  app = await cardApp({ clock: { now: () => (now = new Date(now.getTime() + 1)) } })
})
beforeEach(() => at(`${day}T08:00:00Z`))
afterEach(async () => expect(await brokenInvariants(app.world.database)).toEqual([]))
afterAll(() => app.stop())

const product = (code: string) => seller.products.find(each => each.code === code).uuid
const card = () => ({ paymentGatewayUUID: seller.gateway('StripeV2') })
const statusOf = async (id: string) =>
  (await app.world.database.kysely.selectFrom('policies').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

describe('a card payment for a trip', () => {
  it('ends with the trip’s first day, and leaves a saved quote', async () => {
    const sale = (await registerAs(seller, { ...trip, ...card() })).body.data
    await at(`${day}T22:58:00Z`)
    await reconcileLater(app, 0)
    expect([await statusOf(sale.policyUuid), intentOf(app, sale.clientSecret)?.status]).toEqual(['pending', 'requires_payment_method'])
    await reconcileLater(app, 5)
    expect([await statusOf(sale.policyUuid), intentOf(app, sale.clientSecret)?.status]).toEqual(['budgeted', 'canceled'])
  })

  it('made after that day is refunded, and leaves a saved quote', async () => {
    const sale = (await registerAs(seller, { ...trip, ...card() })).body.data
    await at(`${addDays(day, 1)}T07:00:00Z`)
    await payBy(app, sale.clientSecret)
    const purchased = await purchaseAs(seller, { ...card(), purchaseUUID: sale.purchaseUUID })
    expect([purchased.status, purchased.body.error]).toEqual([409, 'payment.refunded'])
    await reconcileLater(app, 1)
    expect(await statusOf(sale.policyUuid)).toBe('budgeted')
    const cents = Math.round(sale.total * 100)
    expect(intentOf(app, sale.clientSecret)).toMatchObject({ received: cents, refunded: cents })
    expect((await deleteAs(seller, sale.policyUuid)).status).toBe(200)
  })

  it('completes the sale until the end of that day', async () => {
    const sale = (await registerAs(seller, { ...trip, ...card() })).body.data
    await at(`${day}T22:58:00Z`)
    await payBy(app, sale.clientSecret)
    expect((await purchaseAs(seller, { ...card(), purchaseUUID: sale.purchaseUUID })).status).toBe(200)
  })
})

describe('a card payment for a price that ends', () => {
  const cancellable = () => ({
    productUUID: product('TOT'),
    startDate: addDays(day, 10),
    endDate: addDays(day, 15),
    insurancedAmount: 3000,
  })
  it('cannot begin after the cancellation’s window, but may end within ten minutes', async () => {
    await at(`${day}T22:50:00Z`)
    const ask = { ...cancellable(), reservationDate: addDays(day, -7) }
    const [sale, other] = [
      (await registerAs(seller, { ...ask, ...card() })).body.data,
      (await registerAs(seller, { ...ask, ...card() })).body.data,
    ]
    await at(`${day}T23:08:00Z`)
    expect((await registerAs(seller, ask)).body.error).toBe('quote.cancellation_window')
    await reconcileLater(app, 0)
    await payBy(app, other.clientSecret)
    expect((await purchaseAs(seller, { ...card(), purchaseUUID: other.purchaseUUID })).status).toBe(200)
    await reconcileLater(app, 6)
    expect([await statusOf(sale.policyUuid), intentOf(app, sale.clientSecret)?.status]).toEqual(['budgeted', 'canceled'])
  })
})

describe('a purchase on account', () => {
  it('is refused for a product that the unit no longer sells', async () => {
    const { purchaseUUID } = (await registerAs(seller, { ...trip, saveBudget: true })).body.data
    const offer = (enabled: boolean) =>
      app.world.database.kysely.updateTable('unit_products').set({ enabled }).where('product_id', '=', product('ESS')).execute()
    await offer(false)
    const refused = await purchaseAs(seller, { purchaseUUID })
    await offer(true)
    expect([refused.status, refused.body.error]).toEqual([409, 'policy.not_purchasable'])
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
  })

  it('is refused for a trip that may no longer begin on its day', async () => {
    const annual = { productUUID: product('TOT'), startDate: addDays(day, 1), endDate: addDays(day, 5), insurancedAmount: 1000 }
    const { purchaseUUID } = (await registerAs(seller, { ...annual, reservationDate: day, saveBudget: true })).body.data
    await at(`${day}T23:30:00Z`)
    const refused = await purchaseAs(seller, { purchaseUUID })
    expect([refused.status, refused.body.error]).toEqual([409, 'policy.price_expired'])
  })
})

describe('cancellation cover bought a day after pricing, eight after the booking', () => {
  const cancellable = (lead: number) => ({
    productUUID: product('TOT'),
    startDate: addDays(day, lead),
    endDate: addDays(day, lead + 5),
    insurancedAmount: 1000,
    reservationDate: addDays(day, -7),
  })
  const hasWaitingPeriod = async (policyUuid: string) => {
    const scope = demoScope('azahar')
    const facts = await app.world.database.inScope(scope, tx => readFacts(app.world)(tx, policyUuid))
    return certificate(existing(facts), app.world.words('es-ES'), 'x').parts.some(({ kind }) => kind === 'note')
  }

  it('has a waiting period on the certificate, and is not sold at terms without it', async () => {
    const [today, tomorrow] = [await sellAs(seller, cancellable(60)), await registerAs(seller, cancellable(60))]
    await at(`${day}T23:30:00Z`)
    const refused = await purchaseAs(seller, { purchaseUUID: tomorrow.body.data.purchaseUUID })
    expect([refused.status, refused.body.error]).toEqual([409, 'policy.price_expired'])
    const purchased = [today, await sellAs(seller, cancellable(60))]
    expect(purchased.map(({ status }) => status)).toEqual([200, 200])
    expect(await Promise.all(purchased.map(({ body }) => hasWaitingPeriod(body.data.policyData.policyUuid)))).toEqual([false, true])
  })

  it('is refused for a trip that begins within the waiting period', async () => {
    const { purchaseUUID } = (await registerAs(seller, cancellable(10))).body.data
    await at(`${day}T23:30:00Z`)
    expect((await purchaseAs(seller, { purchaseUUID })).body.error).toBe('policy.price_expired')
    expect((await registerAs(seller, cancellable(10))).body.error).toBe('quote.cancellation_window')
  })
})

it('a day-old Idempotency-Key registers anew unless its sale was completed', async () => {
  const later = { startDate: addDays(day, 11), endDate: addDays(day, 15) }
  const [one, other] = [{ 'idempotency-key': 'booking 4711' }, { 'idempotency-key': 'booking 4712' }]
  const [first, sold] = [(await registerAs(seller, later, one)).body.data, (await registerAs(seller, later, other)).body.data]
  expect((await purchaseAs(seller, { purchaseUUID: sold.purchaseUUID })).status).toBe(200)
  await at(`${addDays(day, 1)}T09:00:00Z`)
  const again = (await registerAs(seller, later, one)).body.data
  expect(again.purchaseUUID).not.toBe(first.purchaseUUID)
  expect((await purchaseAs(seller, { purchaseUUID: again.purchaseUUID })).status).toBe(200)
  expect((await registerAs(seller, later, other)).body.data.purchaseUUID).toBe(sold.purchaseUUID)
})

describe('a quote whose price has expired', () => {
  const send = (policyUuid: string, email: string) =>
    app.ask('/api/policy/sendCertificates', { headers: seller.headers, body: { policyUuid, emails: [email] } })
  const budget = async (): Promise<string> =>
    (await registerAs(seller, { startDate: addDays(day, 11), endDate: addDays(day, 15), saveBudget: true })).body.data.policyUuid

  it('is not emailed', async () => {
    const policyUuid = await budget()
    await at(`${addDays(day, 1)}T09:00:00Z`)
    const sent = await send(policyUuid, 'late@example.com')
    expect([sent.status, sent.body.error]).toEqual([409, 'policy.price_expired'])
  })

  it('is dropped from the queue of emails', async () => {
    expect((await send(await budget(), 'waited@example.com')).status).toBe(200)
    await at(`${addDays(day, 1)}T09:00:00Z`)
    await app.world.outbox.drain()
    const mails = app.world.database.kysely.selectFrom('mails').select('state').where('recipient_address', '=', 'waited@example.com')
    expect(await mails.execute()).toEqual([{ state: 'withdrawn' }])
  })
})
