import { toCents } from '#common/kit/money.ts'
import type { PolicyDetail } from '../policy-query.ts'

type Payment = PolicyDetail['payments'][number]
type Shown = Pick<Payment, 'amount' | 'refunded' | 'transfers'> & { state: keyof typeof states }

/** The shown payment states. An attempt abandoned before any payment has none. */
const states = {
  open: { tone: 'neutral', label: 'policies.payment_open' },
  settled: { tone: 'success', label: 'policies.payment_settled' },
  unwanted: { tone: 'warning', label: 'policies.payment_unwanted' },
} as const

const whole = { tone: 'over', label: 'policies.payment_refunded' } as const
const part = { tone: 'info', label: 'policies.payment_partly_refunded' } as const

export const hasState = (payment: Payment): payment is Payment & Shown => payment.state in states

/** Returns the text and the tone of a payment's state. Green is for money that stays. */
export function stateOf({ state, amount, refunded, transfers }: Shown) {
  const returned = transfers.reduce((sum, transfer) => sum + (toCents(transfer.amount) ?? 0), toCents(refunded) ?? 0)
  if (state !== 'settled' || returned <= 0) return states[state]
  return returned >= (toCents(amount) ?? 0) ? whole : part
}
