import { earliestBirthDate as defaultEarliest } from '#common/kit/validators/periods.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { unitRevision, type UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  commonContent,
  contentSold,
  insuresSold,
  offeredProducts,
  type ProductContent,
  type SoldEdition,
  tariffsOf,
  unitGateways,
} from '#server/products/public.ts'

/** A product as the unit sells it, with everything that decides its price. */
export type Offer = { productId: string; version: number; hash: string; content: ProductContent; commissionPercent: number; basis: Basis }

/** Everything that decides what a unit sells now. `version` and `hash` are those of the common content of all products. */
export type UnitCatalogue = {
  version: number
  hash: string
  unit: UnitSettings
  unitVersion: number
  gateways: Gateway[]
  offers: Offer[]
}
type Gateway = Awaited<ReturnType<typeof unitGateways>>[number]

/** Returns the products that the unit sells now, in the catalogue's order. */
export async function unitCatalogue(tx: UnitTx): Promise<UnitCatalogue> {
  const { settings: unit, version: unitVersion } = await unitRevision(tx)
  const { country, currency, earliestBirthDate = defaultEarliest } = unit
  const { version, hash, content: common } = await commonContent(tx)
  const { zones, taxes } = common
  const offered = await offeredProducts(tx)
  const tariffs = await tariffsOf(tx, offered)
  const offers = offered.flatMap(({ id, version, hash, content, commissionPercent }): Offer[] => {
    const tariff = tariffs.get(id)
    if (!tariff) return []
    const { accidentCapital } = content
    const settings = settingsInUnit(content.settings, country)
    return [
      {
        productId: id,
        version,
        hash,
        content,
        commissionPercent,
        basis: { settings, accidentCapital, tariff, zones, taxes, country, currency, earliestBirthDate },
      },
    ]
  })
  return { version, hash, unit, unitVersion, gateways: await unitGateways(tx), offers }
}

/** An offer in one edition of the catalogue. */
export type Terms = { offer: Offer; edition: SoldEdition; commonHash: string }

export const termsToday = ({ version: catalogue, hash: commonHash }: UnitCatalogue, offer: Offer): Terms => ({
  offer,
  edition: { productId: offer.productId, product: offer.version, catalogue, tariff: offer.basis.tariff.version },
  commonHash,
})

/**
 * Returns the terms of an edition that a load has replaced, or undefined if it is today's. What the unit itself decides is today's in any
 * case: its country, its bound for birth dates and its commission.
 */
export async function replacedTerms(tx: UnitTx, today: Terms, edition: SoldEdition): Promise<Terms | undefined> {
  const isToday = (['product', 'catalogue', 'tariff'] as const).every(part => edition[part] === today.edition[part])
  if (isToday) return undefined
  const { hash, product: content, tariff, common } = await contentSold(tx, edition)
  const { basis } = today.offer
  const { zones, taxes } = common.content
  const insures = await insuresSold(tx, edition, content)
  const settings = { ...settingsInUnit(content.settings, basis.country), insures }
  const offer = { ...today.offer, version: edition.product, hash, content }
  return {
    offer: { ...offer, basis: { ...basis, settings, accidentCapital: content.accidentCapital, tariff, zones, taxes } },
    edition,
    commonHash: common.hash,
  }
}

/** Returns the replaced terms of an edition as `replacedTerms` does; undefined also if the unit no longer sells the product. */
export async function termsKept(tx: UnitTx, edition: SoldEdition): Promise<Terms | undefined> {
  const catalogue = await unitCatalogue(tx)
  const offer = catalogue.offers.find(({ productId }) => productId === edition.productId)
  return offer && replacedTerms(tx, termsToday(catalogue, offer), edition)
}

export type CatalogueCache = (scope: Scope) => Promise<UnitCatalogue>

/**
 * The age up to which a cached catalogue is used. A quote may use outdated data for that long: it carries its tariff's version, and a sale
 * prices anew.
 */
const cacheMs = 1_000
/** The number of catalogues that a node remembers. Each has its unit's logo. */
const mostUnits = 500

/** Remembers a catalogue in place of the oldest. */
function remember<T>(catalogues: Map<string, T>, unitId: string, catalogue: T): void {
  catalogues.delete(unitId)
  if (catalogues.size >= mostUnits) catalogues.delete(catalogues.keys().next().value ?? '')
  catalogues.set(unitId, catalogue)
}

/** Caches the units' catalogues, so that a quote needs no query. */
export function openCatalogueCache({ database, elapsed }: Pick<World, 'database' | 'elapsed'>): CatalogueCache {
  const cache = new Map<string, { readAt: number; catalogue: Promise<UnitCatalogue> }>()
  return scope => {
    const cached = cache.get(scope.businessUnitId)
    if (cached && elapsed() - cached.readAt < cacheMs) return cached.catalogue
    const catalogue = database.inScope(scope, tx => unitCatalogue(tx))
    remember(cache, scope.businessUnitId, { readAt: elapsed(), catalogue })
    // After an error the next call reads again.
    catalogue.catch(() => cache.delete(scope.businessUnitId))
    return catalogue
  }
}

/** The units' catalogues as this node last read them. They may be outdated, so a writer compares their revisions. */
export type KnownCatalogues = {
  known(scope: Scope): Promise<UnitCatalogue>
  /** Reads a catalogue within a transaction, and remembers it. */
  readIn(tx: UnitTx): Promise<UnitCatalogue>
}

export function openKnownCatalogues(database: Database): KnownCatalogues {
  const catalogues = new Map<string, UnitCatalogue>()
  async function readIn(tx: UnitTx): Promise<UnitCatalogue> {
    const catalogue = await unitCatalogue(tx)
    remember(catalogues, tx.businessUnitId, catalogue)
    return catalogue
  }
  return { readIn, known: async scope => catalogues.get(scope.businessUnitId) ?? database.inScope(scope, readIn) }
}
