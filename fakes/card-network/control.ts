import * as z from 'zod/mini'
import { dispute, refundByHand } from './dashboard.ts'
import { emitterFor } from './events.ts'
import { faultNames, type Faults } from './http/faults.ts'
import type { Ledger } from './ledger.ts'
import { type RefundMode, refundModes } from './refunds.ts'
import type { WebhookSender } from './webhooks.ts'

/** The amounts really charged and refunded, for checks that compare them with the sales. */
export type Counters = {
  charged: Record<string, number>
  refunded: Record<string, number>
  intents: {
    id: string
    status: string
    amount: number
    currency: string
    charges: number
    received: number
    refunded: number
    metadata: Record<string, string>
  }[]
  webhooks: { taken: number; refused: number; held: number }
  requests: Record<string, number>
}

export type ControlContext = {
  ledger: Ledger
  faults: Faults
  webhookSender: WebhookSender
  requests: Map<string, number>
  refunds: RefundMode
}

const wholeNumber = z.number().check(z.int(), z.nonnegative())
const faultSchema = z.strictObject({
  fault: z.enum(faultNames),
  times: z.optional(wholeNumber),
  skip: z.optional(wholeNumber),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  ms: z.optional(wholeNumber),
})
const deliverySchema = z.strictObject({
  mode: z.enum(['normal', 'late', 'duplicate', 'shuffled', 'held', 'lost']),
  ms: z.optional(wholeNumber),
})
const refundSchema = z.strictObject({ mode: z.enum(refundModes) })
const manualRefund = z.strictObject({ intent: z.string(), amount: z.optional(wholeNumber) })
const disputeSchema = z.strictObject({ intent: z.string(), end: z.optional(z.enum(['won', 'lost'])) })
const clockSchema = z.strictObject({ aheadMs: z.number() })
const endpointSchema = z.strictObject({ url: z.url(), secret: z.string(), backoff: z.optional(z.array(wholeNumber)) })

/** Handles `POST /control/faults`, `DELETE /control/faults`, `POST /control/webhooks`, … Returns undefined for an unknown path. */
export function control(context: ControlContext, method: string, path: string, body: string): object | undefined {
  const { ledger, faults, webhookSender, requests } = context
  switch (`${method} ${path}`) {
    case 'GET /control/faults':
      return faults.list()
    case 'POST /control/faults':
      faults.add(withoutUndefined(z.parse(faultSchema, JSON.parse(body))))
      return faults.list()
    case 'DELETE /control/faults':
      faults.clear()
      return []
    case 'POST /control/clock':
      ledger.aheadMs = z.parse(clockSchema, JSON.parse(body)).aheadMs
      return {}
    case 'POST /control/refunds':
      context.refunds = z.parse(refundSchema, JSON.parse(body)).mode
      return {}
    case 'POST /control/dashboard/refund': {
      const { intent, amount } = z.parse(manualRefund, JSON.parse(body))
      return refundByHand(ledger, intent, amount, emitterOf(context))
    }
    case 'POST /control/dashboard/dispute': {
      const { intent, end } = z.parse(disputeSchema, JSON.parse(body))
      return dispute(ledger, intent, end, emitterOf(context))
    }
    case 'POST /control/webhooks':
      webhookSender.setDelivery(withoutUndefined(z.parse(deliverySchema, JSON.parse(body))))
      return {}
    case 'POST /control/webhooks/release':
      webhookSender.release()
      return {}
    case 'POST /control/webhooks/endpoint':
      webhookSender.setEndpoint(withoutUndefined(z.parse(endpointSchema, JSON.parse(body))))
      return {}
    case 'GET /control/counters':
      return counters(ledger, webhookSender, requests)
    default:
      return undefined
  }
}

/** Emits events that no request has caused. */
export const emitterOf = ({ ledger, webhookSender }: ControlContext) =>
  emitterFor(ledger, { id: null, idempotency_key: null }, webhookSender.deliver)

export function counters(ledger: Ledger, webhookSender: WebhookSender, requests: Map<string, number>): Counters {
  const charges = [...ledger.charges.values()].filter(({ captured }) => captured)
  return {
    charged: sums(charges.map(({ currency, amount_captured }) => [currency, amount_captured])),
    refunded: sums(charges.map(({ currency, amount_refunded }) => [currency, amount_refunded])),
    intents: [...ledger.intents.values()].map(({ id, status, amount, currency, metadata }) => {
      const own = charges.filter(({ payment_intent }) => payment_intent === id)
      const total = (field: 'amount_captured' | 'amount_refunded'): number => own.reduce((sum, charge) => sum + charge[field], 0)
      const [received, refunded] = [total('amount_captured'), total('amount_refunded')]
      return { id, status, amount, currency, charges: own.length, received, refunded, metadata }
    }),
    webhooks: { ...webhookSender.count },
    requests: Object.fromEntries(requests),
  }
}

function sums(amounts: [string, number][]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [currency, amount] of amounts) sums[currency] = (sums[currency] ?? 0) + amount
  return sums
}

/** `T` without undefined properties, for `exactOptionalPropertyTypes`. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  // Safe: only undefined properties are left out.
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Defined<T>
