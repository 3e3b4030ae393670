import type * as z from 'zod/mini'
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

/** Reads the calls' bodies. The library has a hundred modules, loaded at the first call, which comes after the service's first page. */
let readers: ReturnType<typeof openReaders> | undefined

async function openReaders() {
  const zod = await import('zod/mini')
  const wholeNumber = zod.number().check(zod.int(), zod.nonnegative())
  const reader =
    <T extends z.ZodMiniType>(schema: T) =>
    (body: string): z.output<T> =>
      zod.parse(schema, JSON.parse(body))
  return {
    fault: reader(
      zod.strictObject({
        fault: zod.enum(faultNames),
        times: zod.optional(wholeNumber),
        skip: zod.optional(wholeNumber),
        method: zod.optional(zod.string()),
        path: zod.optional(zod.string()),
        ms: zod.optional(wholeNumber),
      }),
    ),
    delivery: reader(
      zod.strictObject({
        mode: zod.enum(['normal', 'late', 'duplicate', 'shuffled', 'held', 'lost']),
        ms: zod.optional(wholeNumber),
      }),
    ),
    refund: reader(zod.strictObject({ mode: zod.enum(refundModes) })),
    manualRefund: reader(zod.strictObject({ intent: zod.string(), amount: zod.optional(wholeNumber) })),
    dispute: reader(zod.strictObject({ intent: zod.string(), end: zod.optional(zod.enum(['won', 'lost'])) })),
    clock: reader(zod.strictObject({ aheadMs: zod.number() })),
    endpoint: reader(zod.strictObject({ url: zod.url(), secret: zod.string(), backoff: zod.optional(zod.array(wholeNumber)) })),
  }
}

/** Handles `POST /control/faults`, `DELETE /control/faults`, `POST /control/webhooks`, … Returns undefined for an unknown path. */
export async function control(context: ControlContext, method: string, path: string, body: string): Promise<object | undefined> {
  readers ??= openReaders()
  const read = await readers
  const { ledger, faults, webhookSender, requests } = context
  switch (`${method} ${path}`) {
    case 'GET /control/faults':
      return faults.list()
    case 'POST /control/faults':
      faults.add(withoutUndefined(read.fault(body)))
      return faults.list()
    case 'DELETE /control/faults':
      faults.clear()
      return []
    case 'POST /control/clock':
      ledger.aheadMs = read.clock(body).aheadMs
      return {}
    case 'POST /control/refunds':
      context.refunds = read.refund(body).mode
      return {}
    case 'POST /control/dashboard/refund': {
      const { intent, amount } = read.manualRefund(body)
      return refundByHand(ledger, intent, amount, emitterOf(context))
    }
    case 'POST /control/dashboard/dispute': {
      const { intent, end } = read.dispute(body)
      return dispute(ledger, intent, end, emitterOf(context))
    }
    case 'POST /control/webhooks':
      webhookSender.setDelivery(withoutUndefined(read.delivery(body)))
      return {}
    case 'POST /control/webhooks/release':
      webhookSender.release()
      return {}
    case 'POST /control/webhooks/endpoint':
      webhookSender.setEndpoint(withoutUndefined(read.endpoint(body)))
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
