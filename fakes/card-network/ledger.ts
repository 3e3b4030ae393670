import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { StripeError } from './http/refusals.ts'

type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded'

export type Metadata = { [name: string]: string }

export type Intent = {
  id: string
  object: 'payment_intent'
  amount: number
  amount_capturable: number
  amount_received: number
  application: null
  automatic_payment_methods: { enabled: boolean; allow_redirects: 'always' | 'never' } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: string
  client_secret: string
  confirmation_method: 'automatic'
  created: number
  currency: string
  customer: string | null
  description: string | null
  last_payment_error: StripeError | null
  latest_charge: string | null
  livemode: false
  metadata: Metadata
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: { type: string } } | null
  payment_method: string | null
  payment_method_types: string[]
  receipt_email: string | null
  statement_descriptor_suffix: string | null
  status: IntentStatus
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  captured: boolean
  created: number
  currency: string
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  livemode: false
  metadata: Metadata
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: Method['card'] }
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  charge: string
  created: number
  currency: string
  metadata: Metadata
  payment_intent: string
  reason: string | null
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason?: string
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  balance_transactions: object[]
  charge: string
  created: number
  currency: string
  enhanced_eligibility_types: string[]
  evidence: object
  evidence_details: { due_by: number; has_evidence: boolean; past_due: boolean; submission_count: number }
  is_charge_refundable: boolean
  livemode: false
  metadata: Metadata
  payment_intent: string
  reason: 'fraudulent'
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

/** A stored card, without its number. */
export type Method = {
  id: string
  object: 'payment_method'
  type: 'card'
  created: number
  livemode: false
  card: { brand: string; last4: string; exp_month: number; exp_year: number; funding: 'credit'; country: 'US' }
}

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: object }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** The response stored under an idempotency key; `status` is 0 while the request is in progress. */
type StoredResponse = { request: string; status: number; body: string; requestId: string }

type Collections = {
  intents: Map<string, Intent>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  disputes: Map<string, Dispute>
  methods: Map<string, Method>
  outcomes: Map<string, string>
  events: Map<string, StripeEvent>
  kept: Map<string, StoredResponse>
}

/** `aheadMs` moves its clock with the business clock of the service. */
export type Ledger = Collections & { aheadMs: number; save: () => void }

const names = ['intents', 'charges', 'refunds', 'disputes', 'methods', 'outcomes', 'events', 'kept'] as const

/** Opens the fake's data. `save` writes it to the file, so that a restarted demo remembers its payments. */
export function openLedger(file?: string): Ledger {
  // Safe: `save` writes the file in this format.
  const stored = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, [string, unknown][]>) : {}
  // Safe: `names` has every collection, and `save` keeps their rows.
  const collections = Object.fromEntries(names.map(name => [name, new Map(stored[name])])) as unknown as Collections
  // A request interrupted by the end of the process has no response. The next one with its key starts over.
  for (const [key, { status }] of collections.kept) if (status === 0) collections.kept.delete(key)
  return {
    ...collections,
    aheadMs: 0,
    save() {
      if (!file) return
      const text = JSON.stringify(Object.fromEntries(names.map(name => [name, [...collections[name]]])))
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

export const timeOf = ({ aheadMs }: Ledger): Date => new Date(Date.now() + aheadMs)

export const seconds = (ledger: Ledger): number => Math.floor(timeOf(ledger).getTime() / 1000)

/** Returns an id in Stripe's form: letters and digits after the prefix. */
export function newId(prefix: string, length = 24): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return `${prefix}_${[...randomBytes(length)].map(byte => letters[byte % letters.length]).join('')}`
}
