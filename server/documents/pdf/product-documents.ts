import { buffer } from 'node:stream/consumers'
import { locales } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
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
import { insertSources } from '../recreate/queries.ts'
import { type Content, type FileRow, findFile, insertFiles } from '../queries.ts'
import type { DocumentFacts, ProductTexts, Seller } from './facts.ts'
import type { PdfDocument } from './document.ts'
import type { Renderer } from '../typesetting/renderer.ts'
import { productDocument } from './product-document.ts'

type ProductDocumentRequest = { kind: ProductFileKind; texts: ProductTexts; seller: Seller; locale: ProductEdition['locale'] }

/** The information document or conditions of one product in one edition, made on the first request. */
export type ProductDocuments = {
  content(scope: Scope, request: ProductDocumentRequest): Promise<Content>
  /** Returns the printable document. */
  printable(scope: Scope, request: ProductDocumentRequest): Promise<PdfDocument>
  /** Returns the document that a product's link leads to, if the unit sells the product now. */
  linked(scope: Scope, id: string): Promise<PdfDocument | undefined>
  /** Makes the document that a product's link leads to, if the unit sells the product now. */
  makeLinked(scope: Scope, id: string): Promise<boolean>
}

export function openProductDocuments(world: World, files: Files, renderer: Renderer): ProductDocuments {
  const pending = new Map<string, Promise<Content>>()
  const documents: ProductDocuments = {
    async content(scope, request) {
      const { kind, texts, seller, locale } = request
      const id = productFileId(scope, kind, { ...texts, locale, brandKey: brandKeyOf(seller) })
      const known = pending.get(id) ?? make(scope, id, request)
      pending.set(id, known)
      return known.finally(() => pending.delete(id))
    },
    async printable(scope, { kind, texts, seller, locale }) {
      return productDocument(kind, texts, { locale, currency: seller.currency, seller }, world.words(locale))
    },
    async linked(scope, id) {
      const linked = await world.database.inScope(scope, tx => findLinked(tx, id))
      return linked && documents.printable(scope, linked)
    },
    async makeLinked(scope, id) {
      const linked = await world.database.inScope(scope, tx => findLinked(tx, id))
      if (!linked) return false
      await documents.content(scope, linked)
      return true
    },
  }

  async function make(scope: Scope, id: string, request: ProductDocumentRequest) {
    const { kind, texts, locale } = request
    const known = contentOfRow(await world.database.inScope(scope, tx => findFile(tx, id)))
    if (known) return known
    const document = await documents.printable(scope, request)
    const { content: printed, source } = await renderer.render(scope.businessUnitId, document)
    const content = await files.storeContent(scope, id, printed, { kind, mediaType: 'application/pdf' })
    const name = `${document.title} - ${document.subtitle}.pdf`
    const file = { id, kind, name, media_type: 'application/pdf', locale, state: 'ready' as const, product_id: texts.id }
    await world.database.inScope(scope, async tx => {
      await insertSources(world.secrets, tx, [{ contentId: content.content_id, source }])
      await insertFiles(tx, [{ ...file, ...content, created_at: world.clock.now() }])
    })
    return content
  }
  return documents
}

/** Returns the ids of the two documents of a policy's product, in its language. */
export function productDocumentIds(scope: Scope, { product, seller, policy: { locale } }: DocumentFacts): string[] {
  const edition = { hash: product.hash, commonHash: product.commonHash, locale, brandKey: brandKeyOf(seller) }
  return productFileKinds.map(kind => productFileId(scope, kind, edition))
}

/** Returns the content of a file that has one. */
export const contentOfRow = (row: FileRow | undefined): Content | undefined =>
  row?.content_id ? { content_id: row.content_id, size: row.size ?? 0, sha256: row.sha256 ?? '', sealed_by: row.sealed_by } : undefined

/** Inlines a large logo, which is a file of the unit. Small logos are inline in the settings already. */
export async function withLogo<S extends Pick<Seller, 'logo'>>(files: Files, scope: Scope, seller: S): Promise<S> {
  const [, id] = /^\/api\/files\/([\da-f-]{36})$/.exec(seller.logo) ?? []
  const file = id ? await files.open(scope, id).catch(unlessLost) : undefined
  if (!file) return seller
  const content = await buffer(file.stream)
  return { ...seller, logo: `data:${file.row.media_type};base64,${content.toString('base64')}` }
}

/** A lost logo is left out of the document. */
function unlessLost(error: unknown): undefined {
  if (!isLost(error)) throw error
}

/** Finds the product document with this id. The id is a hash of the edition, so all editions on offer are hashed and compared. */
async function findLinked(tx: UnitTx, id: string): Promise<ProductDocumentRequest | undefined> {
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
