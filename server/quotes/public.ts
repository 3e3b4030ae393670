// The exports that other features may use (tools/import-boundaries.test.ts).
export { type Terms, termsKept, type UnitCatalogue } from './catalogue.ts'
export { type KnownCatalogues, openKnownCatalogues } from './known-catalogues.ts'
export { makeQuote } from './quote-store.ts'
export { type KeptPrice, type KeptTerms, keptTerms, priceForUnit, refuseTrip, type Priced } from './price-for-unit.ts'
