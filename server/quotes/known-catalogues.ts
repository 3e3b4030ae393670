import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type UnitCatalogue, unitCatalogue } from './catalogue.ts'

/** The units' catalogues as this node last read them. They may be outdated: who uses one compares its revisions when writing. */
export type KnownCatalogues = {
  known(scope: Scope): Promise<UnitCatalogue>
  readNow(scope: Scope): Promise<UnitCatalogue>
  /** Reads a catalogue within a transaction, and knows it from then on. */
  readIn(tx: UnitTx): Promise<UnitCatalogue>
}

export function openKnownCatalogues(database: Database): KnownCatalogues {
  const catalogues = new Map<string, UnitCatalogue>()
  async function readIn(tx: UnitTx): Promise<UnitCatalogue> {
    const catalogue = await unitCatalogue(tx)
    catalogues.set(tx.businessUnitId, catalogue)
    return catalogue
  }
  const readNow = (scope: Scope) => database.inScope(scope, readIn)
  return { readNow, readIn, known: async scope => catalogues.get(scope.businessUnitId) ?? readNow(scope) }
}
