import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StripeEvent } from './ledger.ts'

export type Endpoint = { url: string; secret: string; events?: readonly string[]; backoff?: readonly number[] }

/** Events are delivered at once; after `ms`; twice; in reverse order after `ms`; on `release()`; or never. */
export type Delivery = { mode: 'normal' | 'late' | 'duplicate' | 'shuffled' | 'held' | 'lost'; ms?: number }

export type WebhookSender = {
  deliver: (event: StripeEvent) => void
  /** Sets the endpoint. Without one, events can only be fetched. */
  setEndpoint: (endpoint: Endpoint | undefined) => void
  setDelivery: (delivery: Delivery) => void
  release: () => void
  /** Waits until nothing is being delivered. Held events do not count. */
  idle: () => Promise<void>
  stop: () => void
  readonly count: { taken: number; refused: number; held: number }
}

const sentTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
]
/** Stripe retries for days; about an hour is enough for a demo. */
const defaultBackoff = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000]

export function openWebhookSender(first: Endpoint | undefined, delivered: () => void): WebhookSender {
  let endpoint = first
  let delivery: Delivery = { mode: 'normal' }
  const [held, gathered]: [StripeEvent[], StripeEvent[]] = [[], []]
  const underway = new Set<Promise<void>>()
  const ended = new AbortController()
  const count = { taken: 0, refused: 0, held: 0 }

  const track = (work: () => Promise<void>): void => {
    const promise = work()
      .catch(() => {})
      .finally(() => underway.delete(promise))
    underway.add(promise)
  }
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: ended.signal, ref: false })
  const send = async (event: StripeEvent, wait = 0): Promise<void> => {
    for (const delay of [wait, ...(endpoint?.backoff ?? defaultBackoff)]) {
      if (delay > 0) await pause(delay)
      if (endpoint && (await post(endpoint, event, ended.signal))) {
        count.taken += 1
        event.pending_webhooks = 0
        return delivered()
      }
      count.refused += 1
    }
  }
  const sendGathered = async (ms: number): Promise<void> => {
    await pause(ms)
    for (const event of gathered.splice(0).toReversed()) await send(event)
  }

  return {
    count,
    deliver(event) {
      if (!endpoint || !(endpoint.events ?? sentTypes).includes(event.type)) return
      event.pending_webhooks = 1
      const { mode, ms } = delivery
      if (mode === 'lost') return
      if (mode === 'held') count.held = held.push(event)
      else if (mode === 'shuffled') {
        if (gathered.push(event) === 1) track(() => sendGathered(ms ?? 200))
      } else {
        track(() => send(event, mode === 'late' ? (ms ?? 1_000) : 0))
        if (mode === 'duplicate') track(() => send(event, ms ?? 0))
      }
    },
    setEndpoint(next) {
      endpoint = next
    },
    setDelivery(next) {
      delivery = next
    },
    release() {
      for (const event of held.splice(0)) track(() => send(event))
      count.held = 0
    },
    async idle() {
      while (underway.size > 0) await Promise.all(underway)
    },
    stop: () => ended.abort(),
  }
}

/** Returns whether the endpoint accepted the event: any 2xx within ten seconds, as with Stripe. Each attempt is signed anew. */
async function post({ url, secret }: Endpoint, event: StripeEvent, ended: AbortSignal): Promise<boolean> {
  const body = JSON.stringify(event, null, 2)
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  try {
    const reply = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${time},v1=${signature}` },
      body,
      signal: AbortSignal.any([ended, AbortSignal.timeout(10_000)]),
    })
    await reply.body?.cancel()
    return reply.ok
  } catch (error) {
    if (ended.aborted) throw error
    return false
  }
}
