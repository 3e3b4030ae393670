import { settingsInUnit } from '#common/products/settings.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { commonContent, offeredProducts, type ProductContent, tariffsOf } from '#server/products/public.ts'

/** A product as this unit sells it, with all that its price is made of. */
export type Offer = { productId: string; version: number; content: ProductContent; commissionPercent: number; basis: Basis }

/** `version` is that of what belongs to no single product. */
export type UnitCatalogue = { version: number; timeZone: string; offers: Offer[] }

/** What the unit sells at this moment, in the order of the catalogue. */
export async function unitCatalogue(tx: UnitTx, unit?: UnitSettings): Promise<UnitCatalogue> {
  const { country, currency, timeZone } = unit ?? (await unitSettings(tx))
  const { version, content: common } = await commonContent(tx)
  const { zones, taxes } = common
  const offered = await offeredProducts(tx)
  const tariffs = await tariffsOf(tx, offered)
  const offers = offered.flatMap(({ id, version, content, commissionPercent }): Offer[] => {
    const tariff = tariffs.get(id)
    if (!tariff) return []
    const { accidentCapital } = content
    const settings = settingsInUnit(content.settings, country)
    return [
      { productId: id, version, content, commissionPercent, basis: { settings, accidentCapital, tariff, zones, taxes, country, currency } },
    ]
  })
  return { version, timeZone, offers }
}

export type CatalogueCache = (scope: Scope) => Promise<UnitCatalogue>

/** For so long a quote may be made of what has just been replaced: it bears its tariff's version, and a sale prices afresh. */
const freshMs = 1_000

/** The units' catalogues, held ready: a quote then reads nothing. */
export function openCatalogueCache(database: Database): CatalogueCache {
  const held = new Map<string, { readAt: number; catalogue: Promise<UnitCatalogue> }>()
  return scope => {
    const known = held.get(scope.businessUnitId)
    if (known && performance.now() - known.readAt < freshMs) return known.catalogue
    const catalogue = database.inScope(scope, tx => unitCatalogue(tx))
    held.set(scope.businessUnitId, { readAt: performance.now(), catalogue })
    // What could not be read is read again at the next call.
    catalogue.catch(() => held.delete(scope.businessUnitId))
    return catalogue
  }
}
