import { countryName } from '#common/geography/countries.ts'
import type { ReplySent } from '#common/kit/call.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/products/calls.ts'
import { coverageValue } from '#common/products/cover.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { InFive } from '#common/products/texts.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { brandKeyOf, type ProductEdition, productFileId, productFileKinds } from './product-files.ts'
import { type Common, commonContent, keep, type OfferedProduct, offeredProducts, unitGateways } from './queries.ts'
import type { CommonContent, ProductContent } from './tables.ts'

type Product = ReplySent<typeof calls.products>[number]

/** What this unit sells, in the caller's words. Any other unit's uuid is refused, whether there is such a unit or not. */
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
        ...describedOnce(offered, common, reader),
        productBuCommission: seesCommission ? offered.commissionPercent : null,
        paymentGateways,
      }))
    })
  }

type Reader = { scope: Scope; locale: Locale; country: number; currency: string; brandKey: string }
type Described = Omit<Product, 'paymentGateways' | 'productBuCommission'>

/** The same words serve everyone who reads the same version in the same language, so they are found once. */
function describedOnce(offered: OfferedProduct, common: Common, reader: Reader): Described {
  const { scope, locale, country, brandKey } = reader
  const name = [scope.businessUnitId, offered.hash, common.hash, locale, country, brandKey].join(' ')
  const words = described.get(name) ?? describeProduct(offered, common, reader)
  keep(described, name, words)
  return words
}

const described = new Map<string, Described>()

function describeProduct({ id, hash, content }: OfferedProduct, { hash: commonHash, content: common }: Common, reader: Reader): Described {
  const inWords = (text: InFive) => text[languageOf(reader.locale)]
  const item = (kind: string, name: InFive, value: string) => ({
    name: inWords(name),
    value,
    itemUUID: stableId(kind, content.code, name.en),
  })
  return {
    id: content.id,
    uuid: id,
    code: content.code,
    name: inWords(content.name),
    type: inWords(content.type),
    icon: content.icon,
    characteristics: content.characteristics.map(inWords),
    description: inWords(content.description),
    importantInfo: common.texts.importantInfo.map(inWords),
    documents: common.texts.documents.map(inWords),
    coverages: content.coverages.map(coverage => item('coverage', coverage.name, coverageValue(coverage, reader))),
    detailsFeatured: content.detailsFeatured.map(detail => item('detail', detail.name, inWords(detail.value))),
    files: productFiles(reader, content.code, common, { hash, commonHash, ...reader }),
    settings: describeSettings(content, reader),
  }
}

/** Made when somebody first asks for them (server/documents). */
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
  const { defaultDestinationCountry, defaultOriginRegion, season, ...rest } = settingsInUnit(settings, country)
  return {
    ...rest,
    defaultDestinationCountry: defaultDestinationCountry === null ? null : region(defaultDestinationCountry),
    defaultOriginRegion: region(defaultOriginRegion),
    season: season ?? null,
  }
}

/** Without keys no card can be charged. Outside production a fake card network brings keys of its own. */
const canBeUsed =
  ({ config }: World) =>
  ({ name }: { name: string }): boolean =>
    name !== 'StripeV2' || !config.production || config.STRIPE_SECRET_KEY !== undefined
