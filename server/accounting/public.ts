// The exports that other features may use (tools/import-boundaries.test.ts).
export { bookBankEntry, readBank } from './bank/book.ts'
export { bookedAmong, type BookedEntry } from './bank/queries.ts'
export type { KnownEntry } from './bank/read-file.ts'
export { moveExposure } from './limit/exposure.ts'
export { bookPayment, bookWriteOff, setTerms } from './settle.ts'
export { closeByHand } from './statements/close.ts'
export { openMonths } from './statements/queries.ts'
export { chargedBack, columnsOf, insertBooking } from './queries.ts'
