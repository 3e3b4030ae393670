import { createHash } from 'node:crypto'
import { locales, type Locale } from '#common/kit/locales.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'

/** The two documents that every product has before anything is sold: its information document (IPID) and its general conditions. */
export const productFileKinds = ['information', 'conditions'] as const
export type ProductFileKind = (typeof productFileKinds)[number]

/** A product as it is offered, or was: by the hashes of its own content and of what all products share. */
export type ProductEdition = { hash: string; commonHash: string; locale: Locale; brandKey: string }

/**
 * The file's id says what is in it: another text, another look or another language is another file. Whoever has been shown one finds the very
 * same again, and a file that is made on demand is made once.
 */
export const productFileId = (scope: Scope, kind: ProductFileKind, { hash, commonHash, locale, brandKey }: ProductEdition): string =>
  stableId('product-file', scope.businessUnitId, kind, hash, commonHash, locale, brandKey)

/** Is it a document of the product as it is offered now, in whatever language? */
export const isFileOf = (scope: Scope, id: string, edition: Omit<ProductEdition, 'locale'>): boolean =>
  productFileKinds.some(kind => locales.some(locale => productFileId(scope, kind, { ...edition, locale }) === id.toLowerCase()))

/** All that a unit's look and currency change in its product documents. */
export const brandKeyOf = ({ brandName, accent, logo, contactInfo, currency }: BrandOfUnit): string =>
  createHash('sha256')
    .update(JSON.stringify([brandName, accent, logo, contactInfo.phone, contactInfo.email, currency]))
    .digest('base64')

type BrandOfUnit = Pick<UnitSettings, 'brandName' | 'accent' | 'logo' | 'contactInfo' | 'currency'>
