import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The stored settings of a unit: those of the catalogue, with the logo as a data URL. */
export type UnitSettings = Omit<CatalogueUnit, 'key' | 'gateways'>

export async function unitSettings(tx: UnitTx): Promise<UnitSettings> {
  const row = await tx.selectFrom('business_units').select('settings').executeTakeFirstOrThrow()
  // Safe: this column is written with validated settings only.
  return row.settings as UnitSettings
}
