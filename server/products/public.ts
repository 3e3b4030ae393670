// The exports that other features may use (tools/import-boundaries.test.ts).
export { openCatalogue } from './catalogue/check.ts'
export { loadCatalogue } from './catalogue/load.ts'
export { lackingInCatalogue } from './checks/lacking.ts'
export { lackingForChanges } from './checks/servicing.ts'
export { brandKeyOf, isFileOf, type ProductEdition, productFileId, type ProductFileKind, productFileKinds, products } from './products.ts'
export {
  afterSaleSold,
  commonContent,
  contentSold,
  groupsSold,
  insuresSold,
  type OfferedProduct,
  offeredProducts,
  productNames,
  type SoldContent,
  type SoldEdition,
  type SoldHashes,
  tariffsOf,
  unitGateways,
} from './queries.ts'
export type { ProductContent } from './tables.ts'
