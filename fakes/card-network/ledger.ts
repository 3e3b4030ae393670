import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { StripeError } from './http/refusals.ts'

export type IntentStatus =
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

/** What is kept of a card: never its number. `outcome` is what the network says when it is charged. */
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

/** A reply that was given under an idempotency key; `status` 0 while it is still being worked out. */
export type Kept = { request: string; status: number; body: string; requestId: string }

type Drawers = {
  intents: Map<string, Intent>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  disputes: Map<string, Dispute>
  methods: Map<string, Method>
  outcomes: Map<string, string>
  events: Map<string, StripeEvent>
  kept: Map<string, Kept>
}

export type Ledger = Drawers & { save: () => void }

const names = ['intents', 'charges', 'refunds', 'disputes', 'methods', 'outcomes', 'events', 'kept'] as const

/** All that the stand-in knows. With a file it is written after each change, so that a restarted demo remembers what was paid. */
export function openLedger(file?: string): Ledger {
  const stored = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, [string, unknown][]>) : {}
  const drawers = Object.fromEntries(names.map(name => [name, new Map(stored[name])])) as unknown as Drawers
  // What was in work when the process ended has no reply and never will: the next request with its key does the work.
  for (const [key, { status }] of drawers.kept) if (status === 0) drawers.kept.delete(key)
  return {
    ...drawers,
    save() {
      if (!file) return
      const text = JSON.stringify(Object.fromEntries(names.map(name => [name, [...drawers[name]]])))
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

export const seconds = (): number => Math.floor(Date.now() / 1000)

/** An id as Stripe's look: letters and digits after the prefix. */
export function newId(prefix: string, length = 24): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return `${prefix}_${[...randomBytes(length)].map(byte => letters[byte % letters.length]).join('')}`
}
