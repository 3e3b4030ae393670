import { calculationOf, type Step } from '#common/accounting/calculation.ts'
import type { PaymentRow, StatementRow } from '#server/accounting/public.ts'
import type { Words } from '#server/kit/words.ts'

/** Returns how the amount due of a statement came about. */
export const stepsOf = (row: StatementRow, netting: number): Step[] =>
  calculationOf({
    before: { account: row.account_before_cents, commission: row.commission_before_cents },
    moved: { account: row.account_cents, commission: row.earned_cents },
    netting,
    after: { account: row.account_after_cents, commission: row.commission_after_cents },
    netted: row.netted,
  })

export const stepName = ({ name }: Step, { deeds }: StatementRow, words: Words): string =>
  name === 'deeds' ? words('accounting.count', { count: deeds }) : words(names[name])

const names = {
  before: 'accounting.before',
  netted_before: 'accounting.netted_before',
  paid: 'accounting.paid_in_month',
  balance: 'accounting.balance',
  netted: 'accounting.netted_at_closing',
  due: 'accounting.due',
} as const

/** Says who paid, or that it was taken back. */
export function paymentName({ way, reverses }: PaymentRow, words: Words): string {
  const what = words('accounting.payment_kind', { kind: way })
  return reverses ? words('accounting.payment_reversed', { what }) : what
}

/** The direction is said in words, so only what takes another one back is negative. */
export function paymentCents({ account, commission, reverses }: PaymentRow): number {
  const cents = Math.abs(account === 0 ? commission : account)
  return reverses ? -cents : cents
}
