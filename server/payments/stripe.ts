import type { Stripe } from 'stripe'
import { kept, later, wantSoon } from '#server/kit/work/later.ts'
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

/** Loaded when needed, since Stripe's library has more modules than any other. */
const library = later(async () => (await import('stripe')).Stripe)
type Errors = typeof Stripe.errors

const timeoutMs = 10_000
const maxSignatureAgeSeconds = 300

/** Opens Stripe, or a server with its interface at `apiUrl`. The library must not retry: callers do, with their own keys. */
export function openStripe({ secretKey, publishableKey, webhookSecret, apiUrl }: StripeSettings): CardNetwork {
  const opened = kept(async () => {
    const Library = await library()
    const options = { ...hostOf(apiUrl), timeout: timeoutMs, maxNetworkRetries: 0, telemetry: false }
    return { stripe: new Library(secretKey, options), errors: Library.errors }
  })
  const call = async <T>(work: (stripe: Stripe, errors: Errors) => Promise<T>): Promise<T> => {
    const { stripe, errors } = await opened()
    return withKnownOutcome(errors, () => work(stripe, errors))
  }
  wantSoon(opened)
  return {
    publishableKey,
    createIntent: ({ key, amountCents, currency, reference }) =>
      call(async stripe => {
        const request = {
          amount: amountCents,
          currency: currency.toLowerCase(),
          // A payment method that redirects to another site could not return to this sale.
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
          metadata: {
            app: 'portolan',
            business_unit: reference.businessUnitId,
            payment: reference.paymentId,
            ...(reference.installation ? { installation: reference.installation } : {}),
          },
        }
        return intentOf(await stripe.paymentIntents.create(request, { idempotencyKey: key }))
      }),
    retrieveIntent: id => call(stripe => retrieve(stripe, id)),
    cancelIntent: id =>
      call(async (stripe, { StripeInvalidRequestError }) => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(id))
        } catch (error) {
          // Too late or repeated: the current status tells which.
          if (error instanceof StripeInvalidRequestError) return retrieve(stripe, id)
          throw error
        }
      }),
    refund: ({ intentId, amountCents, key }) =>
      call(async (stripe, errors) => {
        let created: Stripe.Refund
        try {
          created = await stripe.refunds.create({ payment_intent: intentId, amount: amountCents }, { idempotencyKey: key })
        } catch (error) {
          // An earlier call refunded it, but its response was lost. A failed refund has refunded nothing.
          const before = isRefundedAlready(errors, error) ? (await stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data : []
          const refunded = before.map(refundResultOf).find(({ state }) => state !== 'refused')
          if (refunded) return refunded
          if (isRefusal(errors, error)) return { state: 'refused', why: error.code ?? error.message }
          throw error
        }
        // A reused key returns the network's first response, so the refund's current state is read.
        return refundResultOf(await stripe.refunds.retrieve(created.id))
      }),
    retrieveRefund: id => call(async stripe => refundResultOf(await stripe.refunds.retrieve(id))),
    reversedAmounts: id =>
      call(async stripe => {
        const refunds = await stripe.refunds.list({ payment_intent: id, limit: 100 })
        const disputes = await stripe.disputes.list({ payment_intent: id, limit: 100 })
        const refunded = refunds.data.filter(refund => refundResultOf(refund).state !== 'refused')
        return {
          refundedCents: refunded.reduce((sum, { amount }) => sum + amount, 0),
          disputes: disputes.data.map(({ id, amount, status, reason }) => ({ id, cents: amount, status, why: reason })),
        }
      }),
    listens: webhookSecret !== undefined,
    async readEvent(body, signature) {
      if (!webhookSecret) return 'unsigned'
      const { stripe } = await opened()
      try {
        const event = eventOf(await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, maxSignatureAgeSeconds))
        return event && ![event.id, event.kind, event.intentId].every(isName) ? 'unsigned' : event
      } catch {
        return 'unsigned'
      }
    },
  }
}

const retrieve = async (stripe: Stripe, id: string): Promise<Intent> =>
  intentOf(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))

function hostOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (!apiUrl) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  return { host: hostname, protocol: protocol === 'http:' ? 'http' : 'https', ...(port ? { port } : {}) }
}

function intentOf(intent: Stripe.PaymentIntent): Intent {
  const failure = intent.last_payment_error
  // Expanded only when retrieved: a new or cancelled payment has no charge of interest.
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  return {
    id: intent.id,
    // Safe: a status unknown to us counts as unpaid.
    status: intent.status as IntentStatus,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    refundedCents: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    currency: intent.currency.toUpperCase(),
    clientSecret: intent.client_secret ?? '',
    reference: referenceOf(intent.metadata),
    // The bank's code is more precise than Stripe's, where there is one.
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
  // A refund may fail days later, when the card no longer exists. Others may refund or dispute a payment, too.
  if (object.object !== 'refund' && object.object !== 'dispute' && !(object.object === 'charge' && type === 'charge.refunded'))
    return undefined
  const intentId = idOf(object.payment_intent)
  return intentId ? { id, kind: type, intentId, reference: 'ask' } : undefined
}

/** The network's ids and kinds are at most this long. A signed event may still lack them. */
const isName = (name: unknown): boolean => typeof name === 'string' && name !== '' && name.length <= 255

const idOf = (reference: string | { id: string } | null): string => (typeof reference === 'string' ? reference : (reference?.id ?? ''))

/**
 * Runs a call, and turns an unknown outcome into `OutcomeUnknown`. The outcome is unknown after a broken connection, a timeout, a server
 * error or a rate limit. Refusals pass through. A server error is replayed for its key, so the next try needs another.
 */
async function withKnownOutcome<T>(errors: Errors, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError } = errors
    if (error instanceof StripeAPIError) throw new OutcomeUnknown(error.message, { replayed: true })
    if (error instanceof StripeConnectionError || error instanceof StripeIdempotencyError || error instanceof StripeRateLimitError)
      throw new OutcomeUnknown(error.message, { replayed: false })
    throw error
  }
}

/** True if the network refuses this very refund. A wrong key (401, 403), a lock (409) and a rate limit (429) do not count. */
const isRefusal = (errors: Errors, error: unknown): error is Stripe.errors.StripeError =>
  error instanceof errors.StripeError &&
  [400, 402, 404].includes(error.statusCode ?? 0) &&
  !(error instanceof errors.StripeIdempotencyError)

const isRefundedAlready = (errors: Errors, error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'
