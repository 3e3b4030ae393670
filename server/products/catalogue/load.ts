import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { CatalogueProduct } from '#common/products/catalogue.ts'
import type { Database, ServiceTx } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Catalogue } from './files.ts'
import type { CatalogueProblem } from './shape.ts'
import { loadUnit } from './load-unit.ts'
import type { CommonContent } from '../tables.ts'

/** The changes since the last load as sentences, or why nothing was loaded. */
export type LoadResult = { changes: string[]; problems: CatalogueProblem[] }

/**
 * Loads a checked catalogue in the caller's transaction. Unchanged content creates no version. Versions are never overwritten, as policies
 * may refer to them. Products and units missing in the folder stay unchanged.
 */
export async function loadCatalogue(tx: ServiceTx, catalogue: Catalogue, now: Date): Promise<LoadResult> {
  // Serialises loads: two at once would compute the same next version.
  await sql`select pg_advisory_xact_lock(hashtextextended('catalogue', 0))`.execute(tx)
  const problems = await tariffsInUse(tx, catalogue.products)
  if (problems.length > 0) return { changes: [], problems }
  const changes: string[] = []
  for (const unit of catalogue.units) changes.push(...(await loadUnit(tx, unit, catalogue.logos[unit.key] ?? '', now)))
  changes.push(...(await loadCommon(tx, catalogue, now)))
  for (const product of catalogue.products) changes.push(...(await loadProduct(tx, product, now)))
  for (const product of catalogue.products) changes.push(...(await loadOffers(tx, product, catalogue.units)))
  return { changes, problems }
}

/** Reports what a load would change, and what is missing in the folder, and rolls back. */
export async function rehearse(database: Database, catalogue: Catalogue, now: Date): Promise<LoadResult & { remaining: string[] }> {
  const undone = new Error('undone')
  let outcome: LoadResult & { remaining: string[] } = { changes: [], problems: [], remaining: [] }
  await database
    .atLeisure(async tx => {
      const remaining = await notInFolder(tx, catalogue)
      outcome = { ...(await loadCatalogue(tx, catalogue, now)), remaining }
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return outcome
}

async function notInFolder(tx: ServiceTx, { products, units }: Catalogue): Promise<string[]> {
  const sold = await tx.selectFrom('products').select('code').orderBy('code').execute()
  const known = await tx.selectFrom('business_units').select('key').orderBy('key').execute()
  return [
    ...sold.filter(({ code }) => products.every(each => each.code !== code)).map(({ code }) => `product ${code}`),
    ...known.filter(({ key }) => units.every(each => each.key !== key)).map(({ key }) => `business unit ${key}`),
  ]
}

/** Finds tariffs whose figures changed under the same version. Policies remember the version, so new figures need a new one. */
async function tariffsInUse(tx: ServiceTx, products: CatalogueProduct[]): Promise<CatalogueProblem[]> {
  const known = await tx.selectFrom('tariffs').select(['product_id', 'version', 'hash']).execute()
  return products
    .filter(({ code, tariff }) =>
      known.some(({ product_id, version, hash }) => {
        return product_id === stableId('product', code) && version === tariff.version && hash !== hashOf(tariff)
      }),
    )
    .map(({ code, tariff }) => ({
      file: `products/${code}.json`,
      path: 'tariff.version',
      problem: `${tariff.version} is loaded already with other figures; expected a new version for the new figures`,
    }))
}

async function loadCommon(tx: ServiceTx, catalogue: Catalogue, now: Date): Promise<string[]> {
  const { insurer, zones, taxes, afterSale, texts, information, conditions, tickets } = catalogue
  const content: CommonContent = { insurer, zones, taxes, afterSale, texts, information, conditions, tickets }
  const last = await tx.selectFrom('catalogue_versions').select(['version', 'hash']).orderBy('version', 'desc').limit(1).executeTakeFirst()
  const hash = hashOf(content)
  if (last?.hash === hash) return []
  const version = (last?.version ?? 0) + 1
  await tx
    .insertInto('catalogue_versions')
    .values({ version, loaded_at: now, hash, content: JSON.stringify(content) })
    .execute()
  return [`insurer, zones, taxes, texts, documents and tickets: version ${version}`]
}

async function loadProduct(tx: ServiceTx, product: CatalogueProduct, now: Date): Promise<string[]> {
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

async function loadTariff(tx: ServiceTx, productId: string, { code, tariff }: CatalogueProduct, now: Date): Promise<string[]> {
  const added = await tx
    .insertInto('tariffs')
    .values({ product_id: productId, version: tariff.version, loaded_at: now, hash: hashOf(tariff), content: JSON.stringify(tariff) })
    .onConflict(conflict => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return added ? [`product ${code}: tariff ${tariff.version}`] : []
}

/** Sets what each unit sells: the products with a commission for it, unless the administration has decided otherwise. */
async function loadOffers(tx: ServiceTx, { code, commissionPercent }: CatalogueProduct, units: CatalogueUnit[]): Promise<string[]> {
  const changes: string[] = []
  const productId = stableId('product', code)
  for (const { key } of units) {
    const unitId = stableId('business-unit', key)
    const percent = commissionPercent[key]
    const changed = percent === undefined ? await withdraw(tx, unitId, productId) : await offer(tx, unitId, productId, percent)
    if (changed) changes.push(percent === undefined ? `${key} no longer sells ${code}` : `${key} sells ${code} at ${percent} % commission`)
  }
  return changes
}

const offer = (tx: ServiceTx, unitId: string, productId: string, percent: number) =>
  tx
    .insertInto('unit_products')
    .values({ business_unit_id: unitId, product_id: productId, commission_percent: percent, enabled: true })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'product_id'])
        .doUpdateSet({ commission_percent: percent, enabled: true })
        .where('unit_products.set_by_hand', '=', false)
        .where(eb => eb.or([eb('unit_products.commission_percent', '<>', percent), eb('unit_products.enabled', '=', false)])),
    )
    .returning('product_id')
    .executeTakeFirst()

const withdraw = (tx: ServiceTx, unitId: string, productId: string) =>
  tx
    .updateTable('unit_products')
    .set({ enabled: false })
    .where('business_unit_id', '=', unitId)
    .where('product_id', '=', productId)
    .where('enabled', '=', true)
    .where('set_by_hand', '=', false)
    .returning('product_id')
    .executeTakeFirst()

const hashOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex')

/** Sorts the names of objects, whose order in a file must not create a version. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, entry]) => [name, sorted(entry)]))
}
