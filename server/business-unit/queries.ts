import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** What is stored of a unit: the catalogue's facts, its logo as a picture that a page can show. */
export type UnitSettings = Omit<CatalogueUnit, 'key' | 'gateways'>

export async function unitSettings(tx: UnitTx): Promise<UnitSettings> {
  const row = await tx.selectFrom('business_units').select('settings').executeTakeFirstOrThrow()
  return row.settings as UnitSettings
}
