import { Stripe } from 'stripe'
import {
  type CardEvent,
  type CardNetwork,
  type RefundResult,
  type Intent,
  type IntentStatus,
  OutcomeUnknown,
  type PaymentReference,
} from './gateway.ts'

export type StripeSettings = { secretKey: string; publishableKey: string; webhookSecret: string | undefined; apiUrl: string | undefined }

const patienceMs = 10_000
const oldestSignatureSeconds = 300

/** Stripe, or whatever speaks its interface at `apiUrl`. We try again ourselves, by our own keys: the library must not. */
export function openStripe({ secretKey, publishableKey, webhookSecret, apiUrl }: StripeSettings): CardNetwork {
  const stripe = new Stripe(secretKey, { ...placeOf(apiUrl), timeout: patienceMs, maxNetworkRetries: 0, telemetry: false })
  const retrieve = async (id: string): Promise<Intent> => intentOf(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  return {
    publishableKey,
    createIntent: ({ key, amountCents, currency, reference }) =>
      known(async () => {
        const wish = {
          amount: amountCents,
          currency: currency.toLowerCase(),
          // A payment that would lead the buyer away to another site could not come back to this sale.
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
          metadata: {
            app: 'portolan',
            business_unit: reference.businessUnitId,
            payment: reference.paymentId,
            ...(reference.installation ? { installation: reference.installation } : {}),
          },
        }
        return intentOf(await stripe.paymentIntents.create(wish, { idempotencyKey: key }))
      }),
    retrieveIntent: id => known(() => retrieve(id)),
    cancelIntent: id =>
      known(async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(id))
        } catch (error) {
          // It is too late for that, or it has been done before: what it is now tells which.
          if (error instanceof Stripe.errors.StripeInvalidRequestError) return retrieve(id)
          throw error
        }
      }),
    refund: ({ intentId, amountCents, key }) =>
      known(async () => {
        let made: Stripe.Refund
        try {
          made = await stripe.refunds.create({ payment_intent: intentId, amount: amountCents }, { idempotencyKey: key })
        } catch (error) {
          // Given back by an earlier try of which nobody heard; one that failed has given back nothing.
          const before = isRefundedAlready(error) ? (await stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data : []
          const given = before.map(refundResultOf).find(({ state }) => state !== 'refused')
          if (given) return given
          if (isRefusal(error)) return { state: 'refused', why: error.code ?? error.message }
          throw error
        }
        // By a key that was used before, the network says what it said then: what has become of it, the refund tells.
        return refundResultOf(await stripe.refunds.retrieve(made.id))
      }),
    retrieveRefund: id => known(async () => refundResultOf(await stripe.refunds.retrieve(id))),
    takenBack: id =>
      known(async () => {
        const refunds = await stripe.refunds.list({ payment_intent: id, limit: 100 })
        const disputes = await stripe.disputes.list({ payment_intent: id, limit: 100 })
        const given = refunds.data.filter(refund => refundResultOf(refund).state !== 'refused')
        return {
          refundedCents: given.reduce((sum, { amount }) => sum + amount, 0),
          disputes: disputes.data.map(({ id, amount, status, reason }) => ({ id, cents: amount, status, why: reason })),
        }
      }),
    listens: webhookSecret !== undefined,
    readEvent(body, signature) {
      if (!webhookSecret) return 'unsigned'
      try {
        return eventOf(stripe.webhooks.constructEvent(body, signature, webhookSecret, oldestSignatureSeconds))
      } catch {
        return 'unsigned'
      }
    },
  }
}

function placeOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (!apiUrl) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  return { host: hostname, protocol: protocol === 'http:' ? 'http' : 'https', ...(port ? { port } : {}) }
}

function intentOf(intent: Stripe.PaymentIntent): Intent {
  const failure = intent.last_payment_error
  // An id alone, unless it was asked for whole: a payment that is made or cancelled has none worth a look.
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  return {
    id: intent.id,
    status: intent.status as IntentStatus,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    refundedCents: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    currency: intent.currency.toUpperCase(),
    clientSecret: intent.client_secret ?? '',
    reference: referenceOf(intent.metadata),
    // A bank's own word says more than Stripe's; a decline that says nothing has only the latter.
    failure: failure ? (failure.decline_code ?? failure.code ?? 'card_declined') : undefined,
  }
}

function refundResultOf({ id, status, failure_reason: why }: Stripe.Refund): RefundResult {
  if (status === 'failed' || status === 'canceled') return { state: 'refused', why: why ?? status }
  return { state: status === 'succeeded' ? 'done' : 'pending', id }
}

function referenceOf(metadata: Stripe.Metadata): PaymentReference | undefined {
  const { app, business_unit: businessUnitId, payment: paymentId, installation } = metadata
  return app === 'portolan' && isUuid(businessUnitId) && isUuid(paymentId) ? { businessUnitId, paymentId, installation } : undefined
}

const isUuid = (text: string | undefined): text is string => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text ?? '')

function eventOf({ id, type, data }: Stripe.Event): CardEvent | undefined {
  const { object } = data
  if (!('object' in object)) return undefined
  if (object.object === 'payment_intent') return { id, kind: type, intentId: object.id, reference: referenceOf(object.metadata) }
  // What was given back may come back days later, when the card is gone; and somebody else may give or claim it back.
  if (object.object !== 'refund' && object.object !== 'dispute' && !(object.object === 'charge' && type === 'charge.refunded'))
    return undefined
  const intentId = idOf(object.payment_intent)
  return intentId ? { id, kind: type, intentId, reference: 'ask' } : undefined
}

const idOf = (of: string | { id: string } | null): string => (typeof of === 'string' ? of : (of?.id ?? ''))

/**
 * A refusal is a refusal. All else (a line that broke, a reply that never ended, a server's fault, too many questions) says nothing of what
 * was done. A fault of the server is replayed for its key, so the next try needs another one.
 */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError } = Stripe.errors
    if (error instanceof StripeAPIError) throw new OutcomeUnknown(error.message, { replayed: true })
    if (error instanceof StripeConnectionError || error instanceof StripeIdempotencyError || error instanceof StripeRateLimitError)
      throw new OutcomeUnknown(error.message, { replayed: false })
    throw error
  }
}

/** The network's judgement of this very refund. A key that is wrong (401, 403), a lock (409) or too many questions (429) say nothing of it. */
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError &&
  [400, 402, 404].includes(error.statusCode ?? 0) &&
  !(error instanceof Stripe.errors.StripeIdempotencyError)

const isRefundedAlready = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'
