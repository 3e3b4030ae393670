// The exports that other features may use (tools/import-boundaries.test.ts).
export { type KnownCatalogues, openKnownCatalogues, type Terms, termsKept, type UnitCatalogue } from './catalogue.ts'
export { quoteOf } from './quote-store.ts'
export { type KeptPrice, type KeptTerms, keptTerms, offerOf, priceForUnit, refuseTrip, type Priced } from './price-for-unit.ts'
