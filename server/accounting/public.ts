// The exports that other features may use (tools/import-boundaries.test.ts).
export { chargedBack, columnsOf, insertBooking } from './queries.ts'
