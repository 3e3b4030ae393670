import type { Database } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type UnitCatalogue, unitCatalogue } from './catalogue.ts'

/** The units' catalogues as this node last read them. They may be outdated: who uses one compares its revisions when writing. */
export type KnownCatalogues = {
  known(scope: Scope): Promise<UnitCatalogue>
  readNow(scope: Scope): Promise<UnitCatalogue>
}

export function openKnownCatalogues(database: Database): KnownCatalogues {
  const catalogues = new Map<string, UnitCatalogue>()
  async function readNow(scope: Scope): Promise<UnitCatalogue> {
    const catalogue = await database.inScope(scope, unitCatalogue)
    catalogues.set(scope.businessUnitId, catalogue)
    return catalogue
  }
  return { readNow, known: async scope => catalogues.get(scope.businessUnitId) ?? readNow(scope) }
}
