import type { ColumnType } from 'kysely'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { Tariff } from '#common/products/tariff.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'
import type { Catalogue } from './catalogue/files.ts'

/** The content that all products share: insurer, zones, taxes, texts, documents and ticket types. */
export type CommonContent = Pick<Catalogue, 'insurer' | 'zones' | 'taxes' | 'texts' | 'information' | 'conditions'> & {
  /** Missing in versions loaded before there were tickets. */
  tickets?: Catalogue['tickets']
  /** Missing in versions loaded before policies could be changed. */
  afterSale?: Catalogue['afterSale']
}
export type ProductContent = Omit<CatalogueProduct, 'commissionPercent' | 'tariff'> & { tariffVersion: string }

type ProductTables = {
  catalogue_versions: { version: number; loaded_at: Instant; hash: string; content: Json<CommonContent> }
  products: { id: string; code: string; version: number }
  product_versions: { product_id: string; version: number; loaded_at: Instant; hash: string; content: Json<ProductContent> }
  tariffs: { product_id: string; version: string; loaded_at: Instant; hash: string; content: Json<Tariff> }
  unit_products: {
    business_unit_id: UnitId
    product_id: string
    commission_percent: number
    enabled: ColumnType<boolean, boolean | undefined, boolean>
    /** Set by the administration, so the catalogue no longer changes it. */
    set_by_hand: ColumnType<boolean, boolean | undefined, boolean>
  }
  unit_gateways: {
    business_unit_id: UnitId
    id: string
    name: 'Deferred' | 'StripeV2'
    enabled: ColumnType<boolean, boolean | undefined, boolean>
    /** Set by the administration, so the catalogue no longer changes it. */
    set_by_hand: ColumnType<boolean, boolean | undefined, boolean>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ProductTables {}
}
