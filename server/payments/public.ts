// The exports that other features may use (tools/import-boundaries.test.ts).
export {
  type CardNetwork,
  changePaymentNotified,
  declined,
  type Intent,
  OutcomeUnknown,
  paymentNotified,
  type RefundResult,
  type ReversedAmounts,
  topicOf,
} from './gateway.ts'
export {
  changePayment,
  closePayment,
  findPayment,
  findPaymentVersion,
  insertPayment,
  movePayment,
  insertReview,
  installationOf,
  openPaymentsOf,
  paymentsOf,
  paymentsWithTransfers,
  renewReview,
  takePaymentsToCheck,
  touchIfUnchanged,
  withdrawReview,
  type NewPayment,
  type PaymentRow,
} from './queries.ts'
export { moveRefund, noteOnRefund, oweRefund, type RefundRow, refundsOf, refundStatesOf, unsentRefunds } from './refunds/queries.ts'
export type { ReviewReason } from './tables.ts'
