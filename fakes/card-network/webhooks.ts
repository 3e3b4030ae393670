import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StripeEvent } from './ledger.ts'

export type Endpoint = { url: string; secret: string; events?: readonly string[]; backoff?: readonly number[] }

/** How events travel: at once; after `ms`; twice; all of the next `ms` in reverse; not before `release()`; never. */
export type Manner = { mode: 'normal' | 'late' | 'duplicate' | 'shuffled' | 'held' | 'lost'; ms?: number }

export type Postman = {
  deliver: (event: StripeEvent) => void
  /** Where to deliver from now on; without one, events can only be fetched. */
  to: (endpoint: Endpoint | undefined) => void
  behave: (manner: Manner) => void
  release: () => void
  /** When nothing is on its way any more; what is held is not on its way. */
  idle: () => Promise<void>
  stop: () => void
  readonly count: { taken: number; refused: number; held: number }
}

const told = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
]
/** Stripe goes on for days; an hour is enough for a demo. */
const usualBackoff = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000]

export function openPostman(first: Endpoint | undefined, taken: () => void): Postman {
  let endpoint = first
  let manner: Manner = { mode: 'normal' }
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
    for (const delay of [wait, ...(endpoint?.backoff ?? usualBackoff)]) {
      if (delay > 0) await pause(delay)
      if (endpoint && (await post(endpoint, event, ended.signal))) {
        count.taken += 1
        event.pending_webhooks = 0
        return taken()
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
      if (!endpoint || !(endpoint.events ?? told).includes(event.type)) return
      event.pending_webhooks = 1
      const { mode, ms } = manner
      if (mode === 'lost') return
      if (mode === 'held') count.held = held.push(event)
      else if (mode === 'shuffled') {
        if (gathered.push(event) === 1) track(() => sendGathered(ms ?? 200))
      } else {
        track(() => send(event, mode === 'late' ? (ms ?? 1_000) : 0))
        if (mode === 'duplicate') track(() => send(event, ms ?? 0))
      }
    },
    to(next) {
      endpoint = next
    },
    behave(next) {
      manner = next
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

/** Whether the endpoint took it: any 2xx within ten seconds, as with Stripe. Each attempt is signed anew. */
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
