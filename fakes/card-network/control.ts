import * as z from 'zod/mini'
import { dispute, refundByHand } from './dashboard.ts'
import { teller } from './events.ts'
import { faultNames, type Faults } from './http/faults.ts'
import type { Ledger } from './ledger.ts'
import { type RefundManner, refundManners } from './refunds.ts'
import type { Postman } from './webhooks.ts'

/** What was really charged and given back: for the checks that compare it with what was sold. */
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

export type Controlled = { ledger: Ledger; faults: Faults; postman: Postman; requests: Map<string, number>; refunds: RefundManner }

const whole = z.number().check(z.int(), z.nonnegative())
const fault = z.strictObject({
  fault: z.enum(faultNames),
  times: z.optional(whole),
  skip: z.optional(whole),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  ms: z.optional(whole),
})
const manner = z.strictObject({ mode: z.enum(['normal', 'late', 'duplicate', 'shuffled', 'held', 'lost']), ms: z.optional(whole) })
const refunds = z.strictObject({ mode: z.enum(refundManners) })
const byHand = z.strictObject({ intent: z.string(), amount: z.optional(whole) })
const disputed = z.strictObject({ intent: z.string(), end: z.optional(z.enum(['won', 'lost'])) })
const endpoint = z.strictObject({ url: z.url(), secret: z.string(), backoff: z.optional(z.array(whole)) })

/** `POST /control/faults`, `DELETE /control/faults`, `POST /control/webhooks`, … : undefined where there is nothing to control. */
export function control(controlled: Controlled, method: string, path: string, body: string): object | undefined {
  const { ledger, faults, postman, requests } = controlled
  switch (`${method} ${path}`) {
    case 'GET /control/faults':
      return faults.list()
    case 'POST /control/faults':
      faults.add(withoutUndefined(z.parse(fault, JSON.parse(body))))
      return faults.list()
    case 'DELETE /control/faults':
      faults.clear()
      return []
    case 'POST /control/refunds':
      controlled.refunds = z.parse(refunds, JSON.parse(body)).mode
      return {}
    case 'POST /control/dashboard/refund': {
      const { intent, amount } = z.parse(byHand, JSON.parse(body))
      return refundByHand(ledger, intent, amount, tellerOf(controlled))
    }
    case 'POST /control/dashboard/dispute': {
      const { intent, end } = z.parse(disputed, JSON.parse(body))
      return dispute(ledger, intent, end, tellerOf(controlled))
    }
    case 'POST /control/webhooks':
      postman.behave(withoutUndefined(z.parse(manner, JSON.parse(body))))
      return {}
    case 'POST /control/webhooks/release':
      postman.release()
      return {}
    case 'POST /control/webhooks/endpoint':
      postman.to(withoutUndefined(z.parse(endpoint, JSON.parse(body))))
      return {}
    case 'GET /control/counters':
      return counters(ledger, postman, requests)
    default:
      return undefined
  }
}

/** An event that no request has caused. */
export const tellerOf = ({ ledger, postman }: Controlled) => teller(ledger, { id: null, idempotency_key: null }, postman.deliver)

export function counters(ledger: Ledger, postman: Postman, requests: Map<string, number>): Counters {
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
    webhooks: { ...postman.count },
    requests: Object.fromEntries(requests),
  }
}

function sums(amounts: [string, number][]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [currency, amount] of amounts) sums[currency] = (sums[currency] ?? 0) + amount
  return sums
}

/** What a schema leaves open is absent here, and not there with nothing in it. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const withoutUndefined = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Given<T>
