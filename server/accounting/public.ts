// The exports that other features may use (tools/import-boundaries.test.ts).
export { deedsOfMonth, monthOfUnit, openMonthOf, type UnitMonth, type UnitSums } from './bordereau/read.ts'
export { moveExposure } from './limit/exposure.ts'
export { bookPayment, bookWriteOff, setTerms } from './settle.ts'
export { chargedBack, columnsOf, insertBooking } from './queries.ts'
