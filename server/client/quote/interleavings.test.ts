import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultNames } from '#fakes/card-network/http/faults.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type CardApp, cardApp, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { askClient } from '../testing.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp({ backoff: [10] })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const actions = [
  'pay one',
  'pay one',
  'pay two',
  'pay two',
  'card',
  'card',
  'decline',
  'sell',
  'edit',
  'revoke',
  'jobs',
  'reconcile',
] as const
type Action = (typeof actions)[number]

/** A link of two quotes, and the secrets that its client's browsers have received. */
type Shared = { token: string; quotes: { policyUuid: string; purchaseUUID: string }[]; secrets: string[] }

async function share(): Promise<Shared> {
  const saved = await Promise.all(['A', 'B'].map(buReference => registerAs(seller, { saveBudget: true, buReference })))
  const quotes = saved.map(({ body }) => body.data)
  const [policyUuid, other] = quotes.map(quote => quote.policyUuid)
  const { body } = await app.ask('/api/policy/quote-link', { body: { policyUuid, alternatives: [other] }, headers: seller.headers })
  return { token: body.data.url.split('#')[1], quotes, secrets: [] }
}

/** Pays what the page shows at this moment. */
async function pay({ token, secrets }: Shared, index: number): Promise<unknown> {
  const quote = (await askClient(app, 'quote', { token })).body.data?.quotes[index]
  if (!quote) return undefined
  const { policyUuid, version, price, files } = quote
  const declared = { needs: true, files: files.map(({ uuid }: { uuid: string }) => uuid), beginNow: null }
  const begun = await askClient(app, 'quote/pay', { token, policyUuid, version, expectedTotal: price.total, declared })
  const secret = begun.body.data?.clientSecret
  if (secret) secrets.push(secret)
  return secret
}

/** Runs one of several concurrent actions. It may fail: only the final state is checked. */
async function play(action: Action, shared: Shared): Promise<unknown> {
  const { token, quotes, secrets } = shared
  const [one, two] = quotes
  switch (action) {
    case 'pay one':
      return pay(shared, 0)
    case 'pay two':
      return pay(shared, 1)
    case 'card':
      return Promise.all(secrets.map(secret => payBy(app, secret).catch(() => 'cut')))
    case 'decline':
      return askClient(app, 'quote/decline', { token, name: 'Ana' })
    case 'sell':
      return purchaseAs(seller, { purchaseUUID: one?.purchaseUUID })
    case 'edit':
      return registerAs(seller, { saveBudget: true, policyUuid: two?.policyUuid, buReference: 'edited' })
    case 'revoke':
      return app.ask('/api/policy/quote-link/revoke', { body: { policyUuid: one?.policyUuid }, headers: seller.headers })
    case 'jobs':
      return app.world.outbox.drain()
    case 'reconcile':
      return reconcileLater(app, 5)
  }
}

/** Returns the quotes that the client has bought, and the link's answer. */
async function outcomeOf({ quotes }: Shared) {
  const { kysely } = app.world.database
  const ids = quotes.map(({ policyUuid }) => policyUuid)
  const bought = await kysely
    .selectFrom('policies')
    .innerJoin('policy_versions', join =>
      join.onRef('policy_versions.policy_id', '=', 'policies.id').onRef('policy_versions.version', '=', 'policies.sold_version'),
    )
    .innerJoin('payments', join => join.onRef('payments.policy_id', '=', 'policies.id').on('payments.state', '=', 'settled'))
    .select(['policies.id'])
    .where('policies.id', 'in', ids)
    .where('policy_versions.user_id', 'is', null)
    .where('payments.gateway', '=', 'StripeV2')
    .execute()
  const link = await kysely
    .selectFrom('quote_links')
    .innerJoin('quote_link_policies', 'quote_link_policies.link_id', 'quote_links.id')
    .select(['quote_links.decision', 'quote_links.decided_policy'])
    .where('quote_link_policies.policy_id', '=', ids[0] ?? '')
    .executeTakeFirstOrThrow()
  return { bought: bought.map(({ id }) => id), ...link }
}

it('concurrent answers, edits and sales neither lose nor double a payment, and buy at most one quote of a link', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('normal' as const, 'duplicate' as const, 'held' as const, 'lost' as const),
      fc.array(fc.record({ fault: fc.constantFrom(...faultNames.filter(name => name !== 'stall' && name !== 'delay')), skip: fc.nat(4) }), {
        maxLength: 2,
      }),
      async (rounds, mode, faults) => {
        app.network.webhooks({ mode })
        const shared = await share()
        for (const fault of faults) app.network.fault(fault)
        for (const round of rounds) await Promise.all(round.map(action => play(action, shared).catch(() => 'broken')))
        app.network.clearFaults()
        app.network.release()
        await app.network.idle()
        await app.world.outbox.drain()
        for (const minutes of [30 * 60, 31 * 60, 32 * 60]) await reconcileLater(app, minutes)
        expect(await brokenInvariants(app.world.database)).toEqual([])
        const { bought, decision, decided_policy: decided } = await outcomeOf(shared)
        expect(bought.length).toBeLessThanOrEqual(1)
        expect(bought.filter(id => decision !== null || id !== decided)).toEqual([])
      },
    ),
    { numRuns: 30, seed: 46 },
  ))
