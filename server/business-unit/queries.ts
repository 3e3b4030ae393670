import type { CatalogueUnit } from '#common/business-unit/unit.ts'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'

/** What is stored of a unit: the catalogue's facts, its logo as a picture that a page can show. */
export type UnitSettings = Omit<CatalogueUnit, 'key' | 'gateways'>

export async function unitSettings(scope: Scope, tx: Tx): Promise<UnitSettings> {
  const row = await tx.selectFrom('business_units').select('settings').where('id', '=', scope.businessUnitId).executeTakeFirstOrThrow()
  return row.settings as UnitSettings
}
