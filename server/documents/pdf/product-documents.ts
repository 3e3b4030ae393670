import { buffer } from 'node:stream/consumers'
import { locales } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { Scope } from '#server/kit/scope.ts'
import {
  brandKeyOf,
  commonContent,
  offeredProducts,
  type ProductEdition,
  productFileId,
  type ProductFileKind,
  productFileKinds,
  tariffsOf,
} from '#server/products/public.ts'
import { type Files, isLost } from '../files.ts'
import { insertSource } from '../again/queries.ts'
import { type Content, findFile, insertFiles } from '../queries.ts'
import type { ProductTexts, Seller } from './facts.ts'
import { type PdfDocument, sourceOf } from './document.ts'
import type { Renderer } from './renderer.ts'
import { productDocument } from './product-document.ts'

type Wanted = { kind: ProductFileKind; texts: ProductTexts; seller: Seller; locale: ProductEdition['locale'] }

/** The information document or the conditions of one product, in one edition: made once, for whoever asks first. */
export type ProductDocuments = {
  content(scope: Scope, wanted: Wanted): Promise<Content>
  /** What it is printed of. */
  document(scope: Scope, wanted: Wanted): Promise<PdfDocument>
  /** What a product's link leads to, if it is a link of a product that the unit sells now. */
  linked(scope: Scope, id: string): Promise<PdfDocument | undefined>
  /** Makes what a product's link leads to, if it is a link of a product that the unit sells now. */
  makeLinked(scope: Scope, id: string): Promise<boolean>
}

export function openProductDocuments(world: World, files: Files, renderer: Renderer): ProductDocuments {
  const making = new Map<string, Promise<Content>>()
  const documents: ProductDocuments = {
    async content(scope, wanted) {
      const { kind, texts, seller, locale } = wanted
      const id = productFileId(scope, kind, { ...texts, locale, brandKey: brandKeyOf(seller) })
      const known = making.get(id) ?? made(scope, id, wanted)
      making.set(id, known)
      return known.finally(() => making.delete(id))
    },
    async document(scope, { kind, texts, seller, locale }) {
      const shown = await withLogo(files, scope, seller)
      return productDocument(kind, texts, { locale, currency: seller.currency, seller: shown }, world.words(locale))
    },
    async linked(scope, id) {
      const linked = await world.database.inScope(scope, tx => findLinked(tx, id))
      return linked && documents.document(scope, linked)
    },
    async makeLinked(scope, id) {
      const linked = await world.database.inScope(scope, tx => findLinked(tx, id))
      if (!linked) return false
      await documents.content(scope, linked)
      return true
    },
  }

  async function made(scope: Scope, id: string, wanted: Wanted) {
    const { kind, texts, locale } = wanted
    const row = await world.database.inScope(scope, tx => findFile(tx, id))
    if (row?.content_id) return { content_id: row.content_id, size: row.size ?? 0, sha256: row.sha256 ?? '' }
    const document = await documents.document(scope, wanted)
    const content = await files.keep(scope, id, await renderer.render(document), 'application/pdf')
    const name = `${document.title} - ${document.subtitle}.pdf`
    const file = { id, kind, name, media_type: 'application/pdf', locale, state: 'ready' as const, product_id: texts.id }
    await world.database.inScope(scope, async tx => {
      await insertSource(tx, content.content_id, sourceOf(document))
      await insertFiles(tx, [{ ...file, ...content, created_at: world.clock.now() }])
    })
    return content
  }
  return documents
}

/** A large logo is a file of the unit's own; it goes into papers as a small one does, within the settings. */
export async function withLogo(files: Files, scope: Scope, seller: Seller): Promise<Seller> {
  const [, id] = /^\/api\/files\/([\da-f-]{36})$/.exec(seller.logo) ?? []
  const file = id ? await files.open(scope, id).catch(withoutLost) : undefined
  if (!file) return seller
  const content = await buffer(file.stream)
  return { ...seller, logo: `data:${file.row.media_type};base64,${content.toString('base64')}` }
}

/** A paper without its picture is better than none. */
function withoutLost(error: unknown): undefined {
  if (!isLost(error)) throw error
}

/** A link is worked out of what it leads to, so it is found again by working out all that there are. */
async function findLinked(tx: UnitTx, id: string): Promise<Wanted | undefined> {
  const seller = await unitSettings(tx)
  const common = await commonContent(tx)
  const offered = await offeredProducts(tx)
  const edition = { commonHash: common.hash, brandKey: brandKeyOf(seller) }
  for (const product of offered)
    for (const kind of productFileKinds)
      for (const locale of locales) {
        if (productFileId(tx.scope, kind, { ...edition, hash: product.hash, locale }) !== id.toLowerCase()) continue
        const tariff = (await tariffsOf(tx, [product])).get(product.id)
        const { insurer, zones, information, conditions } = common.content
        if (!tariff) return undefined
        const described = { product: product.content, tariff, insurer, zones }
        return {
          kind,
          locale,
          seller,
          texts: { id: product.id, hash: product.hash, commonHash: common.hash, described, information, conditions },
        }
      }
  return undefined
}
