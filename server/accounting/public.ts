// The exports that other features may use (tools/import-boundaries.test.ts).
export { findStatement } from './detail/detail.ts'
export { findEntry } from './detail/entry.ts'
export { linesOf, nettingIn, type PaymentRow, paymentsOf, type ProductSums, productSumsOf, spanOf } from './detail/queries.ts'
export { moveExposure } from './limit/exposure.ts'
export { bookPayment, bookWriteOff, setTerms } from './settle.ts'
export { chargedBack, columnsOf, type EarnedRow, insertBooking, type Span } from './queries.ts'
export type { StatementRow } from './statements/queries.ts'
export { dueOfRow } from './statements/standing.ts'
