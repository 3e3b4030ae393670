import { sql } from 'kysely'
import { type CoverGroup, groupsCovered } from '#common/products/cover.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { AfterSale, Insures, Servicing, Tariff } from '#common/products/tariff.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { CommonContent, ProductContent } from './tables.ts'

export type OfferedProduct = { id: string; version: number; hash: string; commissionPercent: number; content: ProductContent }
export type Common = { hash: string; content: CommonContent }

/** Returns the products that the unit sells, in the catalogue's order. */
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
  const uncached = offered.filter(({ hash }) => !productContents.has(hash)).map(({ hash }) => hash)
  const read =
    uncached.length > 0
      ? await tx.selectFromShared('product_versions').select(['hash', 'content']).where('hash', 'in', uncached).execute()
      : []
  for (const { hash, content } of read) cache(productContents, hash, content)
  const loaded = new Map(read.map(({ hash, content }) => [hash, content]))
  return offered
    .flatMap(each => {
      const content = loaded.get(each.hash) ?? productContents.get(each.hash)
      return content ? [{ ...each, content }] : []
    })
    .toSorted((a, b) => a.content.id - b.content.id)
}

/** Returns the current tariffs of these products, by product id. */
export async function tariffsOf(tx: UnitTx, offered: readonly OfferedProduct[]): Promise<Map<string, Tariff>> {
  if (offered.length === 0) return new Map()
  const current = tx
    .selectFromShared('tariffs')
    .where(eb => eb.or(offered.map(({ id, content }) => eb.and({ product_id: id, version: content.tariffVersion }))))
  const rows = await current.select(['product_id', 'hash']).execute()
  const cached = rows.flatMap(({ product_id, hash }) => {
    const content = tariffContents.get(hash)
    return content ? [[product_id, content] as const] : []
  })
  if (cached.length === rows.length) return new Map(cached)
  const read = await current.select(['product_id', 'hash', 'content']).execute()
  for (const { hash, content } of read) cache(tariffContents, hash, content)
  return new Map(read.map(({ product_id, content }) => [product_id, content]))
}

export const unitGateways = (tx: UnitTx) =>
  tx.selectFrom('unit_gateways').where('enabled', '=', true).select(['id', 'name']).orderBy('name').execute()

/** Returns the current content that all products share. */
export async function commonContent(tx: UnitTx): Promise<Common & { version: number }> {
  const { hash, version } = await currentVersion(tx).select(['hash', 'version']).executeTakeFirstOrThrow()
  const cached = commonContents.get(hash)
  if (cached) return { hash, version, content: cached }
  // By its hash, as a load between the two queries may change the current version.
  const { content } = await tx
    .selectFromShared('catalogue_versions')
    .where('hash', '=', hash)
    .select('content')
    .limit(1)
    .executeTakeFirstOrThrow()
  cache(commonContents, hash, content)
  return { hash, version, content }
}

/** Returns the current content that all products share, and that of each product. */
export async function currentContents(tx: ServiceTx): Promise<{ common: CommonContent | undefined; products: ProductContent[] }> {
  const common = await tx.selectFrom('catalogue_versions').select('content').orderBy('version', 'desc').limit(1).executeTakeFirst()
  const products = await tx
    .selectFrom('products')
    .innerJoin('product_versions', join =>
      join.onRef('product_versions.product_id', '=', 'products.id').onRef('product_versions.version', '=', 'products.version'),
    )
    .select('content')
    .orderBy('products.code')
    .execute()
  return { common: common?.content, products: products.map(({ content }) => content) }
}

/** Returns the newest content of a product. */
export const productContent = async (tx: UnitTx, productId: string): Promise<ProductContent | undefined> =>
  (
    await tx
      .selectFromShared('product_versions')
      .select('content')
      .where('product_id', '=', productId)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.content

export type SoldEdition = { productId: string; product: number; catalogue: number; tariff: string }
export type SoldContent = { hash: string; product: ProductContent; common: Common; tariff: Tariff }

/** The hashes of an edition's three parts. */
export type SoldHashes = { product: string; common: string; tariff: string }

/** Returns the content of the versions that a policy was sold with, which may be outdated. Their hashes may be known. */
export async function contentSold(tx: UnitTx, edition: SoldEdition, known?: SoldHashes): Promise<SoldContent> {
  const { productId, product, catalogue, tariff } = edition
  const productAt = tx
    .selectFromShared('product_versions')
    .where('product_versions.product_id', '=', productId)
    .where('product_versions.version', '=', product)
  const commonAt = tx.selectFromShared('catalogue_versions').where('version', '=', catalogue)
  const tariffAt = tx.selectFromShared('tariffs').where('product_id', '=', productId).where('version', '=', tariff)
  const hashes = known ?? (await hashesSold(tx, edition))
  const read = async <T>(entries: Map<string, T>, name: string, rows: Promise<{ content: T }>): Promise<T> => {
    const { content } = await rows
    cache(entries, name, content)
    return content
  }
  const common =
    commonContents.get(hashes.common) ?? (await read(commonContents, hashes.common, commonAt.select('content').executeTakeFirstOrThrow()))
  return {
    hash: hashes.product,
    product:
      productContents.get(hashes.product) ??
      (await read(productContents, hashes.product, productAt.select('content').executeTakeFirstOrThrow())),
    common: { hash: hashes.common, content: common },
    tariff:
      tariffContents.get(hashes.tariff) ??
      (await read(tariffContents, hashes.tariff, tariffAt.select('content').executeTakeFirstOrThrow())),
  }
}

const hashesSold = (tx: UnitTx, { productId, product, catalogue, tariff }: SoldEdition): Promise<SoldHashes> =>
  tx
    .selectFromShared('product_versions')
    .where('product_versions.product_id', '=', productId)
    .where('product_versions.version', '=', product)
    .innerJoin('catalogue_versions', join => join.on('catalogue_versions.version', '=', catalogue))
    .innerJoin('tariffs', join => join.onRef('tariffs.product_id', '=', 'product_versions.product_id').on('tariffs.version', '=', tariff))
    .select(['product_versions.hash as product', 'catalogue_versions.hash as common', 'tariffs.hash as tariff'])
    .executeTakeFirstOrThrow()

/** Returns the current names of products in a language, by product id: also of those that the unit no longer sells. */
export async function productNames(tx: UnitTx, ids: readonly string[], locale: Locale): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFromShared('products')
    .innerJoin('product_versions', join =>
      join.onRef('product_versions.product_id', '=', 'products.id').onRef('product_versions.version', '=', 'products.version'),
    )
    .where('products.id', 'in', ids)
    .select(['products.id', sql<ProductContent['name']>`product_versions.content -> 'name'`.as('name')])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name[languageOf(locale)]]))
}

/** Returns the groups of covers of a sold version: its own, or those of the first later version whose covers have codes. */
export async function groupsSold(tx: UnitTx, productId: string, version: number): Promise<CoverGroup[] | undefined> {
  const versions = await tx
    .selectFromShared('product_versions')
    .where('product_id', '=', productId)
    .where('version', '>=', version)
    .orderBy('version')
    .select('content')
    .execute()
  return versions.map(({ content }) => groupsCovered(content.coverages)).find(groups => groups !== undefined)
}

const currentVersion = (tx: UnitTx) => tx.selectFromShared('catalogue_versions').orderBy('version', 'desc').limit(1)

/**
 * Contents by their SHA-256. A version is never overwritten, so entries stay valid on every node; the small query for the hashes detects a
 * load.
 */
const productContents = new Map<string, ProductContent>()
const tariffContents = new Map<string, Tariff>()
const commonContents = new Map<string, CommonContent>()
const maxCached = 500

export function cache<T>(entries: Map<string, T>, name: string, value: T): void {
  if (entries.size >= maxCached) entries.clear()
  entries.set(name, value)
}

/**
 * Returns who may be insured by an edition that was sold or quoted. An edition older than this setting uses the first later one that has it, as its
 * policy wording insured the same people.
 */
export async function insuresSold(
  tx: UnitTx,
  { productId, product }: SoldEdition,
  { settings }: Pick<ProductContent, 'settings'>,
): Promise<Insures | undefined> {
  if (settings.insures) return settings.insures
  const insures = sql<Insures>`content -> 'settings' ->> 'insures'`
  const later = await tx
    .selectFromShared('product_versions')
    .where('product_id', '=', productId)
    .where('version', '>', product)
    .where(insures, 'is not', null)
    .orderBy('version')
    .select(insures.as('insures'))
    .limit(1)
    .executeTakeFirst()
  return later?.insures
}

export type AfterSaleTerms = { servicing: Servicing; afterSale: AfterSale }

/**
 * Returns the terms of changes and endings that a policy was sold with. An edition older than such terms uses those of the first later one
 * (decision 45).
 */
export async function afterSaleSold(
  tx: UnitTx,
  { productId, product, catalogue }: SoldEdition,
  content: Pick<SoldContent, 'product' | 'common'>,
): Promise<AfterSaleTerms | undefined> {
  const own = { servicing: content.product.servicing, afterSale: content.common.content.afterSale }
  if (own.servicing && own.afterSale) return { servicing: own.servicing, afterSale: own.afterSale }
  const has = (field: string) => sql<boolean>`content -> ${sql.lit(field)} is not null`
  const sold = await tx
    .selectFromShared('product_versions')
    .where('product_id', '=', productId)
    .where('version', '>=', product)
    .where(has('servicing'))
    .orderBy('version')
    .select('content')
    .limit(1)
    .executeTakeFirst()
  const common = await tx
    .selectFromShared('catalogue_versions')
    .where('version', '>=', catalogue)
    .where(has('afterSale'))
    .orderBy('version')
    .select('content')
    .limit(1)
    .executeTakeFirst()
  const [servicing, afterSale] = [sold?.content.servicing, common?.content.afterSale]
  return servicing && afterSale && { servicing, afterSale }
}
