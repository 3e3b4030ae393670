import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The stored settings of a unit: those of the catalogue, with the logo as a data URL. */
export type UnitSettings = Omit<CatalogueUnit, 'key' | 'gateways'>

export const unitSettings = async (tx: UnitTx): Promise<UnitSettings> => (await unitRevision(tx)).settings

/** Returns a unit's settings with their version, which every change of them raises. */
export async function unitRevision(tx: UnitTx): Promise<{ settings: UnitSettings; version: number }> {
  const { settings, version } = await tx.selectFrom('business_units').select(['settings', 'version']).executeTakeFirstOrThrow()
  // Safe: this column is written with validated settings only.
  return { settings: settings as UnitSettings, version }
}
