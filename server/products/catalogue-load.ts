import { createHash } from 'node:crypto'
import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { Tx } from '#server/kit/database.ts'
import { stableId } from '#server/kit/stable-id.ts'
import type { Catalogue } from './catalogue-files.ts'

/**
 * Brings a checked catalogue in, in the caller's transaction, and tells what is new. What is unchanged makes no new version; nothing is
 * overwritten that a policy may have been sold with; a product or unit that the folder no longer has stays as it is.
 */
export async function loadCatalogue(tx: Tx, catalogue: Catalogue, now: Date): Promise<string[]> {
  const changes: string[] = []
  for (const unit of catalogue.units) changes.push(...(await loadUnit(tx, unit, catalogue.logos[unit.key] ?? '', now)))
  changes.push(...(await loadCommon(tx, catalogue, now)))
  for (const product of catalogue.products) changes.push(...(await loadProduct(tx, product, now)))
  for (const product of catalogue.products) changes.push(...(await loadCommissions(tx, product, catalogue.units)))
  return changes
}

async function loadUnit(tx: Tx, unit: CatalogueUnit, logo: string, now: Date): Promise<string[]> {
  const { key, gateways, logo: _file, ...facts } = unit
  const id = stableId('business-unit', key)
  const known = await tx.selectFrom('business_units').select('id').where('key', '=', key).executeTakeFirst()
  // What the agency has edited since is its own: a unit that is there already keeps its settings.
  if (!known) {
    const settings = JSON.stringify({ ...facts, logo: `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}` })
    await tx.insertInto('business_units').values({ id, key, settings, created_at: now, updated_at: now }).execute()
  }
  const businessUnitId = known?.id ?? id
  for (const name of gateways) {
    await tx
      .insertInto('unit_gateways')
      .values({ business_unit_id: businessUnitId, id: stableId('gateway', key, name), name })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  return known ? [] : [`business unit ${key}: new`]
}

async function loadCommon(tx: Tx, { insurer, zones, taxes, texts }: Catalogue, now: Date): Promise<string[]> {
  const content = { insurer, zones, taxes, texts }
  const last = await tx.selectFrom('catalogue_versions').select(['version', 'hash']).orderBy('version', 'desc').limit(1).executeTakeFirst()
  const hash = hashOf(content)
  if (last?.hash === hash) return []
  const version = (last?.version ?? 0) + 1
  await tx
    .insertInto('catalogue_versions')
    .values({ version, loaded_at: now, hash, content: JSON.stringify(content) })
    .execute()
  return [`insurer, zones, taxes and texts: version ${version}`]
}

async function loadProduct(tx: Tx, product: CatalogueProduct, now: Date): Promise<string[]> {
  const { commissionPercent: _, tariff, ...rest } = product
  const content = { ...rest, tariffVersion: tariff.version }
  const id = stableId('product', product.code)
  const hash = hashOf(content)
  const last = await tx
    .selectFrom('product_versions')
    .select(['version', 'hash'])
    .where('product_id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const version = (last?.version ?? 0) + (last?.hash === hash ? 0 : 1)
  await tx
    .insertInto('products')
    .values({ id, code: product.code, version })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ version }))
    .execute()
  const changes = await loadTariff(tx, id, product, now)
  if (last?.hash === hash) return changes
  await tx
    .insertInto('product_versions')
    .values({ product_id: id, version, loaded_at: now, hash, content: JSON.stringify(content) })
    .execute()
  return [`product ${product.code}: version ${version}`, ...changes]
}

async function loadTariff(tx: Tx, productId: string, { code, tariff }: CatalogueProduct, now: Date): Promise<string[]> {
  const hash = hashOf(tariff)
  const known = await tx
    .selectFrom('tariffs')
    .select('hash')
    .where('product_id', '=', productId)
    .where('version', '=', tariff.version)
    .executeTakeFirst()
  if (known && known.hash !== hash)
    throw new Error(`product ${code}: tariff ${tariff.version} is in use with other figures. Give the new figures a new version.`)
  if (known) return []
  await tx
    .insertInto('tariffs')
    .values({ product_id: productId, version: tariff.version, loaded_at: now, hash, content: JSON.stringify(tariff) })
    .execute()
  return [`product ${code}: tariff ${tariff.version}`]
}

async function loadCommissions(tx: Tx, product: CatalogueProduct, units: CatalogueUnit[]): Promise<string[]> {
  const changes: string[] = []
  for (const { key } of units) {
    const percent = product.commissionPercent[key]
    const unit = await tx.selectFrom('business_units').select('id').where('key', '=', key).executeTakeFirstOrThrow()
    if (percent === undefined) continue
    const changed = await tx
      .insertInto('unit_products')
      .values({ business_unit_id: unit.id, product_id: stableId('product', product.code), commission_percent: percent })
      .onConflict(conflict =>
        conflict
          .columns(['business_unit_id', 'product_id'])
          .doUpdateSet({ commission_percent: percent })
          .where('unit_products.commission_percent', '<>', percent),
      )
      .returning('product_id')
      .executeTakeFirst()
    if (changed) changes.push(`${key} sells ${product.code} at ${percent} % commission`)
  }
  return changes
}

const hashOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')
