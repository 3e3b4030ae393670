import { isDocument } from '#common/documents/kinds.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Recreate } from '../files.ts'
import { type Source, sourceOf } from '../pdf/document.ts'
import type { PolicyDocuments } from '../pdf/documents.ts'
import type { Renderer } from '../typesetting/renderer.ts'
import type { ProductDocuments } from '../pdf/product-documents.ts'
import type { FileRow } from '../queries.ts'
import { findLogo, findSource, insertSources, documentOfContent } from './queries.ts'

type Sources = { documents: PolicyDocuments; productDocuments: ProductDocuments }

/** Finds the source of a document that was made. */
export type FindSource = (scope: Scope, row: FileRow) => Promise<Source | undefined>

/** Returns the function that finds the source of a document: the kept one, or one that is built again. */
export function openSources({ database, secrets }: World, { documents, productDocuments }: Sources): FindSource {
  /** Rebuilds a document's source from the policy's version or product as it is now. Old documents have no kept source. */
  async function sourceNow(scope: Scope, row: FileRow, contentId: string): Promise<Source | undefined> {
    const known = row.policy_id ? row : await database.inScope(scope, tx => documentOfContent(tx, contentId))
    const document = known?.policy_id
      ? await documents.printable(scope, known.policy_id, known.id, known.policy_version)
      : await productDocuments.linked(scope, row.id)
    if (!document) return undefined
    const source = sourceOf(document)
    await database.inScope(scope, tx => insertSources(secrets, tx, [{ contentId, source }]))
    return source
  }

  return async (scope, row) => {
    const { content_id: contentId } = row
    if (!contentId) return undefined
    return (await database.inScope(scope, tx => findSource(secrets, tx, contentId))) ?? sourceNow(scope, row, contentId)
  }
}

/** Returns the function that recreates files the store has lost: documents from their sources, and logos that a document shows. */
export function recreatorOf({ database }: World, renderer: Renderer, sourceOfFile: FindSource): Recreate {
  return async (scope, row) => {
    const { kind, sha256 } = row
    if (kind === 'logo') return (await database.inScope(scope, tx => findLogo(tx, sha256 ?? '')))?.content
    const source = isDocument(kind) ? await sourceOfFile(scope, row) : undefined
    return source && renderer.renderAgain(scope.businessUnitId, source)
  }
}
