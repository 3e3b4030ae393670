import { createHash } from 'node:crypto'
import { locales, type Locale } from '#common/kit/locales.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'

/** The documents that every product has before a sale: the information document (IPID) and the policy wording. */
export const productFileKinds = ['information', 'conditions'] as const
export type ProductFileKind = (typeof productFileKinds)[number]

/** A product's edition, by the hashes of its own content and of the content that all products share. */
export type ProductEdition = { hash: string; commonHash: string; locale: Locale; brandKey: string }

/**
 * Returns the id of a product's document, which is a hash of its content. Another text, brand or language is thus another file. An edition once shown is
 * found again, and a document is made only once.
 */
export const productFileId = (scope: Scope, kind: ProductFileKind, { hash, commonHash, locale, brandKey }: ProductEdition): string =>
  stableId('product-file', scope.businessUnitId, kind, hash, commonHash, locale, brandKey)

/** True if the id is a document of the current edition in any language. */
export const isFileOf = (scope: Scope, id: string, edition: Omit<ProductEdition, 'locale'>): boolean =>
  productFileKinds.some(kind => locales.some(locale => productFileId(scope, kind, { ...edition, locale }) === id.toLowerCase()))

/** Returns a key of everything in a unit's brand and currency that product documents show. */
export const brandKeyOf = ({ brandName, accent, logo, contactInfo, currency }: BrandOfUnit): string =>
  createHash('sha256')
    .update(JSON.stringify([brandName, accent, logo, contactInfo.phone, contactInfo.email, currency]))
    .digest('base64')

type BrandOfUnit = Pick<UnitSettings, 'brandName' | 'accent' | 'logo' | 'contactInfo' | 'currency'>
