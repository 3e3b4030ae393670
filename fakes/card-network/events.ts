import { type Ledger, newId, seconds, type StripeEvent } from './ledger.ts'

/** The version of Stripe's interface that the SDK in package.json speaks. */
export const apiVersion = '2026-10-28.endive'

/** Who caused what is told: the request, and the key it came with. */
export type Cause = { id: string | null; idempotency_key: string | null }

export type Tell = (type: string, object: object) => void

/** Writes down what happened, as it was at that moment, and hands it to whoever delivers. */
export function teller(ledger: Ledger, cause: Cause, deliver: (event: StripeEvent) => void): Tell {
  return (type, object) => {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: seconds(),
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
