import { expect } from 'vitest'
import type { TestApp } from '#server/kit/testing.ts'
import { type CardApp, cardApp, payBy, receiveWebhooks } from '#server/policies/testing-cards.ts'
import { ana, leo, purchaseAs, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn, type SignedIn } from '#server/session/testing.ts'
import { openClosing } from './statements/close.ts'

export type November = {
  app: CardApp
  seller: Seller
  accountant: SignedIn
  at: (instant: string) => Promise<void>
  /** Advances real time, so that jobs are retried. */
  later: (seconds: number) => void
  asAccountant: (path: string, body: object) => Promise<Awaited<ReturnType<CardApp['ask']>>['body']>
}

/** Plays a month: two sales and a change on account, a cancellation, and a card sale that gets cheaper. */
export async function playNovember(environment: Record<string, string> = {}): Promise<November> {
  // Sessions keep real time, so only the business clock moves.
  let real = Date.now()
  const app = await cardApp({ environment, clock: { now: () => new Date((real += 1)) } })
  await receiveWebhooks(app)
  const seller = await sellerOf(app)
  const accountant = await signIn(app, 'accounts@azahar.example')
  const at = async (instant: string): Promise<void> => {
    expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
  }
  await november(app, seller, at)
  const asAccountant = async (path: string, body: object) => {
    const reply = await app.ask(`/api/accounting/${path}`, { body, headers: accountant.headers })
    expect(reply.status, reply.text).toBe(200)
    return reply.body.data
  }
  const later = (seconds: number): void => void (real += seconds * 1000)
  return { app, seller, accountant, at, later, asAccountant }
}

/** Marks waiting jobs as done, since rendering November's documents takes longer than most tests. */
export async function skipJobs({ world }: TestApp): Promise<void> {
  await world.database.kysely.updateTable('jobs').set({ state: 'done', finished_at: new Date() }).execute()
}

/** Plays November, closes it, and skips its jobs. */
export async function closedNovember(): Promise<November> {
  const november = await playNovember()
  await november.at('2026-12-01T05:00:00Z')
  await openClosing(november.app.world)()
  await skipJobs(november.app)
  return november
}

const product = (seller: Seller, code: string) => ({ productUUID: seller.products.find(each => each.code === code).uuid })

async function november(app: CardApp, seller: Seller, at: November['at']): Promise<void> {
  await at('2026-11-02T09:00:00Z')
  const trip = { startDate: '2026-11-20', endDate: '2026-11-27' }
  const { policyUuid: a } = (await sellAs(seller, trip)).body.data.policyData
  await at('2026-11-03T09:00:00Z')
  await change(app, seller, { policyUuid: a, change: { endDate: '2026-12-01' }, expectedDifference: 17.08 })
  await at('2026-11-10T09:00:00Z')
  const b = await sellByCard(app, seller)
  await app.ask('/api/policy/cancel', {
    headers: seller.headers,
    body: { policyUuid: a, version: 2, expectedRefund: 50.84, reason: 'trip_cancelled' },
  })
  await at('2026-11-20T10:00:00Z')
  await sellAs(seller, {
    ...product(seller, 'STU'),
    users: [{ ...leo, ...reach, birthDate: '2005-01-15' }],
    paxNumber: 1,
    startDate: '2026-12-01',
    endDate: '2027-04-29',
    countriesDestinationId: '276',
  })
  await at('2026-11-21T10:00:00Z')
  await change(app, seller, { policyUuid: b, change: { startDate: '2027-01-09', endDate: '2027-01-23' }, expectedDifference: -42.63 })
}

/** Sells a tour for two by card, 120 days ahead. */
async function sellByCard(app: CardApp, seller: Seller): Promise<string> {
  const paymentGatewayUUID = seller.gateway('StripeV2')
  const { body } = await registerAs(seller, {
    ...product(seller, 'TOT'),
    paymentGatewayUUID,
    users: [
      { ...ana, ...reach, birthDate: '1981-01-15' },
      { ...leo, birthDate: '1983-01-15' },
    ],
    startDate: '2027-03-10',
    endDate: '2027-03-24',
    countriesDestinationId: '392',
    insurancedAmount: 6400,
    reservationDate: '2026-11-10',
  })
  expect(body.fields, JSON.stringify(body)).toBeUndefined()
  await payBy(app, body.data.clientSecret)
  const { purchaseUUID } = body.data
  return (await purchaseAs(seller, { paymentGatewayUUID, purchaseUUID })).body.data.policyData.policyUuid
}

async function change(app: CardApp, seller: Seller, changed: { policyUuid: string; change: object; expectedDifference: number }) {
  const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
  const made = await app.ask('/api/policy/change', {
    headers: seller.headers,
    body: { version: 1, ...changed, ...(changed.expectedDifference > 0 ? { settle } : {}) },
  })
  expect(made.status, made.text).toBe(200)
}
