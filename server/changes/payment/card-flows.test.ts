import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { type CardApp, cardApp, payBy, webhookSecret } from '#server/policies/testing-cards.ts'
import { purchaseAs, registerAs, sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'

let app: CardApp
let seller: Seller
let ahead = 0
beforeAll(async () => {
  app = await cardApp({ clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
afterEach(async () => {
  ahead = 0
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const byCard = () => ({ paymentGatewayUUID: seller.gateway('StripeV2') })
const post = async (path: string, body: object) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body
const stripe = () => new Stripe(app.network.secretKey, app.network.sdk)

/** A card payment that a policy waits for, and how the desk reports it. */
type Asked = { policyUuid: string; clientSecret: string; report: () => Promise<{ error?: string }> }
type Purpose = 'sale' | 'change' | 'reinstatement'

const ask: Record<Purpose, () => Promise<Asked>> = {
  async sale() {
    const { policyUuid, purchaseUUID, clientSecret } = (await registerAs(seller, byCard())).body.data
    return { policyUuid, clientSecret, report: async () => (await purchaseAs(seller, { ...byCard(), purchaseUUID })).body }
  },
  async change() {
    const { policyUuid } = (await sellAs(seller)).body.data.policyData
    const endDate = addDays(today(new Date(), 'Europe/Madrid'), 22)
    const asked = { policyUuid, version: 1, change: { endDate }, expectedDifference: 17.08, settle: byCard() }
    const { changeUuid, clientSecret } = (await post('change', asked)).data
    return { policyUuid, clientSecret, report: () => post('change/pay', { changeUuid }) }
  },
  async reinstatement() {
    const { policyUuid } = (await sellAs(seller)).body.data.policyData
    await post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' })
    const asked = { policyUuid, version: 2, expectedCharge: 33.76, settle: byCard() }
    const { changeUuid, clientSecret } = (await post('reinstate', asked)).data
    return { policyUuid, clientSecret, report: () => post('change/pay', { changeUuid }) }
  },
}

const intentIn = ({ clientSecret }: Asked): string => clientSecret.split('_secret_')[0] ?? ''
const pay = (asked: Asked) => payBy(app, asked.clientSecret)
const days = async (many: number) => {
  ahead = many * 86_400_000
  seller = await sellerOf(app)
}
/** Ends what waits, as another request or node would: its payment stays, and the network has taken the money. */
const overtake: Record<Purpose, (asked: Asked) => Promise<unknown>> = {
  sale: ({ policyUuid }) =>
    app.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('policy_id', '=', policyUuid).execute(),
  change: ({ policyUuid }) => post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' }),
  reinstatement: ({ policyUuid }) =>
    app.world.database.kysely
      .updateTable('open_changes')
      .set({ state: 'expired', ended_at: new Date(), asked: null, step: null, sealed: null, sealed_by: null })
      .where('policy_id', '=', policyUuid)
      .execute(),
}

type State = 'paid' | 'settled' | 'differs' | 'unwanted' | 'late' | 'returned' | 'not current'
/** Each brings a payment to a state in which it is reported. */
const states: Record<State, (asked: Asked, purpose: Purpose) => Promise<unknown>> = {
  paid: pay,
  async differs(asked) {
    await stripe().paymentIntents.update(intentIn(asked), { amount: 500 })
    await pay(asked)
  },
  async late(asked) {
    await pay(asked)
    await days(12)
  },
  async returned(asked) {
    await pay(asked)
    await stripe().refunds.create({ payment_intent: intentIn(asked) })
  },
  async 'not current'(asked, purpose) {
    await pay(asked)
    await overtake[purpose](asked)
  },
  async settled(asked) {
    await pay(asked)
    await asked.report()
  },
  async unwanted(asked) {
    await states.differs(asked, 'sale')
    await asked.report()
  },
}

let events = 0
/** Each reports what the network knows. The desk alone gets a reply. */
const doors: Record<'desk' | 'job' | 'reconciler', (asked: Asked) => Promise<string | undefined>> = {
  desk: async ({ report }) => (await report()).error,
  async job(asked) {
    const object = await stripe().paymentIntents.retrieve(intentIn(asked))
    const payload = JSON.stringify({ id: `evt_${++events}`, object: 'event', type: 'payment_intent.succeeded', data: { object } })
    const signature = stripe().webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { status } = await app.ask('/api/payments/webhook', { method: 'POST', payload, headers })
    expect(status).toBe(200)
    await app.world.outbox.drain()
    return undefined
  },
  async reconciler() {
    ahead += 3 * 60_000
    await reconcile(app.sales)
    return undefined
  },
}

/** Returns all that a report may have changed: the policy, the payment, its refund, its review, the change that waits, and the events since. */
async function standing({ policyUuid, clientSecret }: Asked) {
  const { kysely } = app.world.database
  const policy = await kysely.selectFrom('policies').select(['status', 'version']).where('id', '=', policyUuid).executeTakeFirstOrThrow()
  const payment = await kysely
    .selectFrom('payments')
    .selectAll()
    .where('intent_id', '=', clientSecret.split('_secret_')[0] ?? '')
    .executeTakeFirstOrThrow()
  const [refund] = await kysely.selectFrom('refunds').select('state').where('payment_id', '=', payment.id).execute()
  const [review] = await kysely.selectFrom('payment_reviews').select('reason').where('payment_id', '=', payment.id).execute()
  const [open] = await kysely.selectFrom('open_changes').select('state').where('payment_id', '=', payment.id).execute()
  const history = await kysely.selectFrom('policy_history').select('what').where('policy_id', '=', policyUuid).execute()
  const since = history.map(({ what }) => what).filter(what => !['registered', 'purchased', 'cancelled', 'change_asked'].includes(what))
  return [
    `${policy.status} ${policy.version}`,
    `${payment.state}, ${payment.received_cents} received, ${payment.refunded_cents} back`,
    refund?.state ?? review?.reason ?? 'nothing',
    open?.state ?? 'none',
    since.toSorted().join(),
  ]
}

/** The reply to the desk, and what stands then. A `refund` is due after the desk; job and reconciler send it at once. */
type Outcome = [reply: string, policy: string, payment: string, follows: string, open: string, events: string]

const [refunded, inReview] = ['payment.refunded', 'payment.in_review']
const [goesBack, isKept, isUnknown] = [
  (cents: number) => `unwanted, ${cents} received, ${cents} back`,
  (cents: number) => `unwanted, ${cents} received, 0 back`,
  'unwanted, 0 received, 0 back',
]
const expired = 'change_expired,payment_in_review'
const elsewhere = 'refunded_elsewhere'
/** A payment that differs ends a change, and leaves a sale pending. */
const outcomes: Record<Purpose, Record<State, Outcome>> = {
  sale: {
    paid: ['', 'purchased 1', 'settled, 3376 received, 0 back', 'nothing', 'none', ''],
    settled: ['', 'purchased 1', 'settled, 3376 received, 0 back', 'nothing', 'none', ''],
    differs: [inReview, 'pending 1', isUnknown, 'differs', 'none', 'payment_in_review'],
    unwanted: [inReview, 'pending 1', isUnknown, 'differs', 'none', 'payment_in_review'],
    late: [refunded, 'budgeted 1', goesBack(3376), 'refund', 'none', 'payment_lapsed,payment_refunded'],
    returned: [inReview, 'budgeted 1', isKept(3376), elsewhere, 'none', 'payment_in_review,payment_lapsed'],
    'not current': [refunded, 'pending 1', goesBack(3376), 'refund', 'none', 'payment_refunded'],
  },
  change: {
    paid: ['', 'purchased 2', 'settled, 1708 received, 0 back', 'nothing', 'done', 'changed'],
    settled: ['', 'purchased 2', 'settled, 1708 received, 0 back', 'nothing', 'done', 'changed'],
    differs: [inReview, 'purchased 1', isUnknown, 'differs', 'expired', expired],
    unwanted: [inReview, 'purchased 1', isUnknown, 'differs', 'expired', expired],
    late: [refunded, 'purchased 1', goesBack(1708), 'refund', 'expired', 'change_expired,payment_refunded'],
    returned: [inReview, 'purchased 1', isKept(1708), elsewhere, 'expired', expired],
    'not current': [refunded, 'cancelled 2', goesBack(1708), 'refund', 'expired', 'change_expired,payment_refunded'],
  },
  reinstatement: {
    paid: ['', 'purchased 3', 'settled, 3376 received, 0 back', 'nothing', 'done', 'reinstated'],
    settled: ['', 'purchased 3', 'settled, 3376 received, 0 back', 'nothing', 'done', 'reinstated'],
    differs: [inReview, 'cancelled 2', isUnknown, 'differs', 'expired', expired],
    unwanted: [inReview, 'cancelled 2', isUnknown, 'differs', 'expired', expired],
    late: [refunded, 'cancelled 2', goesBack(3376), 'refund', 'expired', 'change_expired,payment_refunded'],
    returned: [inReview, 'cancelled 2', isKept(3376), elsewhere, 'expired', expired],
    'not current': [refunded, 'cancelled 2', goesBack(3376), 'refund', 'expired', 'payment_refunded'],
  },
}

describe.each(['sale', 'change', 'reinstatement'] as const)('the card payment of a %s', purpose => {
  describe.each(['paid', 'settled', 'differs', 'unwanted', 'late', 'returned', 'not current'] as const)('that is %s', state => {
    it.each(['desk', 'job', 'reconciler'] as const)('is treated alike when the %s reports it', { tags: 'S7.9' }, async door => {
      const asked = await ask[purpose]()
      await states[state](asked, purpose)
      const reply = await doors[door](asked)
      const [code, policy, payment, follows, ...rest] = outcomes[purpose][state]
      const refund = door === 'desk' ? 'due' : 'done'
      expect(reply).toBe(door === 'desk' ? code || undefined : undefined)
      expect(await standing(asked)).toEqual([policy, payment, follows === 'refund' ? refund : follows, ...rest])
    })
  })
})
