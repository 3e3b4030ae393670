/** What the product wants of a card network, and no more: whoever speaks to one implements this (`stripe.ts`). */
export type CardNetwork = {
  publishableKey: string
  /** Asked twice with the same key, it gives the same intent. */
  createIntent(wish: IntentWish): Promise<Intent>
  retrieveIntent(id: string): Promise<Intent>
  /** What the intent is afterwards: whatever was not cancelled in time says so by its status. */
  cancelIntent(id: string): Promise<Intent>
  /** Asked twice with the same key, it gives back once. */
  refund(wish: { intentId: string; amountCents: number; key: string }): Promise<RefundResult>
  /** What has become of a refund. */
  retrieveRefund(id: string): Promise<RefundResult>
  /** What has been taken back of a payment, whoever did it: given back at the network's own pages, or claimed back by a card's holder. */
  takenBack(intentId: string): Promise<ReversedAmounts>
  /** Whether anything can be heard from the network at all. */
  listens: boolean
  /** `unsigned`: not from the network, or signed too long ago. Undefined: of nothing that matters here. */
  readEvent(body: string, signature: string): CardEvent | 'unsigned' | undefined
}

type IntentWish = { key: string; amountCents: number; currency: string; reference: PaymentReference }

/** What an intent carries, so that it leads back to its payment whatever else was lost. */
export type PaymentReference = {
  businessUnitId: string
  paymentId: string
  /** Which installation announced it; undefined for those of before this was written down. */
  installation?: string | undefined
}

export type ReversedAmounts = { refundedCents: number; disputes: { id: string; cents: number; status: string; why: string }[] }

export type Intent = {
  id: string
  status: IntentStatus
  amountCents: number
  receivedCents: number
  /** Of what was received, already given back, whoever did it. */
  refundedCents: number
  /** A card's holder claims it back, or did. */
  disputed: boolean
  currency: string
  clientSecret: string
  reference: PaymentReference | undefined
  /** Why the last try to pay failed, in the network's own word. */
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

/** Given back, or it will be; or it never will, and why, in the network's own word. */
export type RefundResult = { state: 'done'; id: string } | { state: 'pending'; id: string } | { state: 'refused'; why: string }

/** A refund carries nothing of ours, as somebody may have made it by hand: whose it is, its intent tells. */
export type CardEvent = { id: string; kind: string; intentId: string; reference: PaymentReference | 'ask' | undefined }

/** Nobody knows whether it was done: the same key finds out at the next try, or another one where this key is answered with the same fault. */
export class OutcomeUnknown extends Error {
  readonly replayed: boolean

  constructor(message: string, { replayed }: { replayed: boolean }) {
    super(message)
    this.replayed = replayed
  }
}
