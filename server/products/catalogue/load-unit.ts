import { isDeepStrictEqual } from 'node:util'
import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'

/**
 * The settings that an agency may change itself (docs/decisions/0006-catalogue.md). They are loaded with a new unit only, like those that the
 * administration has set.
 */
const ownedByAgency = ['address', 'contactInfo', 'billingInfo', 'logo'] as const

/** Loads one unit with its gateways. Returns the changes as sentences. */
export async function loadUnit(tx: ServiceTx, unit: CatalogueUnit, logo: string, now: Date): Promise<string[]> {
  const { key, gateways: _, ...facts } = unit
  const fromCatalogue: UnitSettings = { ...facts, logo: `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}` }
  const existing = await tx
    .selectFrom('business_units')
    .select(['id', 'settings', 'set_by_hand'])
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  const id = existing?.id ?? stableId('business-unit', key)
  if (!existing)
    await tx
      .insertInto('business_units')
      .values({ id, key, settings: JSON.stringify(fromCatalogue), created_at: now, updated_at: now })
      .execute()
  const changed = existing ? await refresh(tx, id, existing, fromCatalogue, now) : []
  return [
    ...(existing ? [] : [`business unit ${key}: new`]),
    ...(changed.length > 0 ? [`business unit ${key}: ${changed.join(', ')} changed`] : []),
    ...(await loadGateways(tx, id, unit)).map(change => `business unit ${key}: ${change}`),
  ]
}

async function refresh(
  tx: ServiceTx,
  id: string,
  existing: { settings: Record<string, unknown>; set_by_hand: string[] },
  fromCatalogue: UnitSettings,
  now: Date,
): Promise<string[]> {
  // Safe: only checked settings are stored.
  const stored = existing.settings as UnitSettings
  const protectedNames = new Set<string>([...ownedByAgency, ...existing.set_by_hand])
  const kept = Object.entries(stored).filter(([name]) => protectedNames.has(name))
  // A limit that the administration removed is absent from the stored settings, and must not return.
  const loaded = Object.entries(fromCatalogue).filter(([name]) => !existing.set_by_hand.includes(name))
  // Safe: both parts are whole settings of checked units.
  const settings = { ...Object.fromEntries(loaded), ...Object.fromEntries(kept) } as UnitSettings
  // Safe: the names are those of both settings.
  const names = [...new Set([...Object.keys(stored), ...Object.keys(settings)])] as (keyof UnitSettings)[]
  const changed = names.filter(name => !isDeepStrictEqual(stored[name], settings[name]))
  if (changed.length > 0)
    await tx
      .updateTable('business_units')
      .set(eb => ({ settings: JSON.stringify(settings), version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', id)
      .execute()
  return changed
}

async function loadGateways(tx: ServiceTx, unitId: string, { key, gateways }: CatalogueUnit): Promise<string[]> {
  const changes: string[] = []
  const existing = await tx
    .selectFrom('unit_gateways')
    .select(['name', 'enabled', 'set_by_hand'])
    .where('business_unit_id', '=', unitId)
    .execute()
  const mayUse = (name: string) => existing.some(gateway => gateway.name === name && (gateway.enabled || gateway.set_by_hand))
  for (const name of gateways.filter(each => !mayUse(each))) {
    await tx
      .insertInto('unit_gateways')
      .values({ business_unit_id: unitId, id: stableId('gateway', key, name), name, enabled: true })
      .onConflict(conflict => conflict.columns(['business_unit_id', 'name']).doUpdateSet({ enabled: true }))
      .execute()
    changes.push(`may use ${name}`)
  }
  for (const { name } of existing.filter(gateway => gateway.enabled && !gateway.set_by_hand && !gateways.includes(gateway.name))) {
    await tx.updateTable('unit_gateways').set({ enabled: false }).where('business_unit_id', '=', unitId).where('name', '=', name).execute()
    changes.push(`may no longer use ${name}`)
  }
  return changes
}
