import type { Tariff } from '#common/products/tariff.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { CommonContent, ProductContent } from './tables.ts'

export type OfferedProduct = { id: string; version: number; hash: string; commissionPercent: number; content: ProductContent }
export type Common = { hash: string; content: CommonContent }

/** What the unit sells, in the order of the catalogue. */
export async function offeredProducts(tx: UnitTx): Promise<OfferedProduct[]> {
  const offered = await tx
    .selectFrom('unit_products')
    .innerJoin('products', 'products.id', 'unit_products.product_id')
    .innerJoin('product_versions', join =>
      join.onRef('product_versions.product_id', '=', 'products.id').onRef('product_versions.version', '=', 'products.version'),
    )
    .where('unit_products.enabled', '=', true)
    .select(['products.id', 'products.version', 'product_versions.hash', 'unit_products.commission_percent as commissionPercent'])
    .execute()
  const unread = offered.filter(({ hash }) => !productContents.has(hash)).map(({ hash }) => hash)
  const read =
    unread.length > 0 ? await tx.selectFromShared('product_versions').select(['hash', 'content']).where('hash', 'in', unread).execute() : []
  for (const { hash, content } of read) keep(productContents, hash, content)
  const fresh = new Map(read.map(({ hash, content }) => [hash, content]))
  return offered
    .flatMap(each => {
      const content = fresh.get(each.hash) ?? productContents.get(each.hash)
      return content ? [{ ...each, content }] : []
    })
    .toSorted((a, b) => a.content.id - b.content.id)
}

/** The tariffs that these products are sold by now, by product. */
export async function tariffsOf(tx: UnitTx, offered: readonly OfferedProduct[]): Promise<Map<string, Tariff>> {
  if (offered.length === 0) return new Map()
  const current = tx
    .selectFromShared('tariffs')
    .where(eb => eb.or(offered.map(({ id, content }) => eb.and({ product_id: id, version: content.tariffVersion }))))
  const rows = await current.select(['product_id', 'hash']).execute()
  const known = rows.flatMap(({ product_id, hash }) => {
    const content = tariffContents.get(hash)
    return content ? [[product_id, content] as const] : []
  })
  if (known.length === rows.length) return new Map(known)
  const read = await current.select(['product_id', 'hash', 'content']).execute()
  for (const { hash, content } of read) keep(tariffContents, hash, content)
  return new Map(read.map(({ product_id, content }) => [product_id, content]))
}

export const unitGateways = (tx: UnitTx) =>
  tx.selectFrom('unit_gateways').where('enabled', '=', true).select(['id', 'name']).orderBy('name').execute()

/** The unit's settings, where it may be paid in that way; nothing where it may not, or no longer. */
export async function settingsWithGateway(tx: UnitTx, gatewayId: string): Promise<UnitSettings | undefined> {
  const row = await tx
    .selectFrom('unit_gateways')
    .innerJoin('business_units', 'business_units.id', 'unit_gateways.business_unit_id')
    .where('unit_gateways.id', '=', gatewayId)
    .where('unit_gateways.enabled', '=', true)
    .select('business_units.settings')
    .executeTakeFirst()
  return row?.settings as UnitSettings | undefined
}

/** What belongs to no single product, in its last version. */
export async function commonContent(tx: UnitTx): Promise<Common & { version: number }> {
  const { hash, version } = await lastVersion(tx).select(['hash', 'version']).executeTakeFirstOrThrow()
  const known = commonContents.get(hash)
  if (known) return { hash, version, content: known }
  // By its hash: between two statements the last version may become another.
  const { content } = await tx
    .selectFromShared('catalogue_versions')
    .where('hash', '=', hash)
    .select('content')
    .limit(1)
    .executeTakeFirstOrThrow()
  keep(commonContents, hash, content)
  return { hash, version, content }
}

export type SoldEdition = { productId: string; product: number; catalogue: number; tariff: string }
export type SoldContent = { hash: string; product: ProductContent; common: Common; tariff: Tariff }

/** What something was sold by, which may no longer be what is sold. */
export async function contentSold(tx: UnitTx, { productId, product, catalogue, tariff }: SoldEdition): Promise<SoldContent> {
  const productAt = tx.selectFromShared('product_versions').where('product_id', '=', productId).where('version', '=', product)
  const commonAt = tx.selectFromShared('catalogue_versions').where('version', '=', catalogue)
  const tariffAt = tx.selectFromShared('tariffs').where('product_id', '=', productId).where('version', '=', tariff)
  const { hash } = await productAt.select('hash').executeTakeFirstOrThrow()
  const { hash: commonHash } = await commonAt.select('hash').executeTakeFirstOrThrow()
  const { hash: tariffHash } = await tariffAt.select('hash').executeTakeFirstOrThrow()
  const read = async <T>(kept: Map<string, T>, name: string, rows: Promise<{ content: T }>): Promise<T> => {
    const { content } = await rows
    keep(kept, name, content)
    return content
  }
  const common =
    commonContents.get(commonHash) ?? (await read(commonContents, commonHash, commonAt.select('content').executeTakeFirstOrThrow()))
  return {
    hash,
    product: productContents.get(hash) ?? (await read(productContents, hash, productAt.select('content').executeTakeFirstOrThrow())),
    common: { hash: commonHash, content: common },
    tariff:
      tariffContents.get(tariffHash) ?? (await read(tariffContents, tariffHash, tariffAt.select('content').executeTakeFirstOrThrow())),
  }
}

const lastVersion = (tx: UnitTx) => tx.selectFromShared('catalogue_versions').orderBy('version', 'desc').limit(1)

/**
 * Contents under their SHA-256. A version is never overwritten, so what is kept here never grows stale, on this node or another:
 * the small query for the hashes is what notices a load.
 */
const productContents = new Map<string, ProductContent>()
const tariffContents = new Map<string, Tariff>()
const commonContents = new Map<string, CommonContent>()
const mostKept = 500

export function keep<T>(kept: Map<string, T>, name: string, value: T): void {
  if (kept.size >= mostKept) kept.clear()
  kept.set(name, value)
}
