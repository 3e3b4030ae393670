import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultNames } from '#fakes/card-network/http/faults.ts'
import { brokenInvariants } from './checks/invariants.ts'
import { deleteAs, purchaseAs, registerAs, type Seller, sellerOf } from './testing.ts'
import { type CardApp, cardApp, payBy, reconcileLater } from './testing-cards.ts'

let app: CardApp
let seller: Seller

beforeAll(async () => {
  app = await cardApp({ backoff: [10] })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

// Actions that change more are repeated, and so drawn more often.
const actions = ['purchase', 'purchase', 'pay', 'pay', 'delete', 'delete', 'decline', 'replace', 'jobs', 'reconcile', 'tomorrow'] as const
type Action = (typeof actions)[number]

type Sale = { purchaseUUID: string; policyUuid: string; clientSecret: string | null }

/** Runs one of several concurrent actions. It may fail: only the final state is checked. */
async function play(action: Action, sale: Sale, gateway: 'Deferred' | 'StripeV2'): Promise<unknown> {
  const paymentGatewayUUID = seller.gateway(gateway)
  switch (action) {
    case 'purchase':
      return purchaseAs(seller, { paymentGatewayUUID, purchaseUUID: sale.purchaseUUID })
    case 'pay':
    case 'decline':
      return (
        sale.clientSecret &&
        payBy(app, sale.clientSecret, action === 'pay' ? 'pm_card_visa' : 'pm_card_visa_chargeDeclined').catch(() => 'cut')
      )
    case 'delete':
      return deleteAs(seller, sale.policyUuid)
    case 'replace':
      return registerAs(seller, { paymentGatewayUUID, policyUuid: sale.policyUuid, buReference: 'replaced' })
    case 'jobs':
      return app.world.outbox.drain()
    case 'reconcile':
      return reconcileLater(app, 5)
    case 'tomorrow':
      return reconcileLater(app, 25 * 60)
  }
}

/** Returns payments at the card network that are neither sold, refunded nor in review (invariant I5). */
async function unaccountedMoney(): Promise<string[]> {
  const { kysely } = app.world.database
  const unaccounted = await Promise.all(
    app.network.counters().intents.map(async ({ id, received, refunded, metadata }) => {
      if (received === refunded) return []
      const payment = await kysely
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', metadata['payment'] ?? '')
        .executeTakeFirst()
      const reviews = await kysely
        .selectFrom('payment_reviews')
        .selectAll()
        .where('payment_id', '=', payment?.id ?? null)
        .execute()
      return payment?.state === 'settled' || reviews.length > 0 ? [] : [`${id} ${payment?.state ?? 'unknown'}`]
    }),
  )
  return unaccounted.flat()
}

it('concurrent actions and failures never lose, double or half-complete a sale', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Deferred' as const, 'StripeV2' as const, 'StripeV2' as const),
      fc.array(fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('normal' as const, 'duplicate' as const, 'held' as const, 'lost' as const),
      fc.array(fc.record({ fault: fc.constantFrom(...faultNames.filter(name => name !== 'stall' && name !== 'delay')), skip: fc.nat(4) }), {
        maxLength: 3,
      }),
      async (gateway, rounds, mode, faults) => {
        app.network.webhooks({ mode })
        const registered = await registerAs(seller, { paymentGatewayUUID: seller.gateway(gateway) })
        expect(registered.status).toBe(200)
        for (const fault of faults) app.network.fault(fault)
        for (const round of rounds)
          await Promise.all(round.map(action => play(action, registered.body.data, gateway).catch(() => 'broken')))
        app.network.clearFaults()
        app.network.release()
        await app.network.idle()
        await app.world.outbox.drain()
        for (const minutes of [30 * 60, 31 * 60, 32 * 60]) await reconcileLater(app, minutes)
        expect([...(await brokenInvariants(app.world.database)), ...(await unaccountedMoney())]).toEqual([])
      },
    ),
    { numRuns: 40 },
  ))
