import { type Ledger, newId, seconds, type StripeEvent } from './ledger.ts'

/** The API version that the Stripe SDK in package.json uses. */
export const apiVersion = '2026-10-28.endive'

/** The request that caused an event, with its idempotency key. */
export type Cause = { id: string | null; idempotency_key: string | null }

export type Emit = (type: string, object: object) => void

/** Returns a function that stores an event with a snapshot of its object, then delivers it. */
export function emitterFor(ledger: Ledger, cause: Cause, deliver: (event: StripeEvent) => void): Emit {
  return (type, object) => {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: seconds(ledger),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 0,
      request: cause,
      type,
    }
    ledger.events.set(event.id, event)
    deliver(event)
  }
}
