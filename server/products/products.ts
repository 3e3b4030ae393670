import { countryName } from '#common/geography/countries.ts'
import type { ReplySent } from '#common/kit/call.ts'
import { type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/products/calls.ts'
import { coverageValue } from '#common/products/cover.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { InFive } from '#common/products/texts.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { World } from '#server/kit/front.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type Common, commonContent, keep, type OfferedProduct, offeredProducts, unitGateways } from './rows.ts'
import type { CommonContent, ProductContent } from './tables.ts'

type Product = ReplySent<typeof calls.products>[number]

/** What this unit sells, in the caller's words. Any other unit's uuid is refused, whether there is such a unit or not. */
export const products =
  (world: World): Handler<typeof calls.products> =>
  async ({ ask, caller, locale }) => {
    const { scope, permissions } = caller.unit
    if (ask.businessUnitUuid !== undefined && ask.businessUnitUuid !== scope.businessUnitId) throw new Refusal('session.forbidden')
    return world.database.inScope(scope, async tx => {
      const { country, currency } = await unitSettings(scope, tx)
      const paymentGateways = (await unitGateways(scope, tx)).map(({ id, name }) => ({ name, uuid: id }))
      const common = await commonContent(tx)
      const seesCommission = may(permissions, 'b2b-products-sell')
      return (await offeredProducts(scope, tx)).map(offered => ({
        ...describedOnce(offered, common, { locale, country, currency }),
        productBuCommission: seesCommission ? offered.commissionPercent : null,
        paymentGateways,
      }))
    })
  }

type Reader = { locale: Locale; country: number; currency: string }
type Described = Omit<Product, 'paymentGateways' | 'productBuCommission'>

/** The same words serve everyone who reads the same version in the same language, so they are found once. */
function describedOnce(offered: OfferedProduct, common: Common, reader: Reader): Described {
  const name = [offered.hash, common.hash, reader.locale, reader.country, reader.currency].join(' ')
  const words = described.get(name) ?? describeProduct(offered, common.content, reader)
  keep(described, name, words)
  return words
}

const described = new Map<string, Described>()

function describeProduct({ id, content }: OfferedProduct, common: CommonContent, reader: Reader): Described {
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
    files: productFiles(content, languageOf(reader.locale), common),
    settings: describeSettings(content, reader),
  }
}

/** The two documents that every product has before anything is sold: its information document and its general conditions. */
function productFiles(content: ProductContent, language: Language, { texts }: CommonContent): Product['files'] {
  return (['ipid', 'conditions'] as const).map((kind, index) => ({
    name: `${content.code}-${kind}-${language}.pdf`,
    label: texts.documents[index]?.[language] ?? kind,
    file: `/api/files/${stableId('product-file', content.code, kind, language)}`,
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
