// The exports that other features may use (tools/import-boundaries.test.ts).
export { makeQuote } from './quote-store.ts'
export { priceForUnit, refuseTrip, type Priced } from './price-for-unit.ts'
