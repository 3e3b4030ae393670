import { createHash } from 'node:crypto'
import { countryName } from '#common/geography/countries.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { languageOf, type Locale, locales } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/products/calls.ts'
import { coverageValue } from '#common/products/cover.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { InFive } from '#common/products/texts.ts'
import { type UnitSettings, unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type Common, commonContent, cache, type OfferedProduct, offeredProducts, unitGateways } from './queries.ts'
import type { CommonContent, ProductContent } from './tables.ts'

type Product = ResponseSentOf<typeof calls.products>[number]

/** Lists the unit's products in the caller's language. Any other unit's id is refused, known or not. */
export const products =
  (world: World): Handler<typeof calls.products> =>
  async ({ ask, caller, locale }) => {
    const { scope, permissions } = caller.unit
    if (ask.businessUnitUuid !== undefined && ask.businessUnitUuid !== scope.businessUnitId) throw new Refusal('session.forbidden')
    return world.database.inScope(scope, async tx => {
      const unit = await unitSettings(tx)
      const reader = { scope, locale, country: unit.country, currency: unit.currency, brandKey: brandKeyOf(unit) }
      const paymentGateways = (await unitGateways(tx)).filter(canBeUsed(world)).map(({ id, name }) => ({ name, uuid: id }))
      const common = await commonContent(tx)
      const seesCommission = may(permissions, 'b2b-products-sell')
      return (await offeredProducts(tx)).map(offered => ({
        ...describe(offered, common, reader),
        productBuCommission: seesCommission ? offered.commissionPercent : null,
        paymentGateways,
      }))
    })
  }

type Reader = { scope: Scope; locale: Locale; country: number; currency: string; brandKey: string }
type Described = Omit<Product, 'paymentGateways' | 'productBuCommission'>

/** Describes a product. Descriptions are cached by version, language and brand. */
function describe(offered: OfferedProduct, common: Common, reader: Reader): Described {
  const { scope, locale, country, brandKey } = reader
  const name = [scope.businessUnitId, offered.hash, common.hash, locale, country, brandKey].join(' ')
  const words = descriptions.get(name) ?? describeProduct(offered, common, reader)
  cache(descriptions, name, words)
  return words
}

const descriptions = new Map<string, Described>()

function describeProduct({ id, hash, content }: OfferedProduct, { hash: commonHash, content: common }: Common, reader: Reader): Described {
  const translate = (text: InFive) => text[languageOf(reader.locale)]
  const item = (kind: string, name: InFive, value: string) => ({
    name: translate(name),
    value,
    itemUUID: stableId(kind, content.code, name.en),
  })
  return {
    id: content.id,
    uuid: id,
    code: content.code,
    name: translate(content.name),
    type: translate(content.type),
    icon: content.icon,
    characteristics: content.characteristics.map(translate),
    description: translate(content.description),
    importantInfo: common.texts.importantInfo.map(translate),
    documents: common.texts.documents.map(translate),
    coverages: content.coverages.map(coverage => ({
      ...item('coverage', coverage.name, coverageValue(coverage, reader)),
      code: coverage.code ?? null,
    })),
    detailsFeatured: content.detailsFeatured.map(detail => item('detail', detail.name, translate(detail.value))),
    files: productFiles(reader, content.code, common, { hash, commonHash, ...reader }),
    settings: describeSettings(content, reader),
  }
}

/** Lists the product's documents. Each is made when first opened (server/documents). */
function productFiles({ scope, locale }: Reader, code: string, { texts }: CommonContent, edition: ProductEdition): Product['files'] {
  const language = languageOf(locale)
  return productFileKinds.map((kind, index) => ({
    name: `${code}-${kind === 'information' ? 'ipid' : kind}-${language}.pdf`,
    label: texts.documents[index]?.[language] ?? kind,
    file: `/api/files/${productFileId(scope, kind, edition)}`,
  }))
}

function describeSettings({ settings }: ProductContent, { locale, country }: Reader): Product['settings'] {
  const region = (id: number) => ({ id, name: countryName(id, locale) ?? String(id) })
  const { defaultDestinationCountry, defaultOriginRegion, season, insures, ...rest } = settingsInUnit(settings, country)
  return {
    ...rest,
    defaultDestinationCountry: defaultDestinationCountry === null ? null : region(defaultDestinationCountry),
    defaultOriginRegion: region(defaultOriginRegion),
    season: season ?? null,
    insures: insures ?? null,
  }
}

/** Cards need keys. Outside production the fake card network brings its own. */
const canBeUsed =
  ({ config }: World) =>
  ({ name }: { name: string }): boolean =>
    name !== 'StripeV2' || !config.production || config.STRIPE_SECRET_KEY !== undefined

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
