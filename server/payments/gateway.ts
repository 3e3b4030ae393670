import type { RefusalCode } from '#common/kit/refusals.ts'
import type { PaymentRow } from './queries.ts'

/** A card network as the product needs it. `stripe.ts` implements it. */
export type CardNetwork = {
  publishableKey: string
  /** Creates an intent. The same key returns the same intent. */
  createIntent(request: IntentRequest): Promise<Intent>
  retrieveIntent(id: string): Promise<Intent>
  /** Cancels an intent and returns it. Its status tells whether it was too late. */
  cancelIntent(id: string): Promise<Intent>
  /** Refunds a payment. The same key refunds once. */
  refund(request: { intentId: string; amountCents: number; key: string }): Promise<RefundResult>
  /** Returns the current state of a refund. */
  retrieveRefund(id: string): Promise<RefundResult>
  /** Returns what was reversed of a payment by anyone: refunds, also at the network's own pages, and disputes by the cardholder. */
  reversedAmounts(intentId: string): Promise<ReversedAmounts>
  /** True if the network can send events. */
  listens: boolean
  /** Parses an event: `unsigned` if its signature is missing, wrong or too old, or it lacks an id; undefined if it does not matter here. */
  readEvent(body: string, signature: string): Promise<CardEvent | 'unsigned' | undefined>
}

type IntentRequest = { key: string; amountCents: number; currency: string; reference: PaymentReference }

/** The reference that an intent carries, by which its payment is always found. */
export type PaymentReference = {
  businessUnitId: string
  paymentId: string
  /** The installation that created the intent; undefined for intents from before installations had ids. */
  installation?: string | undefined
}

export type ReversedAmounts = { refundedCents: number; disputes: { id: string; cents: number; status: string; why: string }[] }

export type Intent = {
  id: string
  status: IntentStatus
  amountCents: number
  receivedCents: number
  /** The part of the received amount that was refunded, by anyone. */
  refundedCents: number
  /** True if the cardholder disputes the payment, or did. */
  disputed: boolean
  currency: string
  clientSecret: string
  reference: PaymentReference | undefined
  /** The network's code for why the last attempt failed. */
  failure: string | undefined
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'processing'
  | 'succeeded'
  | 'canceled'

/** Refunded, pending, or refused for good with the network's code. */
export type RefundResult = { state: 'done'; id: string } | { state: 'pending'; id: string } | { state: 'refused'; why: string }

/** An event. Refunds carry no reference, as they may be made by hand: 'ask' means that the intent has it. */
export type CardEvent = { id: string; kind: string; intentId: string; reference: PaymentReference | 'ask' | undefined }

/**
 * It is unknown whether the call took effect. A retry with the same key finds out; `replayed` errors need another key, as the network
 * repeats them.
 */
export class OutcomeUnknown extends Error {
  readonly replayed: boolean

  constructor(message: string, { replayed }: { replayed: boolean }) {
    super(message)
    this.replayed = replayed
  }
}

/** Event: something happened to a payment. Its subscriber reads the payment's state at the card network. */
export const paymentNotified = 'payment.heard'
/** The same for the payment of a change. Nodes of the former release take the other topic for sales only. */
export const changePaymentNotified = 'change_payment.heard'

export const topicOf = ({ purpose }: Pick<PaymentRow, 'purpose'>): string => (purpose === 'sale' ? paymentNotified : changePaymentNotified)

/** The network's decline codes, as refusals shown to the user. A stolen card is only shown as declined. */
const codes: Record<string, RefusalCode> = {
  insufficient_funds: 'payment.insufficient_funds',
  expired_card: 'payment.expired_card',
  incorrect_cvc: 'payment.incorrect_cvc',
  invalid_cvc: 'payment.incorrect_cvc',
  incorrect_number: 'payment.incorrect_number',
  invalid_number: 'payment.incorrect_number',
  processing_error: 'payment.processing_error',
  authentication_required: 'payment.authentication_required',
  payment_intent_authentication_failure: 'payment.authentication_failed',
}

export const declined = (failure: string): RefusalCode =>
  (Object.hasOwn(codes, failure) ? codes[failure] : undefined) ?? 'payment.card_declined'
