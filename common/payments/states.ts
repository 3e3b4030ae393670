import type { Life } from '#common/kit/states.ts'

export type PaymentState = 'open' | 'settled' | 'closed' | 'unwanted'

/** The life of a payment. Money that arrives for a closed one, or that differs from it, is unwanted. */
export const paymentLife: Life<PaymentState> = {
  open: ['settled', 'closed', 'unwanted'],
  closed: ['unwanted'],
  settled: [],
  unwanted: [],
}
