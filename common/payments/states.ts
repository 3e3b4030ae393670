import type { Life } from '#common/kit/states.ts'

export type PaymentState = 'open' | 'settled' | 'closed' | 'unwanted'

/** The life of a payment. Money that arrives for a closed one, or that differs from it, is unwanted. */
export const paymentLife: Life<PaymentState> = {
  open: ['settled', 'closed', 'unwanted'],
  closed: ['unwanted'],
  settled: [],
  unwanted: [],
}

export type RefundState = 'due' | 'done' | 'refused' | 'stopped' | 'transferred'

/** The life of a refund by card. `transferred`: a person sent the money by bank instead. */
export const refundLife: Life<RefundState> = {
  due: ['done', 'refused', 'stopped'],
  // A refund that has left fails later if the card no longer exists.
  done: ['refused'],
  refused: ['transferred'],
  stopped: [],
  transferred: [],
}

/** A cancellation or a change can be undone within the hour, so its refund by card leaves after that. A withdrawal's refund leaves at once. */
export const refundLeavesAfterMs = 60 * 60_000

/** A node's clock may be slow by this much, so a refund due this soon may have left. */
export const refundMarginMs = 60_000

/** Returns the instant until which the refund of a cancellation or a change can be stopped. */
export const stoppableUntil = (at: number): number => at + refundLeavesAfterMs - refundMarginMs
