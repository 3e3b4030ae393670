// The exports that other features may use (tools/import-boundaries.test.ts).
export { declined } from './declined.ts'
export { OutcomeUnknown, type CardNetwork, type RefundResult, type Intent, type ReversedAmounts } from './gateway.ts'
export {
  changePayment,
  changeRefund,
  closePayment,
  findPayment,
  findPaymentVersion,
  insertPayment,
  insertRefund,
  insertReview,
  installationOf,
  openPaymentsOf,
  paymentsOf,
  paymentsWithTransfers,
  refundsOf,
  renewReview,
  takePaymentsToCheck,
  touchIfUnchanged,
  withdrawReview,
  type NewPayment,
  type PaymentRow,
  type RefundRow,
} from './queries.ts'
export { changePaymentNotified, paymentNotified, topicOf } from './webhook.ts'
export type { ReviewReason } from './tables.ts'
