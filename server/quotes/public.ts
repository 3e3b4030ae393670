// The exports that other features may use (tools/import-boundaries.test.ts).
export { type Terms, termsKept } from './catalogue.ts'
export { makeQuote } from './quote-store.ts'
export { type KeptPrice, priceForUnit, refuseTrip, type Priced } from './price-for-unit.ts'
