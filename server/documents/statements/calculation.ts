import { type Step, stepNames } from '#common/accounting/calculation.ts'
import type { PaymentRow, StatementRow } from '#server/accounting/public.ts'
import type { Words } from '#common/kit/words/words.ts'

export function stepName({ name }: Step, { deeds, stamp_duty_bp }: StatementRow, words: Words): string {
  if (name === 'deeds') return words(stepNames.deeds, { count: deeds })
  return name === 'stamp_duty' ? words(stepNames.stamp_duty, { percent: stamp_duty_bp / 100 }) : words(stepNames[name])
}

/** Says who paid, or that the payment was reversed. */
export function paymentName({ way, reverses }: PaymentRow, words: Words): string {
  const what = words('accounting.payment_kind', { kind: way })
  return reverses ? words('accounting.payment_reversed', { what }) : what
}
