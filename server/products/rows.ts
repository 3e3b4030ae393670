import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { CommonContent, ProductContent } from './tables.ts'

export type OfferedProduct = { id: string; version: number; commissionPercent: number; content: ProductContent }

/** What the unit sells, in the order of the catalogue. */
export async function offeredProducts(scope: Scope, tx: Tx): Promise<OfferedProduct[]> {
  const rows = await tx
    .selectFrom('unit_products')
    .innerJoin('products', 'products.id', 'unit_products.product_id')
    .innerJoin('product_versions', join =>
      join.onRef('product_versions.product_id', '=', 'products.id').onRef('product_versions.version', '=', 'products.version'),
    )
    .where('unit_products.business_unit_id', '=', scope.businessUnitId)
    .where('unit_products.enabled', '=', true)
    .select(['products.id', 'products.version', 'unit_products.commission_percent as commissionPercent', 'product_versions.content'])
    .execute()
  return rows.toSorted((a, b) => a.content.id - b.content.id)
}

export const unitGateways = (scope: Scope, tx: Tx) =>
  tx
    .selectFrom('unit_gateways')
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('enabled', '=', true)
    .select(['id', 'name'])
    .orderBy('name')
    .execute()

export async function commonContent(tx: Tx): Promise<CommonContent> {
  const row = await tx.selectFrom('catalogue_versions').select('content').orderBy('version', 'desc').limit(1).executeTakeFirstOrThrow()
  return row.content
}
