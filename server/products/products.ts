import { countriesIn } from '#common/geography/countries.ts'
import type { ReplySent } from '#common/kit/call.ts'
import { intlTag, type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/products/calls.ts'
import type { InFive } from '#common/products/catalogue.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { World } from '#server/kit/front.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/stable-id.ts'
import { commonContent, type OfferedProduct, offeredProducts, unitGateways } from './rows.ts'
import type { CommonContent, ProductContent } from './tables.ts'

type Product = ReplySent<typeof calls.products>[number]

/** What this unit sells, in the caller's words. Another unit's uuid is answered as one that does not exist. */
export const products =
  (world: World): Handler<typeof calls.products> =>
  async ({ ask, caller, locale }) => {
    const { scope, permissions } = caller.unit
    if (ask.businessUnitUuid !== undefined && ask.businessUnitUuid !== scope.businessUnitId) throw new Refusal('request.not_found')
    return world.database.inScope(scope, async tx => {
      const [unit, offered, gateways, common] = [
        await unitSettings(scope, tx),
        await offeredProducts(scope, tx),
        await unitGateways(scope, tx),
        await commonContent(tx),
      ]
      const seesCommission = may(permissions, 'b2b-products-sell')
      const paymentGateways = gateways.map(({ id, name }) => ({ name, uuid: id }))
      return offered.map(product => ({
        ...describeProduct(product, common, { locale, country: unit.country, currency: unit.currency, seesCommission }),
        paymentGateways,
      }))
    })
  }

type Reader = { locale: Locale; country: number; currency: string; seesCommission: boolean }

function describeProduct(
  { id, content, commissionPercent }: OfferedProduct,
  common: CommonContent,
  reader: Reader,
): Omit<Product, 'paymentGateways'> {
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
    productBuCommission: reader.seesCommission ? commissionPercent : null,
    characteristics: content.characteristics.map(inWords),
    description: inWords(content.description),
    importantInfo: common.texts.importantInfo.map(inWords),
    documents: common.texts.documents.map(inWords),
    coverages: content.coverages.map(coverage =>
      item('coverage', coverage.name, 'limit' in coverage ? money(coverage.limit, reader) : inWords(coverage.value)),
    ),
    detailsFeatured: content.detailsFeatured.map(detail => item('detail', detail.name, inWords(detail.value))),
    files: productFiles(content, languageOf(reader.locale), common),
    settings: describeSettings(content, reader),
  }
}

const money = (cents: number, { locale, currency }: Reader): string =>
  new Intl.NumberFormat(intlTag(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
    useGrouping: 'always',
  }).format(cents / 100)

/** The two documents that every product has before anything is sold: its information document and its general conditions. */
function productFiles(content: ProductContent, language: Language, { texts }: CommonContent): Product['files'] {
  return (['ipid', 'conditions'] as const).map((kind, index) => ({
    name: `${content.code}-${kind}-${language}.pdf`,
    label: texts.documents[index]?.[language] ?? kind,
    file: `/api/files/${stableId('product-file', content.code, kind, language)}`,
  }))
}

/** `"unit"` stands for the unit's own country. */
function describeSettings({ settings }: ProductContent, { locale, country }: Reader): Product['settings'] {
  const idOf = (place: number | 'unit') => (place === 'unit' ? country : place)
  const region = (place: number | 'unit') => ({ id: idOf(place), name: countryName(idOf(place), locale) })
  const { countries, defaultDestinationCountry, defaultOriginRegion, season, ...rest } = settings
  return {
    ...rest,
    countries: countries.map(idOf),
    defaultDestinationCountry: defaultDestinationCountry === null ? null : region(defaultDestinationCountry),
    defaultOriginRegion: region(defaultOriginRegion),
    season: season ?? null,
  }
}

const names = new Map<Locale, Map<number, string>>()

function countryName(id: number, locale: Locale): string {
  const known = names.get(locale) ?? new Map(countriesIn(locale).map(country => [country.id, country.name]))
  names.set(locale, known)
  return known.get(id) ?? String(id)
}
