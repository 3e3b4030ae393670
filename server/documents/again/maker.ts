import { documentKinds } from '#common/documents/kinds.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { MakeAgain } from '../files.ts'
import { type Source, sourceOf } from '../pdf/document.ts'
import type { Papers } from '../pdf/documents.ts'
import type { Press } from '../pdf/renderer.ts'
import type { ProductPapers } from '../pdf/product-documents.ts'
import type { FileRow } from '../queries.ts'
import { findLogo, findSource, insertSource, paperOfContent } from './queries.ts'

type Ground = { press: Press; papers: Papers; productPapers: ProductPapers }

/** Makes again what the file store has lost: papers of what they were printed of, an agency's logo if a paper bears it. */
export function makerOf({ database }: World, { press, papers, productPapers }: Ground): MakeAgain {
  /** A paper from before sources were kept: of the policy or the product as it is now. */
  async function sourceNow(scope: Scope, row: FileRow, contentId: string): Promise<Source | undefined> {
    const known = row.policy_id ? row : await database.inScope(scope, tx => paperOfContent(tx, contentId))
    const paper = known?.policy_id ? await papers.paper(scope, known.policy_id, known.id) : await productPapers.linked(scope, row.id)
    if (!paper) return undefined
    const source = sourceOf(paper)
    await database.inScope(scope, tx => insertSource(tx, contentId, source))
    return source
  }

  return async (scope, row) => {
    const { kind, content_id: contentId, sha256 } = row
    if (kind === 'logo') return (await database.inScope(scope, tx => findLogo(tx, sha256 ?? '')))?.content
    if (!contentId || !isOurs(kind)) return undefined
    const source = (await database.inScope(scope, tx => findSource(tx, contentId))) ?? (await sourceNow(scope, row, contentId))
    return source && press.printAgain(source)
  }
}

export const isOurs = (kind: FileRow['kind']): boolean => kind === 'offer' || documentKinds.some(each => each === kind)
