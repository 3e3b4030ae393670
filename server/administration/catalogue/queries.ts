import { sql } from 'kysely'
import type { AllUnitsTx } from '#server/kit/database.ts'

export type VersionRow = {
  kind: 'common' | 'product' | 'tariff'
  productId: string | null
  code: string | null
  name: Record<string, string> | null
  version: string
  loadedAt: Date
  current: boolean
}

/** Returns every version that was ever loaded. Versions in use today are `current`. */
export async function versionRows(tx: AllUnitsTx): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select 'common' as kind, null::uuid as "productId", null as code, null::jsonb as name, version::text as version, loaded_at as "loadedAt",
      version = (select max(version) from catalogue_versions) as current, 0 as position
    from catalogue_versions
    union all
    select 'product', products.id, products.code, each.content->'name', each.version::text, each.loaded_at, each.version = products.version,
      (each.content->>'id')::int
    from product_versions as each join products on products.id = each.product_id
    union all
    select 'tariff', products.id, products.code, latest.content->'name', tariffs.version, tariffs.loaded_at,
      tariffs.version = latest.content->>'tariffVersion', (latest.content->>'id')::int
    from tariffs join products on products.id = tariffs.product_id
    join product_versions as latest on latest.product_id = products.id and latest.version = products.version
    order by "loadedAt" desc, position, kind`.execute(tx)
  return rows
}

export async function lastLoad(tx: AllUnitsTx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest((select max(loaded_at) from catalogue_versions), (select max(loaded_at) from product_versions), (select max(loaded_at) from tariffs)) as at`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}

export type Content = { version: string; content: unknown; loadedAt: Date }

/** Returns all versions of one content, oldest first. */
export async function contentsOf(tx: AllUnitsTx, kind: VersionRow['kind'], productId: string | undefined): Promise<Content[]> {
  if (kind === 'common') {
    const rows = await tx
      .selectFrom('catalogue_versions')
      .select(['version', 'content', 'loaded_at as loadedAt'])
      .orderBy('version')
      .execute()
    return rows.map(row => ({ ...row, version: String(row.version) }))
  }
  if (productId === undefined) return []
  if (kind === 'tariff')
    return tx
      .selectFrom('tariffs')
      .where('product_id', '=', productId)
      .select(['version', 'content', 'loaded_at as loadedAt'])
      .orderBy('loaded_at')
      .orderBy('version')
      .execute()
  const rows = await tx
    .selectFrom('product_versions')
    .where('product_id', '=', productId)
    .select(['version', 'content', 'loaded_at as loadedAt'])
    .orderBy('version')
    .execute()
  return rows.map(row => ({ ...row, version: String(row.version) }))
}
