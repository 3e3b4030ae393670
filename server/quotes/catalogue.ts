import { earliestBirthDate as defaultEarliest } from '#common/kit/validators/periods.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { commonContent, offeredProducts, type ProductContent, tariffsOf } from '#server/products/public.ts'

/** A product as the unit sells it, with everything that decides its price. */
export type Offer = { productId: string; version: number; content: ProductContent; commissionPercent: number; basis: Basis }

/** `version` is the version of the common content of all products. */
export type UnitCatalogue = { version: number; timeZone: string; offers: Offer[] }

/** Returns the products that the unit sells now, in the catalogue's order. */
export async function unitCatalogue(tx: UnitTx, unit?: UnitSettings): Promise<UnitCatalogue> {
  const { country, currency, timeZone, earliestBirthDate = defaultEarliest } = unit ?? (await unitSettings(tx))
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
      {
        productId: id,
        version,
        content,
        commissionPercent,
        basis: { settings, accidentCapital, tariff, zones, taxes, country, currency, earliestBirthDate },
      },
    ]
  })
  return { version, timeZone, offers }
}

export type CatalogueCache = (scope: Scope) => Promise<UnitCatalogue>

/**
 * The age up to which a cached catalogue is used. A quote may use outdated data for that long: it carries its tariff's version, and a sale
 * prices anew.
 */
const cacheMs = 1_000

/** Caches the units' catalogues, so that a quote needs no query. */
export function openCatalogueCache(database: Database): CatalogueCache {
  const cache = new Map<string, { readAt: number; catalogue: Promise<UnitCatalogue> }>()
  return scope => {
    const cached = cache.get(scope.businessUnitId)
    if (cached && performance.now() - cached.readAt < cacheMs) return cached.catalogue
    const catalogue = database.inScope(scope, tx => unitCatalogue(tx))
    cache.set(scope.businessUnitId, { readAt: performance.now(), catalogue })
    // After an error the next call reads again.
    catalogue.catch(() => cache.delete(scope.businessUnitId))
    return catalogue
  }
}
